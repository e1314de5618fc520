//===- DefaultOptions.cpp - What our programs ask of sanitizers -----------===//
//
// Compiled into the tools, tests and fuzz targets of a build with a sanitizer, and
// into no library: options hold for a whole process.
//
//===----------------------------------------------------------------------===//

#if __has_feature(address_sanitizer)
extern "C" const char *__asan_default_options();
/// LLVM's libraries come without instrumentation. What LLVM's headers put into our files has it, and poisons memory of
/// allocators that the libraries go on to write.
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0"; }
#endif
