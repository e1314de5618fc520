//===- FuserCPU.h - Fusion groups as machine code ---------------*- C++ -*-===//
//
// The only library of tsc that links LLVM's code generator. A program that wants
// fusion groups compiled registers it:
//
//   FuserRegistry fusers;
//   fusers.add(DeviceKind::CPU, createCpuFuser());
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUSERCPU_FUSERCPU_H
#define TSC_FUSERCPU_FUSERCPU_H

#include "tsc/Runtime/Fuser.h"
#include <functional>
#include <optional>
#include <string>

namespace tsc {

class Node;
class TraceRecorder;

/// What the host hears of each kernel when it has been compiled.
enum class PrintKernels : uint8_t { None, Loops, LLVM, Asm };

struct CpuFuserOptions {
  CompileMode mode = CompileMode::Background;
  PrintKernels printKernels = PrintKernels::None;
  /// Receives the text of each kernel, as `printKernels` says. May be called from another thread.
  std::function<void(llvm::StringRef)> printed;
  /// Where kernels are kept for the next process; empty for nowhere. Default: tsc's folder in the user's cache folder.
  /// One that others than the user could put code into, or put another in the place of, is not used (PrivateFolder.h).
  std::optional<std::string> cacheFolder;
  uint64_t maxCacheBytes = uint64_t{64} << 20;
  /// Time of one core for compiling. When it is spent, kernels come from memory and disk alone, and the other groups
  /// run as their plain nodes.
  uint64_t maxCompileMicros = UINT64_MAX;
  /// Bytes of the vector registers that kernels use at most: with 32, code is as for a processor without AVX-512.
  unsigned maxVectorBytes = 64;
  /// The processor that kernels are tuned for, by LLVM's name for it; empty for the one they run on. They run on it
  /// in any case, with the same bits.
  std::string tuneFor;
  /// Whether to list kernels in /tmp/perf-PID.map, where Linux perf looks for the names of code made at run time.
  bool perfMap = false;
  /// Receives a span for each compilation, with the names of its kernels; outlives the fuser.
  TraceRecorder *trace = nullptr;
  /// Hears once of kernels that could not be compiled, whose groups run as their plain nodes, and of a cache folder
  /// that is not used because others could put code into it. May be called from another thread.
  std::function<void(const Status &)> report;
  /// Hears once of each group that runs as its plain nodes because there is no code for its operators or operands: of
  /// the last node in it. May be called from any thread that runs the group. A fuser with this serves one program, and
  /// goes before that program's Context.
  std::function<void(const Node &)> refused;
};

/// Nothing is set up before the first kernel is wanted.
std::shared_ptr<Fuser> createCpuFuser(const CpuFuserOptions &options = {});

} // namespace tsc

#endif
