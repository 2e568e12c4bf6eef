# `cmake --install`: the program with manual pages, completion of shells, schema and documents, the library (static and shared), its public headers, and how others find it
# (pkg-config, CMake). Everything is found from where the files lie: the folder may be moved as a whole.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/globdyn)

install(TARGETS globdyn RUNTIME)
install(DIRECTORY ${PROJECT_BINARY_DIR}/share/man/ DESTINATION ${CMAKE_INSTALL_MANDIR})
install(DIRECTORY ${PROJECT_BINARY_DIR}/share/bash-completion DESTINATION ${CMAKE_INSTALL_DATADIR})
install(DIRECTORY ${PROJECT_BINARY_DIR}/share/globdyn DESTINATION ${CMAKE_INSTALL_DATADIR})
install(DIRECTORY ${PROJECT_BINARY_DIR}/share/zsh DESTINATION ${CMAKE_INSTALL_DATADIR})
# The documents, with the cases and samples that they link to.
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs cases DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES scripts/python/example.py DESTINATION ${CMAKE_INSTALL_DOCDIR}/scripts/python)
install(TARGETS libglobdyn EXPORT static ARCHIVE INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT static NAMESPACE globdyn:: FILE globdynStatic.cmake DESTINATION ${package_folder})
if(GDYN_SHARED)
    install(TARGETS libglobdyn_shared EXPORT shared LIBRARY INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT shared NAMESPACE globdyn:: FILE globdynShared.cmake DESTINATION ${package_folder})
    # The Python package stands on the shared library.
    install(DIRECTORY scripts/python/globdyn DESTINATION lib/python3/dist-packages PATTERN __pycache__ EXCLUDE)
endif()

# Headers lie in globdyn/ and include each other from there, so that no header of a user hides one of them.
install(CODE "
    set(source \"${PROJECT_SOURCE_DIR}/src\")
    set(ready \"${PROJECT_BINARY_DIR}/install_headers\")
    set(folder \"${CMAKE_INSTALL_INCLUDEDIR}\")
    set(headers \"${public_headers}\")
")
install(CODE [[
    file(REMOVE_RECURSE ${ready})
    foreach(header ${headers})
        file(READ ${source}/${header} text)
        string(REGEX REPLACE "\n/\\* --- inside:.*" "\n" text "${text}")
        string(REGEX REPLACE "#include \"([a-z_]+/)" "#include \"globdyn/\\1" text "${text}")
        if(header STREQUAL "globdyn.h")
            file(WRITE ${ready}/globdyn.h "${text}")
        else()
            file(WRITE ${ready}/globdyn/${header} "${text}")
        endif()
    endforeach()
    file(INSTALL ${ready}/ DESTINATION ${CMAKE_INSTALL_PREFIX}/${folder})
]])

# What the static library is linked with, by name.
file(RELATIVE_PATH GDYN_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" GDYN_PC_TO_PREFIX "${GDYN_PC_TO_PREFIX}")
# (not as Requires.private: who uses the shared library needs no development packages of these)
set(GDYN_PC_LIBS "-lglpk -llapacke -lopenblas -pthread")
foreach(target IN LISTS pkg_targets)
    list(TRANSFORM ${target}_LIBRARIES PREPEND -l OUTPUT_VARIABLE words)
    list(JOIN words " " words)
    string(APPEND GDYN_PC_LIBS " ${words}")
endforeach()
string(APPEND GDYN_PC_LIBS " -lm")
set(GDYN_FIND_DEPENDENCIES "find_dependency(Threads)\n    find_dependency(PkgConfig)")
foreach(module target IN ZIP_LISTS pkg_modules pkg_targets)
    string(APPEND GDYN_FIND_DEPENDENCIES
        "\n    pkg_check_modules(${target} REQUIRED IMPORTED_TARGET ${module})")
endforeach()
if(MPI_C_FOUND)
    string(APPEND GDYN_FIND_DEPENDENCIES "\n    find_dependency(MPI COMPONENTS C)")
    list(JOIN MPI_C_LIBRARIES " " mpi_libraries)
    string(APPEND GDYN_PC_LIBS " ${mpi_libraries}")
endif()

set(made ${PROJECT_BINARY_DIR}/package)
configure_file(src/globdyn.pc.in ${made}/globdyn.pc @ONLY)
configure_package_config_file(src/globdynConfig.cmake.in ${made}/globdynConfig.cmake
    INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
# Sources keep compiling until the first number changes (docs/CHANGELOG.md).
write_basic_package_version_file(${made}/globdynConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${made}/globdyn.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${made}/globdynConfig.cmake ${made}/globdynConfigVersion.cmake DESTINATION ${package_folder})
