//===- BackgroundWorker.cpp - Work beside its callers ---------------------===//
#include "tsc/Support/BackgroundWorker.h"
#include "tsc/Support/Trace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <new>
#include <system_error>
#include <thread>
#include <vector>
using namespace tsc;

struct BackgroundWorker::State {
  std::mutex mutex; ///< Of what follows; not held while a task runs.
  std::deque<Task> tasks;
  bool isWorking = false, stops = false;
  bool isPaused = false; ///< The process is about to be forked.
  std::condition_variable wake, idle;
  std::thread thread;
};

//===----------------------------------------------------------------------===//
// The end of the process
//===----------------------------------------------------------------------===//

/// All workers there are. Objects of the main thread's go before static ones do, and before what atexit was told of:
/// where the main thread posts tasks, such an object stops the workers when the process exits. Where only others do,
/// atexit has to.
struct BackgroundWorker::AtExit {
  std::mutex &mutex = makeForkSafeMutex();
  std::vector<BackgroundWorker *> workers;

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

BackgroundWorker::BackgroundWorker(std::string name, TraceRecorder *trace)
    : name(std::move(name)), trace(trace), state(std::make_unique<State>()) {
  {
    AtExit &all = AtExit::instance();
    std::lock_guard lock(all.mutex);
    all.workers.push_back(this);
  }
  listenToForks();
}

BackgroundWorker::~BackgroundWorker() {
  stopListening();
  {
    AtExit &all = AtExit::instance();
    std::lock_guard lock(all.mutex);
    llvm::erase(all.workers, this);
  }
  stop();
}

void BackgroundWorker::stop() {
  {
    std::unique_lock lock(state->mutex);
    state->stops = true;
    while (!state->tasks.empty()) { // one by one: an empty deque to swap with would ask for memory
      Task dropped = std::move(state->tasks.front());
      state->tasks.pop_front();
      lock.unlock(); // it goes without the lock
      dropped = {};
      lock.lock();
    }
  }
  state->wake.notify_all();
  state->idle.notify_all();
  std::thread &thread = state->thread;
  if (thread.joinable() && thread.get_id() != std::this_thread::get_id()) // a task may end the process
    thread.join();
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

/// Whether there is a thread for the tasks.
bool BackgroundWorker::startThread(State &locked) {
  if (locked.thread.joinable())
    return true;
  try {
    locked.thread = std::thread([&locked, name = name, trace = trace] { work(locked, name, trace); });
  } catch (const std::system_error &) {
    return false;
  }
  return true;
}

bool BackgroundWorker::post(Task task) {
  AtExit::prepare();
  std::lock_guard lock(state->mutex);
  if (state->stops || !startThread(*state))
    return false;
  waitsSinceFork.store(false, std::memory_order_relaxed);
  state->tasks.push_back(std::move(task));
  state->wake.notify_one();
  return true;
}

void BackgroundWorker::work(State &state, const std::string &name, TraceRecorder *trace) {
  markAsOwnThread();
  llvm::set_thread_name(name);
  try {
    if (trace)
      trace->nameThread(name);
  } catch (const std::bad_alloc &) {
    // It has no name there.
  }
  std::unique_lock lock(state.mutex);
  while (true) {
    state.wake.wait(lock, [&] { return state.stops || (!state.tasks.empty() && !state.isPaused); });
    if (state.stops)
      return;
    Task task = std::move(state.tasks.front());
    state.tasks.pop_front();
    state.isWorking = true;
    lock.unlock();
    try {
      task();
    } catch (const std::bad_alloc &) {
      // Nobody waits for what it would have made.
    }
    task = {};
    lock.lock();
    state.isWorking = false;
    state.idle.notify_all();
  }
}

void BackgroundWorker::drain() {
  wakeAfterFork();
  OutsideScope waiting; // a fork meanwhile takes the tasks along
  std::unique_lock lock(state->mutex);
  state->idle.wait(lock, [this] { return state->tasks.empty() && !state->isWorking; });
}

//===----------------------------------------------------------------------===//
// Forks
//===----------------------------------------------------------------------===//

bool BackgroundWorker::quiesce() {
  std::lock_guard lock(state->mutex);
  state->isPaused = true;
  return !state->isWorking || state->thread.get_id() == std::this_thread::get_id();
}

void BackgroundWorker::lockForFork() { state->mutex.lock(); }

void BackgroundWorker::resumeInParent() {
  state->isPaused = false;
  state->mutex.unlock();
  state->wake.notify_all();
}

/// The old state is never destroyed: it has a thread that cannot be joined, and conditions that it waits for.
void BackgroundWorker::restartInChild() {
  auto fresh = std::make_unique<State>();
  fresh->tasks = std::move(state->tasks);
  fresh->stops = state->stops;
  waitsSinceFork.store(!fresh->tasks.empty(), std::memory_order_relaxed);
  (void)state.release();
  state = std::move(fresh);
}

/// Without a thread the tasks are dropped, as one that is posted then.
void BackgroundWorker::startForWaiting() {
  AtExit::prepare();
  std::deque<Task> dropped; // goes without the lock
  std::lock_guard lock(state->mutex);
  waitsSinceFork.store(false, std::memory_order_relaxed);
  if (!startThread(*state))
    dropped.swap(state->tasks);
}
