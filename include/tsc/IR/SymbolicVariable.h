//===- SymbolicVariable.h - Graphs written as expressions -------*- C++ -*-===//
//
// Operators and methods that insert nodes where a Tensor's would compute:
//
//   Graph graph(context);
//   auto x = SymbolicVariable::asNewInput(graph, "x");
//   auto w = SymbolicVariable::asNewInput(graph, "w");
//   (x.mm(w) + 1).tanh().addAsOutput();
//
// For tests, for what a pass puts in the place of a node, and for tools that
// make graphs. Code that compiles a user's program reports what does not fit
// and uses insertCall of SchemaMatching.h.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_SYMBOLICVARIABLE_H
#define TSC_IR_SYMBOLICVARIABLE_H

#include "tsc/IR/Graph.h"
#include <concepts>

namespace tsc {

/// A Value on which C++ operators and methods insert the nodes that compute.
///
/// Where:   nodes go to the insertion point of the value's graph, with its current scope.
/// Types:   overloads are chosen as in TorchScript: a variable may be a Tensor, a number or a list. The caller
///          makes sure that some overload takes the operands, which is asserted.
/// Numbers: may stand on either side of an operator; on the left of a Tensor they mean what they mean in TorchScript
///          (`1 - x` is aten::rsub).
/// Ownership: borrows the value, as every Value * does; cheap to copy.
class SymbolicVariable {
public:
  SymbolicVariable(Value *value) : node(value) {}

  /// Appends an input to the graph.
  static SymbolicVariable asNewInput(Graph &graph, StringRef name = "", const Type *type = Type::tensorType()) {
    return graph.addInput(name, type);
  }
  /// Inserts a prim::Constant.
  static SymbolicVariable constant(Graph &graph, const IValue &value) { return graph.insertConstant(value); }
  /// Makes its graph return this value behind its other results.
  void addAsOutput() const { graph().addOutput(node); }

  Value *value() const { return node; }
  operator Value *() const { return node; }
  Graph &graph() const { return node->node()->graph(); }
  bool isTensor() const { return node->type()->isTensor(); }

  /// Inserts `op(this, further..., keyword=...)`, for operators that have no method here.
  SymbolicVariable call(Symbol op, ArrayRef<NamedValue> further = {}, ArrayRef<NamedValue> keywords = {}) const;
  /// Inserts a call of the operator with the name `op`, such as "aten::erf".
  SymbolicVariable call(StringRef op, ArrayRef<NamedValue> further = {}, ArrayRef<NamedValue> keywords = {}) const;

  SymbolicVariable operator-() const { return call(aten::neg); }
  SymbolicVariable operator~() const { return call(aten::bitwise_not); }

  SymbolicVariable abs() const { return call(aten::abs); }
  SymbolicVariable exp() const { return call(aten::exp); }
  SymbolicVariable log() const { return call(aten::log); }
  SymbolicVariable sqrt() const { return call(aten::sqrt); }
  SymbolicVariable rsqrt() const { return call(aten::rsqrt); }
  SymbolicVariable relu() const { return call(aten::relu); }
  SymbolicVariable sigmoid() const { return call(aten::sigmoid); }
  SymbolicVariable tanh() const { return call(aten::tanh); }
  SymbolicVariable pow(NamedValue exponent) const { return call(aten::pow, {exponent}); }
  SymbolicVariable threshold(NamedValue limit, NamedValue replacement) const {
    return call(aten::threshold, {limit, replacement});
  }
  SymbolicVariable typeAs(Value *other) const { return call(aten::type_as, {other}); }

  SymbolicVariable mm(Value *other) const { return call(aten::mm, {other}); }
  SymbolicVariable matmul(Value *other) const { return call(aten::matmul, {other}); }
  SymbolicVariable addmm(Value *left, Value *right) const { return call(aten::addmm, {left, right}); }
  SymbolicVariable t() const { return call(aten::t); }

  SymbolicVariable sum() const { return call(aten::sum); }
  SymbolicVariable sum(ArrayRef<int64_t> dims, bool keepDim = false) const {
    return call(aten::sum, {dims.vec(), keepDim});
  }
  SymbolicVariable mean() const { return call(aten::mean); }

  SymbolicVariable size() const { return call(aten::size); }
  SymbolicVariable size(int64_t dim) const { return call(aten::size, {dim}); }
  SymbolicVariable view(ArrayRef<int64_t> sizes) const { return call(aten::view, {sizes.vec()}); }
  SymbolicVariable reshape(ArrayRef<int64_t> sizes) const { return call(aten::reshape, {sizes.vec()}); }
  SymbolicVariable expand(ArrayRef<int64_t> sizes) const { return call(aten::expand, {sizes.vec()}); }
  SymbolicVariable sumToSize(Value *sizes) const { return call(aten::sum_to_size, {sizes}); }
  SymbolicVariable squeeze(int64_t dim) const { return call(aten::squeeze, {dim}); }
  SymbolicVariable unsqueeze(int64_t dim) const { return call(aten::unsqueeze, {dim}); }
  SymbolicVariable transpose(int64_t first, int64_t second) const { return call(aten::transpose, {first, second}); }
  SymbolicVariable narrow(int64_t dim, int64_t start, int64_t length) const {
    return call(aten::narrow, {dim, start, length});
  }
  /// Inserts aten::chunk and returns its pieces. The caller makes sure that there are exactly `pieces`.
  llvm::SmallVector<SymbolicVariable, 4> chunk(unsigned pieces, int64_t dim) const;

  /// Inserts aten::cat of one or more tensors.
  static SymbolicVariable cat(ArrayRef<SymbolicVariable> parts, int64_t dim);
  /// Inserts aten::stack of one or more tensors.
  static SymbolicVariable stack(ArrayRef<SymbolicVariable> parts, int64_t dim);

private:
  Value *node;
};

/// A C++ number, which may be the other operand of an operator.
template <typename T>
concept NumericConstant = std::integral<T> || std::floating_point<T>;

namespace detail {
SymbolicVariable insertBinary(Symbol op, Value *left, Value *right);
SymbolicVariable insertBinary(Symbol op, Value *left, const IValue &right);
/// Inserts `op` of a number and a value. Where the value is a tensor, it inserts `reversed` of the tensor and the
/// number, as in TorchScript, unless `reversed` is null: then `op` takes a number first.
SymbolicVariable insertReversed(Symbol op, Symbol reversed, const IValue &left, Value *right);

/// Returns a C++ number as a bool, int or float of TorchScript.
template <NumericConstant T> IValue numberFrom(T number) {
  if constexpr (std::same_as<T, bool>)
    return IValue(number);
  else if constexpr (std::integral<T>)
    return IValue(static_cast<int64_t>(number));
  else
    return IValue(static_cast<double>(number));
}
} // namespace detail

// The C++ operator inserts OP; of a number and a tensor it inserts REVERSED, as insertReversed says.
#define TSC_SYMBOLIC_OPERATOR(spelled, OP)                                                                             \
  inline SymbolicVariable operator spelled(SymbolicVariable left, SymbolicVariable right) {                            \
    return detail::insertBinary(OP, left.value(), right.value());                                                      \
  }                                                                                                                    \
  template <NumericConstant T> SymbolicVariable operator spelled(SymbolicVariable left, T right) {                     \
    return detail::insertBinary(OP, left.value(), detail::numberFrom(right));                                          \
  }
#define TSC_SYMBOLIC_OPERATORS(spelled, OP, REVERSED)                                                                  \
  TSC_SYMBOLIC_OPERATOR(spelled, OP)                                                                                   \
  template <NumericConstant T> SymbolicVariable operator spelled(T left, SymbolicVariable right) {                     \
    return detail::insertReversed(OP, REVERSED, detail::numberFrom(left), right.value());                              \
  }
TSC_SYMBOLIC_OPERATORS(+, aten::add, aten::add)
TSC_SYMBOLIC_OPERATORS(-, aten::sub, aten::rsub)
TSC_SYMBOLIC_OPERATORS(*, aten::mul, aten::mul)
TSC_SYMBOLIC_OPERATOR(/, aten::div)
TSC_SYMBOLIC_OPERATORS(%, aten::remainder, Symbol())
TSC_SYMBOLIC_OPERATORS(&, aten::__and__, aten::__and__)
TSC_SYMBOLIC_OPERATORS(|, aten::__or__, aten::__or__)
TSC_SYMBOLIC_OPERATORS(^, aten::__xor__, aten::__xor__)
TSC_SYMBOLIC_OPERATORS(<, aten::lt, aten::gt)
TSC_SYMBOLIC_OPERATORS(<=, aten::le, aten::ge)
TSC_SYMBOLIC_OPERATORS(>, aten::gt, aten::lt)
TSC_SYMBOLIC_OPERATORS(>=, aten::ge, aten::le)
TSC_SYMBOLIC_OPERATORS(==, aten::eq, aten::eq)
TSC_SYMBOLIC_OPERATORS(!=, aten::ne, aten::ne)
#undef TSC_SYMBOLIC_OPERATORS
#undef TSC_SYMBOLIC_OPERATOR

/// Inserts what TorchScript computes of a number and a tensor, the reciprocal of the tensor times the number.
template <NumericConstant T> SymbolicVariable operator/(T left, SymbolicVariable right) {
  if (right.isTensor())
    return right.call(aten::reciprocal) * left;
  return SymbolicVariable::constant(right.graph(), detail::numberFrom(left)) / right;
}

} // namespace tsc

#endif
