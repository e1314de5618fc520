//===- GradientListenerTest.cpp - Who waits for gradients -----------------===//
#include "../Tensor/MadeTensors.h"
#include "tsc/IR/Context.h"
#include "tsc/Runtime/Dispatch/CallByName.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/OperatorServices.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Runtime/Tape/GradientListeners.h"
#include "tsc/Runtime/Tape/Tape.h"

namespace {
/// Notes which gradients are complete, and which of the others have none yet.
class Listener final : public GradientListener {
public:
  explicit Listener(std::vector<Tensor> leaves) : leaves(std::move(leaves)) {}
  Status complete(CallContext &, size_t leaf, const Tensor &gradient) override {
    std::string text =
        std::to_string(leaf) + "=" + (gradient.defined() ? std::to_string(int(gradient.at(0).toDouble())) : "none");
    for (size_t i = 0; i != leaves.size(); ++i)
      if (!Tape::gradient(leaves[i]).defined())
        text += " before " + std::to_string(i);
    heard.push_back(text);
    return failure;
  }
  std::vector<std::string> heard;
  Status failure;
  const std::vector<Tensor> leaves;
};

struct Fixture {
  Fixture() : call(context), tape(context) {
    installOperatorServices(context);
    call.observer = &tape;
  }
  Tensor leaf(double value) {
    Tensor tensor = *Tensor::full({2}, value, DType::Float);
    tensor.get()->requiresGrad = true;
    return tensor;
  }
  Tensor mul(const Tensor &a, const Tensor &b) {
    return (*callOperator(call, "aten::mul.Tensor", {IValue(a), IValue(b)}))[0].asTensor();
  }
  Status backward(const Tensor &y) {
    GradientRequest request;
    request.outputs = {y};
    request.weights = {*Tensor::full({2}, 1.0, DType::Float)};
    return tape.backward(call, request).status();
  }
  Context context;
  CallContext call;
  Tape tape;
};
} // namespace

TEST_CASE_METHOD(Fixture, "a leaf's listener hears of its gradient as soon as that is complete") {
  const Tensor a = leaf(2), b = leaf(3), unused = leaf(4), x = *Tensor::full({2}, 5.0, DType::Float);
  auto listener = std::make_shared<Listener>(std::vector<Tensor>{a, b});
  REQUIRE(gradientServicesOf(context)->listen({a, b, unused, x}, listener).ok());
  REQUIRE(backward(mul(mul(x, a), b)).ok());
  CHECK(listener->heard == std::vector<std::string>{"1=10 before 0", "0=15"});

  // All that a leaf is used for has to be there, and gradients are added to those that it had.
  listener->heard.clear();
  REQUIRE(backward(mul(mul(x, a), mul(a, b))).ok());
  CHECK(listener->heard == std::vector<std::string>{"1=30", "0=75"});

  // Gradients that are not added to leaves are nobody's.
  listener->heard.clear();
  GradientRequest request;
  request.outputs = {mul(a, b)};
  request.weights = {x};
  request.inputs = {a};
  REQUIRE(tape.backward(call, request).ok());
  CHECK(listener->heard.empty());

  listener->failure = invalidArgument("too late");
  CHECK(messageOf(backward(mul(a, b))) == "too late");
}

TEST_CASE_METHOD(Fixture, "a leaf has one listener, which may go") {
  const Tensor a = leaf(2), b = leaf(3);
  auto first = std::make_shared<Listener>(std::vector<Tensor>{}),
       second = std::make_shared<Listener>(std::vector<Tensor>{});
  GradientServices &services = *gradientServicesOf(context);
  REQUIRE(services.listen({a, b}, first).ok());
  CHECK_FALSE(haveSeveralListeners({IValue(a), IValue(b), IValue(1)}));
  REQUIRE(services.listen({b}, second).ok());
  CHECK(haveSeveralListeners({IValue(a), IValue(b), IValue(1)}));
  REQUIRE(backward(mul(a, b)).ok());
  CHECK(first->heard.size() == 1);
  CHECK(second->heard.size() == 1);
  second.reset();
  CHECK_FALSE(haveSeveralListeners({IValue(a), IValue(b)}));
  REQUIRE(backward(mul(a, b)).ok());
  CHECK(first->heard.size() == 2);
  CHECK(services.listen({mul(a, b)}, first).code() == StatusCode::InvalidArgument);
}
