//===- ShardedCounter.h - A number that many threads count up ---*- C++ -*-===//
#ifndef TSC_SUPPORT_SHARDEDCOUNTER_H
#define TSC_SUPPORT_SHARDEDCOUNTER_H

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tsc {

/// A counter for what happens often, and in many threads at once. Each thread adds to one of sixteen parts, which lie
/// in cache lines of their own: up to sixteen threads do not wait for one another's line.
///
/// Threads: any number may add to it and read it. A reader sees what was counted before it in the order of events, and
///          perhaps some of what is counted meanwhile.
class ShardedCounter {
public:
  /// Adds one.
  void operator++() { shards[shardOfThread()].count.fetch_add(1, std::memory_order_relaxed); }
  /// Returns the sum of what all threads have counted.
  uint64_t value() const {
    uint64_t sum = 0;
    for (const Shard &shard : shards)
      sum += shard.count.load(std::memory_order_relaxed);
    return sum;
  }
  operator uint64_t() const { return value(); }

private:
  static constexpr size_t numShards = 16, cacheLine = 64;
  struct alignas(cacheLine) Shard {
    std::atomic<uint64_t> count{0};
  };
  /// Returns the number of the part that the calling thread adds to. Threads get them in turn.
  static size_t shardOfThread() {
    static constinit std::atomic<size_t> numThreads{0};
    static thread_local const size_t number = numThreads.fetch_add(1, std::memory_order_relaxed) % numShards;
    return number;
  }

  std::array<Shard, numShards> shards;
};

} // namespace tsc

#endif
