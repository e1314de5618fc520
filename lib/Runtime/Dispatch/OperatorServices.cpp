//===- OperatorServices.cpp - What operators need from above --------------===//
#include "tsc/Runtime/Dispatch/OperatorServices.h"
#include "tsc/IR/Context.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/Unboxing.h"
#include <atomic>
using namespace tsc;

OperatorServices::~OperatorServices() = default;
GradientListener::~GradientListener() = default;
GradientServices::~GradientServices() = default;

namespace {
class InstalledServices final : public ContextExtension {
public:
  explicit InstalledServices(Context &) {}
  std::atomic<OperatorServices *> services{nullptr};
  std::atomic<GradientServices *> gradients{nullptr};
};
} // namespace

void tsc::installServices(Context &context, OperatorServices &services) {
  context.extension<InstalledServices>().services.store(&services, std::memory_order_release);
}

OperatorServices *tsc::servicesOf(Context &context) {
  return context.extension<InstalledServices>().services.load(std::memory_order_acquire);
}

void tsc::installServices(Context &context, GradientServices &services) {
  context.extension<InstalledServices>().gradients.store(&services, std::memory_order_release);
}

GradientServices *tsc::gradientServicesOf(Context &context) {
  return context.extension<InstalledServices>().gradients.load(std::memory_order_acquire);
}

Status unboxing::runDefinition(CallContext &context, OpKind kind, ArrayRef<const IValue *> args,
                               llvm::MutableArrayRef<IValue> results) {
  if (OperatorServices *services = servicesOf(context.context()))
    return services->runDefinition(context, kind, args, results);
  return unimplemented(llvm::Twine(opRecord(kind).qualified) +
                       " runs as its definition, which this program cannot compile: it does not link tsc's Runtime");
}
