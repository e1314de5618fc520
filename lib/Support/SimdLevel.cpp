//===- SimdLevel.cpp - Which vector instructions are used -----------------===//
#include "tsc/Support/SimdLevel.h"
#include "tsc/Support/SimdFeatures.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <atomic>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>
#include <vector>

using namespace tsc;

/// By level.
static constexpr std::array<llvm::StringLiteral, 4> names = {"v2", "v3", "v4", "neon"};

llvm::StringRef tsc::nameOf(SimdLevel level) {
  assert(static_cast<size_t>(level) < names.size() && "a level");
  return names[static_cast<size_t>(level)];
}

StatusOr<SimdLevel> tsc::parseSimdLevel(llvm::StringRef name) {
  const auto *found = llvm::find(names, name);
  if (found == names.end())
    return invalidArgument("'" + name + "' is no level of vector instructions; the known ones are v2, v3, v4 and neon");
  return static_cast<SimdLevel>(found - names.begin());
}

//===----------------------------------------------------------------------===//
// What the machine has
//===----------------------------------------------------------------------===//

#if defined(__x86_64__)
#define TSC_AND_HAS(NAME) &&__builtin_cpu_supports(NAME)
static bool hasV3() { return true TSC_V3_FEATURES(TSC_AND_HAS); }
static bool hasV4() { return true TSC_V4_FEATURES(TSC_AND_HAS); }
#undef TSC_AND_HAS
#endif

SimdLevel tsc::machineSimdLevel() {
#if defined(__x86_64__)
  static const SimdLevel level = hasV4() ? SimdLevel::V4 : hasV3() ? SimdLevel::V3 : SimdLevel::V2;
  return level;
#else
  return SimdLevel::Neon;
#endif
}

bool tsc::machineHas(SimdLevel level) {
  const SimdLevel highest = machineSimdLevel();
  return level == highest || (level != SimdLevel::Neon && highest != SimdLevel::Neon && level < highest);
}

/// Returns the levels of this machine as words: "v2, v3 and v4".
static std::string levelsOfMachine() {
  std::vector<llvm::StringRef> has;
  for (size_t i = 0; i != names.size(); ++i)
    if (machineHas(static_cast<SimdLevel>(i)))
      has.push_back(names[i]);
  std::string text = has.front().str();
  for (size_t i = 1; i != has.size(); ++i)
    text += (i + 1 == has.size() ? " and " : ", ") + has[i].str();
  return text;
}

Status tsc::checkMachineHas(SimdLevel level) {
  if (machineHas(level))
    return okStatus();
  return invalidArgument("this machine has no vector instructions of level '" + nameOf(level) + "'; it has " +
                         levelsOfMachine());
}

/// Returns the level of that name, or why it cannot be had here.
static StatusOr<SimdLevel> findLevel(llvm::StringRef name) {
  TSC_ASSIGN_OR_RETURN(SimdLevel level, parseSimdLevel(name));
  TSC_RETURN_IF_ERROR(checkMachineHas(level));
  if (std::optional<SimdLevel> only = onlySimdLevel(); only && level < *only)
    return invalidArgument("the kernels of this build are for level '" + nameOf(*only) + "' alone, which is above '" +
                           name + "'; a build without TSC_NATIVE_SIMD has all levels");
  return level;
}

//===----------------------------------------------------------------------===//
// What is used
//===----------------------------------------------------------------------===//

namespace {
struct Choice {
  SimdLevel level = machineSimdLevel();
  llvm::StringRef reason = "all that the machine has";
  Status status;
};
} // namespace

/// What an option said, before the choice was made.
static std::atomic<int> asked{-1};
static std::atomic<bool> isMade{false};

static Choice makeChoice() {
  isMade.store(true, std::memory_order_seq_cst);
  Choice made;
  if (int level = asked.load(std::memory_order_seq_cst); level >= 0) {
    made.level = static_cast<SimdLevel>(level);
    made.reason = "--simd";
    return made;
  }
  const char *text = std::getenv("TSC_SIMD");
  if (!text || !*text)
    return made;
  StatusOr<SimdLevel> level = findLevel(text);
  if (!level.ok()) {
    made.status = withContext(level.status(), "TSC_SIMD: ");
    return made;
  }
  made.level = *level;
  made.reason = "TSC_SIMD";
  return made;
}

static const Choice &choice() {
  // Never destroyed, for threads may outlive main; and without a request for memory, for kernels throw nothing.
  alignas(Choice) static char memory[sizeof(Choice)];
  static const Choice &made = *new (memory) Choice(makeChoice());
  return made;
}

Status tsc::chooseSimdLevel(llvm::StringRef option) {
  if (option.empty())
    return simdStatus();
  StatusOr<SimdLevel> level = findLevel(option);
  if (!level.ok())
    return withContext(level.status(), "--simd: ");
  if (!isMade.load(std::memory_order_seq_cst))
    asked.store(static_cast<int>(*level), std::memory_order_seq_cst);
  if (simdLevel() != *level)
    return invalidArgument("--simd: kernels of level '" + nameOf(simdLevel()) + "' were used before");
  return okStatus();
}

constinit std::atomic<uint8_t> tsc::detail::usedSimdLevel{undecidedSimdLevel};

SimdLevel tsc::detail::decideSimdLevel() {
  const SimdLevel level = choice().level;
  usedSimdLevel.store(static_cast<uint8_t>(level), std::memory_order_relaxed);
  return level;
}

const Status &tsc::simdStatus() { return choice().status; }
llvm::StringRef tsc::simdReason() { return choice().reason; }
