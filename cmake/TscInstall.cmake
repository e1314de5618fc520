# What `ninja install` lays down, and the package that find_package(tsc) reads, from the build and the install tree. The
# components are those of the packages that utils/package makes: runtime (libtsc.so), development, tools.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tsc)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tsc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "*.td" PATTERN "*.inc")
install(FILES ${PROJECT_SOURCE_DIR}/include/tsc-c/tsc.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tsc-c
  COMPONENT development)
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/tsc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development OPTIONAL
  FILES_MATCHING PATTERN "*.h" PATTERN "*.inc")

configure_package_config_file(cmake/tscConfig.cmake.in ${PROJECT_BINARY_DIR}/tscConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tscConfigVersion.cmake COMPATIBILITY SameMinorVersion)
configure_file(cmake/TscDependencies.cmake ${PROJECT_BINARY_DIR}/TscDependencies.cmake COPYONLY)
install(FILES ${PROJECT_BINARY_DIR}/tscConfig.cmake ${PROJECT_BINARY_DIR}/tscConfigVersion.cmake
  cmake/TscDependencies.cmake DESTINATION ${package_dir} COMPONENT development)
install(EXPORT tscTargets NAMESPACE tsc:: DESTINATION ${package_dir} COMPONENT development)
install(EXPORT tscCTargets NAMESPACE tsc:: DESTINATION ${package_dir} COMPONENT development)
export(EXPORT tscCTargets NAMESPACE tsc:: FILE ${PROJECT_BINARY_DIR}/tscCTargets.cmake)
export(EXPORT tscTargets NAMESPACE tsc:: FILE ${PROJECT_BINARY_DIR}/tscTargets.cmake)

# pkg-config's file finds the others from where it is, so that an installed tree can be moved.
file(RELATIVE_PATH TSC_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/tsc.pc.in ${PROJECT_BINARY_DIR}/tsc.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tsc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
