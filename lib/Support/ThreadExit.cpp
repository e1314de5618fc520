//===- ThreadExit.cpp - What goes when a thread ends ----------------------===//
#include "tsc/Support/ThreadExit.h"
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

static std::optional<pthread_key_t> makeKey() {
  pthread_key_t key;
  return pthread_key_create(&key, runNoted) == 0 ? std::optional(key) : std::nullopt;
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
