//===- FuzzProgram.cpp - Code of archives, compiled and run ---------------===//
//
// The bytes are the code of an archive. It is loaded as a host that trusts nobody
// loads it: with limits of steps, depth, memory and output. Then each method runs
// with arguments of its types, as it is written and optimized. Nothing that it
// does may crash or hang.
//
//===----------------------------------------------------------------------===//
#include "Archives.h"
#include "Mutators.h"
#include "tsc/Engine/Program.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
using namespace tsc;

static std::string archiveOf(llvm::StringRef code) {
  return fuzz::fileOf(
      {{"data.pkl", fuzz::emptyOuter}, {"constants.pkl", fuzz::emptyTuple}, {"code/__torch__.py", code}});
}

/// An argument of a type; none for those that would take thought.
static std::optional<IValue> argumentOf(const Type *type, unsigned position) {
  switch (type->kind()) {
  case TypeKind::Tensor: {
    auto made = Tensor::empty({2, 3}, position % 2 ? DType::Int64 : DType::Float);
    if (!made.ok())
      return std::nullopt;
    for (int64_t i = 0; i != 6; ++i)
      made->set(i, Scalar(i - 2));
    return IValue(*std::move(made));
  }
  case TypeKind::Int: return IValue(int64_t{3});
  case TypeKind::Float: return IValue(0.5);
  case TypeKind::Bool: return IValue(true);
  case TypeKind::String: return IValue("text");
  case TypeKind::None:
  case TypeKind::Optional: return IValue();
  case TypeKind::List: return makeList(type->contained()[0]);
  default: return std::nullopt;
  }
}

static void runAll(const std::string &file, unsigned level) {
  EngineOptions options;
  options.optimization = level;
  options.plans = level ? CompileMode::Eager : CompileMode::Off;
  options.loadingQuotas.memory = 256 << 20;
  options.loadingQuotas.steps = 10000;
  StatusOr<Program> program = Program::load(Bytes{file, nullptr}, "fuzz.pt", std::move(options));
  if (!program.ok()) {
    if (messageOf(program.status()).empty() && !wasDiagnosed(program.status()))
      std::abort(); // a failure without a word
    return;
  }
  for (Function *method : program->module()->type().methods()) {
    StatusOr<Program::Entry> entry = program->find(method->name());
    if (!entry.ok())
      continue;
    CallContext call(program->context());
    call.setWarningHandler(nullptr);
    call.quotas.steps = 5000;
    call.quotas.depth = 100;
    call.quotas.memory = 64 << 20;
    call.quotas.output = 10000;
    std::vector<IValue> args;
    for (const Argument &argument : entry->schema().arguments().drop_front())
      if (auto value = argumentOf(argument.type, args.size()))
        args.push_back(*std::move(value));
    StatusOr<IValue> result = program->run(call, *entry, std::move(args));
    if (!result.ok() && messageOf(result.status()).empty())
      std::abort();
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string file = archiveOf(llvm::StringRef(reinterpret_cast<const char *>(data), size));
  runAll(file, 0);
  runAll(file, 2);
  return 0;
}

TSC_MUTATE_WITH(mutateText)
