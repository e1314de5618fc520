//===- jit_type.h - Types of TorchScript ------------------------*- C++ -*-===//
//
// A type is its text, "Dict[str, Tensor]", taken apart.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TORCH_ATEN_JIT_TYPE_H
#define TSC_TORCH_ATEN_JIT_TYPE_H
#include <c10/core/ScalarType.h>
#include <memory>
#include <string>
#include <vector>

namespace c10 {
inline namespace tsc_torch {

/// What kind of type a Type is. The names are PyTorch's, the numbers are not.
enum class TypeKind {
  AnyType,
  EnumType,
  TensorType,
  StorageType,
  TupleType,
  ListType,
  DictType,
  NumberType,
  FloatType,
  ComplexType,
  FutureType,
  AwaitType,
  RRefType,
  IntType,
  NoneType,
  StringType,
  GeneratorType,
  QuantizerType,
  BoolType,
  OptionalType,
  UnionType,
  DeviceObjType,
  StreamObjType,
  FunctionType,
  ClassType,
  InterfaceType
};
/// Returns the name of a kind: "ListType".
inline const char *typeKindToString(TypeKind kind) {
  static const char *const names[] = {
      "AnyType",       "EnumType",      "TensorType",    "StorageType",   "TupleType",    "ListType",     "DictType",
      "NumberType",    "FloatType",     "ComplexType",   "FutureType",    "AwaitType",    "RRefType",     "IntType",
      "NoneType",      "StringType",    "GeneratorType", "QuantizerType", "BoolType",     "OptionalType", "UnionType",
      "DeviceObjType", "StreamObjType", "FunctionType",  "ClassType",     "InterfaceType"};
  return names[static_cast<int>(kind)];
}

class Type;
/// A type, shared by all who hold it.
using TypePtr = std::shared_ptr<Type>;
/// A type, shared by all who hold it, which is only read.
using ConstTypePtr = std::shared_ptr<const Type>;

/// A type of TorchScript.
class Type : public std::enable_shared_from_this<Type> {
public:
  explicit Type(std::string given) : text(std::move(given)), of(kindOf(text)) {
    const size_t open = text.find('[');
    if (open == std::string::npos || text.back() != ']')
      return;
    int depth = 0;
    size_t start = open + 1;
    for (size_t i = start; i != text.size(); ++i) {
      if (text[i] == '[') {
        ++depth;
      } else if ((text[i] == ',' && depth == 0) || (text[i] == ']' && depth-- == 0)) {
        const size_t first = text.find_first_not_of(' ', start);
        if (first < i && text.substr(first, i - first) != "()")
          inner.push_back(std::make_shared<Type>(text.substr(first, i - first)));
        start = i + 1;
      }
    }
  }
  virtual ~Type() = default;

  TypeKind kind() const { return of; }
  /// "Dict[str, Tensor]".
  const std::string &annotation_str() const { return text; }
  const std::string &repr_str() const { return text; }
  /// Returns the type as PyTorch prints it in graphs: "Dict(str, Tensor)", "Tensor[]", "int?".
  std::string str() const {
    switch (of) {
    case TypeKind::ListType: return inner.at(0)->str() + "[]";
    case TypeKind::OptionalType: return inner.at(0)->str() + "?";
    case TypeKind::DictType: return "Dict" + list();
    case TypeKind::TupleType: return list();
    default: return text;
    }
  }
  const std::vector<TypePtr> &containedTypes() const { return inner; }
  const std::vector<TypePtr> &elements() const { return inner; }
  const TypePtr &containedType(size_t i) const { return inner.at(i); }
  const TypePtr &getElementType() const { return inner.at(0); }
  const TypePtr &getKeyType() const { return inner.at(0); }
  const TypePtr &getValueType() const { return inner.at(1); }
  bool isModule() const { return text.compare(0, 9, "__torch__") == 0; }
  bool isSubtypeOf(const Type &other) const {
    return text == other.text || other.of == TypeKind::AnyType ||
           (other.of == TypeKind::OptionalType && (of == TypeKind::NoneType || isSubtypeOf(*other.inner.at(0))));
  }
  bool isSubtypeOf(const TypePtr &other) const { return isSubtypeOf(*other); }
  template <typename T> bool isA() const { return of == T::Kind; }
  /// This type where it is of that kind, else null.
  template <typename T> std::shared_ptr<T> cast() const { return of == T::Kind ? std::make_shared<T>(text) : nullptr; }
  template <typename T> std::shared_ptr<T> expect() const {
    TORCH_CHECK(of == T::Kind, "expected ", typeKindToString(T::Kind), " but found ", typeKindToString(of));
    return std::make_shared<T>(text);
  }
  friend bool operator==(const Type &a, const Type &b) { return a.text == b.text; }
  friend bool operator!=(const Type &a, const Type &b) { return a.text != b.text; }
  friend std::ostream &operator<<(std::ostream &out, const Type &type) { return out << type.str(); }

private:
  static TypeKind kindOf(const std::string &text) {
    static const std::pair<const char *, TypeKind> names[] = {
        {"Tensor", TypeKind::TensorType},    {"int", TypeKind::IntType},
        {"float", TypeKind::FloatType},      {"bool", TypeKind::BoolType},
        {"str", TypeKind::StringType},       {"complex", TypeKind::ComplexType},
        {"NoneType", TypeKind::NoneType},    {"None", TypeKind::NoneType},
        {"Any", TypeKind::AnyType},          {"Device", TypeKind::DeviceObjType},
        {"device", TypeKind::DeviceObjType}, {"Scalar", TypeKind::NumberType},
        {"number", TypeKind::NumberType},    {"Generator", TypeKind::GeneratorType},
        {"List", TypeKind::ListType},        {"Dict", TypeKind::DictType},
        {"Tuple", TypeKind::TupleType},      {"Optional", TypeKind::OptionalType},
        {"Union", TypeKind::UnionType},      {"Future", TypeKind::FutureType}};
    const std::string name = text.substr(0, text.find('['));
    for (const auto &known : names)
      if (name == known.first)
        return known.second;
    return TypeKind::ClassType;
  }
  std::string list() const {
    std::string all = "(";
    for (size_t i = 0; i != inner.size(); ++i)
      all += (i ? ", " : "") + inner[i]->str();
    return all + ")";
  }

  std::string text;
  TypeKind of;
  std::vector<TypePtr> inner;
};
inline bool operator==(const TypePtr &a, const Type &b) { return *a == b; }

#define TSC_TORCH_TYPE(NAME, TEXT)                                                                                     \
  class NAME : public Type {                                                                                           \
  public:                                                                                                              \
    using Type::Type;                                                                                                  \
    static constexpr TypeKind Kind = TypeKind::NAME;                                                                   \
    static std::shared_ptr<NAME> get() {                                                                               \
      static const std::shared_ptr<NAME> only = std::make_shared<NAME>(TEXT);                                          \
      return only;                                                                                                     \
    }                                                                                                                  \
  };                                                                                                                   \
  using NAME##Ptr = std::shared_ptr<NAME>
TSC_TORCH_TYPE(AnyType, "Any");
TSC_TORCH_TYPE(TensorType, "Tensor");
TSC_TORCH_TYPE(IntType, "int");
TSC_TORCH_TYPE(FloatType, "float");
TSC_TORCH_TYPE(BoolType, "bool");
TSC_TORCH_TYPE(StringType, "str");
TSC_TORCH_TYPE(ComplexType, "complex");
TSC_TORCH_TYPE(NoneType, "NoneType");
TSC_TORCH_TYPE(NumberType, "Scalar");
TSC_TORCH_TYPE(DeviceObjType, "Device");
#undef TSC_TORCH_TYPE
#define TSC_TORCH_TYPE(NAME, WORD)                                                                                     \
  class NAME : public Type {                                                                                           \
  public:                                                                                                              \
    using Type::Type;                                                                                                  \
    static constexpr TypeKind Kind = TypeKind::NAME;                                                                   \
    static std::shared_ptr<NAME> create(const TypePtr &element) {                                                      \
      return std::make_shared<NAME>(WORD "[" + element->annotation_str() + "]");                                       \
    }                                                                                                                  \
  };                                                                                                                   \
  using NAME##Ptr = std::shared_ptr<NAME>
TSC_TORCH_TYPE(ListType, "List");
TSC_TORCH_TYPE(OptionalType, "Optional");
TSC_TORCH_TYPE(FutureType, "Future");
#undef TSC_TORCH_TYPE
/// The type of dicts, with types of keys and values.
class DictType : public Type {
public:
  using Type::Type;
  static constexpr TypeKind Kind = TypeKind::DictType;
  static std::shared_ptr<DictType> create(const TypePtr &key, const TypePtr &value) {
    return std::make_shared<DictType>("Dict[" + key->annotation_str() + ", " + value->annotation_str() + "]");
  }
};
/// A DictType, shared by all who hold it.
using DictTypePtr = std::shared_ptr<DictType>;
/// The type of tuples, with one type for each element.
class TupleType : public Type {
public:
  using Type::Type;
  static constexpr TypeKind Kind = TypeKind::TupleType;
  /// Returns the type of tuples of such elements; "Tuple[()]" where there are none.
  static std::shared_ptr<TupleType> create(const std::vector<TypePtr> &elements) {
    std::string text = elements.empty() ? "Tuple[()" : "Tuple[";
    for (size_t i = 0; i != elements.size(); ++i)
      text += (i ? ", " : "") + elements[i]->annotation_str();
    return std::make_shared<TupleType>(text + "]");
  }
};
/// A TupleType, shared by all who hold it.
using TupleTypePtr = std::shared_ptr<TupleType>;
/// The type of the instances of a class, modules among them. It is known by name alone.
class ClassType : public Type {
public:
  using Type::Type;
  static constexpr TypeKind Kind = TypeKind::ClassType;
};
/// A ClassType, shared by all who hold it.
using ClassTypePtr = std::shared_ptr<ClassType>;

/// A name with its namespace: "__torch__.Net".
class QualifiedName {
public:
  QualifiedName() = default;
  QualifiedName(std::string name) : text(std::move(name)) {}
  QualifiedName(const char *name) : text(name) {}
  const std::string &qualifiedName() const { return text; }
  std::string name() const { return text.substr(text.rfind('.') + 1); }
  std::string prefix() const {
    const size_t dot = text.rfind('.');
    return dot == std::string::npos ? "" : text.substr(0, dot);
  }

private:
  std::string text;
};

} // namespace tsc_torch
} // namespace c10

namespace torch {
namespace jit {
inline namespace tsc_torch {
using namespace c10;
} // namespace tsc_torch
} // namespace jit
} // namespace torch

#endif
