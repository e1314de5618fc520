//===- DefinitionCalls.cpp - Composites without kernels -------------------===//
//
// A record that has a decomposition and no kernel runs as that function: code of
// its graph, compiled once for each program, or for the context where an operator
// is called outside of one.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Runtime/CallContext.h"
#include "tsc/Runtime/Code.h"
#include "tsc/Runtime/Unboxing.h"
#include "tsc/Transforms/Definitions.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

namespace {
/// Code for calls outside of a program: by passes that fold constants, and by tapes.
class DefinitionCodes final : public ContextExtension {
public:
  explicit DefinitionCodes(Context &) {}
  CodeCache codes;
};
} // namespace

Status unboxing::runDefinition(CallContext &context, OpKind kind, ArrayRef<const IValue *> args,
                               llvm::MutableArrayRef<IValue> results) {
  const OpRecord &record = opRecord(kind);
  const Graph *definition = context.context().extension<Definitions>().find(kind);
  if (!definition)
    return unimplemented("the definition of " + llvm::Twine(record.qualified) + " does not compile");
  const CallSite *site = context.site;
  CodeCache &codes = site && site->codes ? *site->codes : context.context().extension<DefinitionCodes>().codes;
  TSC_ASSIGN_OR_RETURN(const Code *code, codes.get(*definition, record.qualified));
  std::vector<IValue> inputs;
  for (const IValue *arg : args)
    inputs.push_back(*arg);
  StatusOr<std::vector<IValue>> values = code->run(context, std::move(inputs));
  context.site = site; // the definition's own calls have set theirs
  if (!values.ok())
    return std::move(values).status();
  if (results.size() == 1) {
    results[0] = std::move(values->front());
  } else if (results.size() > 1) {
    llvm::copy(values->front().toTuple().elements, results.begin());
  }
  return okStatus();
}
