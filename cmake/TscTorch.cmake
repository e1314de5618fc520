# The headers by which hosts of LibTorch build against tsc (include/tsc-torch), and what their build systems look for. All
# of it is laid down below lib/tsc-torch, a prefix of its own that no compiler searches by itself:
#   include/                 the headers, with those that are generated from the operators' records
#   lib/                     libtorch.so, libtorch_cpu.so and libc10.so, which name libtsc.so.1
#   lib/pkgconfig/           tsc-torch.pc
#   share/cmake/Torch/       TorchConfig.cmake
# The build tree has the same prefix, build/.../lib/tsc-torch.
include(CMakePackageConfigHelpers)
set(torch_prefix ${PROJECT_BINARY_DIR}/lib/tsc-torch)
set(torch_headers ${torch_prefix}/include)
set(torch_td ${PROJECT_SOURCE_DIR}/include/tsc/IR/Ops/All.td)
file(GLOB torch_families CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/tsc/IR/Ops/*.td)
file(GLOB_RECURSE torch_written RELATIVE ${PROJECT_SOURCE_DIR}/include/tsc-torch CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/include/tsc-torch/*.h)

set(torch_made)
macro(tsc_generate_torch output)
  add_custom_command(OUTPUT ${output}
    COMMAND tsc-tblgen ${ARGN} -I ${PROJECT_SOURCE_DIR}/include ${torch_td} --write-if-changed -o ${output}
    DEPENDS tsc-tblgen ${torch_families} COMMENT "Generating ${output}" VERBATIM)
  list(APPEND torch_made ${output})
endmacro()
file(MAKE_DIRECTORY ${torch_headers}/ATen/core ${torch_headers}/ATen/ops)
tsc_generate_torch(${torch_headers}/ATen/core/TensorMethods.inc -gen-torch-methods)
tsc_generate_torch(${torch_headers}/ATen/OperatorFunctions.inc -gen-torch-functions)
tsc_generate_torch(${torch_prefix}/operators.txt -gen-torch-names)
# A header in ATen/ops for each of them: hosts that include few of LibTorch's functions name these.
add_custom_command(OUTPUT ${torch_prefix}/operators.stamp
  COMMAND ${CMAKE_COMMAND} -DNAMES=${torch_prefix}/operators.txt -DFOLDER=${torch_headers}/ATen/ops
          -DSTAMP=${torch_prefix}/operators.stamp -P ${PROJECT_SOURCE_DIR}/cmake/TscTorchOps.cmake
  DEPENDS ${torch_prefix}/operators.txt cmake/TscTorchOps.cmake COMMENT "Writing ATen/ops" VERBATIM)
# The written headers stand beside the generated ones in the build tree, too.
foreach(header ${torch_written})
  configure_file(${PROJECT_SOURCE_DIR}/include/tsc-torch/${header} ${torch_headers}/${header} COPYONLY)
endforeach()
configure_file(include/tsc-c/tsc.h ${torch_headers}/tsc-c/tsc.h COPYONLY)
add_custom_target(tsc-torch ALL DEPENDS ${torch_made} ${torch_prefix}/operators.stamp)
add_dependencies(tscShared tsc-torch) # which is installed with the library

foreach(library torch torch_cpu c10)
  configure_file(cmake/libtorch.so.in ${torch_prefix}/lib/lib${library}.so COPYONLY)
endforeach()
file(CREATE_LINK ../../libtsc.so.1 ${torch_prefix}/lib/libtsc.so.1 SYMBOLIC)
file(READ include/tsc-torch/torch/version.h torch_version)
string(REGEX MATCH "TORCH_VERSION \"([0-9.]+)\"" unused "${torch_version}")
set(TSC_TORCH_VERSION ${CMAKE_MATCH_1})
configure_file(cmake/TorchConfig.cmake.in ${torch_prefix}/share/cmake/Torch/TorchConfig.cmake @ONLY)
write_basic_package_version_file(${torch_prefix}/share/cmake/Torch/TorchConfigVersion.cmake
  VERSION ${TSC_TORCH_VERSION} COMPATIBILITY AnyNewerVersion)
configure_file(cmake/tsc-torch.pc.in ${torch_prefix}/lib/pkgconfig/tsc-torch.pc @ONLY)

install(DIRECTORY ${torch_headers} ${torch_prefix}/lib ${torch_prefix}/share
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/tsc-torch COMPONENT development)
