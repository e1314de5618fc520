//===- Language.cpp - Operators of the extended language ------------------===//
#include "tsc/Runtime/Dispatch/Ops/Language.h"
#include "tsc/IR/IValue.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
using namespace tsc;

Status ops::failureOf(CallContext &, const IValue *const *args, IValue *results) {
  if (!args[0]->isFuture())
    return invalidArgument("tsc::failure takes a future");
  const FutureValue &future = args[0]->toFuture();
  if (future.status.code() == StatusCode::ResourceExhausted) // the host's limits are no exceptions
    return future.status;
  auto [name, message] = future.status.ok() ? ExceptionText() : exceptionOf(future.status);
  results[0] = !future.status.ok();
  results[1] = name;
  results[2] = message;
  return okStatus();
}

/// What print() writes that does not end with the end of a line.
Status ops::writeOutput(CallContext &context, const IValue *const *args, IValue *) {
  return context.write([&](llvm::raw_ostream &os) { os << llvm::StringRef(args[0]->toString()); });
}

//===-- torch.Generator -------------------------------------------------------===//

static Status noGenerator() { return invalidArgument("a torch.Generator is wanted here"); }

Status ops::makeGenerator(CallContext &, const IValue *const *args, IValue *results) {
  if (args[0]->isDevice() && args[0]->toDevice().kind != DeviceKind::CPU)
    return unimplemented("torch.Generator: generators of the processor are known here");
  auto made = makeRef<GeneratorValue>();
  if (args[1]->isInt())
    made->generator.setSeed(static_cast<uint64_t>(args[1]->toInt()));
  results[0] = IValue(std::move(made));
  return okStatus();
}

Status ops::seedGenerator(CallContext &, const IValue *const *args, IValue *results) {
  if (!args[0]->isGenerator())
    return noGenerator();
  args[0]->toGenerator().generator.setSeed(static_cast<uint64_t>(args[1]->toInt()));
  results[0] = *args[0];
  return okStatus();
}

Status ops::initialSeed(CallContext &, const IValue *const *args, IValue *results) {
  if (!args[0]->isGenerator())
    return noGenerator();
  results[0] = static_cast<int64_t>(args[0]->toGenerator().generator.seed());
  return okStatus();
}

/// A seed that nobody knows before.
Status ops::seedAnew(CallContext &, const IValue *const *args, IValue *results) {
  if (!args[0]->isGenerator())
    return noGenerator();
  const int64_t seed = std::chrono::high_resolution_clock::now().time_since_epoch().count() & ((int64_t{1} << 53) - 1);
  args[0]->toGenerator().generator.setSeed(static_cast<uint64_t>(seed));
  results[0] = seed;
  return okStatus();
}
