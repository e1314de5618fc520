# What a cross build runs on the machine at hand: tools of our own that write files, built for this machine from the same
# tree, and scripts that run the programs that are built in an emulator.

# What a compiler is told for the processor that is built for, where tests call it themselves.
set(TSC_TARGET_OPTIONS)
if(CMAKE_CROSSCOMPILING)
  set(TSC_TARGET_OPTIONS "--target=${CMAKE_CXX_COMPILER_TARGET} --sysroot=${CMAKE_SYSROOT}")
  string(APPEND TSC_TARGET_OPTIONS " --start-no-unused-arguments -fuse-ld=mold --end-no-unused-arguments") # where nothing is linked
endif()

# tsc_import_host_tool(name): the target `name` is a program that is built for this machine, in <build>/host, when it is
# needed. Its options are those of any native build.
function(tsc_import_host_tool name)
  include(ExternalProject)
  set(program ${PROJECT_BINARY_DIR}/host/bin/${name})
  ExternalProject_Add(${name}-host
    SOURCE_DIR ${PROJECT_SOURCE_DIR}
    BINARY_DIR ${PROJECT_BINARY_DIR}/host
    PREFIX ${PROJECT_BINARY_DIR}/host-steps
    CMAKE_GENERATOR Ninja
    CMAKE_ARGS -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_BUILD_TYPE=None
      -DCMAKE_CXX_FLAGS=-O1 -DCMAKE_EXE_LINKER_FLAGS=${CMAKE_EXE_LINKER_FLAGS} -DTSC_BUILD_TESTS=OFF -DTSC_CUDA=OFF
    BUILD_COMMAND ${CMAKE_COMMAND} --build <BINARY_DIR> --target ${name}
    BUILD_ALWAYS ON # which does nothing where no source changed
    BUILD_BYPRODUCTS ${program}
    INSTALL_COMMAND "")
  add_executable(${name} IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${program})
  add_dependencies(${name} ${name}-host)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/emulated/bin) # tests find all tools there
  file(CREATE_LINK ${program} ${PROJECT_BINARY_DIR}/emulated/bin/${name} SYMBOLIC)
endfunction()

# tsc_emulated(target): writes <build>/emulated/<folder>/<program>, a script that runs the target's program in the emulator and
# that tests call in its place. The folder is that of the program: bin or unittests. Programs name the loader of the sysroot
# themselves (TSC_SYSROOT_LOADER and TSC_SYSROOT_LIBRARIES of the toolchain file). With the sysroot as a prefix, the emulator would
# take it for the root of the file system, and programs would make folders there. Programs of a build without tests are for real
# machines, and name the loader of those.
function(tsc_emulated target)
  if(NOT CMAKE_CROSSCOMPILING OR NOT CMAKE_CROSSCOMPILING_EMULATOR OR NOT TSC_BUILD_TESTS)
    return()
  endif()
  get_target_property(folder ${target} RUNTIME_OUTPUT_DIRECTORY)
  file(RELATIVE_PATH folder ${PROJECT_BINARY_DIR} ${folder})
  list(GET CMAKE_CROSSCOMPILING_EMULATOR 0 emulator)
  target_link_options(${target} PRIVATE LINKER:--dynamic-linker=${TSC_SYSROOT_LOADER})
  string(APPEND emulator " -E LD_LIBRARY_PATH=${TSC_SYSROOT_LIBRARIES} -E TSC_IS_EMULATED=1") # which tests ask for
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/emulated/${folder}/${target}
    CONTENT "#!/bin/sh\nexec ${emulator} '$<TARGET_FILE:${target}>' \"$@\"\n"
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()
