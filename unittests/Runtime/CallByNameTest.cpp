//===- CallByNameTest.cpp - Calls by name with the Runtime ----------------===//
#include "tsc/Runtime/Dispatch/CallByName.h"
#include "tsc/IR/Context.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Runtime/Tape/Tape.h"
#include "tsc/Tensor/Tensor.h"
#include <catch2/catch.hpp>

using namespace tsc;

static IValue run(CallContext &call, llvm::StringRef name, std::vector<IValue> args) {
  auto made = callOperator(call, name, std::move(args));
  INFO(messageOf(made.status()).str());
  REQUIRE(made.ok());
  return made->empty() ? IValue() : made->front();
}

TEST_CASE("callOperator by name: gradients flow through a tape") {
  Context context;
  CallContext call(context);
  Tape tape(context);
  call.observer = &tape;
  Tensor x = *Tensor::full({2}, 3.0, DType::Float);
  x.get()->requiresGrad = true;
  IValue square = run(call, "aten::mul", {x, x});
  CHECK(square.asTensor().requiresGrad());
  CHECK(toPythonString(square.asTensor()) == "tensor([9., 9.], grad_fn=<MulBackward0>)");
  run(call, "aten::backward", {run(call, "aten::sum", {square})});
  IValue gradient = run(call, "prim::grad", {x});
  REQUIRE(gradient.isTensor());
  CHECK(gradient.asTensor().at(1).toDouble() == 6);
  CHECK(run(call, "aten::is_leaf", {x}).toBool());
  CHECK_FALSE(run(call, "aten::is_leaf", {square}).toBool());
}

TEST_CASE("callOperator by name: a write on a tape reaches the gradient") {
  Context context;
  CallContext call(context);
  Tape tape(context);
  call.observer = &tape;
  Tensor x = *Tensor::full({1}, 3.0, DType::Float);
  x.get()->requiresGrad = true;
  IValue y = run(call, "aten::mul", {x, 2});
  run(call, "aten::mul_", {y, x}); // 2 x²
  run(call, "aten::backward", {y});
  CHECK(Tape::gradient(x).at(0).toDouble() == 12);
  auto leaf = callOperator(call, "aten::mul_", {x, 2});
  REQUIRE_FALSE(leaf.ok());
  CHECK(messageOf(leaf.status()).contains("a leaf Variable that requires grad"));
}

TEST_CASE("callOperator by name: composite operators run as their definitions") {
  Context context;
  CallContext call(context);
  installOperatorServices(context);
  Tensor x = *Tensor::full({2}, 1.5, DType::Float);
  CHECK(run(call, "aten::_cast_Double", {x}).asTensor().dtype() == DType::Double);
}
