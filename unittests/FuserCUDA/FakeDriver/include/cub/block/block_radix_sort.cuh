//===- block_radix_sort.cuh - CUB's sort of a block, behind the shim -*- C++ -*-===//
//
// Stands for the toolkit's header where the fake NVRTC builds a program: the first thread
// orders what all of them give.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_UNITTESTS_FUSERCUDA_BLOCKRADIXSORT_H
#define TSC_UNITTESTS_FUSERCUDA_BLOCKRADIXSORT_H

#include <algorithm>
#include <numeric>

namespace cub {

template <class Key, int Threads, int Items, class Value> class BlockRadixSort {
public:
  static constexpr int count = Threads * Items;
  struct TempStorage {
    Key keys[count];
    Value values[count];
  };
  explicit BlockRadixSort(TempStorage &storage) : storage(storage) {}

  /// A thread gives neighbours, and gets what is all threads apart.
  void SortBlockedToStriped(Key (&keys)[Items], Value (&values)[Items], int from, int to) {
    for (int k = 0; k != Items; ++k)
      storage.keys[threadIdx.x * Items + k] = keys[k], storage.values[threadIdx.x * Items + k] = values[k];
    __syncthreads();
    if (threadIdx.x == 0)
      order(from, to);
    __syncthreads();
    for (int k = 0; k != Items; ++k)
      keys[k] = storage.keys[k * Threads + threadIdx.x], values[k] = storage.values[k * Threads + threadIdx.x];
  }

private:
  void order(int from, int to) {
    static const Key all = ~Key(0);
    const Key bits = to - from == 8 * (int)sizeof(Key) ? all : ((Key(1) << (to - from)) - 1) << from;
    std::vector<int> places(count);
    std::iota(places.begin(), places.end(), 0);
    std::stable_sort(places.begin(), places.end(),
                     [&](int a, int b) { return (storage.keys[a] & bits) < (storage.keys[b] & bits); });
    const TempStorage given = storage;
    for (int i = 0; i != count; ++i)
      storage.keys[i] = given.keys[places[i]], storage.values[i] = given.values[places[i]];
  }
  TempStorage &storage;
};

} // namespace cub

#endif
