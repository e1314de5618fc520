//===- Logging.cpp - Logs, type verbosity and optimization limits ---------===//
//
// The settings that the JIT overview describes. Each starts from its environment
// variable, read once, and a tool may replace it from an option.
//
//===----------------------------------------------------------------------===//
#include "tsc/Support/Logging.h"
#include "tsc/Support/ForkSafety.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <cstdlib>
#include <mutex>
using namespace tsc;

/// `dir/dead_code_elimination.cpp` and `DeadCodeElimination` both become `deadcodeelimination`.
static std::string normalized(llvm::StringRef name) {
  name = name.substr(name.find_last_of('/') + 1);
  name.consume_back(".cpp") || name.consume_back(".h");
  std::string result;
  for (char c : name.trim())
    if (c != '_' && c != '-')
      result += llvm::toLower(c);
  return result;
}

static llvm::StringRef environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

namespace {
struct Settings {
  std::mutex &mutex = makeForkSafeMutex();
  llvm::StringMap<LogLevel> levels; // by normalized name: the most detailed level that shows
  llvm::StringMap<int64_t> limits;  // optimizations that may still be made
  llvm::raw_ostream *stream = nullptr;
  std::atomic<bool> anyLimit{false};
  std::atomic<int> verbosity{3};

  Settings() {
    parseLog(environment("PYTORCH_JIT_LOG_LEVEL"));
    parseLimits(environment("PYTORCH_JIT_OPT_LIMIT"));
    int level;
    if (!environment("PYTORCH_JIT_TYPE_VERBOSITY").getAsInteger(10, level))
      verbosity = level;
  }

  void parseLog(llvm::StringRef spec) {
    levels.clear();
    llvm::SmallVector<llvm::StringRef> names;
    spec.split(names, ':', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef name : names) {
      llvm::StringRef plain = name.ltrim(" >");
      levels[normalized(plain)] = plain.size() == name.ltrim().size() ? LogLevel::Update : LogLevel::Debug;
    }
    detail::anyLogEnabled = !levels.empty();
  }

  void parseLimits(llvm::StringRef spec) {
    limits.clear();
    llvm::SmallVector<llvm::StringRef> entries;
    spec.split(entries, ':', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef entry : entries) {
      auto [name, count] = entry.split('=');
      int64_t limit;
      if (!count.trim().getAsInteger(10, limit))
        limits[normalized(name)] = limit;
    }
    anyLimit = !limits.empty();
  }
};
} // namespace

// True at first, so that the first message reads the environment.
std::atomic<bool> detail::anyLogEnabled{true};

static Settings &settings() {
  static Settings theSettings;
  return theSettings;
}

void tsc::setLogSpec(llvm::StringRef spec) {
  std::lock_guard<std::mutex> lock(settings().mutex);
  settings().parseLog(spec);
}

void tsc::setLogStream(llvm::raw_ostream *os) {
  std::lock_guard<std::mutex> lock(settings().mutex);
  settings().stream = os;
}

bool tsc::isLogEnabled(LogLevel level, llvm::StringRef file, llvm::StringRef pass) {
  std::lock_guard<std::mutex> lock(settings().mutex);
  for (llvm::StringRef name : {file, pass})
    if (auto it = settings().levels.find(normalized(name)); it != settings().levels.end() && level <= it->second)
      return true;
  return false;
}

void tsc::writeLog(LogLevel level, llvm::StringRef file, unsigned line, llvm::StringRef text) {
  static constexpr const char *names[] = {"DUMP", "UPDATE", "DEBUG"};
  std::string prefix = "[" + std::string(names[int(level)]) + " " + file.substr(file.find_last_of('/') + 1).str() +
                       ":" + std::to_string(line) + "] ";
  std::lock_guard<std::mutex> lock(settings().mutex);
  llvm::raw_ostream &os = settings().stream ? *settings().stream : llvm::errs();
  llvm::SmallVector<llvm::StringRef> lines;
  text.rtrim('\n').split(lines, '\n');
  for (llvm::StringRef each : lines)
    os << prefix << each << '\n';
}

int tsc::typeVerbosity() { return settings().verbosity.load(std::memory_order_relaxed); }
void tsc::setTypeVerbosity(int verbosity) { settings().verbosity = verbosity; }

bool tsc::isOptimizationAllowed(llvm::StringRef file, llvm::StringRef pass) {
  Settings &s = settings();
  if (!s.anyLimit.load(std::memory_order_relaxed))
    return true;
  std::lock_guard<std::mutex> lock(s.mutex);
  for (llvm::StringRef name : {file, pass})
    if (auto it = s.limits.find(normalized(name)); it != s.limits.end()) {
      if (it->second <= 0)
        return false;
      --it->second;
      return true;
    }
  return true;
}

void tsc::setOptimizationLimits(llvm::StringRef spec) {
  std::lock_guard<std::mutex> lock(settings().mutex);
  settings().parseLimits(spec);
}
