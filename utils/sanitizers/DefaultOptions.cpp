//===- DefaultOptions.cpp - What our programs ask of sanitizers -----------===//
//
// Compiled into the tools, tests and fuzz targets of a build with a sanitizer, and
// into no library: options hold for a whole process.
//
// What is found aborts: a test of errors expects that a program ends with a status,
// and would take a sanitizer's for it. Who asks for more memory than there is gets
// none, as without a sanitizer.
//
//===----------------------------------------------------------------------===//

#if __has_feature(address_sanitizer)
extern "C" const char *__asan_default_options();
/// LLVM's libraries come without instrumentation. What LLVM's headers put into our files has it, and poisons memory of
/// allocators that the libraries go on to write.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:abort_on_error=1:allocator_may_return_null=1";
}
#endif

#if __has_feature(undefined_behavior_sanitizer)
extern "C" const char *__ubsan_default_options();
extern "C" const char *__ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }
#endif

#if __has_feature(thread_sanitizer)
extern "C" const char *__tsan_default_options();
extern "C" const char *__tsan_default_options() {
  return "abort_on_error=1:halt_on_error=1:allocator_may_return_null=1";
}
#endif
