# Builds the projects beside this file, and examples/run_archive, against the build tree, then against a fresh install,
# and runs them.
#   cmake -DBUILD_DIR=… -DCC=… -DCXX=… -P run.cmake
cmake_minimum_required(VERSION 3.25)
set(work ${BUILD_DIR}/test/install)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}\n${output}")
  endif()
endfunction()

# The program `name` of the project in `source`, configured with `options`; what follows are its arguments.
function(use_package source name package_dir)
  get_filename_component(tree ${package_dir} NAME)
  set(build ${work}/${name}-${tree})
  run(${CMAKE_COMMAND} -S ${source} -B ${build} -G Ninja -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_BUILD_TYPE=Release -Dtsc_DIR=${package_dir} ${options})
  run(${CMAKE_COMMAND} --build ${build})
  run(${build}/${name} ${ARGN})
endfunction()

# Whether the program can do without what computes on tensors: neither Kernels nor oneDNN is on its link line.
function(check_without_kernels name build)
  file(STRINGS ${build}/build.ninja linked REGEX "LINK_LIBRARIES = .*libtscIR")
  if(NOT linked)
    message(FATAL_ERROR "${build}/build.ninja does not show what ${name} links")
  elseif(linked MATCHES "tscKernels|tscRuntime|dnnl")
    message(FATAL_ERROR "${name} links kernels:\n${linked}")
  endif()
endfunction()

# A program that parses and prints a graph stays below three million bytes.
function(check_size name build)
  run(${strip} -o ${build}/${name}.stripped ${build}/${name})
  file(SIZE ${build}/${name}.stripped size)
  message(STATUS "${name}: ${size} bytes")
  if(NOT size LESS 3000000)
    message(FATAL_ERROR "${name} has ${size} bytes")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${work}/prefix)
file(GLOB config ${work}/prefix/lib*/cmake/tsc/tscConfig.cmake ${work}/prefix/lib/*/cmake/tsc/tscConfig.cmake)
get_filename_component(installed ${config} DIRECTORY)
file(GLOB projects RELATIVE ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_LIST_DIR}/*/CMakeLists.txt)
find_program(strip NAMES strip llvm-strip-19 REQUIRED)
set(without_kernels ir transforms)
foreach(file ${projects})
  get_filename_component(project ${file} DIRECTORY)
  foreach(package_dir ${BUILD_DIR} ${installed})
    if(NOT project IN_LIST without_kernels)
      use_package(${CMAKE_CURRENT_LIST_DIR}/${project} use_${project} ${package_dir})
      continue()
    endif()
    set(options -DTSC_DNNL_LIBRARY=) # as if oneDNN were not installed
    use_package(${CMAKE_CURRENT_LIST_DIR}/${project} use_${project} ${package_dir})
    unset(options)
    get_filename_component(tree ${package_dir} NAME)
    check_without_kernels(use_${project} ${work}/use_${project}-${tree})
    if(project STREQUAL ir)
      check_size(use_ir ${work}/use_ir-${tree})
    endif()
  endforeach()
endforeach()

find_program(python python3 REQUIRED)
run(${python} ${CMAKE_CURRENT_LIST_DIR}/../Serialization/Inputs/write_archive.py policy ${work}/policy.pt)
set(example ${CMAKE_CURRENT_LIST_DIR}/../../examples/run_archive)
use_package(${example} run_archive ${BUILD_DIR} ${work}/policy.pt)
use_package(${example} run_archive ${installed} ${work}/policy.pt)
