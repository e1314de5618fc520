//===- ThreadExit.cpp - What goes when a thread ends ----------------------===//
#include "tsc/Support/ThreadExit.h"
#include "tsc/Support/LoaderNamespace.h"
#include <cstdio>
#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <memory>
#include <optional>
#include <pthread.h>
#include <utility>

using namespace tsc;

namespace {
struct Noted {
  void (*run)(void *object);
  void *object;
  Noted *before;
};
} // namespace

/// The system calls it with what the thread has under the key, once more where that made new entries.
static void runNoted(void *list) {
  for (auto *at = static_cast<Noted *>(list); at;) {
    at->run(at->object);
    delete std::exchange(at, at->before);
  }
}

/// Returns pthread_key_create of the main program's C library, or null where it has none. Before glibc 2.34, it was in
/// a library for threads, and to look for it elsewhere would end the process.
static decltype(&pthread_key_create) createOfMainProgram() {
  unsigned minor = 0;
  const bool isInOne = std::sscanf(gnu_get_libc_version(), "2.%u", &minor) == 1 && minor >= 34;
  void *library = dlmopen(LM_ID_BASE, isInOne ? "libc.so.6" : "libpthread.so.0", RTLD_LAZY | RTLD_NOLOAD);
  return library ? reinterpret_cast<decltype(&pthread_key_create)>(dlsym(library, "pthread_key_create")) : nullptr;
}

/// Makes a key that nobody else uses. A namespace of dlmopen's has a C library of its own, which numbers its keys from
/// zero, but threads keep values by number alone. There, it is a key with the same number in both C libraries, either
/// of which may have started, and so ends, a thread; keys of other numbers that this takes are lost.
static std::optional<pthread_key_t> makeKey() {
  pthread_key_t key, other;
  if (pthread_key_create(&key, runNoted) != 0)
    return std::nullopt;
  auto *create = isInMainNamespace() ? nullptr : createOfMainProgram();
  if (!create)
    return key;
  if (create(&other, runNoted) != 0)
    return std::nullopt;
  constexpr int mostLost = 128; // of the 1,024 keys of a process
  for (int lost = 0; key != other; ++lost)
    if (lost == mostLost || (key < other ? pthread_key_create(&key, runNoted) : create(&other, runNoted)) != 0)
      return std::nullopt;
  return key;
}

bool tsc::atThreadExit(void (*run)(void *object), void *object) {
  static const std::optional<pthread_key_t> key = makeKey();
  if (!key)
    return false;
  std::unique_ptr<Noted> noted(new (std::nothrow) Noted{run, object, static_cast<Noted *>(pthread_getspecific(*key))});
  if (!noted || pthread_setspecific(*key, noted.get()) != 0)
    return false;
  noted.release();
  return true;
}
