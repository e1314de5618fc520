//===- Options.cpp - How a C host wants its programs ----------------------===//
#include "Handles.h"
#include "tsc/CAPI/HostLibrary.h"

using namespace tsc;
using namespace tsc::capi;

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

tsc_error *tsc_options_set_threads(tsc_options *options, int threads) {
  return setOption(options, [&]() -> Status {
    TSC_RETURN_IF_ERROR(checkThreads(threads, 0));
    options->threads = static_cast<unsigned>(threads);
    return okStatus();
  });
}

tsc_error *tsc_options_set_parallel(tsc_options *options, int concurrency, tsc_parallel parallel, void *user) {
  return setOption(options, [&]() -> Status {
    if (!parallel)
      return nullArgument("parallel");
    TSC_RETURN_IF_ERROR(checkThreads(concurrency, 1));
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

//===----------------------------------------------------------------------===//
// What programs may do
//===----------------------------------------------------------------------===//

static tsc_error *addPatterns(tsc_options *options, std::vector<std::string> OperatorPolicy::*list,
                              const char *patterns) {
  return setOption(options, [&]() -> Status {
    if (!patterns)
      return nullArgument("patterns");
    TSC_ASSIGN_OR_RETURN(std::vector<std::string> parsed, parseOperatorPatterns(patterns));
    std::vector<std::string> &all = options->operators.*list;
    all.insert(all.end(), parsed.begin(), parsed.end());
    return okStatus();
  });
}
tsc_error *tsc_options_allow_operators(tsc_options *options, const char *patterns) {
  return addPatterns(options, &OperatorPolicy::allowed, patterns);
}
tsc_error *tsc_options_deny_operators(tsc_options *options, const char *patterns) {
  return addPatterns(options, &OperatorPolicy::denied, patterns);
}

tsc_error *tsc_options_set_loading_quota(tsc_options *options, tsc_quota quota, uint64_t limit) {
  return setOption(options, [&] { return setQuota(options->loading, quota, limit); });
}

tsc_error *tsc_options_add_operator(tsc_options *options, const char *schema, tsc_operator function, void *user,
                                    tsc_release release) {
  return setOption(options, [&]() -> Status {
    TSC_ASSIGN_OR_RETURN(HostOperator made, makeOperator(schema, function, user, release));
    options->hostOperators.push_back(std::move(made));
    return okStatus();
  });
}

tsc_error *tsc_options_load_library(tsc_options *options, const char *path) {
  return setOption(options, [&]() -> Status {
    if (!path)
      return nullArgument("path");
    TSC_ASSIGN_OR_RETURN(std::vector<HostOperator> added, loadHostLibrary(path));
    options->hostOperators.insert(options->hostOperators.end(), added.begin(), added.end());
    return okStatus();
  });
}
