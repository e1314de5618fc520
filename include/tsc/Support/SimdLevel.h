//===- SimdLevel.h - Which vector instructions are used ---------*- C++ -*-===//
//
// The one place that knows which levels of vector instructions there are, which of
// them this machine has, and which one kernels and fused code use in this process:
// the highest that the machine has, or what TSC_SIMD or an option of a tool says.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_SIMDLEVEL_H
#define TSC_SUPPORT_SIMDLEVEL_H

#include "tsc/Support/Status.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Compiler.h"
#include <atomic>
#include <cstdint>
#include <optional>

namespace tsc {

/// A level of vector instructions, for which kernels and fused code are made: x86-64-v2 to v4 of the x86-64 ABI, and
/// AArch64's NEON. On x86-64 a level includes those before it. V2 stands for all that has no more: its kernels need
/// x86-64's baseline alone.
enum class SimdLevel : uint8_t { V2, V3, V4, Neon };

/// Returns the level's name for people, options and TSC_SIMD: "v2", "v3", "v4" or "neon".
llvm::StringRef nameOf(SimdLevel level);
/// Returns the level of that name. InvalidArgument lists the known names.
StatusOr<SimdLevel> parseSimdLevel(llvm::StringRef name);

/// Returns the highest level that this machine has.
SimdLevel machineSimdLevel();
/// Whether this machine has the level.
bool machineHas(SimdLevel level);
/// Returns InvalidArgument, with the levels that this machine has, where it lacks this one.
Status checkMachineHas(SimdLevel level);

/// Returns the level that this build's kernels on vectors are compiled for alone (TSC_NATIVE_SIMD), whatever the
/// machine has, or nothing where kernels are chosen at run time.
std::optional<SimdLevel> onlySimdLevel();

/// Says at the start of a tool which level is used at most: `option`, what `--simd=` says, or where that is empty, the
/// environment variable TSC_SIMD, or where that is not set, what the machine has. InvalidArgument for a word that names
/// no level, a level that the machine has not, one below that which this build's kernels are compiled for, and where
/// kernels of another level were used before.
Status chooseSimdLevel(llvm::StringRef option);
namespace detail {
/// What simdLevel() returned, as a number, or undecidedSimdLevel before its first call. Nobody else writes it.
LLVM_LIBRARY_VISIBILITY extern std::atomic<uint8_t> usedSimdLevel;
inline constexpr uint8_t undecidedSimdLevel = 0xff; ///< No level's number.
/// Returns simdLevel(), and writes usedSimdLevel.
SimdLevel decideSimdLevel();
} // namespace detail

/// Returns the level that kernels and fused code use at most, which stays the same from the first call on. Where
/// nothing was chosen it is TSC_SIMD's, or the machine's where TSC_SIMD cannot be had (simdStatus()).
inline SimdLevel simdLevel() {
  const uint8_t level = detail::usedSimdLevel.load(std::memory_order_relaxed);
  return level != detail::undecidedSimdLevel ? static_cast<SimdLevel>(level) : detail::decideSimdLevel();
}
/// Returns what is wrong with TSC_SIMD, where that decides: an error like those of chooseSimdLevel(). A host's program
/// is not loaded then.
const Status &simdStatus();
/// Returns the reason for simdLevel(), for people: "--simd", "TSC_SIMD", or "all that the machine has".
llvm::StringRef simdReason();

} // namespace tsc

#endif
