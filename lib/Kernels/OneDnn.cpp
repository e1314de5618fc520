//===- OneDnn.cpp - oneDNN, opened when it is wanted ----------------------===//
#include "OneDnn.h"
#include "tsc/Kernels/Machine.h"
#include "tsc/Support/ForkSafety.h"
#include <atomic>
#include <dlfcn.h>
#include <mutex>

using namespace tsc;
using namespace tsc::cpu;

#define TSC_TEXT_OF(x) #x
#define TSC_TEXT(x) TSC_TEXT_OF(x)

/// Returns the handle of oneDNN, of the major version whose headers we were compiled with, or null. It is never closed,
/// because threads may be running its code. A fork waits while it is opened.
static void *library() {
  static std::mutex &mutex = makeForkSafeMutex();
  static std::atomic<bool> wasOpened = false;
  static void *handle;
  if (!wasOpened.load(std::memory_order_acquire)) {
    std::lock_guard lock(mutex);
    if (!wasOpened.load(std::memory_order_relaxed))
      handle = dlopen("libdnnl.so." TSC_TEXT(DNNL_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL);
    wasOpened.store(true, std::memory_order_release);
  }
  return handle;
}

bool tsc::cpu::hasOneDnn() { return library(); }
void *tsc::cpu::findInOneDnn(const char *name) { return library() ? dlsym(library(), name) : nullptr; }

/// Returns a function of the OpenMP runtime that oneDNN uses. A process may hold several: the loader gave oneDNN the
/// one of the main program and what it links, if they have one, and otherwise the one that oneDNN itself was linked to.
static void *findInOpenMP(const char *name) {
  if (!library())
    return nullptr;
  static void *const program = dlopen(nullptr, RTLD_NOW);
  void *found = program ? dlsym(program, name) : nullptr;
  return found ? found : findInOneDnn(name);
}
static int maxThreads() {
  static auto *const ask = reinterpret_cast<int (*)()>(findInOpenMP("omp_get_max_threads"));
  return ask ? ask() : 1;
}
static void setThreads(int count) {
  static auto *const set = reinterpret_cast<void (*)(int)>(findInOpenMP("omp_set_num_threads"));
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
