//===- RandomGroups.h - Fusion groups made by chance ------------*- C++ -*-===//
#ifndef TSC_UNITTESTS_FUSERCPU_RANDOMGROUPS_H
#define TSC_UNITTESTS_FUSERCPU_RANDOMGROUPS_H

#include "tsc/IR/Context.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Operator.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Transforms/FusionRoles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>

namespace tsc {

/// Returns the number in an environment variable, or `otherwise` where it is not set.
inline unsigned numberIn(const char *variable, unsigned otherwise) {
  const char *asked = std::getenv(variable);
  return asked ? static_cast<unsigned>(std::strtoul(asked, nullptr, 10)) : otherwise;
}

/// A graph that a fusion group could hold, its inputs, and what the operators give one by one. Any point-wise
/// operators, casts, index maps, reshapes and concatenations; shapes with 0, 1 and primes; every dtype; transposed,
/// strided, broadcast and overlapping inputs. A step that the operators refuse is left out. The same seed makes the
/// same group.
class RandomGroup {
public:
  enum class Contents { Elementwise, WithFolds };
  RandomGroup(Context &context, unsigned seed, Contents contents = Contents::Elementwise)
      : graph(context), call(context), random(seed), contents(contents) {
    installOperatorServices(context);
    Dims shape = randomShape();
    for (int n = 1 + below(4); n > 0; --n)
      addInput(IValue(tensorFor(shape)));
    int wanted = 1 + below(8);
    for (int tries = 0; steps < wanted && tries != 60; ++tries)
      addStep();
    chooseOutputs();
  }

  Graph graph;
  CallContext call;
  std::vector<IValue> inputs;
  std::vector<IValue> expected; ///< By output.

private:
  int below(size_t n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

  Dims randomShape() {
    static constexpr int64_t lengths[] = {1, 2, 3, 7, 16, 31, 64, 97, 1031};
    Dims shape;
    for (int rank = below(5); rank > 0; --rank)
      shape.push_back(lengths[below(shape.empty() ? 9 : shape.size() < 3 ? 6 : 4)]);
    if (!shape.empty() && below(15) == 0)
      shape[below(shape.size())] = 0;
    return shape;
  }

  Tensor filled(ArrayRef<int64_t> sizes, DType dtype) {
    Tensor t = *Tensor::empty(sizes, dtype);
    for (int64_t i = 0; i != t.numel(); ++i)
      t.set(i, Scalar(below(12) == 0 ? below(200) - 100.0 : below(4000) / 1000.0 - 1.5));
    return t;
  }

  /// A tensor that broadcasts to `shape`.
  Tensor tensorFor(ArrayRef<int64_t> shape) {
    static constexpr DType dtypes[] = {DType::Float,    DType::Float, DType::Double, DType::Half,
                                       DType::BFloat16, DType::Bool,  DType::Int64,  DType::Int32,
                                       DType::Int16,    DType::Int8,  DType::UInt8};
    DType dtype = dtypes[below(std::size(dtypes))];
    Dims sizes(shape);
    if (below(3) == 0)
      sizes.erase(sizes.begin(), sizes.begin() + below(sizes.size() + 1));
    for (int64_t &size : sizes)
      if (below(4) == 0)
        size = 1;
    if (!sizes.empty() && below(10) == 0) { // windows that overlap
      Dims physical = sizes, strides = contiguousStrides(sizes);
      strides[0] = std::min<int64_t>(strides[0], 1 + below(3));
      int64_t elements = requiredElements(sizes, strides, 0).value_or(0);
      Tensor base = filled({std::max<int64_t>(elements, 1)}, dtype);
      return base.alias(sizes, strides, 0);
    }
    Dims physical(sizes);
    bool transposed = sizes.size() > 1 && below(3) == 0, strided = !sizes.empty() && below(4) == 0;
    if (transposed)
      std::swap(physical[0], physical.back());
    if (strided)
      physical.back() *= 2;
    Tensor t = filled(physical, dtype);
    if (strided)
      t = *cpu::slice(t, -1, below(2), std::nullopt, 2);
    return transposed ? *cpu::transpose(t, 0, -1) : t;
  }

  Value *addInput(IValue value) {
    Context &context = graph.context();
    const Type *type = value.dynamicType(context);
    Value *input = graph.addInput("", value.isTensor() ? Type::tensorType() : type);
    if (value.isTensor())
      tensors.push_back({input, value});
    inputs.push_back(std::move(value));
    return input;
  }

  struct Made {
    Value *value;
    IValue result;
  };

  Made anyTensor() {
    // Later ones more often, so that chains grow.
    size_t last = tensors.size() - 1;
    return tensors[below(3) == 0 ? below(tensors.size()) : last - below(std::min<size_t>(tensors.size(), 3))];
  }

  /// A number: a constant of the graph, or an input.
  Made number(IValue value, bool mayBeInput = true) {
    if (mayBeInput && below(2) == 0)
      return {addInput(value), value};
    return {graph.insertConstant(value), value};
  }
  IValue randomNumber() {
    switch (below(4)) {
    case 0: return IValue(int64_t{below(9) - 4});
    case 1: return IValue(below(2) == 1);
    default: return IValue(below(1000) / 250.0 - 2);
    }
  }

  void addStep() {
    if (contents == Contents::WithFolds && below(3) == 0)
      return addFold();
    switch (below(23)) {
    case 0:
    case 1: return addCast();
    case 2:
    case 3:
    case 4: return addIndexMap();
    case 20:
    case 21: return addJoinedNeighbours();
    case 22: return addFill();
    default: return addPointwise();
    }
  }

  /// Runs the operator and, when it takes the operands, adds its node.
  bool add(OpKind op, ArrayRef<Made> operands) {
    llvm::SmallVector<const IValue *, 6> args;
    llvm::SmallVector<Value *, 6> values;
    for (const Made &operand : operands) {
      args.push_back(&operand.result);
      values.push_back(operand.value);
    }
    IValue result;
    if (!boxedKernels[static_cast<size_t>(op)](call, args.data(), &result).ok())
      return false;
    if (result.isTensor() && (isComplex(result.asTensor().dtype()) || result.asTensor().numel() > 100000))
      return false;
    const OpRecord &record = opRecord(op);
    const Operator *overload = graph.context().operators().find(record.qualified, record.overload);
    Node *node = graph.insertNodeHere(graph.create(overload->symbol(), values));
    node->setOp(overload);
    ++steps;
    if (result.isTensor()) {
      tensors.push_back({node->output(), result});
      return true;
    }
    // A list: taken apart.
    node->output()->setType(overload->schema().returns()[0].type);
    const std::vector<Tensor> &pieces = result.toTensorList().elements;
    Node *unpack =
        graph.insertNodeHere(graph.create(prim::ListUnpack, {node->output()}, static_cast<unsigned>(pieces.size())));
    for (unsigned i = 0; i != pieces.size(); ++i)
      tensors.push_back({unpack->output(i), IValue(pieces[i])});
    return true;
  }

  void addPointwise() {
    using enum OpKind;
    static constexpr OpKind kinds[] = {
#include "tsc/Kernels/PointwiseKinds.inc"
    };
    size_t index = below(std::size(kinds));
    const OpRecord &record = opRecord(kinds[index]);
    const FunctionSchema &schema = graph.context().operators().find(record.qualified, record.overload)->schema();
    llvm::SmallVector<Made, 4> operands;
    for (auto [param, argument] : llvm::zip(pointwiseParams(static_cast<PointwiseKind>(index)), schema.arguments())) {
      if (param.optional && below(2) == 0)
        operands.push_back({graph.insertConstant(IValue()), IValue()});
      else if (param.kind == PointwiseParam::Tensor)
        operands.push_back(anyTensor());
      else if (param.kind == PointwiseParam::Text)
        operands.push_back(number(IValue(below(2) ? "none" : "floor"), false));
      else if (param.kind == PointwiseParam::Number && argument.type->isBool())
        operands.push_back(number(IValue(below(2) == 1)));
      else if (param.kind == PointwiseParam::Number && argument.type->isInt())
        operands.push_back(number(IValue(int64_t{1 + below(3)})));
      else if (param.kind == PointwiseParam::Number)
        operands.push_back(number(IValue(below(1000) / 250.0 - 2)));
      else
        operands.push_back(number(randomNumber()));
    }
    add(kinds[index], operands);
  }

  void addCast() {
    static constexpr DType dtypes[] = {DType::Float, DType::Double, DType::Half,  DType::BFloat16,
                                       DType::Bool,  DType::Int64,  DType::Int32, DType::UInt8};
    IValue dtype(dtypes[below(std::size(dtypes))]);
    auto constant = [&](IValue v) { return Made{graph.insertConstant(v), v}; };
    if (below(4) == 0)
      add(OpKind::Aten_contiguous, {anyTensor(), constant(IValue(int64_t{0}))});
    else if (below(3) == 0)
      add(OpKind::Aten_type_as, {anyTensor(), anyTensor()});
    else
      add(OpKind::Aten_to_dtype, {anyTensor(), constant(dtype), constant(false), constant(false), constant(IValue())});
  }

  void addFill() {
    auto constant = [&](IValue v) { return Made{graph.insertConstant(v), v}; };
    llvm::SmallVector<Made, 7> operands{anyTensor()};
    int kind = below(3);
    if (kind == 2)
      operands.push_back(constant(randomNumber()));
    operands.push_back(constant(below(2) ? IValue() : IValue(below(2) ? DType::Half : DType::Int32)));
    for (int option = 0; option != 4; ++option)
      operands.push_back(constant(IValue()));
    static constexpr OpKind kinds[] = {OpKind::Aten_zeros_like, OpKind::Aten_ones_like, OpKind::Aten_full_like};
    add(kinds[kind], operands);
  }

  /// Along the last dimension, the last two, all, or any.
  void addFold() {
    auto constant = [&](IValue v) { return Made{graph.insertConstant(v), v}; };
    Made self = anyTensor();
    int64_t rank = self.result.asTensor().dim();
    std::vector<int64_t> dims{-1};
    if (below(3) == 0) {
      dims.clear();
      for (int64_t d = 0; d < std::max<int64_t>(rank, 1); ++d)
        if (below(2) || (dims.empty() && d + 1 >= rank))
          dims.push_back(d);
    } else if (below(3) == 0 && rank > 1) {
      dims = {-2, -1};
    }
    IValue list = IValue(dims), keep(below(4) != 0), none;
    static constexpr OpKind extrema[] = {OpKind::Aten_amax, OpKind::Aten_amin},
                            sums[] = {OpKind::Aten_sum_dim_IntList, OpKind::Aten_mean_dim};
    static constexpr OpKind all[] = {OpKind::Aten_max, OpKind::Aten_min, OpKind::Aten_any, OpKind::Aten_all};
    switch (below(10)) {
    case 9: return addExtremum(self, dims[0], keep);
    case 6: return addComposite(self, list, keep);
    case 8: add(OpKind::Aten_prod, {self, constant(below(2) ? none : IValue(DType::Double))}); return;
    case 7: {
      static constexpr OpKind ofTruth[] = {OpKind::Aten_any_dim, OpKind::Aten_all_dim};
      add(ofTruth[below(2)], {self, constant(IValue(dims[0])), constant(keep)});
      return;
    }
    case 0: add(all[below(4)], {self}); return;
    case 1: add(below(2) ? OpKind::Aten_sum : OpKind::Aten_mean, {self, constant(none)}); return;
    case 2:
    case 3: add(extrema[below(2)], {self, constant(list), constant(keep)}); return;
    case 4: add(OpKind::Aten_prod_dim_int, {self, constant(IValue(dims[0])), constant(keep), constant(none)}); return;
    default:
      add(sums[below(2)], {self, constant(list), constant(keep), constant(below(3) ? none : IValue(DType::Double))});
      return;
    }
  }

  /// The largest along a dimension, without its place.
  void addExtremum(Made self, int64_t dim, IValue keep) {
    OpKind op = below(2) ? OpKind::Aten_max_dim : OpKind::Aten_min_dim;
    IValue along(dim), results[2];
    const IValue *args[] = {&self.result, &along, &keep};
    if (!boxedKernels[static_cast<size_t>(op)](call, args, results).ok())
      return;
    const OpRecord &record = opRecord(op);
    const Operator *overload = graph.context().operators().find(record.qualified, record.overload);
    Value *dimOperand = graph.insertConstant(along), *keepOperand = graph.insertConstant(keep);
    Node *node = graph.insertNodeHere(graph.create(overload->symbol(), {self.value, dimOperand, keepOperand}, 2));
    node->setOp(overload);
    ++steps;
    tensors.push_back({node->output(0), results[0]});
  }

  /// What the fuser takes apart into folds and point-wise operators.
  void addComposite(Made self, IValue dims, IValue keep) {
    auto constant = [&](IValue v) { return Made{graph.insertConstant(v), v}; };
    static constexpr double orders[] = {0, 1, 2, 3, INFINITY, -INFINITY};
    IValue none, correction(int64_t{below(2)}), order(orders[below(6)]);
    static constexpr OpKind losses[] = {OpKind::Aten_smooth_l1_loss, OpKind::Aten_huber_loss},
                            plainLosses[] = {OpKind::Aten_mse_loss, OpKind::Aten_l1_loss};
    Made reduction = constant(IValue(int64_t{below(3)}));
    switch (below(16)) {
    case 12: return addLayerNorm(self);
    case 13: add(plainLosses[below(2)], {self, anyTensor(), reduction}); return;
    case 14: add(OpKind::Aten_log_softmax_int, {self, constant(IValue(int64_t{-1})), constant(none)}); return;
    case 15: add(OpKind::Aten_norm_ScalarOpt_dim, {self, constant(order), constant(dims), constant(keep)}); return;
    case 6:
    case 7: return addChannelNorm(self);
    case 8: add(losses[below(2)], {self, anyTensor(), reduction, constant(IValue(0.75))}); return;
    case 9: add(OpKind::Aten_soft_margin_loss, {self, anyTensor(), reduction}); return;
    case 10: add(OpKind::Aten_kl_div, {self, anyTensor(), reduction, constant(IValue(below(2) == 0))}); return;
    case 11: {
      auto weight = [&] { return below(2) ? constant(none) : anyTensor(); };
      Made first = weight(), second = weight();
      add(OpKind::Aten_binary_cross_entropy_with_logits, {self, anyTensor(), first, second, reduction});
      return;
    }
    case 0: add(OpKind::Aten_var_correction, {self, constant(dims), constant(correction), constant(keep)}); return;
    case 1: add(OpKind::Aten_std_correction, {self, constant(dims), constant(correction), constant(keep)}); return;
    case 2: add(OpKind::Aten_logsumexp, {self, constant(dims), constant(keep)}); return;
    case 3: add(OpKind::Aten_softmax_int, {self, constant(IValue(int64_t{-1})), constant(none)}); return;
    default:
      add(OpKind::Aten_linalg_vector_norm, {self, constant(order), constant(dims), constant(keep), constant(none)});
      return;
    }
  }

  /// Over the last dimension, or the last two.
  void addLayerNorm(Made self) {
    Tensor x = self.result.asTensor();
    if (x.dim() == 0)
      return;
    auto constant = [&](IValue v) { return Made{graph.insertConstant(v), v}; };
    ArrayRef<int64_t> trailing = x.sizes().take_back(std::min<size_t>(x.sizes().size(), 1 + below(2)));
    auto affine = [&] {
      if (below(2))
        return constant(IValue());
      IValue values(filled(trailing, x.dtype()));
      return Made{addInput(values), values};
    };
    Made weight = affine(), bias = affine();
    add(OpKind::Aten_layer_norm, {self, constant(IValue(std::vector<int64_t>(trailing.begin(), trailing.end()))),
                                  weight, bias, constant(IValue(0.5)), constant(IValue(false))});
  }

  /// batch_norm or group_norm, of a value whose rank the graph knows.
  void addChannelNorm(Made self) {
    Tensor x = self.result.asTensor();
    if (x.dim() < 2)
      return;
    TensorFacts facts;
    facts.sizes.emplace(static_cast<size_t>(x.dim()));
    self.value->setType(graph.context().tensor(facts));
    auto constant = [&](IValue v) { return Made{graph.insertConstant(v), v}; };
    auto channels = [&](bool isThere) {
      if (!isThere)
        return constant(IValue());
      IValue vector(filled({x.size(1)}, x.dtype()));
      return Made{addInput(vector), vector};
    };
    Made weight = channels(below(2)), bias = channels(below(2)), eps = constant(IValue(0.5)),
         off = constant(IValue(false));
    if (below(2)) {
      add(OpKind::Aten_group_norm, {self, constant(IValue(int64_t{1 + below(3)})), weight, bias, eps, off});
      return;
    }
    bool isTraining = below(2);
    Made mean = channels(!isTraining), variance = channels(!isTraining);
    OpKind norm = below(2) && x.dim() > 2 ? OpKind::Aten_instance_norm : OpKind::Aten_batch_norm;
    add(norm, {self, weight, bias, mean, variance, constant(IValue(isTraining)), eps, eps, off});
  }

  void addIndexMap() {
    auto integer = [&](int64_t v) { return number(IValue(v)); };
    auto none = [&] { return Made{graph.insertConstant(IValue()), IValue()}; };
    Made self = anyTensor();
    int64_t rank = self.result.asTensor().dim();
    int64_t dim = rank ? below(rank) : 0;
    switch (below(13)) {
    case 8: return addPermute(self);
    case 9:
    case 10:
    case 11: return addReshape(self);
    case 0: add(OpKind::Aten_chunk, {self, integer(1 + below(4)), integer(dim)}); return;
    case 1:
      add(OpKind::Aten_slice_Tensor, {self, integer(dim), below(2) ? integer(below(3)) : none(),
                                      below(2) ? integer(below(9) - 2) : none(), integer(1 + below(3))});
      return;
    case 2: add(OpKind::Aten_select_int, {self, integer(dim), integer(below(3) - 1)}); return;
    case 3: add(OpKind::Aten_unsqueeze, {self, integer(below(rank + 1))}); return;
    case 4: add(OpKind::Aten_transpose_int, {self, integer(dim), integer(-1)}); return;
    case 5: add(OpKind::Aten_squeeze, {self}); return;
    case 6: add(OpKind::Aten_expand_as, {self, anyTensor()}); return;
    case 7: add(OpKind::Aten_t, {self}); return;
    default: add(OpKind::Aten_unbind_int, {self, integer(dim)}); return;
    }
  }

  void addPermute(Made self) {
    std::vector<int64_t> dims(static_cast<size_t>(self.result.asTensor().dim()));
    std::iota(dims.begin(), dims.end(), int64_t{0});
    std::shuffle(dims.begin(), dims.end(), random);
    IValue order(dims);
    add(OpKind::Aten_permute, {self, {graph.insertConstant(order), order}});
  }

  /// Some dimensions as one, or any that have as many elements.
  void addReshape(Made self) {
    const Tensor &t = self.result.asTensor();
    int64_t rank = t.dim(), first = rank ? below(rank) : 0, last = rank ? first + below(rank - first) : 0;
    if (below(2)) {
      add(OpKind::Aten_flatten_using_ints, {self, number(IValue(first), false), number(IValue(last), false)});
      return;
    }
    std::vector<int64_t> sizes;
    int64_t rest = t.numel();
    for (int64_t factor : {2, 3, 7, 4, 31})
      if (rest % factor == 0 && below(2)) {
        sizes.push_back(factor);
        rest /= factor;
      }
    sizes.push_back(below(2) && t.numel() ? -1 : rest);
    std::shuffle(sizes.begin(), sizes.end(), random);
    static constexpr OpKind kinds[] = {OpKind::Aten_view, OpKind::Aten_reshape};
    add(kinds[below(2)], {self, number(IValue(sizes))});
  }

  static bool isComputed(const Made &made) {
    FusionRole role = fusionRole(*made.value->node());
    return isComputing(role) && role != FusionRole::Cast;
  }

  void chooseOutputs() {
    std::vector<Made> computed;
    for (const Made &made : tensors)
      if (isComputed(made))
        computed.push_back(made);
    if (computed.empty())
      return;
    if (below(4) == 0) {
      std::vector<Made> pieces;
      for (int n = 1 + below(3); n > 0; --n)
        pieces.push_back(computed[below(computed.size())]);
      if (std::optional<Made> joined = addJoin(pieces))
        addOutput(*joined);
    }
    for (const Made &made : computed)
      if (&made == &computed.back() || below(4) == 0)
        addOutput(made);
  }

  void addOutput(const Made &made) {
    graph.addOutput(made.value);
    expected.push_back(made.result);
  }

  /// For other steps to read: tensors that were made one after the other, as the pieces of a chunk are, or one twice.
  void addJoinedNeighbours() {
    size_t count = 1 + below(3), first = below(tensors.size());
    std::vector<Made> pieces;
    for (size_t n = 0; n != count; ++n)
      pieces.push_back(below(3) == 0 ? tensors[first] : tensors[(first + n) % tensors.size()]);
    if (below(2))
      std::reverse(pieces.begin(), pieces.end());
    if (std::optional<Made> joined = addJoin(pieces)) {
      tensors.push_back(*joined);
      ++steps;
    }
  }

  /// Nothing when the operator refuses the pieces.
  std::optional<Made> addJoin(ArrayRef<Made> joined) {
    std::vector<Tensor> pieces;
    llvm::SmallVector<Value *, 4> values;
    for (const Made &piece : joined) {
      pieces.push_back(piece.result.asTensor());
      values.push_back(piece.value);
    }
    bool stacks = below(2);
    int64_t rank = pieces[0].dim();
    int64_t dim = stacks ? below(rank + 1) : rank ? below(rank) : 0;
    auto result = stacks ? cpu::stack(pieces, dim) : cpu::cat(pieces, dim);
    if (!result.ok())
      return std::nullopt;
    Node *list = graph.insertNodeHere(graph.create(prim::ListConstruct, values));
    list->output()->setType(graph.context().listOf(Type::tensorType()));
    const Operator *overload = graph.context().operators().find(stacks ? "aten::stack" : "aten::cat", "");
    Node *node =
        graph.insertNodeHere(graph.create(overload->symbol(), {list->output(), graph.insertConstant(IValue(dim))}));
    node->moveAfter(&*std::prev(graph.nodes().end()));
    return Made{node->output(), IValue(*result)};
  }

  std::mt19937 random;
  Contents contents;
  std::vector<Made> tensors;
  int steps = 0;
};

/// The graph and its inputs, for messages.
inline std::string describe(const RandomGroup &group) {
  std::string text;
  llvm::raw_string_ostream os(text);
  group.graph.print(os, false);
  for (const IValue &input : group.inputs) {
    if (!input.isTensor()) {
      reprValue(os, input);
    } else {
      const Tensor &t = input.asTensor();
      os << irName(t.dtype()) << shapeString(t.sizes()) << " strides " << shapeString(t.strides());
    }
    os << "\n";
  }
  return text;
}

} // namespace tsc

#endif
