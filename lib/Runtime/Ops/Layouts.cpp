//===- Layouts.cpp - Operators on layouts of our own ----------------------===//
#include "tsc/IR/IValue.h"
#include "tsc/IR/Operator.h"
#include "tsc/Kernels/Convolution.h"
#include "tsc/Runtime/CallContext.h"
#include "tsc/Runtime/LayoutOperators.h"
#include "tsc/Runtime/Unboxing.h"
using namespace tsc;
using namespace tsc::unboxing;

static Status convolution(CallContext &, const IValue *const *a, IValue *r) {
  return finish(cpu::blockedConv2d(tensor(*a[0]), tensor(*a[1]), tensor(*a[2]), integerList(*a[3]), integerList(*a[4]),
                                   integerList(*a[5]), integer(*a[6]), tensor(*a[7]), tensor(*a[8]), tensor(*a[9]),
                                   tensor(*a[10]), floating(*a[11]), tensor(*a[12]), optionalScalar(*a[13]),
                                   optionalScalar(*a[14])),
                r);
}

static Status maxPool(CallContext &, const IValue *const *a, IValue *r) {
  return finish(cpu::blockedMaxPool2d(tensor(*a[0]), integerList(*a[1]), integerList(*a[2]), integerList(*a[3]),
                                      integerList(*a[4]), boolean(*a[5])),
                r);
}

static Status concatenation(CallContext &, const IValue *const *a, IValue *r) {
  return finish(cpu::blockedCat(tensorList(*a[0])), r);
}

static Status plain(CallContext &, const IValue *const *a, IValue *r) {
  return finish(cpu::fromBlocked(tensor(*a[0])), r);
}

static Status blocks(CallContext &, const IValue *const *a, IValue *r) {
  return finish(cpu::toBlocked(tensor(*a[0])), r);
}

Status tsc::registerLayoutOperators(OperatorTable &table) {
  const std::pair<const char *, BoxedKernel> operators[] = {
      {"tsc::blocked_conv2d(Tensor input, Tensor weight, Tensor? bias, int[2] stride, int[2] padding, int[2] dilation, "
       "int groups, Tensor? norm_weight, Tensor? norm_bias, Tensor? mean, Tensor? variance, float eps, "
       "Tensor? summand, Scalar? min, Scalar? max) -> Tensor",
       convolution},
      {"tsc::blocked_max_pool2d(Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation, "
       "bool ceil_mode) -> Tensor",
       maxPool},
      {"tsc::blocked_cat(Tensor[] tensors) -> Tensor", concatenation},
      {"tsc::to_blocked(Tensor(a) self) -> Tensor(a)", blocks},
      {"tsc::from_blocked(Tensor(a) self) -> Tensor(a)", plain},
  };
  for (const auto &[schema, kernel] : operators)
    TSC_RETURN_IF_ERROR(table.registerOperator(schema, kernel));
  return okStatus();
}
