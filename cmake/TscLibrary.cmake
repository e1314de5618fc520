# tsc_add_library(IR LINKS Support Tensor [EXTERNAL targets...] [WITHOUT files...] [ONLY files...] [SMALL] [SMALL_BUT files...]
#   [HOT files...] [UNITS number])
# Makes one static library of a folder's files (all, all but WITHOUT, or ONLY those named), exported as tsc::<name>. Folders in
# it that have a CMakeLists.txt are libraries of their own. It links only what it names. SMALL: what it holds runs once for a
# file, and is small code. SMALL_BUT: so is all but these files, which run for each call. HOT: these files run for each element
# or byte, and no build makes small code of them. UNITS: a build with TSC_JOIN_SOURCES compiles the files joined
# (tsc_join_sources). The library may become a part of a shared one: its code is position independent, and hidden, so that the
# shared library exports what is its own.
function(tsc_add_library name)
  cmake_parse_arguments(ARG "SMALL" "UNITS" "LINKS;EXTERNAL;WITHOUT;ONLY;SMALL_BUT;HOT" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  file(GLOB_RECURSE nested CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt)
  list(REMOVE_ITEM nested ${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt)
  foreach(list ${nested})
    cmake_path(GET list PARENT_PATH folder)
    foreach(source ${sources})
      cmake_path(IS_PREFIX folder ${source} is_nested)
      if(is_nested)
        list(REMOVE_ITEM sources ${source})
      endif()
    endforeach()
  endforeach()
  foreach(file ${ARG_WITHOUT})
    list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  endforeach()
  if(ARG_ONLY)
    list(TRANSFORM ARG_ONLY PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE sources)
  endif()
  if(NOT sources)
    add_library(tsc${name} INTERFACE)
    set(scope INTERFACE)
  else()
    add_library(tsc${name} STATIC ${sources})
    set(scope PUBLIC)
    target_compile_options(tsc${name} PRIVATE -Wall -Wextra -Wno-unused-parameter)
    # All but what runs for each element of a tensor, or for each instruction.
    set(cold ${sources})
    foreach(file ${ARG_HOT})
      list(REMOVE_ITEM cold ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    endforeach()
    if(NOT name MATCHES "^(Tensor|Kernels|Fusion|CodeGen|FuserCPU|DeviceCUDA|KernelsCUDA|FuserCUDA)$")
      list(FILTER cold EXCLUDE REGEX "/Interpreter/")
      tsc_set_cold(${cold})
    endif()
    if(ARG_SMALL OR ARG_SMALL_BUT)
      foreach(file ${ARG_SMALL_BUT})
        list(REMOVE_ITEM cold ${CMAKE_CURRENT_SOURCE_DIR}/${file})
      endforeach()
      tsc_always_small(${cold})
    endif()
    set_target_properties(tsc${name} PROPERTIES POSITION_INDEPENDENT_CODE ON
      CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    # What is hidden stays so, and what the property above does not reach becomes so.
    # Programs export what they are asked to: libraries of operators find tsc_* in tsc-run.
    target_link_options(tsc${name} INTERFACE
      "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>:LINKER:--exclude-libs,libtsc${name}.a>"
      "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>:LINKER:--exclude-libs,libtsc${name}.a>")
    tsc_precompile(tsc${name})
    if(ARG_UNITS)
      tsc_join_sources(tsc${name} ${ARG_UNITS})
    endif()
  endif()
  add_library(tsc::${name} ALIAS tsc${name})
  set_target_properties(tsc${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(tsc${name} ${scope} cxx_std_20)
  target_include_directories(tsc${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  foreach(lower ${ARG_LINKS})
    target_link_libraries(tsc${name} ${scope} tsc::${lower})
  endforeach()
  target_link_libraries(tsc${name} ${scope} ${ARG_EXTERNAL})
  # Headers that tsc-tblgen writes must be there before anything that may include them is compiled.
  if(TARGET tsc-generated-headers)
    add_dependencies(tsc${name} tsc-generated-headers)
  endif()
  install(TARGETS tsc${name} EXPORT tscTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT development)
  # What utils/generate_library_picture.py draws and checks.
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/libraries/${name}.txt
    CONTENT "$<JOIN:$<TARGET_PROPERTY:tsc${name},INTERFACE_LINK_LIBRARIES>,\n>\n")
endfunction()

# tsc_join_sources(target number): a build with TSC_JOIN_SOURCES compiles the target's sources in so many units of those with the
# same options.
# A unit includes its sources one after the other, so that headers are read, and templates instantiated, once for all of them.
# (CMake's UNITY_BUILD leaves out every source with options of its own, as nearly all have here.) The name of a source decides
# to which unit it belongs, so that a new source changes one unit; its property UNITY_GROUP can decide instead, and those with
# SKIP_UNITY_BUILD_INCLUSION or definitions of their own are compiled alone. Names that are local to a source must differ within
# a unit; the part quick-build of utils/check finds those that don't.
function(tsc_join_sources target number)
  if(TSC_JOIN_SOURCES) # at the end of the folder's CMakeLists.txt, when all options are known
    cmake_language(EVAL CODE "cmake_language(DEFER CALL tsc_join_sources_now ${target} ${number})")
  endif()
endfunction()
function(tsc_join_sources_now target number)
  get_target_property(sources ${target} SOURCES)
  set(compiled)
  set(units)
  foreach(source ${sources})
    get_property(definitions SOURCE ${source} PROPERTY COMPILE_DEFINITIONS)
    get_property(is_alone SOURCE ${source} PROPERTY SKIP_UNITY_BUILD_INCLUSION)
    if(NOT source MATCHES "[.]cpp$" OR is_alone OR NOT "${definitions}" STREQUAL "")
      list(APPEND compiled ${source})
      continue()
    endif()
    get_property(options SOURCE ${source} PROPERTY COMPILE_OPTIONS)
    get_property(skips_headers SOURCE ${source} PROPERTY SKIP_PRECOMPILE_HEADERS)
    string(MD5 kind "${options} ${skips_headers}")
    string(SUBSTRING ${kind} 0 6 kind)
    cmake_path(GET source FILENAME name)
    string(MD5 part ${name})
    string(SUBSTRING ${part} 0 6 part)
    math(EXPR part "0x${part} % ${number}")
    get_property(group SOURCE ${source} PROPERTY UNITY_GROUP)
    if(group)
      set(part ${group})
    endif()
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/joined/${target}-${kind}-${part}.cpp)
    list(APPEND units ${unit})
    list(APPEND sources_of_${unit} ${source})
    set(options_of_${unit} ${options})
    set(skips_headers_of_${unit} ${skips_headers})
  endforeach()
  list(REMOVE_DUPLICATES units)
  foreach(unit ${units})
    set(text)
    foreach(source ${sources_of_${unit}})
      cmake_path(ABSOLUTE_PATH source)
      string(APPEND text "#undef DEBUG_TYPE\n#include \"${source}\"\n")
    endforeach()
    file(CONFIGURE OUTPUT ${unit} CONTENT "${text}" @ONLY)
    set_property(SOURCE ${unit} PROPERTY COMPILE_OPTIONS ${options_of_${unit}})
    set_property(SOURCE ${unit} PROPERTY SKIP_PRECOMPILE_HEADERS ${skips_headers_of_${unit}})
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${compiled};${units}")
endfunction()

# What runs a few times for a program is compiled with these options: a small build makes small code of it, a quick one
# spends little time on it (inlining costs the compiler most).
set(TSC_COLD_OPTIONS)
if(TSC_SMALL)
  set(TSC_COLD_OPTIONS -Os)
elseif(TSC_QUICK)
  set(TSC_COLD_OPTIONS -O1 -mllvm -inline-threshold=5)
endif()
# tsc_set_cold(sources...): the sources are compiled so.
function(tsc_set_cold)
  if(TSC_COLD_OPTIONS)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS ${TSC_COLD_OPTIONS})
    set_property(SOURCE ${ARGN} PROPERTY TSC_IS_COLD ON)
  endif()
endfunction()

# tsc_always_small(sources...): in every build that is shipped. As small as -Os makes them, with loops as -O2 makes
# them: the optimizer unrolls nothing, and calls what costs more inlined. What is cold already stays as it is: a small build
# has made it smaller still, and a quick one has its own way.
function(tsc_always_small)
  foreach(source ${ARGN})
    get_property(is_cold SOURCE ${source} PROPERTY TSC_IS_COLD)
    if(is_cold)
      continue()
    elseif(TSC_QUICK)
      tsc_set_cold(${source})
    elseif(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -O2 -fno-unroll-loops -mllvm -inline-threshold=40)
    endif()
  endforeach()
endfunction()

# tsc_prefer_short_loops(sources...): loops over elements, of which there are thousands, and which memory bounds:
# vectors, but one in a turn, and what is left of a row one by one.
function(tsc_prefer_short_loops)
  if(TSC_QUICK)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -O1 -fvectorize)
  elseif(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -O2 -mllvm -unroll-runtime=0
      -mllvm -enable-epilogue-vectorization=0 -mllvm -force-vector-interleave=1)
  endif()
endfunction()

# tsc_keep_loops(sources...): a loop is unrolled where the number of its turns is known, and otherwise stays as it is.
function(tsc_keep_loops)
  if(TSC_QUICK OR (CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID MATCHES "Clang"))
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -mllvm -unroll-runtime=0)
  endif()
endfunction()

# tsc_never_throws(sources...): no exception begins in what is compiled, or passes through it.
function(tsc_never_throws)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -fno-exceptions -fno-asynchronous-unwind-tables
      -fno-unwind-tables)
    set_property(SOURCE ${ARGN} PROPERTY SKIP_PRECOMPILE_HEADERS ON) # which were read with exceptions
  endif()
endfunction()

# tsc_set_sanitizer_options(target): a program of ours asks a sanitizer for what LLVM's libraries make necessary.
function(tsc_set_sanitizer_options target)
  if(TSC_SANITIZE)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/utils/sanitizers/DefaultOptions.cpp)
  endif()
endfunction()

# tsc_add_unittest(IR LINKS IR ... [ROOMS]): unittests/<name>/*.cpp as one Catch2 program. ROOMS: with those in its folders.
function(tsc_add_unittest name)
  cmake_parse_arguments(ARG "ROOMS" "" "LINKS" ${ARGN})
  set(glob GLOB)
  if(ARG_ROOMS)
    set(glob GLOB_RECURSE)
  endif()
  file(${glob} sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${name}Tests ${sources})
  tsc_set_sanitizer_options(${name}Tests)
  foreach(library ${ARG_LINKS})
    target_link_libraries(${name}Tests PRIVATE tsc::${library})
  endforeach()
  target_link_libraries(${name}Tests PRIVATE tscCatchMain)
  tsc_precompile(${name}Tests)
  set_target_properties(${name}Tests PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unittests)
  tsc_emulated(${name}Tests)
  add_test(NAME unit-${name} COMMAND ${name}Tests)
endfunction()

# Puts the functions that run when a program starts and loads an archive in one place, so that a process holds few pages of
# text. Only LLVM's linker, which `release` names, can; utils/order_startup.py writes the list.
function(tsc_order_startup target)
  if(CMAKE_EXE_LINKER_FLAGS MATCHES "lld")
    set(order ${PROJECT_SOURCE_DIR}/cmake/startup-order.txt)
    target_link_options(${target} PRIVATE LINKER:--symbol-ordering-file=${order} LINKER:--no-warn-symbol-ordering)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${order})
  endif()
endfunction()
