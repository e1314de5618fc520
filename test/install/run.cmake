# Builds the projects beside this file, examples/run_archive and examples/trace_function, against the build tree and
# against a fresh install, side by side, and runs them.
#   cmake -DBUILD_DIR=… -DCC=… -DCXX=… -DIS_SMALL=… -P run.cmake
cmake_minimum_required(VERSION 3.25)
set(work ${BUILD_DIR}/test/install)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}\n${output}")
  endif()
endfunction()

# Builds and runs the program `name` of the project in `source` with both packages at once (use.cmake), each in its folder
# ${work}/<name>-<tree>; what follows are the program's arguments.
function(use_packages source name)
  set(commands)
  foreach(package_dir ${BUILD_DIR} ${installed})
    get_filename_component(tree ${package_dir} NAME)
    set(build ${work}/${name}-${tree})
    list(APPEND logs ${build}.log)
    # The commands are joined by a pipe, which each would end when it is done: they write files instead.
    list(APPEND commands COMMAND sh -c "exec \"$@\" > \"$0\" 2>&1" ${build}.log ${CMAKE_COMMAND} -DSOURCE=${source}
      -DBUILD=${build} -DPACKAGE=${package_dir} -DNAME=${name} -DCC=${CC} -DCXX=${CXX} "-DARGUMENTS=${ARGN}"
      -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/use.cmake)
  endforeach()
  execute_process(${commands} RESULTS_VARIABLE results)
  if(NOT results STREQUAL "0;0")
    foreach(log ${logs})
      file(READ ${log} text)
      string(APPEND output "\n${text}")
    endforeach()
    message(FATAL_ERROR "failed: ${name} (${results})${output}")
  endif()
endfunction()

# Whether the program can do without the libraries that the regular expression names: they are not on its link line.
function(check_without libraries name build)
  file(STRINGS ${build}/build.ninja linked REGEX "LINK_LIBRARIES = .*libtscIR")
  if(NOT linked)
    message(FATAL_ERROR "${build}/build.ninja does not show what ${name} links")
  elseif(linked MATCHES "${libraries}")
    message(FATAL_ERROR "${name} links ${libraries}:\n${linked}")
  endif()
endfunction()

# Whether the program stays below so many bytes.
function(check_size name build limit)
  run(${strip} -o ${build}/${name}.stripped ${build}/${name})
  file(SIZE ${build}/${name}.stripped size)
  message(STATUS "${name}: ${size} bytes")
  if(NOT size LESS ${limit})
    message(FATAL_ERROR "${name} has ${size} bytes")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${work}/prefix)
file(GLOB config ${work}/prefix/lib*/cmake/tsc/tscConfig.cmake ${work}/prefix/lib/*/cmake/tsc/tscConfig.cmake)
get_filename_component(installed ${config} DIRECTORY)
file(GLOB projects RELATIVE ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_LIST_DIR}/*/CMakeLists.txt)
find_program(strip NAMES strip llvm-strip-19 REQUIRED)
# What programs do without: kernels, and what runs Python, for what looks at graphs; and what compiles and rewrites programs,
# for what calls operators.
set(without_ir "tscKernels|tscDispatch|tscLowering|tscRuntime|tscEvaluator|tscFrontend")
set(without_transforms "tscKernels|tscDispatch|tscLowering|tscRuntime|tscEvaluator")
set(without_dispatch
    "tscFrontend|tscPrelude|tscEvaluator|tscAnalysis|tscTransforms|tscAutodiff|tscLowering|tscInterpreter|tscTape|tscTracer|tscExecutor|tscRuntime|LLVMCore")
# A program that parses and prints a graph stays below three million bytes; one that calls operators has all kernels.
set(size_ir 3000000)
set(size_dispatch 16000000)
foreach(file ${projects})
  get_filename_component(project ${file} DIRECTORY)
  use_packages(${CMAKE_CURRENT_LIST_DIR}/${project} use_${project})
  foreach(package_dir ${BUILD_DIR} ${installed})
    get_filename_component(tree ${package_dir} NAME)
    if(DEFINED without_${project})
      check_without("${without_${project}}" use_${project} ${work}/use_${project}-${tree})
    endif()
    if(DEFINED size_${project})
      check_size(use_${project} ${work}/use_${project}-${tree} ${size_${project}})
    endif()
  endforeach()
endforeach()

# The C interface by itself: a project in C that finds nothing else of tsc, and pkg-config, as a makefile uses it.
function(use_pkg_config source)
  file(GLOB pc ${work}/prefix/lib/pkgconfig/tsc.pc ${work}/prefix/lib/*/pkgconfig/tsc.pc)
  get_filename_component(folder ${pc} DIRECTORY)
  get_filename_component(libraries ${folder} DIRECTORY)
  set(ENV{PKG_CONFIG_PATH} ${folder})
  find_program(pkg_config pkg-config REQUIRED)
  execute_process(COMMAND ${pkg_config} --cflags --libs tsc OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run(${CC} -std=c99 ${source} ${flags} -Wl,-rpath,${libraries} -o ${work}/use_pkg_config)
  run(${work}/use_pkg_config)
  execute_process(COMMAND ${pkg_config} --modversion tsc OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
  message(STATUS "tsc.pc: ${version}")
endfunction()
use_pkg_config(${CMAKE_CURRENT_LIST_DIR}/c/main.c)

# What libtsc.so may have: 45 million bytes with the fuser; without, 16 million of the same objects, and 12 million as
# TSC_C_FUSER=OFF is shipped (IS_SMALL).
function(check_library_size library limit)
  run(${strip} -o ${work}/libtsc.stripped ${library})
  file(SIZE ${work}/libtsc.stripped size)
  message(STATUS "${library}: ${size} bytes")
  if(size GREATER limit)
    message(FATAL_ERROR "${library} has ${size} bytes, more than ${limit}")
  endif()
endfunction()
file(GLOB library ${work}/prefix/lib/libtsc.so.1.0 ${work}/prefix/lib/*/libtsc.so.1.0)
if(IS_SMALL)
  check_library_size(${library} 12000000)
else()
  check_library_size(${library} 45000000)
endif()
set(without_fuser ${BUILD_DIR}/lib/without-fuser)
if(EXISTS ${without_fuser})
  check_library_size(${without_fuser}/libtsc.so.1.0 16000000)
  run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${without_fuser} ${work}/use_pkg_config) # in the place of the other one
endif()

find_program(python python3 REQUIRED)
run(${python} ${CMAKE_CURRENT_LIST_DIR}/../Serialization/Inputs/write_archive.py policy ${work}/policy.pt)
use_packages(${CMAKE_CURRENT_LIST_DIR}/../../examples/run_archive run_archive ${work}/policy.pt)
use_packages(${CMAKE_CURRENT_LIST_DIR}/../../examples/trace_function trace_function)
