//===- CodeServices.cpp - Code for operators ------------------------------===//
//
// A record that has a decomposition and no kernel runs as that function: code of
// its graph, compiled once for each program, or for the context where an operator
// is called outside of one.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/OperatorServices.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Transforms/Definitions.h"
#include "tsc/Transforms/FusionRoles.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

namespace {
class CodeServices final : public ContextExtension, public OperatorServices {
public:
  explicit CodeServices(Context &) {}

  Status runDefinition(CallContext &context, OpKind kind, llvm::ArrayRef<const IValue *> args,
                       llvm::MutableArrayRef<IValue> results) override {
    const OpRecord &record = opRecord(kind);
    const Graph *definition = context.context().extension<Definitions>().find(kind);
    if (!definition)
      return unimplemented("the definition of " + llvm::Twine(record.qualified) + " does not compile");
    const CallSite *site = context.site;
    CodeCache &codes = site && site->codes ? *site->codes : ownCodes;
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

  StatusOr<std::vector<IValue>> callMethod(CallContext &context, Function &method, std::vector<IValue> args) override {
    TSC_ASSIGN_OR_RETURN(const Code *code, context.site->codes->get(method));
    return code->run(context, std::move(args));
  }

  bool mayBeKernel(const Node &node) override { return isComputing(fusionRole(node)); }

private:
  CodeCache ownCodes; ///< For calls outside of a program: by passes that fold constants, and by tapes.
};
} // namespace

void tsc::installOperatorServices(Context &context) { installServices(context, context.extension<CodeServices>()); }
