//===- GradientServices.cpp - Gradients that programs assign --------------===//
#include "tsc/IR/Context.h"
#include "tsc/Runtime/Dispatch/OperatorServices.h"
#include "tsc/Runtime/Tape/Tape.h"

using namespace tsc;

namespace {
class TapeServices final : public ContextExtension, public GradientServices {
public:
  explicit TapeServices(Context &) {}
  void setGradient(const Tensor &tensor, const Tensor &gradient) override { Tape::setGradient(tensor, gradient); }
};
} // namespace

void tsc::installGradientServices(Context &context) { installServices(context, context.extension<TapeServices>()); }
