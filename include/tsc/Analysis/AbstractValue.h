//===- AbstractValue.h - What is known of a value before it exists -*- C++ -*-===//
//
// The abstract values of shape propagation: integers known up to symbols, other
// scalars, lists and tuples of such, and tensors by dtype, device, sizes and strides.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_ANALYSIS_ABSTRACTVALUE_H
#define TSC_ANALYSIS_ABSTRACTVALUE_H

#include "tsc/Analysis/SymbolicInt.h"
#include "tsc/IR/Type.h"
#include <memory>
#include <string>
#include <variant>

namespace tsc {

class Function;
/// Sizes or strides of a tensor, in elements.
using SymbolicDims = llvm::SmallVector<SymbolicInt, 4>;

/// What is known of a tensor. Each part may be absent; a single size or stride may be unknown.
struct AbstractTensor {
  std::optional<DType> dtype;
  std::optional<Device> device;
  std::optional<bool> requiresGrad;
  std::optional<SymbolicDims> sizes, strides;
  bool undefined = false; ///< The tensor is surely undefined, as prim::AutogradZero's result.
  bool operator==(const AbstractTensor &) const = default;
};

/// What is known of a value of the program: nothing, its exact value, or a part of it. Cheap to copy; lists, tuples and
/// tensors are shared.
class AbstractValue {
public:
  /// The value may be anything.
  struct Unknown {
    bool operator==(const Unknown &) const = default;
  };
  /// The value is None.
  struct None {
    bool operator==(const None &) const = default;
  };
  /// There is no value: it is not computed yet, or is prim::Uninitialized, which nobody reads. join() gives the other
  /// side.
  struct Nothing {
    bool operator==(const Nothing &) const = default;
  };
  /// A list of known length. Copies of the value share it, since a list that a shape rule changes has identity.
  /// `isKnown` is false once the list has become unknown, which makes every value that shares it unknown.
  struct List {
    std::vector<AbstractValue> elements;
    bool isKnown = true;
  };
  using ListRef = std::shared_ptr<List>;
  /// A tuple, whose elements may be unknown.
  struct Tuple {
    std::vector<AbstractValue> elements;
  };
  using TupleRef = std::shared_ptr<const Tuple>;
  using TensorRef = std::shared_ptr<const AbstractTensor>;

  AbstractValue() = default; ///< Makes an unknown value.
  AbstractValue(bool v) : content(v) {}
  AbstractValue(SymbolicInt v) {
    if (!v.isUnknown())
      content = v;
  }
  AbstractValue(int64_t v) : content(SymbolicInt(v)) {}
  AbstractValue(double v) : content(v) {}
  AbstractValue(std::string v) : content(std::move(v)) {}
  AbstractValue(Device v) : content(v) {}
  AbstractValue(Function *v) : content(v) {}
  AbstractValue(AbstractTensor v) : content(std::make_shared<const AbstractTensor>(std::move(v))) {}
  static AbstractValue none() { return make(None()); }
  static AbstractValue nothing() { return make(Nothing()); }
  static AbstractValue list(std::vector<AbstractValue> elements) {
    return make(std::make_shared<List>(List{std::move(elements)}));
  }
  /// Makes a value that shares `list`, which is not null.
  static AbstractValue list(ListRef list) {
    assert(list && "a value that shares a list needs one");
    return make(std::move(list));
  }
  static AbstractValue tuple(std::vector<AbstractValue> elements) {
    return make(std::make_shared<const Tuple>(Tuple{std::move(elements)}));
  }
  /// Makes a list of ints.
  static AbstractValue ints(llvm::ArrayRef<SymbolicInt> values) {
    return list(std::vector<AbstractValue>(values.begin(), values.end()));
  }

  bool isUnknown() const { return is<Unknown>() || (isA<ListRef>() && !as<ListRef>()->isKnown); }
  bool isNone() const { return is<None>(); }
  bool isNothing() const { return is<Nothing>(); }
  // Each of these returns null where the value is unknown or of another type.
  const bool *asBool() const { return std::get_if<bool>(&content); }
  const double *asFloat() const { return std::get_if<double>(&content); }
  const std::string *asString() const { return std::get_if<std::string>(&content); }
  const Device *asDevice() const { return std::get_if<Device>(&content); }
  Function *asFunction() const { return isA<Function *>() ? as<Function *>() : nullptr; }
  /// Returns an int, or a bool as 0 or 1; an unknown one for all else.
  SymbolicInt asInt() const;
  /// Returns a list of known length, or null.
  List *asList() const { return isA<ListRef>() && as<ListRef>()->isKnown ? as<ListRef>().get() : nullptr; }
  /// Returns the shared list, also one that has become unknown, or null for all else.
  ListRef listRef() const { return isA<ListRef>() ? as<ListRef>() : nullptr; }
  const Tuple *asTuple() const { return isA<TupleRef>() ? as<TupleRef>().get() : nullptr; }
  const AbstractTensor *asTensor() const { return isA<TensorRef>() ? as<TensorRef>().get() : nullptr; }
  /// Returns the elements of a list of known length as dimensions, of which those that are no ints are unknown; nullopt
  /// for all else.
  std::optional<SymbolicDims> asDims() const;
  /// Whether both know the same: contents are compared, not identity, so that a fixed point is noticed.
  bool operator==(const AbstractValue &other) const;

private:
  template <typename T> static AbstractValue make(T &&v) {
    AbstractValue r;
    r.content = std::forward<T>(v);
    return r;
  }
  template <typename T> bool is() const { return std::holds_alternative<T>(content); }
  template <typename T> bool isA() const { return is<T>(); }
  template <typename T> const T &as() const { return std::get<T>(content); }
  std::variant<Unknown, None, Nothing, bool, SymbolicInt, double, std::string, Device, Function *, ListRef, TupleRef,
               TensorRef>
      content;
};

/// Returns what is known of a value that may be `a` or `b`. A size or element in which they differ becomes unknown.
AbstractValue join(const AbstractValue &a, const AbstractValue &b);

/// Returns what a tensor type says. Its symbolic sizes become symbols of `symbols`, the same for equal numbers.
AbstractTensor abstractTensorOf(const TensorFacts &facts, SymbolTable &symbols);
/// Returns what is known of a constant: a tensor's description, all of other values; unknown for a dict, an object and
/// the like.
AbstractValue abstractConstant(const class IValue &value);

} // namespace tsc

#endif
