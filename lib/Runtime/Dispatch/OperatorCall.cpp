//===- OperatorCall.cpp - An operator as it is called ---------------------===//
#include "tsc/Runtime/Dispatch/OperatorCall.h"
#include "KnownCalls.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/PythonMeaning.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "tsc/Runtime/Dispatch/DeviceCall.h"
#include "tsc/Runtime/Dispatch/LazyOperands.h"
#include "tsc/Runtime/Dispatch/QuantizedCall.h"
#include "tsc/Runtime/Dispatch/RequiresGrad.h"
#include "llvm/ADT/DenseMap.h"
#include <mutex>
using namespace tsc;

/// Finds the operands of an operator of the aten namespace that have to be tensors, and lists of such.
static void findTensorOperands(const Operator &op, OperatorCall &call) {
  llvm::ArrayRef<Argument> arguments = op.schema().arguments();
  // Gradients of nothing are values of some prim:: operators; those of one tensor ask what it is.
  if (op.schema().isVararg() || (op.symbol().ns() != "aten" && !(op.symbol().ns() == "prim" && arguments.size() == 1)))
    return;
  for (size_t i = 0; i != std::min<size_t>(arguments.size(), 32); ++i) {
    const Type *type = arguments[i].type;
    const auto *list = llvm::dyn_cast<ListType>(type);
    if (type->kind() == TypeKind::Tensor)
      call.tensorOperands |= uint32_t{1} << i;
    else if (list && list->element()->kind() == TypeKind::Tensor)
      call.tensorLists |= uint32_t{1} << i;
  }
}

/// The set of the first `count` operands.
static uint32_t firstOperands(unsigned count) { return count < 32 ? (uint32_t{1} << count) - 1 : ~uint32_t{0}; }

OperatorCall tsc::describeCall(Context &context, const Operator &op) {
  OperatorCall call;
  const FunctionSchema &schema = op.schema();
  call.accelerator = acceleratorOf(context);
  call.name = spellingOf(op.symbol()).str();
  if (!schema.overloadName().empty())
    call.name += "." + schema.overloadName().str();
  call.site.numArgs = schema.arguments().size();
  call.site.numResults = schema.returns().size();
  call.site.resultType = schema.returns().empty() ? nullptr : schema.returns().front().type;
  call.site.name = spellingOf(op.symbol()).data();
  const OpRecord *record = op.record();
  if (!record) {
    if (op.customKernel()) // else one is made for each node
      call.custom = &op.customKernel();
    return call;
  }
  call.kernel = boxedKernels[static_cast<unsigned>(record->kind)];
  call.gradientOperands = gradientOperands(*record, schema);
  if (schema.isVararg()) // as for any number of operands, of which this call has so many
    call.gradientOperands &= firstOperands(call.site.numArgs);
  call.dequantized = operandsToDequantize(*record, schema);
  call.resolved = operandsToResolve(*record, schema);
  call.writes = schema.isMutating();
  call.refusesLeaf = writesToFirst(schema) && !record->has(Trait::Geometry) && !record->has(Trait::KeepsHistory);
  call.placesTensors = placesTensors(record->kind, schema);
  call.op = record->kind;
  call.schema = &schema;
  findTensorOperands(op, call);
  return call;
}

OperatorCall tsc::describeCall(Context &context, llvm::StringRef name, BoxedKernel kernel, unsigned numTensors) {
  OperatorCall call;
  call.accelerator = acceleratorOf(context);
  call.name = name.str();
  call.kernel = kernel;
  call.tensorOperands = firstOperands(numTensors);
  call.site.numArgs = numTensors;
  return call;
}

namespace {
/// The operators that were called outside of a program.
class KnownCalls final : public ContextExtension {
public:
  explicit KnownCalls(Context &context) : context(context) {}

  const OperatorCall &find(OpKind op) {
    std::lock_guard guard(lock);
    std::unique_ptr<OperatorCall> &known = calls[static_cast<unsigned>(op)];
    if (!known) {
      const OpRecord &record = opRecord(op);
      known = std::make_unique<OperatorCall>(
          describeCall(context, *context.operators().find(record.qualified, record.overload)));
    }
    return *known;
  }
  /// Finds an operator without a record.
  const OperatorCall &find(const Operator &op) {
    std::lock_guard guard(lock);
    std::unique_ptr<OperatorCall> &known = customCalls[&op];
    if (!known)
      known = std::make_unique<OperatorCall>(describeCall(context, op));
    return *known;
  }
  void clear() {
    std::lock_guard guard(lock);
    calls.clear();
    customCalls.clear();
  }

private:
  Context &context;
  std::mutex lock;
  llvm::DenseMap<unsigned, std::unique_ptr<OperatorCall>> calls;
  llvm::DenseMap<const Operator *, std::unique_ptr<OperatorCall>> customCalls;
};
} // namespace

const OperatorCall &tsc::operatorCallOf(Context &context, OpKind op) {
  assert(op != OpKind::Unknown && "an operator with a record");
  return context.extension<KnownCalls>().find(op);
}

const OperatorCall &tsc::operatorCallOf(Context &context, const Operator &op) {
  KnownCalls &known = context.extension<KnownCalls>();
  return op.record() ? known.find(op.record()->kind) : known.find(op);
}

void tsc::forgetOperatorCalls(Context &context) { context.extension<KnownCalls>().clear(); }
