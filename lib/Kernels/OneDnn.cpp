//===- OneDnn.cpp - oneDNN, opened when it is wanted ----------------------===//
#include "OneDnn.h"
#include "tsc/Kernels/Machine.h"
#include <dlfcn.h>

using namespace tsc;
using namespace tsc::cpu;

#define TSC_TEXT_OF(x) #x
#define TSC_TEXT(x) TSC_TEXT_OF(x)

/// The library of the version whose interface we were compiled for; null when it is not there. Never closed: threads
/// may be in it.
static void *library() {
  static void *const handle = dlopen("libdnnl.so." TSC_TEXT(DNNL_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL);
  return handle;
}

bool tsc::cpu::hasOneDnn() { return library(); }
void *tsc::cpu::findInOneDnn(const char *name) { return library() ? dlsym(library(), name) : nullptr; }

// A process may hold several OpenMP runtimes. oneDNN's is the one that the library itself was linked to, which is where
// names of its handle are looked up.
static int maxThreads() {
  static auto *const ask = reinterpret_cast<int (*)()>(findInOneDnn("omp_get_max_threads"));
  return ask ? ask() : 1;
}
static void setThreads(int count) {
  static auto *const set = reinterpret_cast<void (*)(int)>(findInOneDnn("omp_set_num_threads"));
  if (set)
    set(count);
}

SingleThreadedDnn::SingleThreadedDnn() : previous(maxThreads()) {
  if (previous != 1)
    setThreads(1);
}
SingleThreadedDnn::~SingleThreadedDnn() {
  if (previous != 1)
    setThreads(previous);
}

OneDnnFacts tsc::cpu::oneDnnFacts() {
  OneDnnFacts facts;
  void *const ask = findInOneDnn("dnnl_version");
  if (!ask)
    return facts;
  const dnnl_version_t *version = reinterpret_cast<const dnnl_version_t *(*)()>(ask)();
  facts.version =
      std::to_string(version->major) + "." + std::to_string(version->minor) + "." + std::to_string(version->patch);
  Dl_info place;
  if (dladdr(ask, &place) && place.dli_fname)
    facts.file = place.dli_fname;
  return facts;
}
