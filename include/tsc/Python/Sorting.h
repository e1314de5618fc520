//===- Sorting.h - list.sort and sorted() -----------------------*- C++ -*-===//
#ifndef TSC_PYTHON_SORTING_H
#define TSC_PYTHON_SORTING_H

#include "tsc/Support/WorkMeter.h"
#include <algorithm>
#include <utility>
#include <vector>

namespace tsc::python {

/// Whether sort() puts the largest element first. What is equal keeps its order either way.
enum class SortOrder { Ascending, Descending };

/// Sorts the elements by `less(a, b)`, a StatusOr<bool> that is asked O(n log n) times. It may fail, or contradict
/// itself (a program may have written it), so runs are merged, and nothing relies on the order being one. After a
/// failure the elements are as they were.
template <typename T, typename Less> Status stableSort(std::vector<T> &elements, SortOrder order, Less less) {
  std::vector<T> sorted = elements, merged(elements.size());
  work::LongLoop turns(4);
  for (size_t width = 1; width < sorted.size(); width *= 2) {
    for (size_t begin = 0; begin < sorted.size(); begin += 2 * width) {
      const size_t middle = std::min(begin + width, sorted.size()), end = std::min(begin + 2 * width, sorted.size());
      size_t left = begin, right = middle;
      for (size_t to = begin; to != end; ++to) {
        if (!turns.goOn())
          return work::stopped();
        bool takesRight = left == middle;
        if (left != middle && right != end) {
          StatusOr<bool> isLess =
              order == SortOrder::Descending ? less(sorted[left], sorted[right]) : less(sorted[right], sorted[left]);
          if (!isLess.ok())
            return isLess.status();
          takesRight = *isLess;
        }
        merged[to] = std::move(sorted[takesRight ? right++ : left++]);
      }
    }
    sorted.swap(merged);
  }
  elements = std::move(sorted);
  return okStatus();
}

/// Sorts numbers, which compare themselves. Equal ones keep their order.
template <typename T> void stableSortNumbers(std::vector<T> &numbers, SortOrder order) {
  work::count(8 * static_cast<int64_t>(numbers.size()));
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](const T &a, const T &b) { return order == SortOrder::Descending ? b < a : a < b; });
}

} // namespace tsc::python

#endif
