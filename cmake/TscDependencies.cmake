# What tsc stands on, each from Debian 12 (utils/check installs them). The installed package includes this file too,
# so that a program that uses tsc finds the same libraries.
#
# LLVM is linked statically: its shared library costs 16 ms at each start.

find_package(LLVM 19.1 CONFIG QUIET PATHS /usr/lib/llvm-19/lib/cmake/llvm NO_DEFAULT_PATH)
if(NOT LLVM_FOUND)
  message(FATAL_ERROR "tsc's static libraries and tools need LLVM 19.1, zstd and zlib, and there is no LLVM in /usr/lib/llvm-19. "
    "On Debian, install llvm-19-dev, libzstd-dev and zlib1g-dev. The C interface alone needs none of them: "
    "find_package(tsc REQUIRED COMPONENTS C), which gives tsc::C.")
endif()
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)

# LLVM's package names files of other libraries by their places in the system that it is for. z3 is one, which nothing here
# calls: where another system's packages are in a folder (cmake/aarch64-linux-gnu.cmake), there is no such file.
if(CMAKE_CROSSCOMPILING)
  get_target_property(tsc_llvm_needs LLVMSupport INTERFACE_LINK_LIBRARIES)
  foreach(library IN LISTS tsc_llvm_needs)
    if(IS_ABSOLUTE "${library}" AND NOT EXISTS "${library}")
      list(REMOVE_ITEM tsc_llvm_needs "${library}")
    endif()
  endforeach()
  set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES "${tsc_llvm_needs}")
  unset(tsc_llvm_needs)
endif()

# tsc::deps::llvm_support: LLVM's ADT and Support and nothing else of LLVM. Its package names libraries that only other
# parts of LLVM call: z3 alone would cost every start of a program a millisecond.
if(NOT TARGET tsc::deps::llvm_support)
  add_library(tsc::deps::llvm_support INTERFACE IMPORTED)
  separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_options(tsc::deps::llvm_support INTERFACE ${definitions})
  target_include_directories(tsc::deps::llvm_support SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
  target_link_libraries(tsc::deps::llvm_support INTERFACE LLVMSupport)
  target_link_options(tsc::deps::llvm_support INTERFACE LINKER:--as-needed)
  # A host's shared library exports what is the host's, whatever visibility it has by default: another library of the process
  # may have another LLVM. Each of our own archives says the same of itself (cmake/TscLibrary.cmake). Debian's mold takes one
  # name at a time.
  list(TRANSFORM LLVM_AVAILABLE_LIBS REPLACE "(.+)" "LINKER:--exclude-libs,lib\\1.a" OUTPUT_VARIABLE tsc_llvm_archives)
  target_link_options(tsc::deps::llvm_support INTERFACE
    "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>:${tsc_llvm_archives}>"
    "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>:${tsc_llvm_archives}>")
  unset(tsc_llvm_archives)
endif()

# tsc::deps::llvm_codegen: what generates machine code for this kind of processor. Only CodeGen links it.
if(NOT TARGET tsc::deps::llvm_codegen)
  llvm_map_components_to_libnames(components native scalaropts)
  list(FILTER components EXCLUDE REGEX "AsmParser$|Disassembler$|TargetMCA$")
  add_library(tsc::deps::llvm_codegen INTERFACE IMPORTED)
  target_link_libraries(tsc::deps::llvm_codegen INTERFACE tsc::deps::llvm_support ${components})
endif()

# tsc::deps::llvm_jit: what links such code in memory. Only FuserCPU links it.
if(NOT TARGET tsc::deps::llvm_jit)
  llvm_map_components_to_libnames(components orcjit)
  add_library(tsc::deps::llvm_jit INTERFACE IMPORTED)
  target_link_libraries(tsc::deps::llvm_jit INTERFACE tsc::deps::llvm_support ${components})
endif()
