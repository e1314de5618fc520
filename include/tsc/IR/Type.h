//===- Type.h - TorchScript's types -----------------------------*- C++ -*-===//
//
// Types are immutable, uniqued and compared by pointer. Types without parameters
// are constants of the program (Type::intType()); all others belong to a Context.
// Nominal types (classes, interfaces, enums, NamedTuples) are made once by name.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_TYPE_H
#define TSC_IR_TYPE_H

#include "tsc/Tensor/Scalar.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Casting.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace tsc {

using llvm::ArrayRef;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;
using llvm::StringRef;
class Context;

/// The kinds of types. `Var` is a schema's type variable, `Number` a Scalar: an int, float or complex.
enum class TypeKind : uint8_t {
  // Without parameters.
  Any,
  Number,
  Int,
  Float,
  Complex,
  Bool,
  String,
  None,
  Device,
  Stream,
  Generator,
  Storage,
  Quantizer,
  QScheme,
  Layout,
  ScalarType,
  MemoryFormat,
  Capsule,
  PyObject,
  AnyList,
  AnyTuple,
  AnyClass,
  AnyEnum,
  SymInt,
  // With parameters, uniqued by them.
  Tensor,
  List,
  Dict,
  Tuple,
  Optional,
  Union,
  Future,
  Await,
  RRef,
  Var,
  Function,
  // Nominal, uniqued by name.
  Class,
  Interface,
  Enum
};

/// A type of TorchScript. Immutable and uniqued, so that types compare by pointer. Lives as long as its Context, or as
/// the program where it has no parameters.
class Type {
public:
  TypeKind kind() const { return typeKind; }
  Type(const Type &) = delete;
  Type &operator=(const Type &) = delete;

  // Types without parameters.
#define TSC_SIMPLE_TYPE(FUNCTION, KIND)                                                                                \
  static const Type *FUNCTION();                                                                                       \
  bool is##KIND() const { return typeKind == TypeKind::KIND; }
  // clang-format off
  TSC_SIMPLE_TYPE(anyType, Any) TSC_SIMPLE_TYPE(numberType, Number) TSC_SIMPLE_TYPE(intType, Int)
  TSC_SIMPLE_TYPE(floatType, Float) TSC_SIMPLE_TYPE(complexType, Complex) TSC_SIMPLE_TYPE(boolType, Bool)
  TSC_SIMPLE_TYPE(stringType, String) TSC_SIMPLE_TYPE(noneType, None) TSC_SIMPLE_TYPE(deviceType, Device)
  TSC_SIMPLE_TYPE(streamType, Stream) TSC_SIMPLE_TYPE(generatorType, Generator) TSC_SIMPLE_TYPE(storageType, Storage)
  TSC_SIMPLE_TYPE(quantizerType, Quantizer) TSC_SIMPLE_TYPE(qschemeType, QScheme) TSC_SIMPLE_TYPE(layoutType, Layout)
  TSC_SIMPLE_TYPE(scalarTypeType, ScalarType) TSC_SIMPLE_TYPE(memoryFormatType, MemoryFormat)
  TSC_SIMPLE_TYPE(capsuleType, Capsule) TSC_SIMPLE_TYPE(pyObjectType, PyObject) TSC_SIMPLE_TYPE(anyListType, AnyList)
  TSC_SIMPLE_TYPE(anyTupleType, AnyTuple) TSC_SIMPLE_TYPE(anyClassType, AnyClass) TSC_SIMPLE_TYPE(anyEnumType, AnyEnum)
  TSC_SIMPLE_TYPE(symIntType, SymInt)
  // clang-format on
#undef TSC_SIMPLE_TYPE
  /// Returns the type of tensors of which nothing is known.
  static const Type *tensorType();
  /// Returns the type of a parameter without annotation. It is a Tensor of which nothing is known, and prints like one.
  static const Type *inferredTensorType();
  bool isTensor() const { return typeKind == TypeKind::Tensor; }

  /// Prints the type as IR spells it: `int[]`, `Tensor?`, `Dict(str, int)`, `(Tensor, int)`,
  /// `Float(2, 3, strides=[3, 1])`.
  void print(llvm::raw_ostream &os) const;
  /// Returns what print() writes.
  std::string str() const;
  /// Returns the type as Python source spells it: `List[int]`, `Optional[Tensor]`, `Tuple[Tensor, int]`.
  std::string annotation() const;

  /// Whether a value of this type may stand where `super` is expected. `why`, when given, may receive the reason why
  /// not.
  bool isSubtypeOf(const Type *super, std::string *why = nullptr) const;
  /// Returns the type's immediate parameters: the elements of containers and tuples, the members of unions.
  ArrayRef<const Type *> contained() const;
  /// Whether a type variable (`t` in `t[]`) occurs anywhere inside.
  bool hasFreeVariables() const { return freeVariables; }
  /// Whether values of this type can be changed through another reference (lists, dicts, tensors, objects), or can hold
  /// one that can, as a tuple of tensors does.
  bool isMutable() const;

protected:
  constexpr Type(TypeKind kind, bool freeVariables = false) : typeKind(kind), freeVariables(freeVariables) {}
  ~Type() = default;
  friend class Context;
  TypeKind typeKind;
  bool freeVariables;
};

/// A size or stride in a tensor type, counted in elements: unknown (`*`), a known number, or symbolic (`SS(3)`). Equal
/// symbols stand for equal sizes.
class Dimension {
public:
  Dimension() = default; ///< Unknown.
  static Dimension known(int64_t size) { return Dimension(size, Kind::Known); }
  static Dimension symbolic(int64_t id) { return Dimension(id, Kind::Symbolic); }
  bool isUnknown() const { return kind == Kind::Unknown; }
  bool isKnown() const { return kind == Kind::Known; }
  bool isSymbolic() const { return kind == Kind::Symbolic; }
  int64_t value() const { return number; } ///< Returns the size, or the symbol's number; 0 where it is unknown.
  bool operator==(const Dimension &) const = default;

private:
  enum class Kind : uint8_t { Unknown, Known, Symbolic };
  Dimension(int64_t n, Kind k) : number(n), kind(k) {}
  int64_t number = 0;
  Kind kind = Kind::Unknown;
};

/// What a type says of a tensor. Each part may be absent.
struct TensorFacts {
  std::optional<DType> dtype;
  std::optional<tsc::Device> device;
  std::optional<bool> requiresGrad;
  std::optional<llvm::SmallVector<Dimension, 4>> sizes;   ///< Absent where the rank is unknown.
  std::optional<llvm::SmallVector<Dimension, 4>> strides; ///< Strides in elements. Printed only where all are known.
  bool undefined = false; ///< The tensor is surely undefined, as prim::AutogradZero's result. Prints as `Tensor`.
  bool inferred = false;  ///< The type of a parameter without annotation; 'Tensor (inferred)' in messages.
  bool operator==(const TensorFacts &) const = default;
};

/// The type of tensors, with what is known of them. Context::tensor() makes it.
class TensorType final : public Type {
public:
  const TensorFacts &facts() const { return known; }
  static bool classof(const Type *t) { return t->kind() == TypeKind::Tensor; }
  TensorType(TensorFacts facts) : Type(TypeKind::Tensor), known(std::move(facts)) {}

private:
  TensorFacts known;
};

/// The base of types with one element type: List, Optional, Future, Await and RRef.
class ElementType : public Type {
public:
  const Type *element() const { return inner; }
  static bool classof(const Type *t) {
    return t->kind() == TypeKind::List || t->kind() == TypeKind::Optional || t->kind() == TypeKind::Future ||
           t->kind() == TypeKind::Await || t->kind() == TypeKind::RRef;
  }

protected:
  ElementType(TypeKind kind, const Type *element) : Type(kind, element->hasFreeVariables()), inner(element) {}
  friend class Type;
  const Type *inner;
};
#define TSC_ELEMENT_TYPE(NAME)                                                                                         \
  class NAME##Type final : public ElementType {                                                                        \
  public:                                                                                                              \
    NAME##Type(const Type *element) : ElementType(TypeKind::NAME, element) {}                                          \
    static bool classof(const Type *t) { return t->kind() == TypeKind::NAME; }                                         \
  };
TSC_ELEMENT_TYPE(List)
TSC_ELEMENT_TYPE(Optional)
TSC_ELEMENT_TYPE(Future)
TSC_ELEMENT_TYPE(Await)
TSC_ELEMENT_TYPE(RRef)
#undef TSC_ELEMENT_TYPE

/// The type of dicts.
class DictType final : public Type {
public:
  DictType(const Type *key, const Type *value)
      : Type(TypeKind::Dict, key->hasFreeVariables() || value->hasFreeVariables()), parts{key, value} {}
  const Type *key() const { return parts[0]; }
  const Type *value() const { return parts[1]; }
  /// Returns the types of keys and values, in this order.
  ArrayRef<const Type *> both() const { return parts; }
  static bool classof(const Type *t) { return t->kind() == TypeKind::Dict; }

private:
  const Type *parts[2];
};

/// A tuple, or a NamedTuple when it has a name; a NamedTuple's defaults live with its definition in the frontend.
class TupleType final : public Type {
public:
  TupleType(llvm::SmallVector<const Type *, 4> elements, std::string name, std::vector<std::string> fields);
  ArrayRef<const Type *> elements() const { return parts; }
  bool isNamed() const { return !qualifiedName.empty(); }
  StringRef name() const { return qualifiedName; } ///< Returns "__torch__.Point"; an empty name for a plain tuple.
  ArrayRef<std::string> fieldNames() const { return fields; }
  static bool classof(const Type *t) { return t->kind() == TypeKind::Tuple; }

private:
  llvm::SmallVector<const Type *, 4> parts;
  std::string qualifiedName;
  std::vector<std::string> fields;
};

/// Two or more alternatives, none a subtype of another, in PyTorch's order. Optional[T] is an OptionalType.
class UnionType final : public Type {
public:
  UnionType(llvm::SmallVector<const Type *, 4> members);
  ArrayRef<const Type *> members() const { return parts; }
  static bool classof(const Type *t) { return t->kind() == TypeKind::Union; }

private:
  llvm::SmallVector<const Type *, 4> parts;
};

/// A free type variable of a schema: `t` in `append(t[](a!) self, t el)`.
class VarType final : public Type {
public:
  VarType(std::string name) : Type(TypeKind::Var, true), varName(std::move(name)) {}
  StringRef name() const { return varName; }
  static bool classof(const Type *t) { return t->kind() == TypeKind::Var; }

private:
  std::string varName;
};

class Function;
/// The type of a first-class function constant (prim::Constant of a Function).
class FunctionType final : public Type {
public:
  FunctionType(const Function *function) : Type(TypeKind::Function), target(function) {}
  const Function *function() const { return target; }
  static bool classof(const Type *t) { return t->kind() == TypeKind::Function; }

private:
  const Function *target;
};

/// The base of nominal types: classes, interfaces and enums.
class NamedType : public Type {
public:
  StringRef name() const { return qualifiedName; } ///< Returns the qualified name, "__torch__.foo.Bar".
  static bool classof(const Type *t) {
    return t->kind() == TypeKind::Class || t->kind() == TypeKind::Interface || t->kind() == TypeKind::Enum;
  }

protected:
  NamedType(TypeKind kind, std::string name) : Type(kind), qualifiedName(std::move(name)) {}
  std::string qualifiedName;
};

} // namespace tsc

#endif
