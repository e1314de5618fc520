//===- CopyTest.cpp - Copies of values, deep and of containers ------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/Copies.h"
#include <catch2/catch.hpp>

using namespace tsc;

namespace {
/// ([t], the same list, {1: the same list}).
struct SharingTuple {
  Context context;
  Tensor tensor = *Tensor::empty({2});
  IValue list = makeList(Type::tensorType());
  IValue tuple;

  SharingTuple() {
    appendToList(list, IValue(tensor));
    auto dict = makeRef<DictValue>(Type::intType(), context.listOf(Type::tensorType()));
    dict->set(IValue(int64_t(1)), list);
    tuple = makeTuple({list, list, IValue(dict)});
  }
};

void checkSharing(const IValue &copied, const IValue &original) {
  const auto &elements = copied.toTuple().elements;
  CHECK(elements[0].isSameAs(elements[1]));
  CHECK(elements[2].toDict().find(IValue(int64_t(1)))->isSameAs(elements[0]));
  CHECK_FALSE(elements[0].isSameAs(original));
}
} // namespace

TEST_CASE("deep copies keep sharing, and have tensors of their own", "[copy]") {
  SharingTuple value;
  IValue copied = deepCopy(value.tuple);
  checkSharing(copied, value.list);
  CHECK(copied.toTuple().elements[0].listElement(0).toTensor().get()->storage != value.tensor.get()->storage);
}

TEST_CASE("copies of containers keep sharing, and the tensors", "[copy]") {
  SharingTuple value;
  IValue copied = copyContainers(value.tuple);
  checkSharing(copied, value.list);
  CHECK(copied.toTuple().elements[0].listElement(0).toTensor().get() == value.tensor.get());
  CHECK(copyContainers(IValue(value.tensor)).isSameAs(IValue(value.tensor)));
}
