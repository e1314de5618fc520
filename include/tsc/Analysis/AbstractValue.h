//===- AbstractValue.h - What is known of a value before it exists -*- C++ -*-===//
//
// The domain of shape propagation: numbers up to symbols, lists and tuples of
// such, and tensors by dtype, device, sizes and strides.
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
using SymbolicDims = llvm::SmallVector<SymbolicInt, 4>;

/// A tensor; each part may be absent. Strides may be unknown one by one.
struct AbstractTensor {
  std::optional<DType> dtype;
  std::optional<Device> device;
  std::optional<bool> requiresGrad;
  std::optional<SymbolicDims> sizes, strides;
  bool undefined = false; ///< AutogradZero's: surely undefined.
  bool operator==(const AbstractTensor &) const = default;
};

class AbstractValue {
public:
  struct Unknown {
    bool operator==(const Unknown &) const = default;
  };
  struct None {
    bool operator==(const None &) const = default;
  };
  /// Nothing: not computed yet, or prim::Uninitialized, which nobody reads. Joins to the other side.
  struct Nothing {
    bool operator==(const Nothing &) const = default;
  };
  /// A list whose length is known; shared, for a rule's lists have identity. A list of unknown length is Unknown.
  struct List {
    std::vector<AbstractValue> elements;
    bool isKnown = true;
  };
  using ListRef = std::shared_ptr<List>;
  struct Tuple {
    std::vector<AbstractValue> elements;
  };
  using TupleRef = std::shared_ptr<const Tuple>;
  using TensorRef = std::shared_ptr<const AbstractTensor>;

  AbstractValue() = default; ///< Unknown.
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
  static AbstractValue list(ListRef list) { return make(std::move(list)); }
  static AbstractValue tuple(std::vector<AbstractValue> elements) {
    return make(std::make_shared<const Tuple>(Tuple{std::move(elements)}));
  }
  static AbstractValue ints(llvm::ArrayRef<SymbolicInt> values) {
    return list(std::vector<AbstractValue>(values.begin(), values.end()));
  }

  bool isUnknown() const { return is<Unknown>() || (isA<ListRef>() && !as<ListRef>()->isKnown); }
  bool isNone() const { return is<None>(); }
  bool isNothing() const { return is<Nothing>(); }
  const bool *asBool() const { return std::get_if<bool>(&content); }
  const double *asFloat() const { return std::get_if<double>(&content); }
  const std::string *asString() const { return std::get_if<std::string>(&content); }
  const Device *asDevice() const { return std::get_if<Device>(&content); }
  Function *asFunction() const { return isA<Function *>() ? as<Function *>() : nullptr; }
  /// Unknown for all that is no int. A bool counts as 0 or 1.
  SymbolicInt asInt() const;
  /// Null for all that is not a list of known length.
  List *asList() const { return isA<ListRef>() && as<ListRef>()->isKnown ? as<ListRef>().get() : nullptr; }
  ListRef listRef() const { return isA<ListRef>() ? as<ListRef>() : nullptr; }
  const Tuple *asTuple() const { return isA<TupleRef>() ? as<TupleRef>().get() : nullptr; }
  const AbstractTensor *asTensor() const { return isA<TensorRef>() ? as<TensorRef>().get() : nullptr; }
  /// A list of ints as dimensions; nullopt for all else. Elements may be unknown.
  std::optional<SymbolicDims> asDims() const;
  /// Deep equality: what a fixed point compares.
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

/// What holds of both. A dimension in which they differ becomes unknown.
AbstractValue join(const AbstractValue &a, const AbstractValue &b);

/// What a type and a constant say.
AbstractTensor abstractTensorOf(const TensorFacts &facts, SymbolTable &symbols);
AbstractValue abstractConstant(const class IValue &value);

} // namespace tsc

#endif
