//===- CallByNameTest.cpp - Operators that a host calls -------------------===//
//
// This program links Dispatch alone: no compiler of source, no passes, no interpreter.
//
//===----------------------------------------------------------------------===//
#include "tsc/Runtime/Dispatch/CallByName.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Operator.h"
#include "tsc/Runtime/Dispatch/CallOperator.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include <catch2/catch.hpp>
#include <limits>
#include <map>

using namespace tsc;

namespace {
class Host {
public:
  StatusOr<std::vector<IValue>> tryCall(llvm::StringRef name, std::vector<IValue> args, KeywordArguments kwargs = {}) {
    return callOperator(call, name, std::move(args), kwargs);
  }
  std::vector<IValue> results(llvm::StringRef name, std::vector<IValue> args, KeywordArguments kwargs = {}) {
    auto made = tryCall(name, std::move(args), std::move(kwargs));
    INFO(messageOf(made.status()).str());
    REQUIRE(made.ok());
    return *made;
  }
  IValue run(llvm::StringRef name, std::vector<IValue> args, KeywordArguments kwargs = {}) {
    std::vector<IValue> made = results(name, std::move(args), std::move(kwargs));
    REQUIRE(made.size() == 1);
    return made.front();
  }
  /// Returns the code of a call that fails, and its message in `message`.
  StatusCode fail(llvm::StringRef name, std::vector<IValue> args, KeywordArguments kwargs = {}) {
    auto made = tryCall(name, std::move(args), std::move(kwargs));
    REQUIRE_FALSE(made.ok());
    message = messageOf(made.status()).str();
    return made.status().code();
  }
  bool says(llvm::StringRef text) const { return llvm::StringRef(message).contains(text); }

  Context context;
  CallContext call{context};
  std::string message;
};

Tensor tensorOf(llvm::ArrayRef<double> numbers, DType dtype = DType::Float) {
  Tensor made = *Tensor::full({static_cast<int64_t>(numbers.size())}, 0.0, dtype);
  for (auto [i, number] : llvm::enumerate(numbers))
    made.mutableData<float>()[i] = static_cast<float>(number);
  return made;
}

double numberAt(const IValue &value, int64_t index) {
  REQUIRE(value.isTensor());
  return value.asTensor().at(index).toDouble();
}
} // namespace

TEST_CASE("callOperator by name: tensors, numbers and keywords choose an overload") {
  Host host;
  Tensor x = tensorOf({1, 2}), y = tensorOf({10, 20});
  CHECK(numberAt(host.run("aten::add", {x, y}), 1) == 22);
  CHECK(numberAt(host.run("aten::add", {x, 5}), 1) == 7);
  CHECK(numberAt(host.run("aten::add", {x, y}, {{"alpha", 2}}), 1) == 42);
  CHECK(numberAt(host.run("aten::sub", {}, {{"other", y}, {"self", x}}), 0) == -9);
  CHECK(numberAt(host.run("aten::add.Tensor", {x, y}), 0) == 11);
  IValue sum = host.run("aten::add", {2, 3});
  REQUIRE(sum.isInt());
  CHECK(sum.toInt() == 5);
  IValue text = host.run("aten::add", {"a", "b"});
  REQUIRE(text.isString());
  CHECK(text.toString() == "ab");
}

TEST_CASE("callOperator by name: defaults and conversions are PyTorch's") {
  Host host;
  Tensor x = tensorOf({1, 2, 3, 4});
  // A number stands for a list of fixed length, and a tuple for a list.
  CHECK(host.run("aten::sum", {x, 0}).asTensor().dim() == 0);
  IValue matrix = host.run("aten::reshape", {x, makeTuple({2, 2})});
  CHECK(matrix.asTensor().sizes() == llvm::ArrayRef<int64_t>{2, 2});
  // Further positional arguments are the elements of a last list; an int is no dtype then.
  CHECK(host.run("aten::reshape", {x, 4, 1}).asTensor().sizes() == llvm::ArrayRef<int64_t>{4, 1});
  CHECK(host.run("aten::view", {x, 4}).asTensor().sizes() == llvm::ArrayRef<int64_t>{4});
  // An int is taken as a float.
  Tensor holes = tensorOf({std::numeric_limits<double>::quiet_NaN()});
  CHECK(numberAt(host.run("aten::nan_to_num", {holes, 7}), 0) == 7);
  // Type variables are bound by the first argument.
  IValue list = makeList(Type::stringType());
  appendToList(list, "a");
  IValue both = host.run("aten::add", {list, list});
  REQUIRE(both.isList());
  CHECK(both.listSize() == 2);
}

TEST_CASE("callOperator by name: several results, lists, and writes") {
  Host host;
  Tensor x = tensorOf({1, 4, 2, 3});
  std::vector<IValue> largest = host.results("aten::max", {x, 0});
  REQUIRE(largest.size() == 2);
  CHECK(numberAt(largest[0], 0) == 4);
  CHECK(largest[1].asTensor().at(0).toInt() == 1);
  IValue parts = host.run("aten::chunk", {x, 2});
  REQUIRE(parts.isTensorList());
  CHECK(parts.toTensorList().elements.size() == 2);
  IValue written = host.run("aten::add_", {x, 1});
  CHECK(written.asTensor().isSameAs(x));
  CHECK(x.at(1).toDouble() == 5);
}

TEST_CASE("callOperator by name: what does not fit is told for each overload") {
  Host host;
  Tensor x = tensorOf({1, 2}), y = tensorOf({3, 4});
  CHECK(host.fail("aten::reluu", {x}) == StatusCode::NotFound);
  CHECK(host.says("there is no operator 'aten::reluu'"));
  CHECK(host.says("did you mean 'aten::relu'?"));
  CHECK(host.fail("aten::add.Nobody", {x, y}) == StatusCode::NotFound);
  CHECK(host.fail("relu", {x}) == StatusCode::InvalidArgument);
  CHECK(host.says("'relu' is no name of an operator"));

  CHECK(host.fail("aten::relu", {"text"}) == StatusCode::InvalidArgument);
  CHECK(host.says("no overload of 'aten::relu' takes (str)"));
  CHECK(host.says("'self' takes Tensor, and a value of type str was given"));
  CHECK(host.fail("aten::add", {x, "text"}) == StatusCode::InvalidArgument);
  CHECK(host.says("takes (Tensor, str)"));
  CHECK(host.says("aten::add.Tensor("));
  CHECK(host.says("aten::add.Scalar("));
  CHECK(host.fail("aten::relu", {}) == StatusCode::InvalidArgument);
  CHECK(host.says("'self' is missing"));
  CHECK(host.fail("aten::relu", {x, y}) == StatusCode::InvalidArgument);
  CHECK(host.says("it takes at most 1 positional argument, and 2 were given"));
  CHECK(host.fail("aten::relu", {x}, {{"other", y}}) == StatusCode::InvalidArgument);
  CHECK(host.says("it has no argument 'other'"));
  CHECK(host.fail("aten::relu", {x}, {{"self", y}}) == StatusCode::InvalidArgument);
  CHECK(host.says("'self' is given twice"));
  // alpha stands behind the * of add.Tensor.
  CHECK(host.fail("aten::add.Tensor", {x, y, 2}) == StatusCode::InvalidArgument);
  CHECK(host.says("it takes at most 2 positional arguments, and 3 were given"));
}

TEST_CASE("callOperator by name: errors of operators are theirs") {
  Host host;
  CHECK(host.fail("aten::select", {tensorOf({1, 2}), 0, 5}) == StatusCode::OutOfRange);
  CHECK(host.says("out of range"));
  // A list in which a program has no tensor.
  CHECK(host.fail("aten::cat", {IValue(std::vector<Tensor>{tensorOf({1}), Tensor()})}) == StatusCode::InvalidArgument);
  CHECK(host.says("aten::cat() was given no tensor where it takes one"));
}

TEST_CASE("callOperator by name: quantized and lazy operands are what they stand for") {
  Host host;
  IValue quantized = host.run("aten::quantize_per_tensor", {tensorOf({-1, 2}), 0.5, 10, IValue(DType::QUInt8)});
  IValue relu = host.run("aten::relu", {quantized});
  REQUIRE(relu.isTensor());
  CHECK(relu.asTensor().dtype() == DType::QUInt8);
  IValue numbers = host.run("aten::dequantize", {relu});
  CHECK(numberAt(numbers, 0) == 0);
  CHECK(numberAt(numbers, 1) == 2);
  CHECK(host.fail("aten::exp", {quantized}) == StatusCode::Unimplemented);
  CHECK(host.says("Could not run 'aten::exp' with arguments from the 'QuantizedCPU' backend"));

  Tensor z = *Tensor::full({1}, std::complex<double>(1, 2), DType::ComplexDouble);
  IValue conjugate = host.run("aten::conj", {z});
  CHECK(conjugate.asTensor().get()->conjugate);
  IValue sum = host.run("aten::add", {conjugate, conjugate});
  CHECK_FALSE(sum.asTensor().get()->conjugate);
  CHECK(sum.asTensor().at(0).toComplex() == std::complex<double>(2, -4));
}

TEST_CASE("callOperator by name: limits of the context apply") {
  Host host;
  Tensor x = tensorOf({1});
  host.call.cancel();
  CHECK(host.fail("aten::relu", {x}) == StatusCode::Cancelled);
  host.call.resume();
  CHECK(host.tryCall("aten::relu", {x}).ok());
  host.call.beginCall();
  host.call.quotas.steps = 2;
  CHECK(host.tryCall("aten::relu", {x}).ok());
  CHECK(host.tryCall("aten::relu", {x}).ok());
  auto third = host.tryCall("aten::relu", {x});
  REQUIRE_FALSE(third.ok());
  CHECK(exceededQuota(third.status()) == QuotaKind::Steps);
}

TEST_CASE("callOperator by name: an interrupt asks the handler once, which may end the call") {
  Host host;
  Tensor x = tensorOf({1});
  host.call.interrupt(); // without a handler
  CHECK(host.tryCall("aten::relu", {x}).ok());
  unsigned asked = 0;
  Status answer;
  host.call.setInterruptHandler([&] {
    ++asked;
    return answer;
  });
  CHECK(host.tryCall("aten::relu", {x}).ok());
  CHECK(asked == 0);
  host.call.interrupt();
  CHECK(host.tryCall("aten::relu", {x}).ok());
  CHECK(host.tryCall("aten::relu", {x}).ok());
  CHECK(asked == 1);
  Tensor many = *Tensor::full({1 << 20}, 3.0, DType::Float); // a kernel leaves nothing undone where the call goes on
  host.call.interrupt();
  IValue all = host.run("aten::relu", {many});
  CHECK(numberAt(all, 0) == 3);
  CHECK(numberAt(all, (1 << 20) - 1) == 3);
  CHECK(asked == 2);
  answer = cancelled("by a signal");
  host.call.interrupt();
  host.call.beginCall(); // which does not take the interrupt back
  CHECK(host.fail("aten::relu", {x}) == StatusCode::Cancelled);
  CHECK(host.message == "by a signal");
  CHECK(asked == 3);
  CHECK(host.tryCall("aten::relu", {x}).ok());
  host.call.cancel(); // an interrupt leaves that as it is
  host.call.interrupt();
  CHECK(host.fail("aten::relu", {x}) == StatusCode::Cancelled);
  CHECK(host.message == "the call was cancelled");
}

TEST_CASE("callOperator by name: marks of requires_grad, and leaves") {
  Host host;
  Tensor x = tensorOf({1});
  x.get()->setLeafOfFile(true);
  CHECK(host.run("aten::mul", {x, x}).asTensor().requiresGrad());
  host.call.gradMode = false;
  CHECK_FALSE(host.run("aten::mul", {x, x}).asTensor().requiresGrad());
  host.call.gradMode = true;
  CHECK(host.fail("aten::add_", {x, 1}) == StatusCode::InvalidArgument);
  CHECK(host.says("a leaf Variable that requires grad is being used in an in-place operation."));
}

TEST_CASE("callOperator by name: an operator that a host registers") {
  Host host;
  auto twice = [](CallContext &context, const IValue *const *args, IValue *results) {
    CHECK(context.site->numArgs == 2);
    results[0] = IValue(args[0]->toInt() * args[1]->toInt());
    return okStatus();
  };
  REQUIRE(host.context.operators().registerOperator("mine::scale(int x, int by=2) -> int", twice).ok());
  CHECK(host.run("mine::scale", {4}).toInt() == 8);
  CHECK(host.run("mine::scale", {4}, {{"by", 5}}).toInt() == 20);
  const Operator *scale = host.context.operators().find("mine::scale", "");
  REQUIRE(scale);
  CHECK(operatorCallOf(host.context, *scale).name == "mine::scale");
  CHECK(&operatorCallOf(host.context, *scale) == &operatorCallOf(host.context, *scale));
}

TEST_CASE("callOperator by name: each call has its own number of operands") {
  Host host;
  CHECK(host.run("aten::format", {"{}-{}", 1, 2}).toString() == "1-2");
  CHECK(host.run("aten::format", {"{}", 3}).toString() == "3");
  CHECK(host.run("aten::format", {"{}-{}", 4, 5}).toString() == "4-5");
}

TEST_CASE("callOperator by name: what runs as its definition needs Runtime") {
  Host host;
  CHECK(host.fail("aten::_cast_Double", {tensorOf({1})}) == StatusCode::Unimplemented);
  CHECK(host.says("aten::_cast_Double runs as its definition, which this program cannot compile"));
}

namespace {
/// Counts calls by name, and changes nothing.
class Counter final : public OperatorObserver {
public:
  Status run(CallContext &, const OperatorCall &call, Operands operands, Results results, Kernel kernel) override {
    ++counts[call.name];
    return kernel(operands, results.data());
  }
  std::map<std::string, int> counts;
};
} // namespace

TEST_CASE("OperatorObserver: sees each call once, with its overload") {
  Host host;
  Counter counter;
  host.call.observer = &counter;
  Tensor x = tensorOf({1, 2});
  CHECK(numberAt(host.run("aten::add", {x, x}), 1) == 4);
  CHECK(numberAt(host.run("aten::add", {x, 1}), 1) == 3);
  CHECK(numberAt(host.run("aten::add", {x, 2}), 1) == 4);
  CHECK(counter.counts == std::map<std::string, int>{{"aten::add.Tensor", 1}, {"aten::add.Scalar", 2}});
  // It records no gradients: results keep their marks, and gradients cannot be asked for.
  x.get()->requiresGrad = true;
  CHECK(host.run("aten::mul", {x, x}).asTensor().requiresGrad());
  CHECK_FALSE(recorderOf(host.call));
  auto refused = host.tryCall("aten::retain_grad", {x});
  REQUIRE_FALSE(refused.ok());
  CHECK(isWithoutTape(refused.status()));
}

TEST_CASE("operatorCallOf: says what a call has to look at") {
  Context context;
  const OperatorCall &add = operatorCallOf(context, OpKind::Aten_add_Tensor);
  CHECK(&add == &operatorCallOf(context, OpKind::Aten_add_Tensor));
  CHECK(add.name == "aten::add.Tensor");
  CHECK(add.site.numArgs == 3);
  CHECK(add.tensorOperands == 3);
  CHECK(add.gradientOperands == 3);
  CHECK_FALSE(add.writes);
  CHECK_FALSE(add.placesTensors);
  const OperatorCall &written = operatorCallOf(context, OpKind::Aten_add__Tensor);
  CHECK(written.writes);
  CHECK(written.refusesLeaf);
  CHECK(operatorCallOf(context, OpKind::Aten_cat).tensorLists == 1);
}
