//===- Programs.h - Loading programs for tests ------------------*- C++ -*-===//
#ifndef TSC_UNITTESTS_ENGINE_PROGRAMS_H
#define TSC_UNITTESTS_ENGINE_PROGRAMS_H

#include "../Serialization/TestArchive.h"
#include "tsc/Engine/Program.h"
#include "tsc/FuserCPU/FuserCPU.h"
#include <catch2/catch.hpp>

namespace tsc {

/// The program that `text` is under this name.
inline StatusOr<Program> tryLoad(llvm::StringRef text, llvm::StringRef name, EngineOptions options = {}) {
  return Program::load(Bytes{text, nullptr}, name, std::move(options));
}
inline Program load(llvm::StringRef text, llvm::StringRef name, EngineOptions options = {}) {
  StatusOr<Program> program = tryLoad(text, name, std::move(options));
  INFO(program.status().message());
  REQUIRE(program.ok());
  return *std::move(program);
}

/// A call that is to succeed.
inline IValue run(const Program &program, llvm::StringRef name, std::vector<IValue> args) {
  CallContext call(program.context());
  StatusOr<IValue> result = program.run(call, name, std::move(args));
  INFO(result.status().message());
  REQUIRE(result.ok());
  return *result;
}

/// A fuser that keeps nothing for the next process.
inline FuserRegistry cpuFusers() {
  CpuFuserOptions options;
  options.cacheFolder = "";
  FuserRegistry fusers;
  fusers.add(DeviceKind::CPU, createCpuFuser(options));
  return fusers;
}

} // namespace tsc

#endif
