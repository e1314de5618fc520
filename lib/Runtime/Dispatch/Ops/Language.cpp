//===- Language.cpp - Operators of the extended language ------------------===//
#include "tsc/IR/IValue.h"
#include "tsc/IR/Operator.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Runtime/Dispatch/LanguageOperators.h"
#include "tsc/Runtime/Dispatch/Ops/Containers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
using namespace tsc;

static Status failureOf(CallContext &, const IValue *const *args, IValue *results) {
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
static Status writeText(CallContext &context, const IValue *const *args, IValue *) {
  return context.write([&](llvm::raw_ostream &os) { os << llvm::StringRef(args[0]->toString()); });
}

//===-- torch.Generator -------------------------------------------------------===//

static Status noGenerator() { return invalidArgument("a torch.Generator is wanted here"); }

static Status makeGenerator(CallContext &, const IValue *const *args, IValue *results) {
  if (args[0]->isDevice() && args[0]->toDevice().kind != DeviceKind::CPU)
    return unimplemented("torch.Generator: generators of the processor are known here");
  auto made = makeRef<GeneratorValue>();
  if (args[1]->isInt())
    made->generator.setSeed(static_cast<uint64_t>(args[1]->toInt()));
  results[0] = IValue(std::move(made));
  return okStatus();
}

static Status seedGenerator(CallContext &, const IValue *const *args, IValue *results) {
  if (!args[0]->isGenerator())
    return noGenerator();
  args[0]->toGenerator().generator.setSeed(static_cast<uint64_t>(args[1]->toInt()));
  results[0] = *args[0];
  return okStatus();
}

static Status initialSeed(CallContext &, const IValue *const *args, IValue *results) {
  if (!args[0]->isGenerator())
    return noGenerator();
  results[0] = static_cast<int64_t>(args[0]->toGenerator().generator.seed());
  return okStatus();
}

/// A seed that nobody knows before.
static Status seedAnew(CallContext &, const IValue *const *args, IValue *results) {
  if (!args[0]->isGenerator())
    return noGenerator();
  const int64_t seed = std::chrono::high_resolution_clock::now().time_since_epoch().count() & ((int64_t{1} << 53) - 1);
  args[0]->toGenerator().generator.setSeed(static_cast<uint64_t>(seed));
  results[0] = seed;
  return okStatus();
}

namespace {
struct LanguageOperator {
  const char *schema;
  BoxedKernel kernel;
};
} // namespace

static constexpr LanguageOperator operators[] = {
    {"tsc::failure(Future(t) self) -> (bool, str, str)", failureOf},
    {"tsc::write(str text) -> ()", writeText},
    {"aten::Generator(*, Device? device=None, int? seed=None) -> Generator", makeGenerator},
    {"aten::Generator.device(Device device, int? seed=None) -> Generator", makeGenerator},
    {"aten::manual_seed.generator(Generator(a!) self, int seed) -> Generator(a!)", seedGenerator},
    {"aten::initial_seed(Generator self) -> int", initialSeed},
    {"aten::seed(Generator(a!) self) -> int", seedAnew},
    // Dicts whose keys no operator of PyTorch takes. The names are those of PyTorch's after `dict_`.
    {"tsc::dict_len(Dict(k, t) self) -> int", ops::dictLength},
    {"tsc::dict_keys(Dict(k, t) self) -> k[](*)", ops::dictKeys},
    {"tsc::dict_values(Dict(k, t) self) -> t[](*)", ops::dictValues},
    {"tsc::dict_items(Dict(k, t) self) -> ((k, t)[])", ops::dictItems},
    {"tsc::dict___getitem__(Dict(k, t) self, k key) -> t(*)", ops::dictGet},
    {"tsc::dict_get(Dict(k, t) self, k key) -> t(*)?", ops::dictGetOrNone},
    {"tsc::dict_get.default(Dict(k, t) self, k key, t default_value) -> t(*)", ops::dictGetOrDefault},
    {"tsc::dict_setdefault(Dict(k, t)(a!) self, k(b -> *) key, t(c -> *) default_value) -> t(*)", ops::dictSetDefault},
    {"tsc::dict__set_item(Dict(k, t)(a!) l, k(b -> *) idx, t(c -> *) v) -> ()", ops::dictSet},
    {"tsc::dict_Delete(Dict(k, t)(a!) self, k key) -> ()", ops::dictDelete},
    {"tsc::dict_pop(Dict(k, t)(a!) self, k key) -> t(*)", ops::dictPop},
    {"tsc::dict_pop.default(Dict(k, t)(a!) self, k key, t default_value) -> t(*)", ops::dictPopOrDefault},
    {"tsc::dict_popitem(Dict(k, t)(a!) self) -> ((k, t))", ops::dictPopItem},
    {"tsc::dict_clear(Dict(k, t)(a!) self) -> ()", ops::dictClear},
    {"tsc::dict_update(Dict(k, t)(a!) self, Dict(k, t)(a!) to_add) -> ()", ops::dictUpdate},
    {"tsc::dict_copy(Dict(k, t)(a) self) -> Dict(k, t)", ops::dictCopy},
    {"tsc::dict_dict(Dict(k, t)(a) self) -> Dict(k, t)", ops::dictCopy},
    {"tsc::dict___contains__(Dict(k, t) dict, k key) -> bool", ops::dictContains},
};

Status tsc::registerLanguageOperators(OperatorTable &table) {
  for (const LanguageOperator &op : operators)
    TSC_RETURN_IF_ERROR(table.registerOperator(op.schema, op.kernel));
  return okStatus();
}
