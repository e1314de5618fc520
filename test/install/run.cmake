# Builds the projects beside this file, and examples/run_archive, against the build tree, then against a fresh install,
# and runs them.
#   cmake -DBUILD_DIR=… -DCC=… -DCXX=… -P run.cmake
set(work ${BUILD_DIR}/test/install)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}\n${output}")
  endif()
endfunction()

# The program `name` of the project in `source`; what follows are its arguments.
function(use_package source name package_dir)
  get_filename_component(tree ${package_dir} NAME)
  set(build ${work}/${name}-${tree})
  run(${CMAKE_COMMAND} -S ${source} -B ${build} -G Ninja -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_BUILD_TYPE=Release -Dtsc_DIR=${package_dir})
  run(${CMAKE_COMMAND} --build ${build})
  run(${build}/${name} ${ARGN})
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${work}/prefix)
file(GLOB config ${work}/prefix/lib*/cmake/tsc/tscConfig.cmake ${work}/prefix/lib/*/cmake/tsc/tscConfig.cmake)
get_filename_component(installed ${config} DIRECTORY)
file(GLOB projects RELATIVE ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_LIST_DIR}/*/CMakeLists.txt)
foreach(file ${projects})
  get_filename_component(project ${file} DIRECTORY)
  use_package(${CMAKE_CURRENT_LIST_DIR}/${project} use_${project} ${BUILD_DIR})
  use_package(${CMAKE_CURRENT_LIST_DIR}/${project} use_${project} ${installed})
endforeach()

find_program(python python3 REQUIRED)
run(${python} ${CMAKE_CURRENT_LIST_DIR}/../Serialization/Inputs/write_archive.py policy ${work}/policy.pt)
set(example ${CMAKE_CURRENT_LIST_DIR}/../../examples/run_archive)
use_package(${example} run_archive ${BUILD_DIR} ${work}/policy.pt)
use_package(${example} run_archive ${installed} ${work}/policy.pt)
