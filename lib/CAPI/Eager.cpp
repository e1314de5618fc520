//===- Eager.cpp - What operators without a program share -----------------===//
#include "Eager.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Operator.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Runtime/Dispatch/CallByName.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Tensor/DefaultDType.h"
#include "tsc/Tensor/TensorHistory.h"

using namespace tsc;
using namespace tsc::capi;

//===----------------------------------------------------------------------===//
// What threads have
//===----------------------------------------------------------------------===//

Context &capi::eagerContext() {
  static Context &context = []() -> Context & {
    auto *made = new Context; // tensors with histories may be gone after everything else
    installOperatorServices(*made);
    installGradientServices(*made);
    return *made;
  }();
  return context;
}

static constinit thread_local tsc_grad_mode gradMode = TSC_GRAD_ON;
static std::atomic<uint64_t> lastSeed{Generator::defaultSeed};
static std::atomic<uint64_t> marks{1};

bool capi::recordsGradients() { return gradMode == TSC_GRAD_ON; }
uint64_t capi::gradientMarks() { return marks.load(std::memory_order_relaxed); }
void capi::noteGradientMark() { marks.fetch_add(1, std::memory_order_relaxed); }

ThreadState::ThreadState() : generator(lastSeed.load(std::memory_order_relaxed)) { call.setGenerator(generator); }

ThreadState &ThreadState::get() {
  static thread_local ThreadState state;
  return state;
}

/// What a fork(2) may leave locked.
static ForkDomain &forkDomain() {
  static auto &domain = *new ForkDomain;
  return domain;
}

EagerCall::EagerCall()
    : inside(&forkDomain()), state(ThreadState::get()), outer(state.call.observer), threads(Threads::ofProcess()) {
  state.call.gradMode = recordsGradients();
  state.call.observer = &state.tape; // it notes views also where nothing is recorded
}

Status EagerCall::status() const {
  if (!forkDomain().isLost()) [[likely]]
    return okStatus();
  return unimplemented("operators cannot be called in this process: another thread was in a call of one when the "
                       "process was forked");
}

//===----------------------------------------------------------------------===//
// Values of calls that were recorded, and of others
//===----------------------------------------------------------------------===//

static constexpr unsigned maxDepth = 8; // as programs nest what they compute with

/// Whether nobody has computed a tensor. A call that is not recorded marks what it computes from what requires a
/// gradient, and leaves no history.
static bool isLeaf(const Tensor &tensor, bool isUnrecorded) {
  const TensorHistory *history = tensorHistoryOf(tensor);
  return !tensor.requiresGrad() ||
         (history ? history->isLeaf(tensor)
                  : !isUnrecorded || tensor.get()->leafOfFile == TensorImpl::LeafOfFile::Whole);
}
bool capi::isLeaf(const tsc_value &value) { return ::isLeaf(value.value.asTensor(), value.isUnrecorded); }

static Tensor refused(const Tensor &tensor, bool inPlace) {
  if (::isLeaf(tensor, /*isUnrecorded=*/true))
    return tensor;
  Tensor made = inPlace ? tensor : Tape::detached(tensor);
  if (inPlace)
    made.get()->history = nullptr;
  IValue marked(made);
  Tape::refuse(marked, "the results of a call that was not recorded for gradients");
  return made;
}

static IValue refusedWithin(const IValue &value, bool inPlace, unsigned depth) {
  if (depth == maxDepth || !holdsGradients(value))
    return value;
  switch (value.getTag()) {
  case IValue::Tag::Tensor: return refused(value.asTensor(), inPlace);
  case IValue::Tag::TensorList: {
    std::vector<Tensor> tensors;
    for (const Tensor &one : value.toTensorList().elements)
      tensors.push_back(one.defined() ? refused(one, false) : one);
    return tensors;
  }
  case IValue::Tag::GenericList: {
    auto made = makeRef<GenericList>(value.toGenericList().elementType);
    for (const IValue &one : value.toGenericList().elements)
      made->elements.push_back(refusedWithin(one, false, depth + 1));
    return made;
  }
  case IValue::Tag::Tuple: {
    std::vector<IValue> elements;
    for (const IValue &one : value.toTuple().elements)
      elements.push_back(refusedWithin(one, false, depth + 1));
    return makeTuple(std::move(elements), value.toTuple().type);
  }
  case IValue::Tag::Dict: {
    auto made = makeRef<DictValue>(value.toDict().keyType, value.toDict().valueType);
    value.toDict().forEach(
        [&](const IValue &key, const IValue &one) { made->set(key, refusedWithin(one, false, depth + 1)); });
    return made;
  }
  default: return value;
  }
}

IValue capi::recordable(const IValue &value, bool inPlace) { return refusedWithin(value, inPlace, 0); }

StatusOr<Tensor> capi::resolved(const Tensor &tensor) {
  if (!tensor.requiresGrad() || !recordsGradients())
    return cpu::clone(tensor);
  EagerCall call;
  TSC_RETURN_IF_ERROR(call.status());
  TSC_ASSIGN_OR_RETURN(std::vector<IValue> plain, callOperator(call.context(), "aten::resolve_conj", {tensor}));
  TSC_ASSIGN_OR_RETURN(plain, callOperator(call.context(), "aten::resolve_neg", std::move(plain)));
  return plain.front().toTensor();
}

//===----------------------------------------------------------------------===//
// What hosts set
//===----------------------------------------------------------------------===//

tsc_grad_mode tsc_get_grad_mode(void) { return gradMode; }

tsc_grad_mode tsc_set_grad_mode(tsc_grad_mode mode) {
  const int number = static_cast<int>(mode);
  if (number < TSC_GRAD_OFF || number > TSC_GRAD_INFERENCE)
    return TSC_GRAD_INVALID;
  return std::exchange(gradMode, mode);
}

void tsc_set_seed(uint64_t seed) {
  lastSeed.store(seed, std::memory_order_relaxed);
  tsc_error_free(guarded([&] {
    ThreadState::get().generator.setSeed(seed);
    return okStatus();
  }));
}

int32_t tsc_default_dtype(void) { return static_cast<int32_t>(defaultDType()); }

tsc_error *tsc_set_default_dtype(int32_t dtype) {
  return guarded([&]() -> Status {
    if (!isValidDType(dtype) || !isFloating(static_cast<DType>(dtype)))
      return invalidArgument("only floating-point types can be the default dtype, and " + llvm::Twine(dtype) +
                             " is none");
    setDefaultDType(static_cast<DType>(dtype));
    return okStatus();
  });
}
