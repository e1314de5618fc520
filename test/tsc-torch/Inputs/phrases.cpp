// What hosts of LibTorch write about values, dicts and dtypes. It prints what is wrong, and then "done".
#include <c10/cuda/CUDACachingAllocator.h>
#include <iostream>
#include <torch/custom_class.h>
#include <torch/mps.h>
#include <torch/torch.h>

#define CHECK(...)                                                                                                     \
  do {                                                                                                                 \
    if (!(__VA_ARGS__))                                                                                                \
      std::cout << "line " << __LINE__ << ": " #__VA_ARGS__ "\n";                                                      \
  } while (false)

/// What a call throws; "" where it throws nothing.
template <typename F> static std::string errorOf(F call) {
  try {
    call();
    return "";
  } catch (const c10::Error &error) {
    return error.msg();
  }
}

static void elementsOfListsHaveMethods() {
  const c10::IValue value(std::vector<std::string>{"O", "H"});
  auto list = value.toList();
  const std::string &first = list[0].toStringRef();
  const std::string second = list[0].toStringRef(); // which takes nothing from the first
  CHECK(first == second && first == "O" && list.get(1).toStringRef() == "H");
  const torch::IValue copied = list[1];
  CHECK(copied.isString() && copied.toStringRef() == "H");
  c10::List<c10::IValue> any;
  any.push_back(1);
  any[0] = c10::IValue(2);
  CHECK(any[0].toInt() == 2);
}

static void dictsAreSearched() {
  c10::Dict<std::string, int64_t> dict;
  for (int64_t i = 0; i != 4; ++i)
    dict.insert(std::to_string(i), 10 * i);
  auto found = dict.find("1");
  CHECK(found != dict.end() && found->key() == "1" && found->value() == 10);
  CHECK(dict.find("4") == dict.end());
  CHECK(found == dict.find("1") && found != dict.find("2"));
  auto second = dict.begin();
  ++second;
  CHECK(found == second && second == found && found != dict.begin());
  found->setValue(11);
  CHECK(dict.at("1") == 11);
  const auto before = found++;
  CHECK(before->key() == "1" && found->key() == "2");
  CHECK(++found == dict.find("3") && ++found == dict.end());
  dict.erase(dict.find("2"));
  CHECK(dict.size() == 3 && !dict.contains("2"));
  c10::Dict<int64_t, torch::Tensor> tensors;
  tensors.insert(7, torch::ones({2}));
  CHECK(tensors.find(7)->value().sum().item<int>() == 2 && tensors.find(8) == tensors.end());
}

static void typesOfElementsAreCompared() {
  const c10::IValue ints(std::vector<int64_t>{1, 2}), doubles(std::vector<double>{0.5});
  CHECK(ints.to<std::vector<int64_t>>().at(1) == 2 && ints.to<c10::List<int64_t>>().size() == 2);
  CHECK(errorOf([&] { ints.to<c10::List<double>>(); }) ==
        "Tried to cast a List<int> to a List<float>. Types mismatch.");
  CHECK(errorOf([&] { doubles.to<std::vector<int64_t>>(); }) ==
        "Tried to cast a List<float> to a List<int>. Types mismatch.");
  CHECK(ints.to<c10::List<c10::IValue>>().get(0).toInt() == 1 && ints.to<std::vector<c10::IValue>>().size() == 2);
  c10::Dict<std::string, int64_t> dict;
  dict.insert("a", 1);
  const c10::IValue value(dict);
  CHECK(value.to<c10::Dict<std::string, int64_t>>().at("a") == 1);
  CHECK((value.to<c10::Dict<c10::IValue, c10::IValue>>().at("a").toInt() == 1));
  CHECK(errorOf([&] { (void)value.to<c10::Dict<std::string, double>>(); }) ==
        "Tried to cast a Dict<str, int> to a Dict<str, float>. Types mismatch.");
}

static void defaultDtypeIsTheThreads() {
  CHECK(torch::get_default_dtype() == torch::kFloat);
  torch::set_default_dtype(torch::kFloat64);
  CHECK(torch::get_default_dtype() == torch::kDouble);
  CHECK(torch::zeros({1}).scalar_type() == torch::kDouble && torch::tensor(1.5).dtype() == torch::kDouble);
  CHECK(torch::TensorOptions().dtype() == torch::kDouble && torch::ones({1}, torch::kFloat).dtype() == torch::kFloat);
  torch::set_default_dtype(caffe2::TypeMeta::Make<float>());
  CHECK(torch::zeros({1}).dtype() == torch::kFloat);
  CHECK(errorOf([] { torch::set_default_dtype(torch::kInt); }) ==
        "only floating-point types can be the default dtype, and 3 is none");
}

static void olderNames() {
  const torch::Tensor tensor = torch::ones({2}, torch::kFloat64);
  CHECK(tensor.type().scalarType() == torch::kDouble && tensor.type().toString() == "CPUDoubleType");
  CHECK(tensor.type() == torch::zeros({3}, tensor.type().options()).type() && !tensor.type().is_cuda());
  CHECK(torch::str("names: ", std::vector<std::string>{"a", "b"}, ", ", std::set<int>{3, 1}) == "names: a b, 1 3");
  CHECK(torch::str(std::map<std::string, int>{{"a", 1}, {"b", 2}}) == "(a, 1) (b, 2)");
  CHECK(torch::str(std::vector<std::vector<int>>{{1}, {2, 3}}) == "1 2 3");
  CHECK(torch::str(std::vector<int>(101, 7)).rfind(" ...") == 200 - 1);
}

struct Holder : torch::CustomClassHolder {
  int number = 0;
};

static void whatIsNotThereSaysSo() {
  CHECK(!torch::mps::is_available() && errorOf([] { torch::mps::synchronize(); }) == "No MPS devices are available");
  c10::cuda::CUDACachingAllocator::emptyCache();
  const auto holder = c10::make_intrusive<Holder>();
  const std::string refusal =
      "classes of C++ are not supported: a program gets and gives values of TorchScript's own types";
  CHECK(errorOf([&] { c10::IValue value(holder); }) == refusal);
  CHECK(errorOf([] { c10::IValue(1).toCustomClass<Holder>(); }) == refusal);
  CHECK(!c10::IValue(1).isCustomClass());
}

int main() {
  elementsOfListsHaveMethods();
  dictsAreSearched();
  typesOfElementsAreCompared();
  defaultDtypeIsTheThreads();
  olderNames();
  whatIsNotThereSaysSo();
  std::cout << "done\n";
}
