//===- ThreadExit.cpp - What goes when a thread ends ----------------------===//
#include "tsc/Support/ThreadExit.h"
#include <dlfcn.h>
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

/// Returns pthread_key_create of the main program's C library, or null where that is the one we call anyway. A
/// namespace of dlmopen's has a C library of its own, which numbers its keys from zero, but threads keep values by
/// number alone.
static decltype(&pthread_key_create) createOfMainProgram() {
  void *library = dlmopen(LM_ID_BASE, "libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  auto *found =
      library ? reinterpret_cast<decltype(&pthread_key_create)>(dlsym(library, "pthread_key_create")) : nullptr;
  return found == &pthread_key_create ? nullptr : found;
}

/// Makes a key that nobody else uses. In a namespace of its own that is one with the same number in both C libraries,
/// either of which may have started, and so ends, a thread; keys of other numbers that this takes are lost.
static std::optional<pthread_key_t> makeKey() {
  pthread_key_t key, other;
  if (pthread_key_create(&key, runNoted) != 0)
    return std::nullopt;
  auto *create = createOfMainProgram();
  if (create && create(&other, runNoted) != 0)
    return std::nullopt;
  while (create && key != other)
    if ((key < other ? pthread_key_create(&key, runNoted) : create(&other, runNoted)) != 0)
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
