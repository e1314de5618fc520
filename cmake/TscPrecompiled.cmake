# Headers that nearly every file includes, read once instead of some hundred times (TSC_PRECOMPILED_HEADERS, which every preset
# turns on). A change of one of them compiles everything anew. A file could use what it does not include: the part quick-build of
# utils/check parses files without them.
set(TSC_PRECOMPILED_TENSOR
  <algorithm> <array> <atomic> <cmath> <cstdint> <cstring> <deque> <functional> <list> <map> <memory> <mutex> <numeric>
  <optional> <set> <string> <string_view> <unordered_map> <utility> <variant> <vector>
  <llvm/ADT/APInt.h> <llvm/ADT/BitVector.h> <llvm/ADT/DenseMap.h> <llvm/ADT/DenseSet.h> <llvm/ADT/MapVector.h>
  <llvm/ADT/STLExtras.h> <llvm/ADT/SetVector.h> <llvm/ADT/SmallPtrSet.h> <llvm/ADT/SmallSet.h> <llvm/ADT/StringExtras.h>
  <llvm/ADT/StringMap.h> <llvm/ADT/StringSet.h> <llvm/ADT/StringSwitch.h> <llvm/ADT/Twine.h> <llvm/Support/MathExtras.h>
  <llvm/Support/raw_ostream.h>
  <tsc/Support/Diagnostics.h> <tsc/Support/Status.h> <tsc/Tensor/Generator.h> <tsc/Tensor/Tensor.h>)
set(TSC_PRECOMPILED_IR ${TSC_PRECOMPILED_TENSOR}
  <tsc/IR/ClassType.h> <tsc/IR/Context.h> <tsc/IR/Function.h> <tsc/IR/FunctionSchema.h> <tsc/IR/Graph.h> <tsc/IR/IValue.h>
  <tsc/IR/OpRecord.h> <tsc/IR/Type.h>)

# tsc_add_precompiled(name HEADERS headers... [OPTIONS options...]): headers that are read once, by these options.
function(tsc_add_precompiled name)
  cmake_parse_arguments(ARG "" "" "HEADERS;OPTIONS" ${ARGN})
  if(NOT EXISTS ${PROJECT_BINARY_DIR}/Precompiled.cpp) # a new one would compile everything anew
    file(WRITE ${PROJECT_BINARY_DIR}/Precompiled.cpp "")
  endif()
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/Precompiled.cpp)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
  target_link_libraries(${name} PRIVATE tsc::deps::llvm_support)
  target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp" ${ARG_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
  add_dependencies(${name} tsc-generated-headers)
endfunction()

# tsc_precompile(target): lets the target's files use the precompiled headers, where the build has them. What is below IR
# sees nothing of it, nor do CodeGen and FuserCPU, whose files use LLVM's own values and types by their short names. Tests
# have Catch's header in theirs. A program that uses them is compiled as they are, with position-independent code.
function(tsc_precompile target)
  if(NOT TSC_PRECOMPILED_HEADERS)
    return()
  endif()
  set(headers IR)
  set(options)
  if(target MATCHES "^(tsc)?(Support|Python|Tensor|Kernels|CodeGen|FuserCPU)(Tests)?$")
    set(headers TENSOR)
  endif()
  set(precompiled tscPrecompiled${headers})
  set(contents ${TSC_PRECOMPILED_${headers}})
  if(target MATCHES "Tests$")
    string(APPEND precompiled Tests)
    list(APPEND contents <catch2/catch.hpp>)
    # These compute what they expect, or arguments, in loops.
    if(headers STREQUAL "IR" AND target MATCHES "^(FuserCUDA|Runtime)Tests$")
      string(APPEND precompiled Optimized)
    elseif(headers STREQUAL "IR")
      set(options ${TSC_TEST_OPTIONS})
    endif()
  endif()
  if(NOT TARGET ${precompiled})
    tsc_add_precompiled(${precompiled} HEADERS ${contents} OPTIONS ${options})
  endif()
  target_compile_options(${target} PRIVATE ${options})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${precompiled})
endfunction()
