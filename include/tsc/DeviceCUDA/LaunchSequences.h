//===- LaunchSequences.h - Calls of programs as graphs ----------*- C++ -*-===//
//
// What a call of a program puts on the stream, kernels and calls of libraries, is
// remembered. When the next call begins alike it is held back, and, if it is the same to
// the end, launched as one graph. The program itself runs each time: what it launches is
// compared with what was launched, so that no path, shape or value is taken for another.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_DEVICECUDA_LAUNCHSEQUENCES_H
#define TSC_DEVICECUDA_LAUNCHSEQUENCES_H

#include "tsc/DeviceCUDA/Driver.h"
#include "tsc/Runtime/Dispatch/Fuser.h"
#include "llvm/ADT/DenseMap.h"
#include <thread>

namespace tsc {
class TraceRecorder;
}

namespace tsc::fuser {

/// The calls of programs on one context, and the graphs that they became. A call's operations are in segments: what the
/// program waits for, or copies from the processor, ends one.
///
/// Threads:   everything may be called from many threads. One call at a time is followed; what other threads launch
///            meanwhile ends it. What is held goes on the stream before anything that comes later, whoever asks.
///            Nobody waits until a graph is made: who launches meanwhile launches what it is made of, one by one.
/// Ownership: the context's order while it lives. close() takes the graphs away before the driver goes.
/// Errors:    what fails when held operations are launched is said by whoever launches them, or else when the call
///            ends. A sequence that can be no graph is launched one by one.
class LaunchSequences final : public StreamOrder {
public:
  LaunchSequences(DriverContext &context, FuserCounters &counters) : context(context), counters(counters) {
    context.setOrder(this);
  }
  ~LaunchSequences() override { close(); }
  /// Destroys the graphs. What is launched later goes on the stream one by one.
  void close();

  /// Begins a call of the code with this number. With `trace` it waits for the device after each graph.
  void begin(uint64_t code, TraceRecorder *trace);
  /// Ends the call, and launches what is held.
  Status end();

  bool wantsEach() const override;
  StatusOr<bool> take(StreamOperation &&operation) override;
  Status settle() override;

  /// Memory that this thread's call is about to ask for: its number, and which block it got the last time. The same
  /// block again is a node that stays as it is.
  struct Place {
    size_t number;
    void *last;
  };
  /// Returns the call's next place, or nothing where this thread has no call that is followed.
  std::optional<Place> nextPlace();
  /// Remembers the block that a place got.
  void setPlace(const Place &place, void *block);

private:
  /// One way that a segment went. Operations without a graph are remembered by what they are, else with all they have.
  struct Variant {
    std::vector<StreamOperation> operations;
    DriverContext::Graph graph;
    bool isRefused = false; ///< It can be no graph.
    unsigned numLost = 0;   ///< How often a graph of it could not be updated.
    uint64_t lastUse = 0;
  };
  struct Segment {
    std::vector<std::unique_ptr<Variant>> variants;
    unsigned misses = 0; ///< How many calls in a row went in none of these ways.
  };
  struct Sequence {
    std::vector<Segment> segments;
    std::vector<void *> places;
    uint64_t lastUse = 0;
  };
  /// The call that is followed.
  struct Call {
    Sequence *sequence;
    std::thread::id thread;
    unsigned depth = 1;
    TraceRecorder *trace;
    size_t segment = 0, nextPlace = 0;
    std::vector<StreamOperation> seen; ///< What the segment has launched.
    std::vector<Variant *> candidates; ///< Those began as it did; while there are any, what is seen is held.
    bool hasPassed = false;            ///< Operations of the segment were let through.
    bool isFollowed = true;            ///< Else all are.
    bool isMaking = false; ///< A graph is made of what is seen, without the lock: it may be read and launched.
    Status failed;         ///< The error of what was held, where nobody was told.
  };

  bool isOwn() const { return call && call->thread == std::this_thread::get_id(); }
  void openSegment();
  Status closeSegment();
  Status launchSeen();
  void stopFollowing();
  Status launchGraph(Variant &variant);
  Status launchTraced(const Variant &variant);
  Status traced(const KernelLabel &label, llvm::function_ref<Status()> f);
  bool makeGraph(Variant &variant);
  bool updateGraph(Variant &variant);
  void remember(Segment &segment);
  void giveUp(Segment &segment);
  void drop(Variant &variant);
  void drop(Sequence &sequence);
  Status launch(llvm::function_ref<Status()> f);
  Status launchOne(StreamOperation &operation);

  DriverContext &context;
  FuserCounters &counters;
  std::atomic<bool> isCalled{false};                             ///< Whether there may be a call to follow.
  mutable std::mutex lock;                                       ///< Guards what follows.
  llvm::DenseMap<uint64_t, std::unique_ptr<Sequence>> sequences; ///< The number of the code is the key.
  std::optional<Call> call;
  uint64_t clock = 0;
  bool isClosed = false;
};

} // namespace tsc::fuser

#endif
