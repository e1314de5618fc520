//===- CallContext.cpp - What a running program may touch -----------------===//
#include "tsc/Runtime/CallContext.h"
#include "tsc/Tensor/Generator.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

CallContext::CallContext(Context &context)
    : types(context), random(nullptr), stream(&llvm::nulls()),
      onWarning([](const std::string &message) { llvm::errs() << "UserWarning: " << message << '\n'; }) {}
CallContext::~CallContext() = default;

Generator &CallContext::generator() {
  if (!random) {
    ownRandom = std::make_unique<Generator>();
    random = ownRandom.get();
  }
  return *random;
}
