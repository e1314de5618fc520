//===- BackgroundWorker.cpp - Work beside its callers ---------------------===//
#include "tsc/Support/BackgroundWorker.h"
#include "tsc/Support/Trace.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Threading.h"
#include <new>
#include <system_error>
using namespace tsc;

BackgroundWorker::~BackgroundWorker() {
  {
    std::lock_guard lock(mutex);
    stops = true;
  }
  wake.notify_all();
  if (thread.joinable())
    thread.join();
}

bool BackgroundWorker::post(Task task) {
  std::lock_guard lock(mutex);
  if (!thread.joinable())
    try {
      thread = std::thread([this] { work(); });
    } catch (const std::system_error &) {
      return false;
    }
  tasks.push_back(std::move(task));
  wake.notify_one();
  return true;
}

void BackgroundWorker::work() {
  llvm::set_thread_name(name);
  if (trace)
    trace->nameThread(name);
  std::unique_lock lock(mutex);
  while (true) {
    wake.wait(lock, [this] { return stops || !tasks.empty(); });
    if (stops)
      return;
    Task task = std::move(tasks.front());
    tasks.pop_front();
    isWorking = true;
    lock.unlock();
    try {
      task();
    } catch (const std::bad_alloc &) {
      // Nobody waits for what it would have made.
    }
    task = {};
    lock.lock();
    isWorking = false;
    idle.notify_all();
  }
}

void BackgroundWorker::drain() {
  std::unique_lock lock(mutex);
  idle.wait(lock, [this] { return tasks.empty() && !isWorking; });
}
