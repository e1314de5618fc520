//===- BackgroundWorker.cpp - Work beside its callers ---------------------===//
#include "tsc/Support/BackgroundWorker.h"
#include "tsc/Support/Trace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"
#include <cstdlib>
#include <new>
#include <system_error>
using namespace tsc;

//===----------------------------------------------------------------------===//
// The end of the process
//===----------------------------------------------------------------------===//

/// All workers there are. Objects of the main thread's go before static ones do, and before what atexit was told of:
/// where the main thread posts tasks, such an object stops the workers when the process exits. Where only others do,
/// atexit has to.
struct BackgroundWorker::AtExit {
  std::mutex mutex;
  llvm::SmallVector<BackgroundWorker *> workers;

  static AtExit &instance() {
    static AtExit &made = *new AtExit; // never destroyed: who goes after main needs it
    return made;
  }
  static void stopAll() {
    AtExit &all = instance();
    std::lock_guard lock(all.mutex);
    for (BackgroundWorker *worker : all.workers)
      worker->stop();
  }
  struct Guard {
    ~Guard() {
      if (llvm::get_threadid() == static_cast<uint64_t>(llvm::sys::Process::getProcessId()))
        stopAll();
    }
  };
  /// The C library ends the process where it has no memory to note the destructor of a thread's object. So that of the
  /// main thread is noted when the program starts, or the library is loaded, where nothing is short of memory yet.
  [[gnu::constructor]] static void guardThread() {
    static thread_local Guard guard;
    (void)&guard;
  }
  static void prepare() {
    if (llvm::get_threadid() == static_cast<uint64_t>(llvm::sys::Process::getProcessId()))
      guardThread();
    static const int known = std::atexit(stopAll);
    (void)known;
  }
};

BackgroundWorker::BackgroundWorker(std::string name, TraceRecorder *trace) : name(std::move(name)), trace(trace) {
  AtExit &all = AtExit::instance();
  std::lock_guard lock(all.mutex);
  all.workers.push_back(this);
}

BackgroundWorker::~BackgroundWorker() {
  {
    AtExit &all = AtExit::instance();
    std::lock_guard lock(all.mutex);
    llvm::erase(all.workers, this);
  }
  stop();
}

void BackgroundWorker::stop() {
  {
    std::unique_lock lock(mutex);
    stops = true;
    while (!tasks.empty()) { // one by one: an empty deque to swap with would ask for memory
      Task dropped = std::move(tasks.front());
      tasks.pop_front();
      lock.unlock(); // it goes without the lock
      dropped = {};
      lock.lock();
    }
  }
  wake.notify_all();
  idle.notify_all();
  if (thread.joinable() && thread.get_id() != std::this_thread::get_id()) // a task may end the process
    thread.join();
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

bool BackgroundWorker::post(Task task) {
  AtExit::prepare();
  std::lock_guard lock(mutex);
  if (stops)
    return false;
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
  try {
    if (trace)
      trace->nameThread(name);
  } catch (const std::bad_alloc &) {
    // It has no name there.
  }
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
