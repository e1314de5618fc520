//===- TensorsTest.cpp - Tensors over memory of the host's ----------------===//
#include "Hosts.h"

using namespace host;

static constexpr const char *source = "def twice(x: Tensor) -> Tensor:\n    return x * 2\n"
                                      "def same(x: Tensor) -> Tensor:\n    return x\n"
                                      "def turn(x: Tensor) -> Tensor:\n    return x.t()\n"
                                      "def add_one(x: Tensor) -> Tensor:\n    x.add_(1)\n    return x * 1\n"
                                      "def grow(x: Tensor) -> int:\n    x.resize_([1000])\n    return x.numel()\n"
                                      "def sums(x: Tensor) -> Tuple[Tensor, float]:\n"
                                      "    return x.sum(0), float(x.sum())\n";

static tsc_tensor get(const Value &value) {
  tsc_tensor found{};
  found.struct_size = sizeof found;
  ok(tsc_tensor_get(value.get(), &found));
  return found;
}

TEST_CASE("a tensor is the host's memory, whatever its strides") {
  Program program = load(source, "tensors.py");
  float data[] = {0, 1, 2, 3, 4, 5};
  const std::vector<int64_t> padded{3, 2}; // every second column of three
  CHECK(elements<float>(run(program, "twice", list(tensor(data, {2, 3})))) == std::vector<float>{0, 2, 4, 6, 8, 10});
  CHECK(elements<float>(run(program, "twice", list(tensor(data, {2, 3}, nullptr, TSC_COLUMN_MAJOR)))) ==
        std::vector<float>{0, 4, 8, 2, 6, 10});
  CHECK(elements<float>(run(program, "twice", list(tensor(data, {2, 2}, &padded)))) == std::vector<float>{0, 4, 6, 10});
  const std::vector<int64_t> repeated{0, 1};
  CHECK(elements<float>(run(program, "twice", list(tensor(data, {2, 2}, &repeated)))) ==
        std::vector<float>{0, 2, 0, 2});
  float scalar = 4;
  CHECK(elements<float>(run(program, "twice", list(tensor(&scalar, {})))) == std::vector<float>{8});
  CHECK(elements<float>(run(program, "twice", list(tensor<float>(nullptr, {0, 3})))).empty());
}

TEST_CASE("what the host writes is what the next call reads, and a result may be the host's memory") {
  Program program = load(source, "tensors.py");
  float data[] = {1, 2};
  std::vector<Value> args = list(tensor(data, {2}));
  for (int i = 0; i != 6; ++i) {
    data[0] = static_cast<float>(i);
    CHECK(elements<float>(run(program, "twice", args)) == std::vector<float>{2.0f * i, 4});
  }
  CHECK(get(run(program, "same", args)).data == data);
  (void)run(program, "add_one", args);
  CHECK((data[0] == 6 && data[1] == 3));
}

TEST_CASE("memory that is read only stays as it is") {
  Program program = load(source, "tensors.py");
  const float data[] = {1, 2};
  Value lent = tensor(const_cast<float *>(data), {2}, nullptr, TSC_READ_ONLY);
  CHECK(get(lent).data == data);
  std::vector<Value> args = list(std::move(lent));
  CHECK(elements<float>(run(program, "add_one", args)) == std::vector<float>{2, 3});
  CHECK((data[0] == 1 && data[1] == 2));
}

TEST_CASE("memory is released once, when nothing uses it any more") {
  Program program = load(source, "tensors.py");
  float data[] = {1, 2};
  int released = 0;
  tsc_release count = [](void *user) { ++*static_cast<int *>(user); };
  for (uint32_t flags : {0u, uint32_t(TSC_READ_ONLY)}) {
    released = 0;
    std::vector<Value> args = list(tensor(data, {2}, nullptr, flags, count, &released));
    Value same = run(program, "same", args);
    args.clear();
    CHECK(released == 0);
    CHECK(elements<float>(same) == std::vector<float>{1, 2});
    Value reference(tsc_value_new_reference(same.get()));
    same.reset();
    CHECK(released == 0);
    reference.reset();
    CHECK(released == 1);
  }
  released = 0;
  std::vector<Value> grown = list(tensor(data, {2}, nullptr, 0, count, &released));
  CHECK(print(run(program, "grow", grown)) == "1000");
  CHECK(released == 1); // its elements are elsewhere now
  grown.clear();
  CHECK(released == 1);
}

TEST_CASE("results are read in place, or copied to any strides and dtype") {
  Program program = load(source, "tensors.py");
  float data[] = {0, 1, 2, 3, 4, 5};
  Value turned = run(program, "turn", list(tensor(data, {2, 3})));
  tsc_tensor found = get(turned);
  CHECK((found.rank == 2 && found.dtype == TSC_FLOAT32 && found.data == data));
  CHECK((found.sizes[0] == 3 && found.sizes[1] == 2 && found.strides[0] == 1 && found.strides[1] == 3));
  double column[6] = {};
  tsc_tensor destination = describe(column, {3, 2}, nullptr, TSC_COLUMN_MAJOR);
  const std::vector<int64_t> sizes{3, 2};
  destination.sizes = sizes.data();
  ok(tsc_tensor_copy_to(turned.get(), &destination));
  CHECK(std::vector<double>(column, column + 6) == std::vector<double>{0, 1, 2, 3, 4, 5});
  int64_t spread[12];
  std::fill(std::begin(spread), std::end(spread), -1);
  const std::vector<int64_t> strides{4, 2};
  tsc_tensor sparse = describe(spread, sizes, &strides);
  ok(tsc_tensor_copy_to(turned.get(), &sparse));
  CHECK(std::vector<int64_t>(spread, spread + 12) == std::vector<int64_t>{0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1});

  Value sums = run(program, "sums", list(tensor(data, {2, 3})));
  CHECK(elements<float>(element(sums, 0)) == std::vector<float>{3, 5, 7});
  CHECK(print(element(sums, 1)) == "15.0");
}

TEST_CASE("conjugates are computed when the host gets them") {
  Program program = load("def both(x: Tensor) -> Tuple[Tensor, List[Tensor]]:\n"
                         "    y = torch.view_as_complex(x).conj()\n    x.mul_(2)\n    return y, [y.imag]\n",
                         "conjugates.py");
  float data[] = {1, 2, 3, -4};
  Value found = run(program, "both", list(tensor(data, {2, 2})));
  const tsc_tensor conjugate = get(element(found, 0));
  CHECK(conjugate.dtype == TSC_COMPLEX64);
  CHECK(print(element(found, 0)) == "tensor([2.-4.j, 6.+8.j])");
  CHECK(elements<float>(element(element(found, 1), 0)) == std::vector<float>{-4, 8});
  CHECK(data[1] == 4);
}

TEST_CASE("a tensor of its own is written from the host's memory") {
  float data[] = {1, 2, 3, 4};
  const std::vector<int64_t> sizes{2, 2};
  tsc_tensor described = describe(data, sizes, nullptr, TSC_COLUMN_MAJOR);
  tsc_value *made = nullptr;
  ok(tsc_value_new_tensor_copy(&described, &made));
  Value copy(made);
  data[0] = 9;
  CHECK(elements<float>(copy) == std::vector<float>{1, 3, 2, 4});
  CHECK(get(copy).strides[0] == 2);
  ok(tsc_tensor_copy_from(copy.get(), &described));
  CHECK(elements<float>(copy) == std::vector<float>{9, 3, 2, 4});
  void *where = nullptr;
  ok(tsc_tensor_mutable_data(copy.get(), &where));
  static_cast<float *>(where)[3] = 7;
  CHECK(elements<float>(copy) == std::vector<float>{9, 3, 2, 7});
}

TEST_CASE("a description that makes no sense is an error") {
  alignas(8) char data[64] = {};
  const std::vector<int64_t> sizes{2, 2}, negative{-1, 2}, backwards{-2, 1}, huge{int64_t(1) << 62, 1}, many(65, 1),
      far{int64_t(1) << 60, 1};
  float *floats = reinterpret_cast<float *>(data);
  auto refused = [](tsc_tensor described, const char *why) {
    tsc_value *value = reinterpret_cast<tsc_value *>(1);
    int released = 0;
    tsc_release count = [](void *user) { ++*static_cast<int *>(user); };
    CHECK_THAT(failure(tsc_value_new_tensor(&described, count, &released, &value), TSC_INVALID_ARGUMENT),
               Catch::Contains(why));
    CHECK((value == nullptr && released == 0));
    described.flags |= TSC_READ_ONLY;
    (void)failure(tsc_value_new_tensor(&described, count, &released, &value), TSC_INVALID_ARGUMENT);
    CHECK(released == 0);
  };
  tsc_tensor good = describe(floats, sizes), bad = good;
  bad.struct_size = 8;
  refused(bad, "struct_size");
  bad = good, bad.dtype = 8;
  refused(bad, "there is no dtype 8");
  bad = good, bad.flags = 64;
  refused(bad, "there are no flags");
  bad = good, bad.rank = -1;
  refused(bad, "0 to 64 dimensions");
  refused(describe(floats, many), "0 to 64 dimensions");
  bad = good, bad.sizes = nullptr;
  refused(bad, "'sizes'");
  bad = good, bad.data = nullptr;
  refused(bad, "'data' of a tsc_tensor is NULL");
  bad = good, bad.data = data + 2;
  refused(bad, "not aligned");
  refused(describe(floats, negative), "negative");
  refused(describe(floats, sizes, &backwards), "not negative");
  refused(describe(floats, huge), "");
  refused(describe(floats, sizes, &far), "beyond all memory");
}

TEST_CASE("bools are bytes of 0 and 1") {
  Program program = load("def count(x: Tensor) -> int:\n    return x.nonzero().size(0)\n", "bools.py");
  std::vector<uint8_t> data{0, 1, 7, 1, 1, 7, 0, 0, 7};
  const std::vector<int64_t> rows{3, 2}, all{9}, gaps{3, 1}, far{int64_t(1) << 40, 2}, repeated{0, 1}, turned{2, 3},
      byColumn{1, 3}, skipping{3, 2};
  auto bools = [&](const std::vector<int64_t> &sizes, const std::vector<int64_t> *strides = nullptr,
                   uint32_t flags = 0) {
    tsc_tensor described{sizeof(tsc_tensor),
                         data.data(),
                         sizes.data(),
                         strides ? strides->data() : nullptr,
                         static_cast<int32_t>(sizes.size()),
                         TSC_BOOL,
                         flags};
    return described;
  };
  auto lent = [](const tsc_tensor &described) {
    tsc_value *value = nullptr;
    ok(tsc_value_new_tensor(&described, nullptr, nullptr, &value));
    return Value(value);
  };
  // What lies between elements is not looked at, and what is repeated is looked at once.
  CHECK(print(run(program, "count", list(lent(bools(rows, &gaps))))) == "3");
  CHECK(print(run(program, "count", list(lent(bools(turned, &byColumn))))) == "3");
  CHECK(lent(bools(far, &repeated)) != nullptr);
  int released = 0;
  tsc_release count = [](void *user) { ++*static_cast<int *>(user); };
  Value mask = lent(bools(rows, &gaps));
  tsc_value *value = nullptr;
  for (uint32_t flags : {0u, uint32_t(TSC_READ_ONLY)})
    for (const tsc_tensor &wrong :
         {bools(all, nullptr, flags), bools(turned, &gaps, flags), bools(rows, &skipping, flags)}) {
      CHECK_THAT(failure(tsc_value_new_tensor(&wrong, count, &released, &value), TSC_INVALID_ARGUMENT),
                 Catch::Contains("neither 0 nor 1"));
      (void)failure(tsc_value_new_tensor_copy(&wrong, &value), TSC_INVALID_ARGUMENT);
      CHECK((value == nullptr && released == 0));
    }
  const tsc_tensor wrong = bools(rows); // without gaps, the third byte is an element
  (void)failure(tsc_tensor_copy_from(mask.get(), &wrong), TSC_INVALID_ARGUMENT);
  // Memory that is only written to may hold anything before.
  std::vector<uint8_t> target(6, 255);
  tsc_tensor destination = bools(rows, &byColumn);
  destination.data = target.data();
  ok(tsc_tensor_copy_to(mask.get(), &destination));
  CHECK(target == std::vector<uint8_t>{0, 1, 0, 1, 1, 0});
  ok(tsc_value_new_empty_tensor(&wrong, &value));
  CHECK(print(run(program, "count", list(Value(value)))) == "0");
}

TEST_CASE("copies of other sizes, or to memory that elements share, are refused") {
  float data[] = {1, 2, 3, 4}, other[4] = {};
  Value value = tensor(data, {2, 2});
  const std::vector<int64_t> row{4}, sizes{2, 2}, repeated{0, 1};
  tsc_tensor wrong = describe(other, row);
  CHECK(failure(tsc_tensor_copy_to(value.get(), &wrong), TSC_INVALID_ARGUMENT) ==
        "the tensor has sizes [2, 2], and not [4]");
  CHECK(failure(tsc_tensor_copy_from(value.get(), &wrong), TSC_INVALID_ARGUMENT) ==
        "the tensor has sizes [2, 2], and not [4]");
  tsc_tensor shared = describe(other, sizes, &repeated);
  (void)failure(tsc_tensor_copy_to(value.get(), &shared), TSC_INVALID_ARGUMENT);
  tsc_tensor constant = describe(other, sizes, nullptr, TSC_READ_ONLY);
  (void)failure(tsc_tensor_copy_to(value.get(), &constant), TSC_INVALID_ARGUMENT);
  CHECK(other[0] == 0);
}
