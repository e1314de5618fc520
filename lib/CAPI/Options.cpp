//===- Options.cpp - How a C host wants its programs ----------------------===//
#include "Handles.h"

using namespace tsc;
using namespace tsc::capi;

static constexpr int maxThreads = 1024;

/// Sets something of options that are there.
template <typename F> static tsc_error *setOption(tsc_options *options, F &&set) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{options, "options"}}));
    return set();
  });
}

tsc_options *tsc_options_new(void) { return new (std::nothrow) tsc_options; }
void tsc_options_free(tsc_options *options) { delete options; }

tsc_error *tsc_options_set_optimization(tsc_options *options, int level) {
  return setOption(options, [&] {
    if (level < 0 || level > 3)
      return invalidArgument("there is no optimization level " + llvm::Twine(level) + ": levels are 0 to 3");
    options->optimization = static_cast<unsigned>(level);
    return okStatus();
  });
}

tsc_error *tsc_options_set_compile_mode(tsc_options *options, tsc_compile_mode mode) {
  return setOption(options, [&] {
    switch (static_cast<int>(mode)) {
    case TSC_COMPILE_OFF: options->mode = CompileMode::Off; break;
    case TSC_COMPILE_BACKGROUND: options->mode = CompileMode::Background; break;
    case TSC_COMPILE_EAGER: options->mode = CompileMode::Eager; break;
    default: return invalidArgument("there is no compile mode " + llvm::Twine(static_cast<int>(mode)));
    }
    return okStatus();
  });
}

static Status checkThreads(int threads) {
  if (threads < 1 || threads > maxThreads)
    return invalidArgument("a program runs in 1 to " + llvm::Twine(maxThreads) + " threads, not in " +
                           llvm::Twine(threads));
  return okStatus();
}

tsc_error *tsc_options_set_threads(tsc_options *options, int threads) {
  return setOption(options, [&]() -> Status {
    TSC_RETURN_IF_ERROR(checkThreads(threads));
    options->threads = static_cast<unsigned>(threads);
    return okStatus();
  });
}

tsc_error *tsc_options_set_parallel(tsc_options *options, int concurrency, tsc_parallel parallel, void *user) {
  return setOption(options, [&]() -> Status {
    if (!parallel)
      return nullArgument("parallel");
    TSC_RETURN_IF_ERROR(checkThreads(concurrency));
    options->parallel = parallel;
    options->concurrency = static_cast<unsigned>(concurrency);
    options->parallelUser = user;
    return okStatus();
  });
}

tsc_error *tsc_options_set_cpu_fuser(tsc_options *options, int enabled) {
  return setOption(options, [&] {
    if (enabled && !tsc_has_cpu_fuser())
      return unimplemented("this library was built without the CPU fuser");
    options->cpuFuser = enabled != 0;
    return okStatus();
  });
}

tsc_error *tsc_options_set_cache_folder(tsc_options *options, const char *folder) {
  return setOption(options, [&] {
    options->cacheFolder = folder ? std::optional<std::string>(folder) : std::nullopt;
    return okStatus();
  });
}

tsc_error *tsc_options_set_allow_set_state(tsc_options *options, int allowed) {
  return setOption(options, [&] {
    options->allowSetState = allowed != 0;
    return okStatus();
  });
}

tsc_error *tsc_options_set_allow_files(tsc_options *options, int allowed) {
  return setOption(options, [&] {
    options->allowFiles = allowed != 0;
    return okStatus();
  });
}
