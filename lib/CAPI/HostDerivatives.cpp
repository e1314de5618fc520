//===- HostDerivatives.cpp - Operations of a host's with derivatives ------===//
#include "Eager.h"
#include "llvm/ADT/ScopeExit.h"
#include <cstddef>

using namespace tsc;
using namespace tsc::capi;

namespace {
/// A derivative that is written in C.
class DerivativeInC final : public HostDerivative {
public:
  DerivativeInC(tsc_derivative function, tsc_release whenUnused, void *user)
      : function(function), whenUnused(whenUnused), user(user) {}
  DerivativeInC(const DerivativeInC &) = delete;
  ~DerivativeInC() override {
    if (whenUnused)
      whenUnused(user);
  }
  bool isThere() const { return function != nullptr; }
  StatusOr<std::vector<Tensor>> run(CallContext &call, const Arrived &arrived) override;

private:
  tsc_derivative function;
  tsc_release whenUnused;
  void *user;
};

/// Handles that go with this.
class Handles {
public:
  explicit Handles(size_t count) : all(count) {}
  explicit Handles(llvm::ArrayRef<Tensor> tensors) {
    all.reserve(tensors.size());
    for (const Tensor &tensor : tensors)
      all.push_back(newValue(tensor.defined() ? IValue(tensor) : IValue(), nullptr));
  }
  Handles(const Handles &) = delete;
  ~Handles() {
    for (tsc_value *handle : all)
      tsc_value_free(handle);
  }
  std::vector<tsc_value *> all;
};
} // namespace

StatusOr<std::vector<Tensor>> DerivativeInC::run(CallContext &call, const Arrived &arrived) {
  Handles gradients(arrived.gradients), saved(arrived.saved), results(arrived.wanted.size());
  std::vector<uint8_t> wanted;
  for (unsigned i = 0; i != arrived.wanted.size(); ++i)
    wanted.push_back(arrived.wanted[i]);
  const tsc_arrived given{sizeof(tsc_arrived), gradients.all.data(), gradients.all.size(), saved.all.data(),
                          saved.all.size(),    wanted.data(),        results.all.data(),   results.all.size()};
  const tsc_grad_mode before = tsc_set_grad_mode(call.gradMode ? TSC_GRAD_ON : TSC_GRAD_OFF);
  auto restore = llvm::make_scope_exit([before] { tsc_set_grad_mode(before); });
  if (tsc_error *error = function(user, &given)) {
    Status status(static_cast<StatusCode>(error->code), error->message);
    tsc_error_free(error);
    return status;
  }
  std::vector<Tensor> found;
  for (tsc_value *result : results.all) {
    if (result && !result->value.isNone() && !result->value.isTensor())
      return wrongKind(result, "a tensor");
    const bool isTensor = result && result->value.isTensor();
    found.push_back(!isTensor              ? Tensor()
                    : result->isUnrecorded ? recordable(result->value).toTensor()
                                           : result->value.toTensor());
  }
  return found;
}

/// The tensors of an array of values, of which NULL and None are undefined ones.
static StatusOr<std::vector<Tensor>> tensorsOf(tsc_value *const *handles, size_t count, const char *name) {
  if (count != 0)
    TSC_RETURN_IF_ERROR(checkNotNull({{handles, name}}));
  TSC_RETURN_IF_ERROR(checkLength(count, name));
  std::vector<Tensor> tensors;
  for (size_t i = 0; i != count; ++i) {
    if (handles[i] && !handles[i]->value.isNone() && !handles[i]->value.isTensor())
      return wrongKind(handles[i], "a tensor");
    const bool isTensor = handles[i] && handles[i]->value.isTensor();
    tensors.push_back(!isTensor                  ? Tensor()
                      : handles[i]->isUnrecorded ? recordable(handles[i]->value).toTensor()
                                                 : handles[i]->value.toTensor());
  }
  return tensors;
}

/// The results, which from here on are of a call that is recorded.
static StatusOr<std::vector<Tensor>> resultsOf(tsc_value *const *handles, size_t count) {
  for (size_t i = 0; handles && i != count; ++i)
    if (handles[i])
      handles[i]->isUnrecorded = false;
  return tensorsOf(handles, count, "results");
}

tsc_error *tsc_record(const tsc_recording *recording) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{recording, "recording"}}));
    if (recording->struct_size < offsetof(tsc_recording, user) + sizeof(void *))
      return invalidArgument("the structure tsc_recording is smaller than any version of it");
    // First: whatever fails, the host hears that it is not used.
    auto derivative = std::make_shared<DerivativeInC>(recording->derivative, recording->release, recording->user);
    TSC_RETURN_IF_ERROR(checkNotNull({{recording->name, "name"}}));
    if (!derivative->isThere())
      return nullArgument("derivative");
    HostOperation operation{
        .name = recording->name, .operands = {}, .results = {}, .saved = {}, .derivative = derivative};
    TSC_ASSIGN_OR_RETURN(operation.operands, tensorsOf(recording->operands, recording->num_operands, "operands"));
    TSC_ASSIGN_OR_RETURN(operation.results, resultsOf(recording->results, recording->num_results));
    TSC_ASSIGN_OR_RETURN(operation.saved, tensorsOf(recording->saved, recording->num_saved, "saved"));
    EagerCall call;
    TSC_RETURN_IF_ERROR(call.status());
    return call.tape().recordHost(call.context(), std::move(operation));
  });
}
