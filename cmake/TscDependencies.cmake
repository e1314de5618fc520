# What tsc stands on, each from Debian 12 (utils/check installs them). The installed package includes this file too,
# so that a program that uses tsc finds the same libraries.
#
# LLVM and Abseil are linked statically: their shared libraries cost 16 ms and 2 ms at each start.

find_package(LLVM 19.1 CONFIG REQUIRED PATHS /usr/lib/llvm-19/lib/cmake/llvm NO_DEFAULT_PATH)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(ZLIB REQUIRED)

# tsc::deps::llvm_support: LLVM's ADT and Support and nothing else of LLVM. Its package names libraries that only other
# parts of LLVM call: z3 alone would cost every start of a program a millisecond.
if(NOT TARGET tsc::deps::llvm_support)
  add_library(tsc::deps::llvm_support INTERFACE IMPORTED)
  separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_options(tsc::deps::llvm_support INTERFACE ${definitions})
  target_include_directories(tsc::deps::llvm_support SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
  target_link_libraries(tsc::deps::llvm_support INTERFACE LLVMSupport)
  target_link_options(tsc::deps::llvm_support INTERFACE LINKER:--as-needed)
endif()

# tsc::deps::llvm_codegen: what generates machine code for this kind of processor in memory. Only FuserCPU links it.
if(NOT TARGET tsc::deps::llvm_codegen)
  llvm_map_components_to_libnames(components orcjit native scalaropts)
  list(FILTER components EXCLUDE REGEX "AsmParser$|Disassembler$|TargetMCA$")
  add_library(tsc::deps::llvm_codegen INTERFACE IMPORTED)
  target_link_libraries(tsc::deps::llvm_codegen INTERFACE tsc::deps::llvm_support ${components})
endif()

# tsc::deps::absl: Abseil's status and strings, from the static archives beside the shared libraries. Debian's CMake
# package names only the shared ones; pkg-config knows the closure. The archives are not position independent: what
# becomes a shared library takes the shared ones.
if(NOT TARGET tsc::deps::absl)
  pkg_check_modules(tsc_absl REQUIRED absl_status absl_statusor)
  set(archives)
  set(shared)
  foreach(name ${tsc_absl_STATIC_LIBRARIES})
    find_library(TSC_LIB_${name} NAMES lib${name}.a HINTS ${tsc_absl_STATIC_LIBRARY_DIRS})
    find_library(TSC_SHARED_LIB_${name} NAMES lib${name}.so HINTS ${tsc_absl_STATIC_LIBRARY_DIRS})
    mark_as_advanced(TSC_LIB_${name} TSC_SHARED_LIB_${name})
    if(name MATCHES "^absl_" AND TSC_LIB_${name})
      list(APPEND archives ${TSC_LIB_${name}})
    endif()
    if(name MATCHES "^absl_" AND TSC_SHARED_LIB_${name})
      list(APPEND shared ${TSC_SHARED_LIB_${name}})
    endif()
  endforeach()
  add_library(tsc::deps::absl INTERFACE IMPORTED)
  set(is_program "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>") # of what is linked in the end
  target_link_libraries(tsc::deps::absl INTERFACE
    "$<${is_program}:-Wl$<COMMA>--start-group;${archives};-Wl$<COMMA>--end-group>" "$<$<NOT:${is_program}>:${shared}>"
    Threads::Threads)
endif()

# tsc::deps::dnnl: oneDNN. Only Kernels links it, so that a program that takes none does without it: then the target is
# missing, which CMake says when Kernels is linked after all. Debian's CMake package for oneDNN asks for OpenCL, which we
# do not need.
if(NOT TARGET tsc::deps::dnnl)
  find_path(TSC_DNNL_INCLUDE_DIR dnnl.hpp)
  find_library(TSC_DNNL_LIBRARY dnnl)
  mark_as_advanced(TSC_DNNL_INCLUDE_DIR TSC_DNNL_LIBRARY)
  if(TSC_DNNL_INCLUDE_DIR AND TSC_DNNL_LIBRARY)
    add_library(tsc::deps::dnnl INTERFACE IMPORTED)
    target_include_directories(tsc::deps::dnnl SYSTEM INTERFACE ${TSC_DNNL_INCLUDE_DIR})
    target_link_libraries(tsc::deps::dnnl INTERFACE ${TSC_DNNL_LIBRARY})
  elseif(NOT CMAKE_FIND_PACKAGE_NAME)
    message(FATAL_ERROR "oneDNN (libdnnl-dev) is not there")
  endif()
endif()
