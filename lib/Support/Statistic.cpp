//===- Statistic.cpp - Counters that passes keep --------------------------===//
#include "tsc/Support/Statistic.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cstring>
#include <vector>
using namespace tsc;

static constinit std::atomic<Statistic *> head{nullptr};

void Statistic::enlist() {
  if (listed.exchange(true))
    return;
  next = head.load();
  while (!head.compare_exchange_weak(next, this)) {
  }
}

void tsc::printStatistics(llvm::raw_ostream &os) {
  std::vector<const Statistic *> counted;
  for (const Statistic *s = head.load(); s; s = s->next)
    if (s->value() != 0)
      counted.push_back(s);
  std::sort(counted.begin(), counted.end(), [](const Statistic *a, const Statistic *b) {
    int order = std::strcmp(a->group, b->group);
    return order ? order < 0 : std::strcmp(a->name, b->name) < 0;
  });
  for (const Statistic *s : counted)
    os << llvm::format("%8llu ", (unsigned long long)s->value()) << s->group << " - " << s->description << '\n';
}

void tsc::resetStatistics() {
  for (Statistic *s = head.load(); s; s = s->next)
    s->count.store(0, std::memory_order_relaxed);
}
