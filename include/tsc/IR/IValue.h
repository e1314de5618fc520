//===- IValue.h - A value of any TorchScript type ---------------*- C++ -*-===//
//
// 16 bytes: a tag and a payload. Scalars live in the payload; all else is a
// counted pointer. Lists of int, float, bool and Tensor are stored unboxed.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_IVALUE_H
#define TSC_IR_IVALUE_H

#include "tsc/IR/Type.h"
#include "tsc/Support/RefCounted.h"
#include "tsc/Tensor/Allocator.h"
#include "tsc/Tensor/Generator.h"
#include "tsc/Tensor/MemoryAccount.h"
#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cassert>
#include <cstring>
#include <memory>
#include <vector>

namespace tsc {
class IValue;
} // namespace tsc

/// Allocates vectors of values. Those of up to 1,024 bytes come from the caching allocator, since every call makes
/// some: a call that was made before asks the system for none. Longer ones are counted in the thread's memory account,
/// and throw std::bad_alloc where it has no room.
template <> struct std::allocator<tsc::IValue> {
  using value_type = tsc::IValue;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using propagate_on_container_move_assignment = std::true_type;
  using is_always_equal = std::true_type;
  constexpr allocator() noexcept = default;
  template <typename U> constexpr allocator(const allocator<U> &) noexcept {}
  inline tsc::IValue *allocate(size_t count);
  inline void deallocate(tsc::IValue *values, size_t count);
  bool operator==(const allocator &) const = default;
};

namespace tsc {

class ClassType;
class EnumType;
class Function;
class Generator;

/// The base of most objects that values point to. Their memory comes from the caching allocator.
struct Payload : RefCounted {
  static void *operator new(size_t size) { return memory::allocateObject(size); }
  static void operator delete(void *p, size_t size) { memory::deallocateObject(p, size); }
};

/// A str. Immutable to programs.
struct StringValue final : Payload {
  explicit StringValue(std::string s) : text(std::move(s)) {
    if (text.capacity() >= sizeof(std::string)) // else it stands in the string itself
      counted.set(text.capacity());
  }
  std::string text;

private:
  memory::CountedBytes counted;
};
/// A complex number, which is too large for the payload.
struct ComplexValue final : Payload {
  explicit ComplexValue(std::complex<double> v) : value(v) {}
  std::complex<double> value;
};
/// A list whose elements are stored unboxed, as T. A bool is stored as a byte.
template <typename T> struct ListValue final : Payload {
  ListValue() = default;
  explicit ListValue(std::vector<T> e) : elements(std::move(e)) { noteSize(); }
  std::vector<T> elements;
  /// Counts the list's memory. Call it after every change that may have made the list longer.
  void noteSize() { counted.set(elements.capacity() * sizeof(T)); }

private:
  memory::CountedBytes counted;
};
/// A List[int].
using IntList = ListValue<int64_t>;
/// A List[float].
using DoubleList = ListValue<double>;
/// A List[bool], of which each element is 0 or 1.
using BoolList = ListValue<uint8_t>;
/// A List[Tensor].
using TensorList = ListValue<Tensor>;
struct GenericList;
struct TupleValue;
struct DictValue;
struct ObjectValue;
struct EnumValue;
struct FutureValue;
struct GeneratorValue;

/// A value of any TorchScript type.
///
/// Ownership:  scalars, devices and functions are stored in place (a Function is borrowed). All else is a counted
///             pointer: a copy refers to the same object, so that a write through one is seen through the other.
/// Threads:    reference counts are atomic; a value itself, like the object it points to, needs its users' care.
/// Errors:     access as another type than the tag says is asserted.
class IValue {
public:
  /// What a value is. The order matters: see isCounted() and isList().
  enum class Tag : uint8_t {
    None,
    Bool,
    Int,
    Double,
    Device,
    Function, // in the payload; the rest are counted
    Tensor,
    Complex,
    String,
    IntList,
    DoubleList,
    BoolList,
    TensorList,
    GenericList,
    Tuple,
    Dict,
    Object,
    Enum,
    Future,
    Generator,
    Capsule
  };

  IValue() : tag(Tag::None) { payload.i = 0; }
  IValue(std::nullopt_t) : IValue() {}
  IValue(bool v) : tag(Tag::Bool) { payload.i = v; }
  IValue(int v) : IValue(int64_t{v}) {}
  IValue(int64_t v) : tag(Tag::Int) { payload.i = v; }
  IValue(double v) : tag(Tag::Double) { payload.d = v; }
  IValue(std::complex<double> v) : IValue(Tag::Complex, new ComplexValue(v)) {}
  IValue(tsc::Device v) : tag(Tag::Device) {
    payload.i = 0;
    std::memcpy(&payload.i, &v, sizeof v);
  }
  IValue(tsc::Function *f) : tag(Tag::Function) { payload.f = f; }
  IValue(const tsc::Scalar &v);
  IValue(tsc::DType v) : IValue(static_cast<int64_t>(v)) {} ///< dtypes, layouts, memory formats are ints
  IValue(const char *s) : IValue(std::string(s)) {}
  IValue(std::string s) : IValue(Tag::String, new StringValue(std::move(s))) {}
  IValue(llvm::StringRef s) : IValue(s.str()) {}
  /// An undefined tensor becomes None: a Tensor? without a value.
  IValue(tsc::Tensor t) : tag(t.defined() ? Tag::Tensor : Tag::None) { payload.p = t.take(); }
  IValue(std::vector<int64_t> v) : IValue(Tag::IntList, new IntList(std::move(v))) {}
  IValue(std::vector<double> v) : IValue(Tag::DoubleList, new DoubleList(std::move(v))) {}
  IValue(std::vector<tsc::Tensor> v) : IValue(Tag::TensorList, new TensorList(std::move(v))) {}
  IValue(Ref<StringValue> v) : IValue(Tag::String, v.take()) {}
  IValue(Ref<IntList> v) : IValue(Tag::IntList, v.take()) {}
  IValue(Ref<DoubleList> v) : IValue(Tag::DoubleList, v.take()) {}
  IValue(Ref<BoolList> v) : IValue(Tag::BoolList, v.take()) {}
  IValue(Ref<TensorList> v) : IValue(Tag::TensorList, v.take()) {}
  IValue(Ref<GenericList> v);
  IValue(Ref<TupleValue> v);
  IValue(Ref<DictValue> v);
  IValue(Ref<ObjectValue> v);
  IValue(Ref<EnumValue> v);
  IValue(Ref<FutureValue> v);
  IValue(Ref<GeneratorValue> v);
  /// Wraps an object, which is not null, that programs can hold and hand on, but not look into.
  static IValue capsule(Ref<RefCounted> v) { return IValue(Tag::Capsule, v.take()); }

  IValue(const IValue &o) : tag(o.tag), payload(o.payload) {
    if (isCounted())
      payload.p->retain();
  }
  IValue(IValue &&o) noexcept : tag(o.tag), payload(o.payload) {
    o.tag = Tag::None;
    o.payload.i = 0;
  }
  IValue &operator=(const IValue &o) {
    IValue copy(o);
    return *this = std::move(copy);
  }
  IValue &operator=(IValue &&o) noexcept {
    std::swap(tag, o.tag);
    std::swap(payload, o.payload);
    return *this;
  }
  ~IValue() {
    if (isCounted())
      payload.p->release();
  }

  Tag getTag() const { return tag; }
  /// Whether the value is a pointer to a counted object.
  bool isCounted() const { return tag >= Tag::Tensor; }
#define TSC_IS(KIND)                                                                                                   \
  bool is##KIND() const { return tag == Tag::KIND; }
  // clang-format off
  TSC_IS(None) TSC_IS(Bool) TSC_IS(Int) TSC_IS(Double) TSC_IS(Device) TSC_IS(Function) TSC_IS(Tensor) TSC_IS(Complex)
  TSC_IS(String) TSC_IS(IntList) TSC_IS(DoubleList) TSC_IS(BoolList) TSC_IS(TensorList) TSC_IS(GenericList)
  TSC_IS(Tuple) TSC_IS(Dict) TSC_IS(Object) TSC_IS(Enum) TSC_IS(Future) TSC_IS(Generator) TSC_IS(Capsule)
  // clang-format on
#undef TSC_IS
  /// Whether it is a list, of any representation.
  bool isList() const { return tag >= Tag::IntList && tag <= Tag::GenericList; }
  /// Whether it is a bool, int, float or complex number.
  bool isScalar() const { return isBool() || isInt() || isDouble() || isComplex(); }

  // Unchecked access (asserted); program text has been type-checked, foreign input is checked with is…() first.
  bool toBool() const {
    assert(isBool());
    return payload.i != 0;
  }
  /// Returns an int; a bool as 0 or 1.
  int64_t toInt() const {
    assert(isInt() || isBool());
    return payload.i;
  }
  double toDouble() const {
    assert(isDouble());
    return payload.d;
  }
  std::complex<double> toComplex() const {
    assert(isComplex());
    return static_cast<ComplexValue *>(payload.p)->value;
  }
  tsc::Device toDevice() const {
    assert(isDevice());
    tsc::Device d;
    std::memcpy(&d, &payload.i, sizeof d);
    return d;
  }
  tsc::Function *toFunction() const {
    assert(isFunction());
    return payload.f;
  }
  tsc::Scalar toScalar() const;
  const std::string &toString() const {
    assert(isString());
    return static_cast<StringValue *>(payload.p)->text;
  }
  /// Returns the tensor; an undefined one for None.
  tsc::Tensor toTensor() const {
    assert(isTensor() || isNone());
    return tsc::Tensor(Ref<TensorImpl>::share(isTensor() ? static_cast<TensorImpl *>(payload.p) : nullptr));
  }
  /// Returns the tensor, or an undefined one for None, without touching the reference count. Valid until the value
  /// changes.
  const tsc::Tensor &asTensor() const {
    assert(isTensor() || (isNone() && !payload.p));
    static_assert(sizeof(tsc::Tensor) == sizeof(void *));
    return reinterpret_cast<const tsc::Tensor &>(payload.t);
  }
  IntList &toIntList() const {
    assert(isIntList());
    return *static_cast<IntList *>(payload.p);
  }
  DoubleList &toDoubleList() const {
    assert(isDoubleList());
    return *static_cast<DoubleList *>(payload.p);
  }
  BoolList &toBoolList() const {
    assert(isBoolList());
    return *static_cast<BoolList *>(payload.p);
  }
  TensorList &toTensorList() const {
    assert(isTensorList());
    return *static_cast<TensorList *>(payload.p);
  }
  GenericList &toGenericList() const;
  TupleValue &toTuple() const;
  DictValue &toDict() const;
  ObjectValue &toObject() const;
  EnumValue &toEnum() const;
  FutureValue &toFuture() const;
  GeneratorValue &toGenerator() const;
  /// Returns the object the value points to, or null where it is stored in place. Does not retain it.
  RefCounted *counted() const { return isCounted() ? payload.p : nullptr; }

  /// Returns the number of elements of a list of any representation, which the value is.
  size_t listSize() const;
  /// Returns an element of a list of any representation; `index` is within it.
  IValue listElement(size_t index) const;

  /// Whether `value is other` holds in a program: both are the same object, None, or equal scalars of one tag.
  bool isSameAs(const IValue &other) const;
  /// Returns the type that the value shows by itself. Lists and dicts carry their element types, also when empty; a
  /// tensor is a Tensor without further facts.
  const Type *dynamicType(Context &context) const;

private:
  friend struct RegisterAccess; // the interpreter's typed instructions write payloads in place
  IValue(Tag t, RefCounted *p) : tag(t) {
    assert(isCounted() && p && "a value of that tag has an object");
    payload.p = p;
  }
  Tag tag;
  union Payload {
    int64_t i;
    double d;
    RefCounted *p;
    TensorImpl *t;
    tsc::Function *f;
  } payload;
};
static_assert(sizeof(IValue) == 16);

} // namespace tsc

inline tsc::IValue *std::allocator<tsc::IValue>::allocate(size_t count) {
  if (count > 1024 / sizeof(tsc::IValue)) { // the largest object
    if (!tsc::memory::hasRoom(count * sizeof(tsc::IValue))) [[unlikely]]
      throw std::bad_alloc();
    auto *values = static_cast<tsc::IValue *>(::operator new(count * sizeof(tsc::IValue)));
    tsc::memory::countBytes(static_cast<int64_t>(count * sizeof(tsc::IValue)));
    return values;
  }
  return static_cast<tsc::IValue *>(tsc::memory::allocateObject(count * sizeof(tsc::IValue)));
}
inline void std::allocator<tsc::IValue>::deallocate(tsc::IValue *values, size_t count) {
  if (count > 1024 / sizeof(tsc::IValue)) {
    ::operator delete(values);
    tsc::memory::countBytes(-static_cast<int64_t>(count * sizeof(tsc::IValue)));
  } else {
    tsc::memory::deallocateObject(values, count * sizeof(tsc::IValue));
  }
}

namespace tsc {

/// Releases the elements of a container that is being destroyed, and never throws. Beyond some depth of nesting
/// elements wait until the outermost container goes on, so that a long chain of containers cannot exhaust the stack.
void releaseElements(std::vector<IValue> &elements);

/// A list whose elements are stored as IValues: of any type but int, float, bool and Tensor. `elementType` is never
/// null.
struct GenericList final : Payload {
  GenericList(const Type *elementType, std::vector<IValue> e = {}) : elementType(elementType), elements(std::move(e)) {
    assert(elementType && "a list knows its element type");
  }
  ~GenericList() override { releaseElements(elements); }
  const Type *elementType;
  std::vector<IValue> elements;
};
/// A tuple or NamedTuple. `type` is null for a plain tuple, whose elements show their types.
struct TupleValue final : Payload {
  TupleValue(std::vector<IValue> e, const TupleType *type = nullptr) : elements(std::move(e)), type(type) {}
  ~TupleValue() override { releaseElements(elements); }
  std::vector<IValue> elements;
  const TupleType *type;
};
/// A dict, in order of insertion. Keys are str, int, float, bool, complex, or Tensor, which is compared by identity, as
/// in TorchScript.
struct DictValue final : Payload {
  DictValue(const Type *keyType, const Type *valueType);
  ~DictValue() override;
  size_t size() const;
  const IValue *find(const IValue &key) const; ///< Returns the value of `key`, or null. Valid until the dict changes.
  void set(IValue key, IValue value);          ///< Replaces the value of `key`, or adds an entry at the end.
  bool erase(const IValue &key);               ///< Removes the entry of `key`. Returns whether there was one.
  void clear();                                ///< Removes all entries.
  /// Calls `f` for every entry in order of insertion. `f` may not change the dict.
  void forEach(llvm::function_ref<void(const IValue &key, const IValue &value)> f) const;
  /// Removes the oldest entry and returns its key and value; two Nones where the dict is empty.
  std::pair<IValue, IValue> popFirst();
  const Type *keyType, *valueType;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
  memory::CountedBytes counted;
};
/// An instance of a class, with one slot for each attribute in the order of the class. It may have fewer where
/// attributes were added to the class after it was made: these have no value.
///
/// Ownership: borrows its class, which the program's Context owns: whoever keeps an object longer than the program
///            keeps a StrongValue (Runtime/Object.h).
struct ObjectValue final : RefCounted {
  ObjectValue(const ClassType *type, size_t numSlots) : type(type), slots(numSlots) {}
  ~ObjectValue() override { releaseElements(slots); }
  /// Sets a slot, and makes it first where the object has fewer. It does not look at the attribute's type.
  void setSlot(size_t slot, IValue value);
  /// Removes a slot, which the object has; those behind it move up by one. Follows
  /// ClassType::unsafeRemoveAttribute().
  void unsafeRemoveSlot(size_t slot);
  /// Returns the value of an attribute, or null where the class has none of that name or the object has no value for
  /// it. Valid until slots are added or removed.
  const IValue *findAttribute(llvm::StringRef name) const;
  /// Sets an attribute, which the class has, as setSlot() does.
  void setAttribute(llvm::StringRef name, IValue value);
  /// Removes the slot of an attribute, which the class has (still) and the object has a value for.
  void unsafeRemoveAttribute(llvm::StringRef name);
  /// Returns the qualified name of its class.
  llvm::StringRef name() const;
  /// Returns a new object of the class whose slots hold the same values.
  Ref<ObjectValue> copy() const;
  const ClassType *type;
  std::vector<IValue> slots;
};
/// A member of an enum: its name and value.
struct EnumValue final : Payload {
  EnumValue(const EnumType *type, std::string name, IValue value)
      : type(type), name(std::move(name)), value(std::move(value)) {}
  const EnumType *type;
  std::string name;
  IValue value;
};

/// A Future, which prim::fork returns and aten::wait takes: a value, or the failure that waiting for it reports.
struct FutureValue final : RefCounted {
  IValue value;
  Status status;
};
/// A torch.Generator as a program's value.
struct GeneratorValue final : RefCounted {
  tsc::Generator generator;
};

/// Prints a value as TorchScript's print does, which is LibTorch's `ostream << IValue`: `1.`, strings without quotes.
void printValue(llvm::raw_ostream &os, const IValue &value);
/// Prints a value as Python's repr does: `1.0`, strings in quotes.
void reprValue(llvm::raw_ostream &os, const IValue &value);
/// Makes an empty list of the representation that List[elementType] has, with room for `reserve` elements.
IValue makeList(const Type *elementType, size_t reserve = 0);
/// Appends an element, which must be of the list's element type.
void appendToList(const IValue &list, IValue element);
/// Makes a tuple; a NamedTuple where `type` is given.
IValue makeTuple(std::vector<IValue> elements, const TupleType *type = nullptr);
/// Copies containers, objects and tensors recursively, keeping sharing inside the value, as copy.deepcopy does. A
/// tensor whose copy finds no memory stays shared.
IValue deepCopy(const IValue &value);
/// Whether `a == b` holds in a program. Numbers compare by value whatever their types; tensors and objects by identity.
/// Returns false in a call that is to stop.
bool valuesEqual(const IValue &a, const IValue &b);
/// Whether `value` is an instance of `type`. Looks at the elements of a container whose declared type does not decide
/// it.
bool isInstanceOf(const IValue &value, const Type *type);

} // namespace tsc

#endif
