# embed.cmake - text files as C arrays: cmake -DOUT=FILE.c -DHEADER=H "-DFILES=A;B" -P embed.cmake. NAME.EXT becomes
# gdyn_NAME_EXT, which the header declares.
set(text "/* Made by embed.cmake. */\n#include \"${HEADER}\"\n")
foreach(file ${FILES})
    get_filename_component(name ${file} NAME)
    string(MAKE_C_IDENTIFIER ${name} name)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    # Characters of UTF-8 are above 127, which a plain char may not hold.
    string(APPEND text "const char gdyn_${name}[] = {${bytes}0};\n")
endforeach()
string(REGEX REPLACE "0x([89a-f][0-9a-f])," "(char)0x\\1," text "${text}")
file(WRITE ${OUT} "${text}")
