//===- SupportTest.cpp - Sources, diagnostics, logs, counters -------------===//
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/MappedFile.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Support/Status.h"
#include "tsc/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdio>
#include <thread>
#include <unistd.h>
#include <vector>
#define DEBUG_TYPE "support-test"
using namespace tsc;

static constexpr DiagnosticKind undefinedValue{Severity::Error, "UndefinedValue", "undefined value '{0}'"};
static constexpr DiagnosticKind declaredHere{Severity::Note, "DeclaredHere", "'{0}' is declared here"};
TSC_STATISTIC(NumTries, "Things tried");

TEST_CASE("offsets become lines and columns") {
  SourceBuffer buffer("a.py", "ab\ncd\r\n\nx");
  CHECK(buffer.lineColumn(0).line == 1);
  CHECK(buffer.lineColumn(4).line == 2);
  CHECK(buffer.lineColumn(4).column == 1);
  CHECK(buffer.lineColumn(7).line == 3);
  CHECK(buffer.line(2) == "cd");
  CHECK(buffer.line(4) == "x");
  CHECK(buffer.line(0) == "");
  CHECK(buffer.line(5) == "");
}

TEST_CASE("a buffer without text keeps line and column") {
  SourceManager manager;
  const SourceBuffer &first = manager.addNameOnly("m.py");
  CHECK(&manager.addNameOnly("m.py") == &first);
  SourceRange range = SourceRange::atLine(first, {12, 4});
  CHECK(range.lineColumn().line == 12);
  CHECK(range.lineColumn().column == 4);
}

TEST_CASE("a diagnostic shows the line, a caret, the fix-it and its notes") {
  SourceBuffer buffer("m.py", "sizes = 1\n\ty = size\n");
  DiagnosticEngine engine;
  (void)engine.report({buffer, 15, 19}, undefinedValue, "size")
      .fixIt("sizes")
      .note({buffer, 0, 5}, declaredHere, "sizes");
  CHECK(engine.hasErrors());
  CHECK(engine.str() == "m.py:2:6: error: undefined value 'size'\n"
                        "\ty = size\n"
                        "\t    ^~~~\n"
                        "\t    sizes\n"
                        "m.py:1:1: note: 'sizes' is declared here\n"
                        "sizes = 1\n"
                        "^~~~~\n");
}

TEST_CASE("a range past the end of its buffer prints without harm") {
  SourceBuffer buffer("m.py", "ab");
  DiagnosticEngine engine;
  (void)engine.report({buffer, 2, 90}, undefinedValue, "x");
  CHECK(engine.str() == "m.py:1:3: error: undefined value 'x'\nab\n  ^\n");
}

TEST_CASE("parallelFor covers the range once, with and without threads") {
  for (unsigned threads : {0u, 1u, 2u, 5u}) {
    ThreadPool pool(threads);
    ExecutorScope scope(&pool);
    std::vector<std::atomic<int>> hits(1000);
    std::atomic<int> wrongExecutors{0}; // Catch counts assertions of one thread only
    parallelFor(0, 1000, 10, [&](int64_t first, int64_t last) {
      wrongExecutors += currentExecutor() != (threads > 1 ? nullptr : &pool);
      for (int64_t i = first; i != last; ++i)
        ++hits[size_t(i)];
    });
    CHECK(wrongExecutors == 0);
    for (auto &hit : hits)
      REQUIRE(hit == 1);
  }
}

TEST_CASE("what a piece of a parallel loop throws reaches its caller") {
  for (unsigned threads : {1u, 4u}) {
    ThreadPool pool(threads);
    ExecutorScope scope(&pool);
    std::atomic<int64_t> done{0};
    auto run = [&] {
      parallelFor(0, 4, 1, [&](int64_t first, int64_t last) {
        if (last == 4)
          throw std::bad_alloc();
        done += last - first;
      });
    };
    CHECK_THROWS_AS(run(), std::bad_alloc);
    CHECK(done == (threads == 1 ? 0 : 3));
    parallelFor(0, 4, 1, [&](int64_t first, int64_t last) { done += last - first; });
    CHECK(done == (threads == 1 ? 4 : 7));
  }
}

TEST_CASE("many threads may share one pool") {
  ThreadPool pool(3);
  std::atomic<int64_t> sum{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller != 4; ++caller)
    callers.emplace_back([&] {
      ExecutorScope scope(&pool);
      for (int round = 0; round != 50; ++round)
        parallelFor(0, 100, 1, [&](int64_t first, int64_t last) { sum += last - first; });
    });
  for (std::thread &caller : callers)
    caller.join();
  CHECK(sum == 4 * 50 * 100);
}

TEST_CASE("a file is mapped, and copy-on-write leaves it alone") {
  char path[] = "/tmp/tsc-mapped-XXXXXX";
  int fd = mkstemp(path);
  REQUIRE(fd >= 0);
  REQUIRE(write(fd, "hello", 5) == 5);
  close(fd);
  auto file = MappedFile::open(path, MapAccess::CopyOnWrite);
  REQUIRE(file.ok());
  (*file)->mutableData()[0] = 'j';
  CHECK((*file)->bytes() == "jello");
  CHECK((*MappedFile::open(path))->bytes() == "hello");
  std::remove(path);
  CHECK(MappedFile::open(path).status().code() == StatusCode::NotFound);
  CHECK(MappedFile::open("/").status().code() == StatusCode::InvalidArgument);
}

TEST_CASE("statistics count and print") {
  resetStatistics();
  NumTries += 41;
  ++NumTries;
  std::string text;
  llvm::raw_string_ostream os(text);
  printStatistics(os);
  CHECK(os.str() == "      42 support-test - Things tried\n");
}

TEST_CASE("logs are chosen by file or pass, and > shows debugging") {
  std::string text;
  llvm::raw_string_ostream os(text);
  setLogStream(&os);
  setLogSpec("");
  TSC_GRAPH_UPDATE("unseen");
  setLogSpec("other:support_test.cpp");
  TSC_GRAPH_DEBUG("unseen");
  TSC_GRAPH_UPDATE("one\ntwo");
  setLogSpec(">>support-test");
  TSC_GRAPH_DEBUG("three");
  setLogSpec("");
  setLogStream(nullptr);
  CHECK(llvm::StringRef(os.str()).count("[UPDATE SupportTest.cpp:") == 2);
  CHECK(llvm::StringRef(text).contains("] two\n"));
  CHECK(llvm::StringRef(text).contains("[DEBUG SupportTest.cpp:"));
  CHECK(!llvm::StringRef(text).contains("unseen"));
}

TEST_CASE("an optimization limit stops after so many") {
  setOptimizationLimits("support_test=2:cse=0");
  CHECK(TSC_OPT_ALLOWED);
  CHECK(TSC_OPT_ALLOWED);
  CHECK(!TSC_OPT_ALLOWED);
  CHECK(!isOptimizationAllowed("x.cpp", "cse"));
  CHECK(isOptimizationAllowed("x.cpp", "dce"));
  setOptimizationLimits("");
  CHECK(TSC_OPT_ALLOWED);
}
