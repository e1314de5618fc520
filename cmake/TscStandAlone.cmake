# What tools and libtsc.so carry with them, so that they run where nothing of ours is installed.

option(TSC_STATIC_CXX "Link the C++ library into the tools and into libtsc.so" OFF)
set(TSC_OLDEST_GLIBC "" CACHE STRING
  "The oldest glibc with which the tools and libtsc.so run, as in 2.31; empty for that of this system")

# zlib is linked into them, too. A host of our static libraries finds whichever zlib it looks for.
set(ZLIB_USE_STATIC_LIBS ON)
if(ZLIB_LIBRARY_RELEASE MATCHES "[.]so") # found before, when the shared one was wanted
  unset(ZLIB_LIBRARY_RELEASE CACHE)
endif()

# Libraries to link with that offer what glibc had in that version (utils/link_for_older_glibc.py).
if(TSC_OLDEST_GLIBC)
  set(TSC_GLIBC_DIR ${PROJECT_BINARY_DIR}/glibc-${TSC_OLDEST_GLIBC})
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  find_program(TSC_READELF NAMES llvm-readelf-19 readelf REQUIRED)
  mark_as_advanced(TSC_READELF)
  set(target)
  if(CMAKE_CROSSCOMPILING)
    set(target --target ${CMAKE_C_COMPILER_TARGET} --sysroot ${CMAKE_SYSROOT})
  endif()
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/utils/link_for_older_glibc.py ${TSC_OLDEST_GLIBC}
    ${TSC_GLIBC_DIR} --cc ${CMAKE_C_COMPILER} --readelf ${TSC_READELF} ${target} COMMAND_ERROR_IS_FATAL ANY)
endif()

# tsc_stand_alone(target): a program or shared library with an LLVM of its own. LLVM's hash tables get memory from what is
# set aside for them where the system has none (lib/Support/LlvmMemory.cpp), and zstd, which LLVM would compress debug
# sections with, is not there. TSC_VERSION is the version's text.
function(tsc_stand_alone target)
  target_compile_definitions(${target} PRIVATE TSC_VERSION="${PROJECT_VERSION}")
  target_link_options(${target} PRIVATE LINKER:--wrap=_ZN4llvm15allocate_bufferEmm
    LINKER:--wrap=_ZN4llvm17deallocate_bufferEPvmm)
  target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/lib/Support/OwnLlvm/WithoutZstd.cpp)
  if(TSC_STATIC_CXX)
    target_link_options(${target} PRIVATE -static-libstdc++)
  endif()
  if(TSC_OLDEST_GLIBC)
    get_target_property(type ${target} TYPE)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/lib/Support/OwnLlvm/OlderGlibc.c)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/lib/Support/OwnLlvm/OlderGlibc.c PROPERTIES
      SKIP_PRECOMPILE_HEADERS ON) # those are of C++
    # Shared libraries of the system, such as that of exceptions, need more of its glibc than is offered here. Threads and
    # dlopen were libraries of their own, which older systems look into when they are named.
    target_link_options(${target} PRIVATE -L${TSC_GLIBC_DIR} LINKER:--allow-shlib-undefined LINKER:--no-as-needed
      ${TSC_GLIBC_DIR}/libpthread.so.0 ${TSC_GLIBC_DIR}/libdl.so.2 LINKER:--as-needed)
    if(type STREQUAL "EXECUTABLE")
      target_compile_definitions(${target} PRIVATE TSC_OLDER_GLIBC_PROGRAM)
      target_link_options(${target} PRIVATE LINKER:--wrap=__libc_start_main ${TSC_GLIBC_DIR}/librt.so.1)
    endif()
  endif()
endfunction()
