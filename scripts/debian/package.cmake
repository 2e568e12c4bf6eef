# `cpack -G DEB` (scripts/package): one Debian package of all that `cmake --install` installs.
set(GDYN_MAINTAINER "globdyn developers <developers@globdyn.invalid>" CACHE STRING "who answers for the Debian package")
set(debian ${PROJECT_SOURCE_DIR}/scripts/debian)
find_program(DPKG_DEB dpkg-deb)
if(NOT DPKG_DEB)
    return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME globdyn)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "global dynamics of machines: reachable motions, reactions, design")
set(CPACK_PACKAGE_DESCRIPTION
"globdyn computes what a machine can do before any motion is planned: the
path speeds and accelerations that its drives can reach at every point of a
path, the drive that sets each limit, and the fastest motion. It decides
which joint reactions a rigid model determines, simulates machines with
redundant constraints, and searches design variables for the best
compromises.
.
This package holds the program, the C library with its headers, the Python
package and the documents with all example cases.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${GDYN_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot, fonts-dejavu-core, python3-numpy, python3")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gcc, pkg-config")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${debian}/postinst ${debian}/prerm ${debian}/triggers)
set(CPACK_PRE_BUILD_SCRIPTS ${debian}/staged.cmake)

# The entry of the version in the form that Debian's tools read.
file(STRINGS ${PROJECT_SOURCE_DIR}/src/base/version.h day REGEX "define GDYN_RELEASED ")
string(REGEX REPLACE ".*\"(.*)\".*" "\\1" day "${day}")
execute_process(COMMAND date -u -R -d ${day} OUTPUT_VARIABLE day OUTPUT_STRIP_TRAILING_WHITESPACE)
file(WRITE ${PROJECT_BINARY_DIR}/package/changelog.Debian
"globdyn (${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Version ${PROJECT_VERSION}; its changes are in changelog.gz.

 -- ${GDYN_MAINTAINER}  ${day}
")
set(CPACK_GDYN_PACKAGE ${PROJECT_BINARY_DIR}/package)
set(CPACK_GDYN_SOURCE ${PROJECT_SOURCE_DIR})
include(CPack)
