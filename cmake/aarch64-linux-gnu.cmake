# Toolchain of the presets aarch64 and package-aarch64: clang builds for 64-bit Arm on any machine, with the headers and libraries
# of Debian's arm64 packages, which utils/make_sysroot unpacks in a folder. What the build itself runs, such as tsc-tblgen, is
# built for the machine at hand (cmake/TscHostTools.cmake).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)

set(TSC_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-sysroot CACHE PATH "The folder that utils/make_sysroot wrote")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TSC_SYSROOT)
cmake_path(ABSOLUTE_PATH TSC_SYSROOT NORMALIZE OUTPUT_VARIABLE CMAKE_SYSROOT)
if(NOT EXISTS ${CMAKE_SYSROOT}/usr/include/stdio.h)
  message(FATAL_ERROR "There are no arm64 packages in ${CMAKE_SYSROOT}: run utils/make_sysroot ${CMAKE_SYSROOT}")
endif()

set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)

# Programs are those of this machine; headers, libraries and CMake packages those of the sysroot alone.
set(CMAKE_FIND_ROOT_PATH ${CMAKE_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# What runs the programs that CMake tries, and without the prefix those of the scripts of TscHostTools.cmake: tests, and what
# utils/run_tests.py runs.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${CMAKE_SYSROOT})
set(TSC_SYSROOT_LOADER ${CMAKE_SYSROOT}/usr/lib/ld-linux-aarch64.so.1)
set(TSC_SYSROOT_LIBRARIES ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu)
