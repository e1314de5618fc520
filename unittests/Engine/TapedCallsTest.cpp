//===- TapedCallsTest.cpp - What tapes take down is decided by facts ------===//
#include "Programs.h"
#include "tsc/Runtime/Compare.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;
using Catch::Contains;

/// Which tensors the gradients are asked by is in a list that a call brings, so that no plan computes them itself.
static constexpr const char *source = R"(
def forces(x: Tensor, y: Tensor, names: List[str], create: bool) -> List[Tensor]:
    x = x.detach().requires_grad_()
    y = y.detach().requires_grad_()
    data = {"x": x, "y": y}
    wanted: List[Tensor] = []
    for name in names:
        wanted.append(data[name])
    energy = (torch.sin(x) * y * 2 + x * x * y).sum()
    found = torch.autograd.grad([energy], wanted, create_graph=create)
    first = found[0]
    assert first is not None
    if create:
        second = torch.autograd.grad([first.sum()], [x])[0]
        assert second is not None
        return [first.detach(), second]
    return [first]
)";

static Tensor vector(std::initializer_list<double> numbers) {
  StatusOr<Tensor> tensor = Tensor::empty({static_cast<int64_t>(numbers.size())}, DType::Double);
  REQUIRE(tensor.ok());
  std::copy(numbers.begin(), numbers.end(), static_cast<double *>(tensor->mutableData()));
  return *tensor;
}

static IValue names(std::initializer_list<const char *> texts) {
  IValue list = makeList(Type::stringType());
  for (const char *text : texts)
    appendToList(list, IValue(std::string(text)));
  return list;
}

TEST_CASE(
    "a tape takes operators in a row down as one where a flag says that gradients are not differentiated in turn") {
  EngineOptions options;
  options.plans = CompileMode::Eager;
  options.fusers = cpuFusers();
  std::string codes;
  options.onCode = [&](const Code &code) {
    llvm::raw_string_ostream stream(codes);
    code.print(stream);
  };
  Program program = load(source, "forces.py", std::move(options));
  auto call = [&](double y, const char *name, bool create) {
    return run(program, "forces", {vector({0, 1}), vector({y, y}), names({name}), create}).toTensorList().elements;
  };
  auto near = [](const Tensor &found, std::initializer_list<double> expected) {
    return !findMismatch(IValue(found), IValue(vector(expected)), Tolerance{1e-15, 1e-15});
  };
  const double cosine = 2 * std::cos(1.0), sine = 2 * std::sin(1.0);
  for (int i = 0; i != 3; ++i) {
    INFO("call " << i);
    CHECK(near(call(3, "x", false)[0], {6, 3 * (cosine + 2)}));
    CHECK(near(call(3, "y", false)[0], {0, sine + 1}));
  }
  CHECK_THAT(codes, Contains("CallDifferentiable"));
  for (int i = 0; i != 3; ++i) {
    INFO("call " << i);
    std::vector<Tensor> both = call(3, "x", true);
    CHECK(near(both[0], {6, 3 * (cosine + 2)}));
    CHECK(near(both[1], {6, 3 * (2 - sine)}));
  }
  CHECK(near(call(4, "x", false)[0], {8, 4 * (cosine + 2)}));
}
