# Compiler and linker settings that hold for the whole tree; the presets choose among them.
find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# Coloured errors also through ninja; sections, so that the linker drops what a tool does not use.
add_compile_options(-fdiagnostics-color=always -ffunction-sections -fdata-sections)
# GCC's std::stable_sort uses what GCC has deprecated, and clang says so wherever somebody sorts.
add_compile_options(-Wno-deprecated-declarations)
# As on x86-64, characters may be negative, and a sum is not rounded together with a product of its expression: plain x86-64 has
# no instruction for both. Kernels on vectors have, on either (lib/Kernels/CMakeLists.txt).
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(TSC_IS_ARM ON)
  add_compile_options(-fsigned-char -ffp-contract=off)
endif()
# The build ID is part of the keys of kernels on disk.
add_link_options(-Wl,--as-needed -Wl,--gc-sections -Wl,--build-id)

# Most tests of libraries from IR up call what is compiled elsewhere, so that their own code need not be fast, and compiling it
# takes half the time without optimization. A sanitizer and an emulator, which slow all down, keep it.
set(TSC_TEST_OPTIONS)
if(CMAKE_CXX_FLAGS MATCHES "-O1" AND NOT TSC_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  set(TSC_TEST_OPTIONS -O0)
endif()

if(TSC_SANITIZE)
  add_compile_options(-fsanitize=${TSC_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TSC_SANITIZE})
  if(TSC_SANITIZE MATCHES "undefined")
    # Debian's LLVM comes without the type information that this one wants.
    add_compile_options(-fno-sanitize=vptr,function)
  endif()
endif()
