//===- LaunchSequences.cpp - Calls of programs as graphs ------------------===//
#include "tsc/DeviceCUDA/LaunchSequences.h"
#include "tsc/Support/Trace.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;
using namespace tsc::fuser;
using Clock = TraceRecorder::Clock;

namespace {
constexpr size_t maxSequences = 64, maxSegments = 64, maxVariants = 4, maxPlaces = 1 << 14;
/// More are another segment: what is held keeps the device waiting.
constexpr size_t maxOperations = 512;
/// From one launch there is nothing to save.
constexpr size_t minOperations = 2;
/// So often in a row a segment may be another than those before: then no more of it is held.
constexpr unsigned maxMisses = 8;
} // namespace

void LaunchSequences::drop(Variant &variant) {
  if (!isClosed && variant.graph.exec)
    context.destroy(variant.graph);
  variant.graph = {};
}

void LaunchSequences::drop(Sequence &sequence) {
  for (Segment &segment : sequence.segments)
    for (auto &variant : segment.variants)
      drop(*variant);
}

void LaunchSequences::close() {
  std::lock_guard<std::mutex> guard(lock);
  if (isClosed)
    return;
  context.setOrder(nullptr);
  for (auto &[code, sequence] : sequences)
    drop(*sequence);
  sequences.clear();
  call.reset();
  isClosed = true;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void LaunchSequences::begin(uint64_t code, TraceRecorder *trace) {
  std::lock_guard<std::mutex> guard(lock);
  if (call) {
    call->depth += isOwn();
    return;
  }
  if (isClosed)
    return;
  std::unique_ptr<Sequence> &found = sequences[code];
  if (!found)
    found = std::make_unique<Sequence>();
  found->lastUse = ++clock;
  Sequence *followed = found.get();
  if (sequences.size() > maxSequences) {
    auto oldest = llvm::min_element(sequences,
                                    [](const auto &a, const auto &b) { return a.second->lastUse < b.second->lastUse; });
    drop(*oldest->second);
    sequences.erase(oldest);
  }
  call.emplace(Call{followed, std::this_thread::get_id(), 1, trace, 0, 0, {}, {}, false, true, false, okStatus()});
  openSegment();
  isCalled.store(true, std::memory_order_relaxed);
}

Status LaunchSequences::end() {
  std::lock_guard<std::mutex> guard(lock);
  if (!isOwn() || --call->depth != 0)
    return okStatus();
  Status closed = closeSegment();
  if (!call->failed.ok())
    closed = std::move(call->failed);
  call.reset();
  isCalled.store(false, std::memory_order_relaxed);
  return closed;
}

bool LaunchSequences::wantsEach() const {
  if (!isCalled.load(std::memory_order_relaxed))
    return false;
  std::lock_guard<std::mutex> guard(lock);
  return isOwn() && call->isFollowed && call->sequence->segments[call->segment].misses <= maxMisses;
}

std::optional<LaunchSequences::Place> LaunchSequences::nextPlace() {
  if (!isCalled.load(std::memory_order_relaxed))
    return std::nullopt;
  std::lock_guard<std::mutex> guard(lock);
  if (!isOwn() || !call->isFollowed || call->nextPlace == maxPlaces)
    return std::nullopt;
  std::vector<void *> &places = call->sequence->places;
  const size_t number = call->nextPlace++;
  return Place{number, number < places.size() ? places[number] : nullptr};
}

void LaunchSequences::setPlace(const Place &place, void *block) {
  std::lock_guard<std::mutex> guard(lock);
  if (!isOwn())
    return;
  std::vector<void *> &places = call->sequence->places;
  if (places.size() <= place.number)
    places.resize(place.number + 1);
  places[place.number] = block;
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

void LaunchSequences::openSegment() {
  if (call->sequence->segments.size() <= call->segment)
    call->sequence->segments.resize(call->segment + 1);
  call->seen.clear();
  call->candidates.clear();
  call->hasPassed = false;
  Segment &segment = call->sequence->segments[call->segment];
  if (segment.misses <= maxMisses)
    for (auto &variant : segment.variants)
      call->candidates.push_back(variant.get());
}

/// One by one: what was held, as what comes next is not what it was, or as no graph can be made.
Status LaunchSequences::launchSeen() {
  call->candidates.clear();
  for (StreamOperation &operation : call->seen) {
    TSC_RETURN_IF_ERROR(launchOne(operation));
  }
  return okStatus();
}

/// Calls f, in which one launch is made, and counts the time that it takes.
Status LaunchSequences::launch(llvm::function_ref<Status()> f) {
  const auto start = Clock::now();
  TSC_RETURN_IF_ERROR(f());
  const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
  counters.launches.fetch_add(1, std::memory_order_relaxed);
  counters.launchNanos.fetch_add(static_cast<uint64_t>(took.count()), std::memory_order_relaxed);
  return okStatus();
}

/// What it is made of is not needed any more, unless a graph is.
Status LaunchSequences::launchOne(StreamOperation &operation) {
  auto now = [&] { return context.launchNow(operation); };
  auto nowTraced = [&] { return traced(*operation.label, now); };
  TSC_RETURN_IF_ERROR(!operation.function ? now() : call->trace && operation.label ? launch(nowTraced) : launch(now));
  if (!call->isMaking)
    operation.words.clear(), operation.run = nullptr, operation.label = nullptr;
  return okStatus();
}

StatusOr<bool> LaunchSequences::take(StreamOperation &&operation) {
  if (!isCalled.load(std::memory_order_relaxed))
    return false;
  std::lock_guard<std::mutex> guard(lock);
  if (!call || !call->isFollowed)
    return false;
  if (!isOwn()) {
    stopFollowing();
    return false;
  }
  if (call->sequence->segments[call->segment].misses > maxMisses) {
    call->hasPassed = true;
    return false;
  }
  const size_t at = call->seen.size();
  const bool wasHeld = !call->candidates.empty();
  call->seen.push_back(std::move(operation));
  llvm::erase_if(call->candidates, [&](const Variant *variant) {
    return variant->operations.size() <= at || !variant->operations[at].isLike(call->seen[at]);
  });
  if (wasHeld && call->candidates.empty()) {
    TSC_RETURN_IF_ERROR(launchSeen());
  } else if (!wasHeld) {
    TSC_RETURN_IF_ERROR(launchOne(call->seen.back()));
  }
  if (call->seen.size() == maxOperations)
    TSC_RETURN_IF_ERROR(closeSegment());
  return true;
}

Status LaunchSequences::settle() {
  if (!isCalled.load(std::memory_order_relaxed))
    return okStatus();
  std::lock_guard<std::mutex> guard(lock);
  if (!call)
    return okStatus();
  if (isOwn())
    return closeSegment();
  stopFollowing();
  return okStatus();
}

/// Another thread comes between the call's operations: what is held goes first, if anything is.
void LaunchSequences::stopFollowing() {
  if (call->isFollowed && !call->candidates.empty())
    call->failed = launchSeen();
  call->isFollowed = false;
}

Status LaunchSequences::closeSegment() {
  if (!call->isFollowed || (call->seen.empty() && !call->hasPassed))
    return okStatus();
  Segment &segment = call->sequence->segments[call->segment];
  const bool wasHeld = !call->candidates.empty();
  auto whole = llvm::find_if(call->candidates,
                             [&](const Variant *variant) { return variant->operations.size() == call->seen.size(); });
  Status done = okStatus();
  if (whole != call->candidates.end()) {
    Variant &variant = **whole;
    segment.misses = 0;
    variant.lastUse = ++clock;
    done = launchGraph(variant);
    if (variant.isRefused)
      giveUp(segment);
  } else {
    if (wasHeld)
      done = launchSeen();
    if (done.ok())
      remember(segment);
  }
  if (++call->segment == maxSegments)
    call->isFollowed = false;
  else
    openSegment();
  if (!done.ok())
    call->isFollowed = false;
  return done;
}

void LaunchSequences::giveUp(Segment &segment) {
  for (auto &variant : segment.variants)
    drop(*variant);
  segment.variants.clear();
  segment.misses = maxMisses + 1;
}

/// Takes over what was seen, in the place of what is longest ago where there is much.
void LaunchSequences::remember(Segment &segment) {
  if (call->seen.size() < minOperations || segment.misses > maxMisses)
    return;
  if (++segment.misses > maxMisses)
    return giveUp(segment);
  if (segment.variants.size() == maxVariants) {
    auto oldest =
        llvm::min_element(segment.variants, [](const auto &a, const auto &b) { return a->lastUse < b->lastUse; });
    drop(**oldest);
    segment.variants.erase(oldest);
  }
  segment.variants.push_back(std::make_unique<Variant>());
  Variant &made = *segment.variants.back();
  made.operations = std::move(call->seen);
  made.lastUse = ++clock;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

bool LaunchSequences::makeGraph(Variant &variant) {
  // The call stays as it is, as its thread is here. The others may look at it, and stop following.
  call->isMaking = true;
  lock.unlock();
  const Status made = context.makeGraph(call->seen, variant.graph);
  lock.lock();
  call->isMaking = false;
  variant.isRefused = !made.ok();
  if (!variant.isRefused)
    counters.sequences.fetch_add(1, std::memory_order_relaxed);
  return !variant.isRefused;
}

/// False: it is gone, as some operation is no longer of its node's kind.
bool LaunchSequences::updateGraph(Variant &variant) {
  for (size_t i = 0; i != call->seen.size(); ++i) {
    const StreamOperation &before = variant.operations[i], &now = call->seen[i];
    if (before.words == now.words && before.blocks == now.blocks && before.threads == now.threads)
      continue;
    if (!context.update(variant.graph, i, now).ok()) {
      drop(variant);
      constexpr unsigned often = 3;
      variant.isRefused = ++variant.numLost == often;
      return false;
    }
    counters.sequenceUpdates.fetch_add(1, std::memory_order_relaxed);
  }
  return true;
}

Status LaunchSequences::launchGraph(Variant &variant) {
  const bool isThere = variant.graph.exec ? updateGraph(variant) : makeGraph(variant);
  const bool isLaunched = !call->isFollowed; // by another thread, meanwhile
  if (!isThere)
    return isLaunched ? okStatus() : launchSeen();
  variant.operations = std::move(call->seen);
  Status launched = okStatus();
  if (!isLaunched)
    launched = launch([&] { return call->trace ? launchTraced(variant) : context.launchNow(variant.graph); });
  for (StreamOperation &operation : variant.operations) // what it was called with is not kept
    operation.run = nullptr, operation.label = nullptr;
  if (isLaunched || !launched.ok())
    return launched;
  counters.graphLaunches.fetch_add(1, std::memory_order_relaxed);
  counters.sequenceLaunches.fetch_add(1, std::memory_order_relaxed);
  return okStatus();
}

Status LaunchSequences::launchTraced(const Variant &variant) {
  const auto numCalls = llvm::count_if(variant.operations, [](const StreamOperation &one) { return !one.function; });
  const std::string numbers = std::to_string(static_cast<ptrdiff_t>(variant.operations.size()) - numCalls) +
                              " kernels, " + std::to_string(numCalls) + " calls of libraries";
  return traced({"graph of a sequence", numbers}, [&] { return context.launchNow(variant.graph); });
}

/// Calls f, in which one launch is made, and waits for the device, whose time it is.
Status LaunchSequences::traced(const KernelLabel &label, llvm::function_ref<Status()> f) {
  DriverContext::Timer timer(context);
  const auto start = Clock::now();
  TSC_RETURN_IF_ERROR(timer.mark());
  TSC_RETURN_IF_ERROR(f());
  TSC_RETURN_IF_ERROR(timer.mark());
  call->trace->add("launch", label.name, label.sizes, 0, start, Clock::now());
  TSC_ASSIGN_OR_RETURN(std::vector<double> micros, timer.micros());
  const auto took =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::micro>(micros.front()));
  call->trace->add("kernel", label.name, label.sizes, label.bytes, start, start + took);
  return okStatus();
}
