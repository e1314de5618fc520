# tsc_generate_ops(): runs tsc-tblgen over include/tsc/IR/Ops/All.td. The headers land under the build's include/tsc and
# are the target tsc-generated-headers, which every library depends on; the kernel wrappers, one file a family, are
# listed in TSC_KERNEL_SOURCES for lib/Runtime/Dispatch. Only what changed is rewritten.
function(tsc_generate_ops)
  set(td ${PROJECT_SOURCE_DIR}/include/tsc/IR/Ops/All.td)
  file(GLOB families CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/tsc/IR/Ops/*.td)
  set(headers)
  macro(generate output)
    add_custom_command(OUTPUT ${output}
      COMMAND tsc-tblgen ${ARGN} -I ${PROJECT_SOURCE_DIR}/include ${td} --write-if-changed -o ${output}
      DEPENDS tsc-tblgen ${families} COMMENT "Generating ${output}" VERBATIM)
  endmacro()
  macro(generate_header name)
    generate(${PROJECT_BINARY_DIR}/include/tsc/${name} ${ARGN})
    list(APPEND headers ${PROJECT_BINARY_DIR}/include/tsc/${name})
  endmacro()
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include/tsc/IR ${PROJECT_BINARY_DIR}/include/tsc/Analysis ${PROJECT_BINARY_DIR}/include/tsc/Kernels
    ${PROJECT_BINARY_DIR}/include/tsc/KernelsCUDA ${PROJECT_BINARY_DIR}/lib/Runtime/Dispatch)
  generate_header(IR/OpKinds.inc -gen-op-kinds)
  generate_header(IR/OpTraits.inc -gen-op-traits)
  generate_header(IR/OpRecords.inc -gen-op-records)
  generate_header(IR/OpFacts.inc -gen-op-facts)
  generate_header(IR/OpViews.inc -gen-op-views)
  generate_header(IR/OpDecompositions.inc -gen-op-decompositions)
  generate_header(Analysis/ShapeColumns.inc -gen-shape-columns)
  generate_header(IR/OpDerivatives.inc -gen-op-derivatives)
  generate_header(IR/OpDecompositionsPacked.inc -gen-op-packed-decompositions)
  generate_header(IR/OpDerivativesPacked.inc -gen-op-packed-derivatives)
  generate_header(Kernels/PointwiseKinds.inc -gen-pointwise-kinds)
  generate_header(Kernels/PointwiseBodies.inc -gen-pointwise-bodies)
  generate_header(Kernels/PointwiseBodyFacts.inc -gen-pointwise-body-facts)
  generate_header(Kernels/PointwiseFunctions.inc -gen-pointwise-functions)
  generate_header(Kernels/PointwiseTable.inc -gen-pointwise-table)
  generate_header(KernelsCUDA/Kernels.inc -gen-cuda-kernels)
  set(sources)
  foreach(family ${families})
    get_filename_component(name ${family} NAME_WE)
    if(name MATCHES "^(All|Base)$")
      continue()
    endif()
    generate(${PROJECT_BINARY_DIR}/lib/Runtime/Dispatch/Boxed${name}.cpp -gen-op-kernels -family=${name})
    list(APPEND sources ${PROJECT_BINARY_DIR}/lib/Runtime/Dispatch/Boxed${name}.cpp)
  endforeach()
  generate(${PROJECT_BINARY_DIR}/lib/Runtime/Dispatch/BoxedTable.cpp -gen-op-kernel-table)
  list(APPEND sources ${PROJECT_BINARY_DIR}/lib/Runtime/Dispatch/BoxedTable.cpp)
  set(TSC_KERNEL_SOURCES ${sources} PARENT_SCOPE)
  add_custom_target(tsc-generated-headers DEPENDS ${headers} ${sources})

  # docs/Operators.md is committed; `ninja operator-docs` renews it and a test compares.
  add_custom_target(operator-docs
    COMMAND tsc-tblgen -gen-docs -I ${PROJECT_SOURCE_DIR}/include ${td} -o ${PROJECT_SOURCE_DIR}/docs/Operators.md
    COMMAND tsc-tblgen -gen-derivative-docs -I ${PROJECT_SOURCE_DIR}/include ${td} -o ${PROJECT_SOURCE_DIR}/docs/Derivatives.md
    DEPENDS tsc-tblgen VERBATIM)
endfunction()
