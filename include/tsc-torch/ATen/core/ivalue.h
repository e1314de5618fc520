//===- ivalue.h - c10::IValue -----------------------------------*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_IVALUE_H
#define TSC_TORCH_ATEN_IVALUE_H
#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/jit_type.h>
#include <map>
#include <unordered_map>

namespace torch {
namespace jit {
inline namespace tsc_torch {
struct Module;
struct Object;
} // namespace tsc_torch
} // namespace jit
} // namespace torch

namespace torch {
inline namespace tsc_torch {
/// The base of the classes of C++ that hosts register with LibTorch. Hosts that have such compile; the classes cannot
/// be registered, and their instances are not given to programs.
struct CustomClassHolder : c10::intrusive_ptr_target {};
} // namespace tsc_torch
} // namespace torch

namespace c10 {
inline namespace tsc_torch {

struct IValue;

namespace ivalue_detail {
/// Throws the c10::Error of instances of classes of C++.
[[noreturn]] inline void refuseCustomClass() {
  throw Error("classes of C++ are not supported: a program gets and gives values of TorchScript's own types", "");
}
} // namespace ivalue_detail

namespace ivalue {

/// A value that IValue has no room for: tsc's handle.
struct Held : intrusive_ptr_target {
  explicit Held(tsc_torch_detail::Value owned) : value(std::move(owned)) {}
  tsc_torch_detail::Value value;
};
/// A string, which does not change.
struct ConstantString final : Held {
  explicit ConstantString(tsc_torch_detail::Value owned)
      : Held(std::move(owned)), text(tsc_torch_detail::textOf(value.get())) {}
  static intrusive_ptr<ConstantString> create(const std::string &text) {
    return make_intrusive<ConstantString>(
        tsc_torch_detail::Value(tsc_torch_detail::made(tsc_value_new_string(text.data(), text.size()))));
  }
  const std::string &string() const { return text; }
  string_view string_view_() const { return text; }
  operator const std::string &() const { return text; }

private:
  std::string text;
};
/// The elements of a tuple, as hosts name the type.
using TupleElements = std::vector<IValue>;
/// A tuple; its elements stay what they are.
struct Tuple final : Held {
  explicit Tuple(tsc_torch_detail::Value owned);
  Tuple(tsc_torch_detail::Value owned, std::vector<IValue> elements);
  ~Tuple() override;
  /// Makes a tuple of these elements.
  static intrusive_ptr<Tuple> create(std::vector<IValue> elements);
  static intrusive_ptr<Tuple> create(std::initializer_list<IValue> elements);
  static intrusive_ptr<Tuple> create(ArrayRef<IValue> elements);
  template <typename... Args> static intrusive_ptr<Tuple> create(Args &&...elements);
  /// Returns the elements: the tuple's, or a copy where the tuple is a temporary.
  const std::vector<IValue> &elements() const & { return *all; }
  std::vector<IValue> elements() &&;
  size_t size() const;
  TypePtr type() const;

private:
  std::unique_ptr<std::vector<IValue>> all;
};
/// A compiled method with the handle of tsc's that calls it.
struct Entry {
  explicit Entry(tsc_entry *owned) : entry(owned) {}
  Entry(const Entry &) = delete;
  Entry &operator=(const Entry &) = delete;
  ~Entry() { tsc_entry_free(entry); }
  tsc_entry *const entry;
  std::mutex mutex;
  std::shared_ptr<void> function; ///< The torch::jit::Function of the method, made when it is first asked for.
};
/// An instance of a class of the program's, a module among them.
struct Object final : Held {
  using Held::Held;
  /// Returns an attribute, or a constant of the class, by its name or by its path from the object. c10::Error where
  /// there is none.
  IValue getAttr(const std::string &name) const;
  /// Sets an attribute. c10::Error where there is none, and for a value that is not of its type.
  void setAttr(const std::string &name, const IValue &given);
  std::string name() const { return tsc_value_type_name(value.get()); }
  ClassTypePtr type() const { return std::make_shared<ClassType>(name()); }
  /// The method of that name, compiled when it is first asked for; null where there is none. "" is forward with the
  /// module's hooks.
  std::shared_ptr<Entry> method(const std::string &name) {
    std::lock_guard<std::mutex> lock(mutex);
    auto known = methods.find(name);
    if (known != methods.end())
      return known->second;
    tsc_entry *entry = nullptr;
    tsc_error *error = tsc_module_find(value.get(), name.c_str(), &entry);
    if (error && tsc_error_code(error) == TSC_NOT_FOUND) {
      tsc_error_free(error);
      return nullptr;
    }
    tsc_torch_detail::check(error);
    return methods[name] = std::make_shared<Entry>(entry);
  }
  /// Forgets methods, after the class has got others.
  void forgetMethods() {
    std::lock_guard<std::mutex> lock(mutex);
    methods.clear();
  }

private:
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Entry>> methods;
};
/// A member of an enumeration.
struct EnumHolder final : Held {
  using Held::Held;
  std::string name() const;
  IValue value_() const;
};

} // namespace ivalue

/// A value of any type of TorchScript. Reading it as another type than it has is a c10::Error. What List<IValue>'s []
/// gives derives from it.
struct IValue {
  IValue() = default;
  IValue(const IValue &) = default;
  IValue(IValue &&) = default;
  IValue &operator=(const IValue &) = default;
  IValue &operator=(IValue &&) = default;

  IValue(at::Tensor tensor) : tag(Tag::Tensor), held_tensor(std::move(tensor)) {}
  IValue(bool flag) : tag(Tag::Bool), whole(flag) {}
  IValue(double number) : tag(Tag::Double), real(number) {}
  IValue(float number) : IValue(static_cast<double>(number)) {}
  template <typename T, std::enable_if_t<std::is_integral<T>::value && !std::is_same<T, bool>::value, int> = 0>
  IValue(T number) : tag(Tag::Int), whole(static_cast<int64_t>(number)) {}
  IValue(c10::complex<double> number) : IValue(fromHandle(tsc_torch_detail::newScalar(Scalar(number)))) {}
  IValue(const Scalar &number) : IValue(fromHandle(tsc_torch_detail::newScalar(number))) {}
  IValue(const std::string &text) : IValue(ivalue::ConstantString::create(text)) {}
  IValue(const char *text) : IValue(std::string(text)) {}
  IValue(string_view text) : IValue(std::string(text.data(), text.size())) {}
  IValue(const Device &device) : IValue(fromHandle(tsc_torch_detail::newDevice(device))) {}
  IValue(ScalarType type) : IValue(static_cast<int64_t>(type)) {}
  IValue(Layout layout) : IValue(static_cast<int64_t>(layout)) {}
  IValue(MemoryFormat format) : IValue(static_cast<int64_t>(format)) {}
  IValue(nullopt_t) {}
  IValue(intrusive_ptr<ivalue::ConstantString> text) : tag(Tag::String), held(std::move(text)) {}
  IValue(intrusive_ptr<ivalue::Tuple> tuple) : tag(Tag::Tuple), held(std::move(tuple)) {}
  IValue(intrusive_ptr<ivalue::Object> object) : tag(Tag::Object), held(std::move(object)) {}
  /// A c10::Error: programs know no classes of C++.
  template <typename T, std::enable_if_t<std::is_base_of<torch::CustomClassHolder, T>::value, int> = 0>
  IValue(const intrusive_ptr<T> &) {
    ivalue_detail::refuseCustomClass();
  }
  template <typename T> IValue(const List<T> &list) : tag(Tag::List), container(list.container()) {}
  template <typename K, typename V> IValue(const Dict<K, V> &dict) : tag(Tag::Dict), container(dict.container()) {}
  template <typename T> IValue(const std::vector<T> &list) : IValue(listOf(list)) {}
  template <typename T> IValue(ArrayRef<T> list) : IValue(listOf(list.vec())) {}
  template <typename T, size_t N>
  IValue(const std::array<T, N> &list) : IValue(listOf(std::vector<T>(list.begin(), list.end()))) {}
  template <typename T> IValue(const optional<T> &given) {
    if (given)
      *this = IValue(*given);
  }
  template <typename... Args> IValue(const std::tuple<Args...> &tuple) {
    *this = IValue(tupleOf(tuple, std::make_index_sequence<sizeof...(Args)>()));
  }
  template <typename K, typename V> IValue(const std::unordered_map<K, V> &map) {
    Dict<K, V> dict;
    for (const auto &entry : map)
      dict.insert_or_assign(entry.first, entry.second);
    *this = IValue(dict);
  }
  template <typename K, typename V> IValue(const std::map<K, V> &map) {
    Dict<K, V> dict;
    for (const auto &entry : map)
      dict.insert_or_assign(entry.first, entry.second);
    *this = IValue(dict);
  }
  /// Takes over a handle of tsc's, and returns its value.
  static IValue fromHandle(tsc_value *owned) {
    tsc_torch_detail::Value value(owned);
    IValue made;
    switch (tsc_value_kind(owned)) {
    case TSC_KIND_NONE: break;
    case TSC_KIND_BOOL:
    case TSC_KIND_INT:
    case TSC_KIND_FLOAT: {
      const Scalar number = tsc_torch_detail::readScalar(owned);
      return number.isBoolean()         ? IValue(number.toBool())
             : number.isFloatingPoint() ? IValue(number.toDouble())
                                        : IValue(number.toLong());
    }
    case TSC_KIND_TENSOR: return IValue(at::Tensor::adopt(value.release()));
    case TSC_KIND_STRING: return IValue(make_intrusive<ivalue::ConstantString>(std::move(value)));
    case TSC_KIND_TUPLE: return IValue(make_intrusive<ivalue::Tuple>(std::move(value)));
    case TSC_KIND_OBJECT: return IValue(make_intrusive<ivalue::Object>(std::move(value)));
    case TSC_KIND_LIST:
    case TSC_KIND_DICT:
      made.tag = tsc_value_kind(owned) == TSC_KIND_LIST ? Tag::List : Tag::Dict;
      made.container = make_intrusive<ivalue_detail::Container>(std::move(value));
      break;
    case TSC_KIND_ENUM:
      made.tag = Tag::Enum;
      made.held = make_intrusive<ivalue::EnumHolder>(std::move(value));
      break;
    case TSC_KIND_COMPLEX:
    case TSC_KIND_DEVICE:
    default:
      made.tag = tsc_value_kind(owned) == TSC_KIND_COMPLEX  ? Tag::Complex
                 : tsc_value_kind(owned) == TSC_KIND_DEVICE ? Tag::Device
                                                            : Tag::Other;
      made.held = make_intrusive<ivalue::Held>(std::move(value));
    }
    return made;
  }
  /// tsc's handle of the value, owned by the caller.
  tsc_torch_detail::Value handle() const {
    using tsc_torch_detail::made;
    switch (tag) {
    case Tag::None: return tsc_torch_detail::Value(made(tsc_value_new_none()));
    case Tag::Bool: return tsc_torch_detail::Value(made(tsc_value_new_bool(whole != 0)));
    case Tag::Int: return tsc_torch_detail::Value(made(tsc_value_new_int(whole)));
    case Tag::Double: return tsc_torch_detail::Value(made(tsc_value_new_float(real)));
    default: return tsc_torch_detail::Value(made(tsc_value_new_reference(lent())));
    }
  }
  /// tsc's handle where the value has one: the value's. Null for None, bools, ints and floats.
  tsc_value *lent() const {
    return tag == Tag::Tensor                     ? held_tensor.handle()
           : tag == Tag::List || tag == Tag::Dict ? container->value.get()
           : tag == Tag::None || held == nullptr  ? nullptr
                                                  : held->value.get();
  }

  bool isNone() const { return tag == Tag::None; }
  std::string toNone() const { return check(isNone(), "None"), "None"; }
  bool isTensor() const { return tag == Tag::Tensor; }
  const at::Tensor &toTensor() const & { return check(isTensor(), "Tensor"), held_tensor; }
  at::Tensor &toTensor() & { return check(isTensor(), "Tensor"), held_tensor; }
  at::Tensor toTensor() && { return check(isTensor(), "Tensor"), std::move(held_tensor); }
  bool isBool() const { return tag == Tag::Bool; }
  bool toBool() const { return check(isBool(), "Bool"), whole != 0; }
  bool isInt() const { return tag == Tag::Int; }
  int64_t toInt() const { return check(isInt(), "Int"), whole; }
  int64_t toSymInt() const { return toInt(); }
  bool isDouble() const { return tag == Tag::Double; }
  double toDouble() const { return check(isDouble(), "Double"), real; }
  bool isComplexDouble() const { return tag == Tag::Complex; }
  c10::complex<double> toComplexDouble() const {
    check(isComplexDouble(), "ComplexDouble");
    return tsc_torch_detail::readScalar(lent()).toComplexDouble();
  }
  bool isScalar() const { return isInt() || isDouble() || isBool() || isComplexDouble(); }
  Scalar toScalar() const {
    check(isScalar(), "Scalar");
    return isInt()      ? Scalar(whole)
           : isDouble() ? Scalar(real)
           : isBool()   ? Scalar(whole != 0)
                        : Scalar(toComplexDouble());
  }
  bool isString() const { return tag == Tag::String; }
  intrusive_ptr<ivalue::ConstantString> toString() const {
    return check(isString(), "String"), static_intrusive_pointer_cast<ivalue::ConstantString>(held);
  }
  const std::string &toStringRef() const {
    return check(isString(), "String"), static_cast<const ivalue::ConstantString &>(*held).string();
  }
  string_view toStringView() const { return toStringRef(); }
  bool isTuple() const { return tag == Tag::Tuple; }
  intrusive_ptr<ivalue::Tuple> toTuple() const {
    return check(isTuple(), "Tuple"), static_intrusive_pointer_cast<ivalue::Tuple>(held);
  }
  ivalue::Tuple &toTupleRef() const { return check(isTuple(), "Tuple"), static_cast<ivalue::Tuple &>(*held); }

  bool isList() const { return tag == Tag::List; }
  bool isTensorList() const { return isListOf("Tensor"); }
  bool isOptionalTensorList() const { return isListOf("Optional[Tensor]"); }
  bool isIntList() const { return isListOf("int"); }
  bool isDoubleList() const { return isListOf("float"); }
  bool isBoolList() const { return isListOf("bool"); }
  bool isComplexDoubleList() const { return isListOf("complex"); }
  List<IValue> toList() const { return check(isList(), "GenericList"), List<IValue>(container); }
  List<at::Tensor> toTensorList() const { return check(isTensorList(), "TensorList"), List<at::Tensor>(container); }
  List<optional<at::Tensor>> toOptionalTensorList() const {
    return check(isOptionalTensorList(), "OptionalTensorList"), List<optional<at::Tensor>>(container);
  }
  List<int64_t> toIntList() const { return check(isIntList(), "IntList"), List<int64_t>(container); }
  List<double> toDoubleList() const { return check(isDoubleList(), "DoubleList"), List<double>(container); }
  List<bool> toBoolList() const { return check(isBoolList(), "BoolList"), List<bool>(container); }
  List<c10::complex<double>> toComplexDoubleList() const {
    return check(isComplexDoubleList(), "ComplexDoubleList"), List<c10::complex<double>>(container);
  }
  std::vector<at::Tensor> toTensorVector() const { return toTensorList().vec(); }
  std::vector<int64_t> toIntVector() const { return toIntList().vec(); }
  std::vector<int64_t> toDimVector() const { return toIntVector(); }
  std::vector<double> toDoubleVector() const { return toDoubleList().vec(); }
  std::vector<c10::complex<double>> toComplexDoubleVector() const { return toComplexDoubleList().vec(); }
  /// The elements as they are at this moment; valid until the next call, or until the list is gone.
  ArrayRef<IValue> toListRef() const { return check(isList(), "GenericList"), ArrayRef<IValue>(container->elements()); }
  bool isGenericDict() const { return tag == Tag::Dict; }
  Dict<IValue, IValue> toGenericDict() const {
    return check(isGenericDict(), "GenericDict"), Dict<IValue, IValue>(container);
  }

  bool isObject() const { return tag == Tag::Object; }
  intrusive_ptr<ivalue::Object> toObject() const {
    return check(isObject(), "Object"), static_intrusive_pointer_cast<ivalue::Object>(held);
  }
  ivalue::Object &toObjectRef() const { return check(isObject(), "Object"), static_cast<ivalue::Object &>(*held); }
  bool isModule() const { return isObject() && tsc_value_is_module(held->value.get()); }
  torch::jit::Module toModule() const;
  bool isEnum() const { return tag == Tag::Enum; }
  intrusive_ptr<ivalue::EnumHolder> toEnumHolder() const {
    return check(isEnum(), "Enum"), static_intrusive_pointer_cast<ivalue::EnumHolder>(held);
  }
  bool isDevice() const { return tag == Tag::Device; }
  Device toDevice() const {
    check(isDevice(), "Device");
    int kind = 0, index = -1;
    tsc_torch_detail::check(tsc_value_get_device(lent(), &kind, &index));
    return Device(static_cast<DeviceType>(kind), static_cast<DeviceIndex>(index));
  }
  ScalarType toScalarType() const { return static_cast<ScalarType>(toInt()); }
  Layout toLayout() const { return static_cast<Layout>(toInt()); }
  MemoryFormat toMemoryFormat() const { return static_cast<MemoryFormat>(toInt()); }
  bool isFuture() const { return false; }
  bool isCapsule() const { return false; }
  bool isCustomClass() const { return false; }
  /// A c10::Error: no value is an instance of a class of C++.
  template <typename T> intrusive_ptr<T> toCustomClass() const { ivalue_detail::refuseCustomClass(); }
  bool isPyObject() const { return false; }
  bool isStorage() const { return false; }
  bool isPtrType() const { return lent() != nullptr; }

  template <typename T> T to() const { return ivalue_detail::fromHandle<T>(handle()); }
  template <typename T> optional<T> toOptional() const {
    if (isNone())
      return nullopt;
    return to<T>();
  }

  TypePtr type() const {
    const tsc_torch_detail::Value value = handle();
    tsc_torch_detail::Value text;
    tsc_torch_detail::check(tsc_value_get_type(value.get(), text.out()));
    return std::make_shared<Type>(tsc_torch_detail::textOf(text.get()));
  }
  std::string tagKind() const {
    static const char *const names[] = {"None",          "Tensor", "Bool",   "Int",         "Double",
                                        "ComplexDouble", "String", "Tuple",  "GenericList", "GenericDict",
                                        "Object",        "Enum",   "Device", "Capsule"};
    return names[static_cast<int>(tag)];
  }
  bool is(const IValue &other) const {
    return tag == other.tag && (tag == Tag::Tensor ? held_tensor.is_same(other.held_tensor)
                                                   : tsc_value_is_same(handle().get(), other.handle().get()) != 0);
  }
  bool isSameIdentity(const IValue &other) const { return is(other); }
  IValue copy() const {
    return isList() ? IValue(toList().copy()) : isGenericDict() ? IValue(toGenericDict().copy()) : *this;
  }
  IValue deepcopy() const {
    const tsc_torch_detail::Value value = handle();
    tsc_torch_detail::Value made;
    tsc_torch_detail::check(tsc_value_copy(value.get(), made.out()));
    return fromHandle(made.release());
  }
  IValue deepcopy(optional<Device>) const { return deepcopy(); }
  friend bool operator==(const IValue &a, const IValue &b) { return equal(a, b); }
  friend bool operator!=(const IValue &a, const IValue &b) { return !equal(a, b); }
  friend std::ostream &operator<<(std::ostream &out, const IValue &value) {
    return out << tsc_torch_detail::format(value.handle().get());
  }

private:
  enum class Tag : uint8_t {
    None,
    Tensor,
    Bool,
    Int,
    Double,
    Complex,
    String,
    Tuple,
    List,
    Dict,
    Object,
    Enum,
    Device,
    Other
  };

  void check(bool right, const char *wanted) const { TORCH_CHECK(right, "Expected ", wanted, " but got ", tagKind()); }
  bool isListOf(const char *element) const {
    return isList() && container->type()->annotation_str() == "List[" + std::string(element) + "]";
  }
  static bool equal(const IValue &a, const IValue &b) {
    if (a.tag != b.tag)
      return false;
    switch (a.tag) {
    case Tag::None: return true;
    case Tag::Bool:
    case Tag::Int: return a.whole == b.whole;
    case Tag::Double: return a.real == b.real;
    case Tag::String: return a.toStringRef() == b.toStringRef();
    case Tag::Tuple: return a.toTupleRef().elements() == b.toTupleRef().elements();
    case Tag::List: return a.container->elements() == b.container->elements();
    default: return a.is(b);
    }
  }
  template <typename T> static List<T> listOf(const std::vector<T> &elements) {
    List<T> list;
    for (const auto &element : elements)
      list.push_back(element);
    return list;
  }
  template <typename Tuple, size_t... I>
  static intrusive_ptr<ivalue::Tuple> tupleOf(const Tuple &tuple, std::index_sequence<I...>) {
    return ivalue::Tuple::create(std::vector<IValue>{IValue(std::get<I>(tuple))...});
  }

  Tag tag = Tag::None;
  int64_t whole = 0;
  double real = 0;
  at::Tensor held_tensor;
  intrusive_ptr<ivalue::Held> held;
  intrusive_ptr<ivalue_detail::Container> container;
};

namespace ivalue {
inline Tuple::Tuple(tsc_torch_detail::Value owned) : Held(std::move(owned)), all(new std::vector<IValue>) {
  const size_t count = tsc_torch_detail::sizeOf(value.get());
  all->reserve(count);
  for (size_t i = 0; i != count; ++i)
    all->push_back(IValue::fromHandle(tsc_torch_detail::elementOf(value.get(), i).release()));
}
inline Tuple::Tuple(tsc_torch_detail::Value owned, std::vector<IValue> elements)
    : Held(std::move(owned)), all(new std::vector<IValue>(std::move(elements))) {}
inline Tuple::~Tuple() = default;
inline intrusive_ptr<Tuple> Tuple::create(std::vector<IValue> elements) {
  std::vector<tsc_torch_detail::Value> values;
  std::vector<tsc_value *> raw;
  for (const IValue &element : elements) {
    values.push_back(element.handle());
    raw.push_back(values.back().get());
  }
  tsc_torch_detail::Value made;
  tsc_torch_detail::check(tsc_value_new_tuple(raw.data(), raw.size(), made.out()));
  return make_intrusive<Tuple>(std::move(made), std::move(elements));
}
inline intrusive_ptr<Tuple> Tuple::create(std::initializer_list<IValue> elements) {
  return create(std::vector<IValue>(elements));
}
inline intrusive_ptr<Tuple> Tuple::create(ArrayRef<IValue> elements) { return create(elements.vec()); }
template <typename... Args> intrusive_ptr<Tuple> Tuple::create(Args &&...elements) {
  return create(std::vector<IValue>{IValue(std::forward<Args>(elements))...});
}
inline std::vector<IValue> Tuple::elements() && { return *all; }
inline size_t Tuple::size() const { return all->size(); }
inline TypePtr Tuple::type() const {
  tsc_torch_detail::Value text;
  tsc_torch_detail::check(tsc_value_get_type(value.get(), text.out()));
  return std::make_shared<Type>(tsc_torch_detail::textOf(text.get()));
}
inline IValue Object::getAttr(const std::string &name) const {
  tsc_torch_detail::Value found;
  tsc_torch_detail::check(tsc_module_attribute(value.get(), name.c_str(), found.out()));
  return IValue::fromHandle(found.release());
}
inline void Object::setAttr(const std::string &name, const IValue &given) {
  tsc_torch_detail::check(tsc_module_set_attribute(value.get(), name.c_str(), given.handle().get()));
}
inline std::string EnumHolder::name() const {
  tsc_torch_detail::Value found;
  tsc_torch_detail::check(tsc_value_attribute(value.get(), "name", found.out()));
  return tsc_torch_detail::textOf(found.get());
}
inline IValue EnumHolder::value_() const {
  tsc_torch_detail::Value found;
  tsc_torch_detail::check(tsc_value_attribute(value.get(), "value", found.out()));
  return IValue::fromHandle(found.release());
}
} // namespace ivalue

namespace ivalue_detail {
inline Container::~Container() {
  delete known;
  delete texts;
}
inline IValue Container::keep(size_t index, IValue element) {
  if (!element.isString())
    return element;
  std::lock_guard<std::mutex> lock(mutex);
  if (!texts)
    texts = new std::map<size_t, IValue>;
  IValue &kept = (*texts)[index];
  if (!kept.isString() || kept.toStringRef() != element.toStringRef())
    kept = std::move(element);
  return kept;
}
inline IValue keepElement(Container &list, size_t index, IValue element) {
  return list.keep(index, std::move(element));
}
inline const std::vector<IValue> &Container::elements() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!known)
    known = new std::vector<IValue>;
  known->clear();
  const size_t count = tsc_torch_detail::sizeOf(value.get());
  known->reserve(count);
  for (size_t i = 0; i != count; ++i)
    known->push_back(IValue::fromHandle(tsc_torch_detail::elementOf(value.get(), i).release()));
  return *known;
}

#define TSC_TORCH_ANNOTATION(TYPE, TEXT)                                                                               \
  template <> struct Annotation<TYPE> {                                                                                \
    static std::string text() { return TEXT; }                                                                         \
  }
TSC_TORCH_ANNOTATION(at::Tensor, "Tensor");
TSC_TORCH_ANNOTATION(int64_t, "int");
TSC_TORCH_ANNOTATION(int, "int");
TSC_TORCH_ANNOTATION(double, "float");
TSC_TORCH_ANNOTATION(float, "float");
TSC_TORCH_ANNOTATION(bool, "bool");
TSC_TORCH_ANNOTATION(c10::complex<double>, "complex");
TSC_TORCH_ANNOTATION(std::string, "str");
TSC_TORCH_ANNOTATION(IValue, "Any");
TSC_TORCH_ANNOTATION(Device, "Device");
#undef TSC_TORCH_ANNOTATION
/// There is none of a class of C++, which is a c10::Error.
template <typename T> struct Annotation<intrusive_ptr<T>> {
  static std::string text() { refuseCustomClass(); }
};
/// The annotation of an optional, "Optional[int]".
template <typename T> struct Annotation<optional<T>> {
  static std::string text() { return "Optional[" + Annotation<T>::text() + "]"; }
};
/// The annotation of a list, "List[int]".
template <typename T> struct Annotation<List<T>> {
  static std::string text() { return "List[" + Annotation<T>::text() + "]"; }
};
/// The annotation of a vector, which becomes a list.
template <typename T> struct Annotation<std::vector<T>> : Annotation<List<T>> {};
/// The annotation of a dict, "Dict[str, int]".
template <typename K, typename V> struct Annotation<Dict<K, V>> {
  static std::string text() { return "Dict[" + Annotation<K>::text() + ", " + Annotation<V>::text() + "]"; }
};
/// The annotation of an unordered map, which becomes a dict.
template <typename K, typename V> struct Annotation<std::unordered_map<K, V>> : Annotation<Dict<K, V>> {};
/// The annotation of a map, which becomes a dict.
template <typename K, typename V> struct Annotation<std::map<K, V>> : Annotation<Dict<K, V>> {};
/// The annotation of a tuple, "Tuple[int, str]".
template <typename First, typename... Rest> struct Annotation<std::tuple<First, Rest...>> {
  static std::string text() {
    std::string all = "Tuple[" + Annotation<First>::text();
    const std::vector<std::string> others{Annotation<Rest>::text()...};
    for (const std::string &other : others)
      all += ", " + other;
    return all + "]";
  }
};

/// An IValue read as a type of C++.
template <typename T, typename = void> struct Read;
#define TSC_TORCH_READ(TYPE, METHOD)                                                                                   \
  template <> struct Read<TYPE> {                                                                                      \
    static TYPE from(const IValue &value) { return value.METHOD(); }                                                   \
  }
TSC_TORCH_READ(at::Tensor, toTensor);
TSC_TORCH_READ(bool, toBool);
TSC_TORCH_READ(double, toDouble);
TSC_TORCH_READ(std::string, toStringRef);
TSC_TORCH_READ(c10::complex<double>, toComplexDouble);
TSC_TORCH_READ(Scalar, toScalar);
TSC_TORCH_READ(Device, toDevice);
TSC_TORCH_READ(ScalarType, toScalarType);
TSC_TORCH_READ(List<at::Tensor>, toTensorList);
TSC_TORCH_READ(List<IValue>, toList);
#undef TSC_TORCH_READ
template <> struct Read<float> {
  static float from(const IValue &value) { return static_cast<float>(value.toDouble()); }
};
template <> struct Read<IValue> {
  static IValue from(const IValue &value) { return value; }
};
/// Reads an int as any integer type of C++, without a check of its range.
template <typename T> struct Read<T, std::enable_if_t<std::is_integral<T>::value && !std::is_same<T, bool>::value>> {
  static T from(const IValue &value) { return static_cast<T>(value.toInt()); }
};
/// Reads None as nothing, and another value as the type.
template <typename T> struct Read<optional<T>> {
  static optional<T> from(const IValue &value) { return value.toOptional<T>(); }
};
/// Whether a type of TorchScript is that of a type of C++. IValue is of any.
template <typename T> bool isOf(const TypePtr &type) {
  return std::is_same<T, IValue>::value || type->annotation_str() == Annotation<T>::text();
}
/// Reads a list, which is shared. One with elements of another type is a c10::Error.
template <typename T> struct Read<List<T>> {
  /// Returns the list that the value is.
  static List<T> from(const IValue &value) {
    List<T> list(value.toList().container());
    const TypePtr elements = list.elementType();
    TORCH_CHECK(isOf<T>(elements), "Tried to cast a List<", elements->annotation_str(), "> to a List<",
                Annotation<T>::text(), ">. Types mismatch.");
    return list;
  }
};
/// Reads a list as a copy of its elements.
template <typename T> struct Read<std::vector<T>> {
  static std::vector<T> from(const IValue &value) { return Read<List<T>>::from(value).vec(); }
};
/// Reads a list of N elements as a copy of them.
template <typename T, size_t N> struct Read<std::array<T, N>> {
  /// Returns the elements. A list of another size is a c10::Error.
  static std::array<T, N> from(const IValue &value) {
    const std::vector<T> list = Read<std::vector<T>>::from(value);
    TORCH_CHECK(list.size() == N, "Tried to convert a List with ", list.size(),
                " elements to a fixed-size array of size ", N);
    std::array<T, N> made;
    std::copy(list.begin(), list.end(), made.begin());
    return made;
  }
};
/// Reads a dict, which is shared. One with keys or values of another type is a c10::Error.
template <typename K, typename V> struct Read<Dict<K, V>> {
  /// Returns the dict that the value is.
  static Dict<K, V> from(const IValue &value) {
    Dict<K, V> dict(value.toGenericDict().container());
    TORCH_CHECK(isOf<K>(dict.keyType()) && isOf<V>(dict.valueType()), "Tried to cast a Dict<",
                dict.keyType()->annotation_str(), ", ", dict.valueType()->annotation_str(), "> to a Dict<",
                Annotation<K>::text(), ", ", Annotation<V>::text(), ">. Types mismatch.");
    return dict;
  }
};
/// Reads a dict as a copy of its entries.
template <typename K, typename V> struct Read<std::unordered_map<K, V>> {
  /// Returns the entries, without the order that they have in the dict.
  static std::unordered_map<K, V> from(const IValue &value) {
    std::unordered_map<K, V> map;
    for (const auto &entry : Read<Dict<K, V>>::from(value))
      map.emplace(entry.key(), entry.value());
    return map;
  }
};
/// Reads a tuple, each element as its type.
template <typename... Args> struct Read<std::tuple<Args...>> {
  template <size_t... I>
  static std::tuple<Args...> each(const std::vector<IValue> &elements, std::index_sequence<I...>) {
    return std::tuple<Args...>(Read<Args>::from(elements[I])...);
  }
  /// Returns the elements. A tuple of another size is a c10::Error.
  static std::tuple<Args...> from(const IValue &value) {
    const std::vector<IValue> &elements = value.toTupleRef().elements();
    TORCH_CHECK(elements.size() == sizeof...(Args), "the tuple has ", elements.size(), " elements, and not ",
                sizeof...(Args));
    return each(elements, std::make_index_sequence<sizeof...(Args)>());
  }
};
/// Reads a value as a pointer to what holds it. There are specializations for tuples and objects.
template <typename T> struct Read<intrusive_ptr<T>> {
  /// Returns the pointer. A value of another type is a c10::Error, and so is every value for a class of C++.
  static intrusive_ptr<T> from(const IValue &) { refuseCustomClass(); }
};
template <> inline intrusive_ptr<ivalue::Tuple> Read<intrusive_ptr<ivalue::Tuple>>::from(const IValue &value) {
  return value.toTuple();
}
template <> inline intrusive_ptr<ivalue::Object> Read<intrusive_ptr<ivalue::Object>>::from(const IValue &value) {
  return value.toObject();
}

template <typename T> T fromHandle(tsc_torch_detail::Value owned) {
  return Read<T>::from(IValue::fromHandle(owned.release()));
}
template <typename T> bool isEqual(const T &a, const T &b) { return IValue(a) == IValue(b); }
template <typename T> tsc_torch_detail::Value toHandle(const T &element) { return IValue(element).handle(); }

} // namespace ivalue_detail

} // namespace tsc_torch
} // namespace c10

namespace tsc_torch_detail {
inline void Call::optionalTensors(const c10::List<c10::optional<at::Tensor>> &tensors) {
  tsc_value *list = nullptr;
  check(!tensors.container() ? tsc_value_new_list(nullptr, 0, &list) : nullptr);
  give(list ? list : made(tsc_value_new_reference(tensors.container()->value.get())));
}
} // namespace tsc_torch_detail

namespace at {
inline namespace tsc_torch {
inline Tensor Tensor::index(const c10::List<c10::optional<Tensor>> &indices) const {
  static tsc_torch_detail::Operator op("aten::index", "Tensor");
  tsc_torch_detail::Call call(op);
  call.tensor(*this);
  call.optionalTensors(indices);
  call.run(1);
  return call.giveTensor(0);
}
inline Tensor &Tensor::index_put_(const c10::List<c10::optional<Tensor>> &indices, const Tensor &values,
                                  bool accumulate) {
  static tsc_torch_detail::Operator op("aten::index_put_", "");
  tsc_torch_detail::Call call(op);
  call.tensor(*this);
  call.optionalTensors(indices);
  call.tensor(values);
  call.boolean(accumulate);
  call.run(1);
  return *this;
}
} // namespace tsc_torch
} // namespace at

namespace torch {
namespace jit {
inline namespace tsc_torch {
/// The arguments of a call, and behind it its result.
using Stack = std::vector<c10::IValue>;
/// The arguments of a call that are given by name.
using Kwargs = std::unordered_map<std::string, c10::IValue>;
using c10::IValue;
} // namespace tsc_torch
} // namespace jit
inline namespace tsc_torch {
using c10::IValue;
} // namespace tsc_torch
} // namespace torch

#endif
