//===- Trace.cpp - A timeline of what ran ---------------------------------===//
#include "tsc/Support/Trace.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>

using namespace tsc;

/// Small numbers for threads, in the order in which they first record something.
static unsigned threadNumber() {
  static std::atomic<unsigned> next{1};
  thread_local unsigned number = next++;
  return number;
}

void TraceRecorder::add(const char *category, std::string name, std::string detail, uint64_t bytes,
                        Clock::time_point start, Clock::time_point end) {
  auto micros = [](Clock::duration d) { return std::chrono::duration<double, std::micro>(d).count(); };
  Span span{category,      std::move(name), std::move(detail), bytes, micros(start - began), micros(end - start),
            threadNumber()};
  std::lock_guard lock(mutex);
  if (recorded.size() < maxSpans)
    recorded.push_back(std::move(span));
  else
    ++dropped;
}

void TraceRecorder::nameThread(std::string name) {
  std::lock_guard lock(mutex);
  threadNames.emplace_back(threadNumber(), std::move(name));
}

std::vector<TraceRecorder::Span> TraceRecorder::spans() const {
  std::lock_guard lock(mutex);
  return recorded;
}

uint64_t TraceRecorder::droppedSpans() const {
  std::lock_guard lock(mutex);
  return dropped;
}

void TraceRecorder::clear() {
  std::lock_guard lock(mutex);
  recorded.clear();
  dropped = 0;
}

void TraceRecorder::write(llvm::raw_ostream &os) const {
  std::lock_guard lock(mutex);
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("displayTimeUnit", "ns");
    json.attribute("droppedSpans", static_cast<int64_t>(dropped));
    json.attributeArray("traceEvents", [&] {
      for (const auto &[thread, name] : threadNames)
        json.object([&, &thread = thread, &name = name] {
          json.attribute("name", "thread_name");
          json.attribute("ph", "M");
          json.attribute("pid", 1);
          json.attribute("tid", static_cast<int64_t>(thread));
          json.attributeObject("args", [&] { json.attribute("name", llvm::json::fixUTF8(name)); });
        });
      for (const Span &span : recorded)
        json.object([&] {
          json.attribute("name", llvm::json::fixUTF8(span.name));
          json.attribute("cat", span.category);
          json.attribute("ph", "X");
          json.attribute("ts", span.start);
          json.attribute("dur", span.duration);
          json.attribute("pid", 1);
          json.attribute("tid", static_cast<int64_t>(span.thread));
          json.attributeObject("args", [&] {
            if (!span.detail.empty())
              json.attribute("detail", llvm::json::fixUTF8(span.detail));
            if (span.bytes)
              json.attribute("bytes", static_cast<int64_t>(span.bytes));
          });
        });
    });
  });
  os << '\n';
}
