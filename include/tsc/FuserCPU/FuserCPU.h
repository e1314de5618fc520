//===- FuserCPU.h - Fusion groups as machine code ---------------*- C++ -*-===//
//
// It brings CodeGen along, the only library of tsc that links LLVM's code generator.
// A program that wants fusion groups compiled registers it:
//
//   FuserRegistry fusers;
//   fusers.add(DeviceKind::CPU, createCpuFuser());
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUSERCPU_FUSERCPU_H
#define TSC_FUSERCPU_FUSERCPU_H

#include "tsc/Runtime/Dispatch/Fuser.h"
#include "tsc/Support/SimdLevel.h"
#include <functional>
#include <optional>
#include <string>

namespace tsc {

class Node;
class TraceRecorder;

/// Which text of each compiled kernel is printed: none, its loop nest, its LLVM IR, or its assembly.
enum class PrintKernels : uint8_t { None, Loops, LLVM, Asm };

/// How the fuser for processors compiles, what it keeps, and what it reports.
struct CpuFuserOptions {
  CompileMode mode = CompileMode::Background;
  PrintKernels printKernels = PrintKernels::None;
  /// Called with the text of each compiled kernel, as `printKernels` says, by any thread.
  std::function<void(llvm::StringRef)> printed;
  /// The folder that keeps kernels for the next process; empty to keep none. The default is tsc's folder in the user's
  /// cache folder. A folder in which others than the user could put or replace code is not used (PrivateFolder.h).
  std::optional<std::string> cacheFolder;
  /// About how many bytes the files in the cache folder may take.
  uint64_t maxCacheBytes = uint64_t{64} << 20;
  /// Microseconds of one core for compiling. When they are spent, kernels come from memory and disk alone, and the
  /// other groups run as their plain nodes.
  uint64_t maxCompileMicros = UINT64_MAX;
  /// The level of vector instructions that kernels use at most. By default it is that of all kernels (simdLevel()).
  std::optional<SimdLevel> simd;
  /// LLVM's name of the processor that kernels are tuned for; empty for the one that they run on. In any case they run
  /// on that one, with the same bits.
  std::string tuneFor;
  /// Whether to list kernels in /tmp/perf-PID.map, where Linux perf looks for the names of code made at run time.
  bool perfMap = false;
  /// Receives a span for each compilation, with the names of its kernels, unless null; outlives the fuser.
  TraceRecorder *trace = nullptr;
  /// Called once for each reason why kernels could not be compiled, so that their groups run as their plain nodes, and
  /// for a cache folder that is not used because others could put code into it. Any thread may call it.
  std::function<void(const Status &)> report;
  /// Called once for each group that runs as its plain nodes because there is no code for its operators or operands,
  /// with the last node of the group, by any thread that runs the group. A fuser with this serves one program, and is
  /// destroyed before that program's Context.
  std::function<void(const Node &)> refused;
};

/// Returns a fuser of groups whose tensors are in the processor's memory. It sets nothing up before the first kernel is
/// wanted.
std::shared_ptr<Fuser> createCpuFuser(const CpuFuserOptions &options = {});

} // namespace tsc

#endif
