# Run by cpack when the files of the package lie in its folder, before they are packed: what Debian asks of them.
set(usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
if(NOT EXISTS ${usr}/bin/globdyn)
    message(FATAL_ERROR "${usr}/bin/globdyn is missing")
endif()
set(doc ${usr}/share/doc/globdyn)

# zip(FILE...): as FILE.gz, without name and time inside, so that the same source gives the same package.
function(zip)
    execute_process(COMMAND gzip -9 -n -f ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(GLOB pages ${usr}/share/man/man*/*.[0-9])
zip(${pages})
configure_file(${CPACK_GDYN_PACKAGE}/changelog.Debian ${doc}/changelog.Debian COPYONLY)
configure_file(${CPACK_GDYN_SOURCE}/docs/CHANGELOG.md ${doc}/changelog COPYONLY)
zip(${doc}/changelog.Debian ${doc}/changelog)
configure_file(${CPACK_GDYN_SOURCE}/scripts/debian/copyright ${doc}/copyright COPYONLY)

file(MAKE_DIRECTORY ${usr}/share/lintian/overrides)
configure_file(${CPACK_GDYN_SOURCE}/scripts/debian/overrides ${usr}/share/lintian/overrides/globdyn COPYONLY)

# Debian's zsh looks for completions of packages here.
file(MAKE_DIRECTORY ${usr}/share/zsh/vendor-completions)
file(RENAME ${usr}/share/zsh/site-functions/_globdyn ${usr}/share/zsh/vendor-completions/_globdyn)
file(REMOVE_RECURSE ${usr}/share/zsh/site-functions)

# Debugging information is of use beside the source only.
file(GLOB archives ${usr}/lib/*/libglobdyn.a)
execute_process(COMMAND strip --strip-debug --enable-deterministic-archives ${archives} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND chmod -R u=rwX,go=rX ${usr} COMMAND_ERROR_IS_FATAL ANY)
