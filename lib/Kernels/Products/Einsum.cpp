//===- Einsum.cpp - Sums of products of several tensors -------------------===//
//
// Every contraction becomes one batched matrix product: dimensions are sorted into
// batch, kept and summed ones by permuting views.
//
//===----------------------------------------------------------------------===//
#include "Support/Compute.h"
#include "tsc/Kernels/MatMul.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Support/WorkMeter.h"
#include <limits>

using namespace tsc;
using namespace tsc::cpu;

StatusOr<Tensor> tsc::cpu::tensordot(const Tensor &self, const Tensor &other, ArrayRef<int64_t> dimsSelf,
                                     ArrayRef<int64_t> dimsOther) {
  if (dimsSelf.size() != dimsOther.size())
    return invalidArgument("both dimension lists should have same length");
  if (self.dtype() != other.dtype())
    return invalidArgument("expected scalar type " + dtypeText(self.dtype()) + " but found " +
                           dtypeText(other.dtype()));
  Tensor a = self, b = other;
  llvm::SmallVector<bool, 8> summedA(self.dim(), false), summedB(other.dim(), false);
  Dims orderA, orderB, lastA, firstB;
  int64_t depth = 1;
  for (size_t i = 0; i != dimsSelf.size(); ++i) {
    TSC_ASSIGN_OR_RETURN(int64_t p, wrapDim(dimsSelf[i], self.dim()));
    TSC_ASSIGN_OR_RETURN(int64_t q, wrapDim(dimsOther[i], other.dim()));
    if (self.dim() == 0 || other.dim() == 0)
      continue;
    if (summedA[p] || summedB[q])
      return invalidArgument("dim " + llvm::Twine(summedA[p] ? p : q) + " appears multiple times in the list of dims");
    summedA[p] = summedB[q] = true;
    lastA.push_back(p);
    firstB.push_back(q);
    int64_t s1 = self.size(p), s2 = other.size(q);
    if (s2 == 1) {
      TSC_ASSIGN_OR_RETURN(a, sumOver(a, {p}, true));
      s1 = 1;
    } else if (s1 == 1) {
      TSC_ASSIGN_OR_RETURN(b, sumOver(b, {q}, true));
      s2 = 1;
    } else if (s1 != s2) {
      return invalidArgument("contracted dimensions need to match, but first has size " + llvm::Twine(s1) + " in dim " +
                             llvm::Twine(dimsSelf[i]) + " and second has size " + llvm::Twine(s2) + " in dim " +
                             llvm::Twine(dimsOther[i]));
    }
    depth *= s1;
  }
  Dims shape;
  int64_t m = 1, n = 1;
  for (int64_t d = 0; d < a.dim(); ++d)
    if (!summedA[d])
      orderA.push_back(d), shape.push_back(a.size(d)), m *= a.size(d);
  orderA.append(lastA.begin(), lastA.end());
  orderB = firstB;
  for (int64_t d = 0; d < b.dim(); ++d)
    if (!summedB[d])
      orderB.push_back(d), shape.push_back(b.size(d)), n *= b.size(d);
  TSC_ASSIGN_OR_RETURN(a, permute(a, orderA));
  TSC_ASSIGN_OR_RETURN(b, permute(b, orderB));
  TSC_ASSIGN_OR_RETURN(a, reshape(a, {m, depth}));
  TSC_ASSIGN_OR_RETURN(b, reshape(b, {depth, n}));
  TSC_ASSIGN_OR_RETURN(Tensor out, mm(a, b));
  return reshape(out, shape);
}

/// One operand's dimensions by subscript: 0-51 letters, then the dimensions that `...` covers.
using Subscripts = llvm::SmallVector<int, 8>;

namespace {
/// An operand as einsum works on it: `labels[i]` names dimension i.
struct Labelled {
  Tensor tensor;
  Subscripts labels;
};
} // namespace

static int letterIndex(char c) {
  if (c >= 'A' && c <= 'Z')
    return c - 'A';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 26;
  return -1;
}

static constexpr int ellipsisLabel = 52;

/// "ij...k" -> labels; Ellipsis stands for itself.
static StatusOr<Subscripts> parseSubscripts(llvm::StringRef text, llvm::StringRef where) {
  Subscripts out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ')
      continue;
    if (text[i] == '.') {
      if (!text.substr(i).starts_with("...") || llvm::is_contained(out, ellipsisLabel))
        return invalidArgument("einsum(): found '.' for " + where + " that is not part of any ellipsis");
      out.push_back(ellipsisLabel);
      i += 2;
      continue;
    }
    int label = letterIndex(text[i]);
    if (label < 0)
      return invalidArgument("einsum(): invalid subscript given at index " + llvm::Twine(i) +
                             " in the equation string, subscripts must be in [a-zA-Z]");
    out.push_back(label);
  }
  return out;
}

/// Takes the diagonal where a label repeats and drops size-1 dimensions' conflicts by leaving them as they are.
static Status takeDiagonals(Labelled &operand) {
  for (size_t i = 0; i < operand.labels.size(); ++i)
    for (size_t j = operand.labels.size() - 1; j > i; --j)
      if (operand.labels[i] == operand.labels[j]) {
        if (operand.tensor.size(i) != operand.tensor.size(j))
          return invalidArgument("einsum(): subscript is repeated for operand but the sizes don't match, " +
                                 llvm::Twine(operand.tensor.size(j)) + " != " + llvm::Twine(operand.tensor.size(i)));
        TSC_ASSIGN_OR_RETURN(operand.tensor, diagonal(operand.tensor, 0, i, j));
        int label = operand.labels[i];
        operand.labels.erase(operand.labels.begin() + j);
        operand.labels.erase(operand.labels.begin() + i);
        operand.labels.push_back(label); // diagonal puts it last
        return takeDiagonals(operand);
      }
  return okStatus();
}

/// Sums away the labels that `keep` refuses: integers and bool in int64.
template <typename Keep> static Status sumAway(Labelled &operand, Keep keep) {
  Dims dims;
  Subscripts left;
  for (size_t i = 0; i != operand.labels.size(); ++i) {
    if (keep(operand.labels[i]))
      left.push_back(operand.labels[i]);
    else
      dims.push_back(i);
  }
  if (dims.empty())
    return okStatus();
  TSC_ASSIGN_OR_RETURN(operand.tensor, sumDims(operand.tensor, ArrayRef<int64_t>(dims), false, std::nullopt));
  operand.labels = left;
  return okStatus();
}

/// Permutes to the order of `labels` (a subset in the order wanted; missing ones become dimensions of size 1).
static StatusOr<Tensor> arranged(const Labelled &operand, const Subscripts &labels) {
  Dims order;
  for (int label : labels) {
    const int *at = llvm::find(operand.labels, label);
    if (at != operand.labels.end())
      order.push_back(at - operand.labels.begin());
  }
  TSC_ASSIGN_OR_RETURN(Tensor t, permute(operand.tensor, order));
  for (size_t i = 0; i != labels.size(); ++i)
    if (!llvm::is_contained(operand.labels, labels[i])) {
      TSC_ASSIGN_OR_RETURN(t, unsqueeze(t, i));
    }
  return t;
}

/// Leaves out the dimensions of size 1 whose labels `keep` refuses.
template <typename Keep> static Status dropSingle(Labelled &operand, Keep keep) {
  for (size_t i = operand.labels.size(); i-- != 0;)
    if (operand.tensor.size(i) == 1 && !keep(operand.labels[i])) {
      TSC_ASSIGN_OR_RETURN(operand.tensor, select(operand.tensor, i, 0));
      operand.labels.erase(operand.labels.begin() + i);
    }
  return okStatus();
}

/// The product of two operands with the labels that `inOutput` or `neededLater` accepts.
template <typename InOutput, typename NeededLater>
static StatusOr<Labelled> contract(Labelled a, Labelled b, InOutput inOutput, NeededLater neededLater) {
  TSC_RETURN_IF_ERROR(dropSingle(a, inOutput));
  TSC_RETURN_IF_ERROR(dropSingle(b, inOutput));
  auto keep = [&](int label) { return inOutput(label) || neededLater(label); };
  auto in = [](const Labelled &x, int label) { return llvm::is_contained(x.labels, label); };
  auto sizeOf = [](const Labelled &x, int label) {
    return x.tensor.size(llvm::find(x.labels, label) - x.labels.begin());
  };
  // A label that only one of them has and nobody needs is summed first.
  TSC_RETURN_IF_ERROR(sumAway(a, [&](int l) { return keep(l) || in(b, l); }));
  TSC_RETURN_IF_ERROR(sumAway(b, [&](int l) { return keep(l) || in(a, l); }));
  Subscripts batch, onlyA, onlyB, summed;
  for (int label : a.labels)
    (!in(b, label) ? onlyA : keep(label) ? batch : summed).push_back(label);
  for (int label : b.labels)
    if (!in(a, label))
      onlyB.push_back(label);
  Subscripts result = batch;
  result.append(onlyA), result.append(onlyB);
  if (summed.empty()) { // nothing but products, which promote
    TSC_ASSIGN_OR_RETURN(Tensor x, arranged(a, result));
    TSC_ASSIGN_OR_RETURN(Tensor y, arranged(b, result));
    TSC_ASSIGN_OR_RETURN(Tensor product, arith(Arith::Mul, x, y));
    return Labelled{product, result};
  }
  for (Labelled *x : {&a, &b}) { // what is of size 1 in one of them is as large as in the other
    Labelled &y = x == &a ? b : a;
    Dims shape(x->tensor.sizes());
    for (size_t i = 0; i != x->labels.size(); ++i)
      if (shape[i] == 1 && in(y, x->labels[i]))
        shape[i] = sizeOf(y, x->labels[i]);
    TSC_ASSIGN_OR_RETURN(x->tensor, expand(x->tensor, shape));
  }
  auto sizes = [&](const Labelled &x, const Subscripts &labels) {
    Dims out;
    for (int l : labels)
      out.push_back(sizeOf(x, l));
    return out;
  };
  auto count = [](const Dims &dims) {
    int64_t n = 1;
    for (int64_t d : dims)
      n *= d;
    return n;
  };
  Dims batchSizes = sizes(a, batch), mSizes = sizes(a, onlyA), nSizes = sizes(b, onlyB), kSizes = sizes(a, summed);
  Subscripts orderA = batch, orderB = batch;
  orderA.append(onlyA), orderA.append(summed);
  orderB.append(summed), orderB.append(onlyB);
  TSC_ASSIGN_OR_RETURN(Tensor x, arranged(a, orderA));
  TSC_ASSIGN_OR_RETURN(Tensor y, arranged(b, orderB));
  TSC_ASSIGN_OR_RETURN(x, reshape(x, {count(batchSizes), count(mSizes), count(kSizes)}));
  TSC_ASSIGN_OR_RETURN(y, reshape(y, {count(batchSizes), count(kSizes), count(nSizes)}));
  TSC_ASSIGN_OR_RETURN(Tensor product, bmm(x, y));
  Dims shape = batchSizes;
  shape.append(mSizes), shape.append(nSizes);
  TSC_ASSIGN_OR_RETURN(product, reshape(product, shape));
  return Labelled{product, result};
}

namespace {
/// An equation of einsum() and its operands, read from left to right. Letters keep their numbers; dimension d (from the
/// left of the widest ellipsis) is `ellipsisLabel + d`.
struct Equation {
  std::vector<Labelled> operands;
  Subscripts output;
  int64_t ellipsisDims = 0;   ///< How many dimensions the widest ellipsis covers.
  std::vector<int> uses;      ///< How often a label stands in operands.
  std::vector<int64_t> sizes; ///< The size of a label's dimensions, which may be 1 in some operands.

  Status readOperands(ArrayRef<llvm::StringRef> parts, ArrayRef<Tensor> tensors);
  Status addOperand(size_t number, const Tensor &tensor, const Subscripts &written);
  /// Takes what occurs once, in alphabetical order.
  void deduceOutput();
  Status readOutput(llvm::StringRef text);
  void appendEllipsis() {
    for (int64_t d = 0; d < ellipsisDims; ++d)
      output.push_back(ellipsisLabel + d);
  }
};
} // namespace

static std::string labelName(int label) { return std::string(1, label < 26 ? 'A' + label : 'a' + label - 26); }

Status Equation::readOperands(ArrayRef<llvm::StringRef> parts, ArrayRef<Tensor> tensors) {
  std::vector<Subscripts> parsed;
  for (size_t i = 0; i != tensors.size(); ++i) {
    TSC_ASSIGN_OR_RETURN(Subscripts labels, parseSubscripts(parts[i], ("operand " + llvm::Twine(i)).str()));
    bool dots = llvm::is_contained(labels, ellipsisLabel);
    int64_t named = labels.size() - dots, rank = tensors[i].dim();
    if (dots ? named > rank : named != rank)
      return invalidArgument(
          "einsum(): the number of subscripts in the equation (" + llvm::Twine(named) + ") " +
          (dots ? "is more than the number of dimensions (" : "does not match the number of dimensions (") +
          llvm::Twine(rank) + ") for operand " + llvm::Twine(i) + (dots ? "" : " and no ellipsis was given"));
    if (dots)
      ellipsisDims = std::max(ellipsisDims, rank - named);
    parsed.push_back(labels);
  }
  uses.assign(ellipsisLabel + ellipsisDims, 0);
  sizes.assign(ellipsisLabel + ellipsisDims, 1);
  for (size_t i = 0; i != tensors.size(); ++i)
    TSC_RETURN_IF_ERROR(addOperand(i, tensors[i], parsed[i]));
  return okStatus();
}

Status Equation::addOperand(size_t number, const Tensor &tensor, const Subscripts &written) {
  Labelled operand{tensor, {}};
  int64_t covered = tensor.dim() - static_cast<int64_t>(written.size()) + 1;
  for (int label : written) {
    if (label != ellipsisLabel) {
      operand.labels.push_back(label);
      continue;
    }
    for (int64_t d = ellipsisDims - covered; d < ellipsisDims; ++d)
      operand.labels.push_back(ellipsisLabel + d);
  }
  for (size_t d = 0; d != operand.labels.size(); ++d) {
    int label = operand.labels[d];
    int64_t size = tensor.size(d), &known = sizes[label];
    ++uses[label];
    if (size != 1 && known != 1 && size != known)
      return invalidArgument("einsum(): subscript " + (label >= ellipsisLabel ? "..." : labelName(label)) +
                             " has size " + llvm::Twine(size) + " for operand " + llvm::Twine(number) +
                             " which does not broadcast with previously seen size " + llvm::Twine(known));
    if (size != 1)
      known = size;
  }
  TSC_RETURN_IF_ERROR(takeDiagonals(operand));
  operands.push_back(std::move(operand));
  return okStatus();
}

void Equation::deduceOutput() {
  appendEllipsis();
  for (int label = 0; label < ellipsisLabel; ++label)
    if (uses[label] == 1)
      output.push_back(label);
}

Status Equation::readOutput(llvm::StringRef text) {
  TSC_ASSIGN_OR_RETURN(Subscripts labels, parseSubscripts(text, "the output"));
  for (int label : labels) {
    if (label == ellipsisLabel) {
      appendEllipsis();
      continue;
    }
    if (llvm::is_contained(output, label))
      return invalidArgument("einsum(): output subscript " + labelName(label) +
                             " appears more than once in the output");
    if (uses[label] == 0)
      return invalidArgument("einsum(): output subscript " + labelName(label) +
                             " does not appear in the equation for any input operand");
    output.push_back(label);
  }
  return okStatus();
}

/// Contracts operands by twos until one is left: from left to right, or in the order of `path`, which has the places of
/// the two operands of each step; a product then goes behind the others.
static Status contractAll(std::vector<Labelled> &operands, const Subscripts &output, ArrayRef<int64_t> path) {
  for (size_t step = 0; operands.size() > 1; ++step) {
    // Operands are looked at and moved in each step.
    if (!work::LongLoop(64 + static_cast<int64_t>(operands.size())).goOn())
      return work::stopped();
    size_t i = 0, j = 1;
    if (path.size() >= 2 * step + 2) {
      i = path[2 * step], j = path[2 * step + 1];
      if (i > j)
        std::swap(i, j);
      if (j >= operands.size() || i == j)
        return invalidArgument("einsum(): operand index out of range in path");
    }
    Labelled a = std::move(operands[i]), b = std::move(operands[j]);
    operands.erase(operands.begin() + j);
    operands.erase(operands.begin() + i);
    auto inOutput = [&](int label) { return llvm::is_contained(output, label); };
    auto neededLater = [&](int label) {
      return llvm::any_of(operands, [&](const Labelled &o) {
        const int *at = llvm::find(o.labels, label);
        return at != o.labels.end() && o.tensor.size(at - o.labels.begin()) != 1;
      });
    };
    TSC_ASSIGN_OR_RETURN(Labelled product, contract(std::move(a), std::move(b), inOutput, neededLater));
    operands.insert(path.empty() ? operands.begin() : operands.end(), std::move(product));
  }
  return okStatus();
}

StatusOr<Tensor> tsc::cpu::einsum(llvm::StringRef equation, ArrayRef<Tensor> tensors,
                                  std::optional<ArrayRef<int64_t>> path) {
  if (tensors.empty())
    return invalidArgument("einsum(): must provide at least one operand");
  size_t arrow = equation.find("->");
  llvm::SmallVector<llvm::StringRef, 4> parts;
  equation.substr(0, arrow).split(parts, ',');
  if (parts.size() > tensors.size())
    return invalidArgument("einsum(): fewer operands were provided than specified in the equation");
  if (parts.size() < tensors.size())
    return invalidArgument("einsum(): more operands were provided than specified in the equation");
  Equation read;
  TSC_RETURN_IF_ERROR(read.readOperands(parts, tensors));
  if (arrow == llvm::StringRef::npos)
    read.deduceOutput();
  else
    TSC_RETURN_IF_ERROR(read.readOutput(equation.substr(arrow + 2)));
  TSC_RETURN_IF_ERROR(contractAll(read.operands, read.output, path.value_or(ArrayRef<int64_t>())));
  Labelled &last = read.operands.front();
  TSC_RETURN_IF_ERROR(sumAway(last, [&](int label) { return llvm::is_contained(read.output, label); }));
  return arranged(last, read.output);
}

StatusOr<Tensor> tsc::cpu::trilinear(const Tensor &i1, const Tensor &i2, const Tensor &i3, ArrayRef<int64_t> expand1,
                                     ArrayRef<int64_t> expand2, ArrayRef<int64_t> expand3, ArrayRef<int64_t> sumdim,
                                     int64_t) {
  auto widen = [](Tensor t, ArrayRef<int64_t> dims) -> StatusOr<Tensor> {
    for (int64_t d : dims) {
      TSC_ASSIGN_OR_RETURN(t, unsqueeze(t, d));
    }
    return t;
  };
  TSC_ASSIGN_OR_RETURN(Tensor a, widen(i1, expand1));
  TSC_ASSIGN_OR_RETURN(Tensor b, widen(i2, expand2));
  TSC_ASSIGN_OR_RETURN(Tensor c, widen(i3, expand3));
  TSC_ASSIGN_OR_RETURN(a, arith(Arith::Mul, a, b));
  TSC_ASSIGN_OR_RETURN(a, arith(Arith::Mul, a, c));
  return sumdim.empty() ? StatusOr<Tensor>(a) : sumOver(a, sumdim, false);
}

StatusOr<Tensor> tsc::cpu::bilinear(const Tensor &input1, const Tensor &input2, const Tensor &weight,
                                    const Tensor &bias) {
  if (input1.dim() != input2.dim())
    return invalidArgument("bilinear(): input dimensions do not match: got " + llvm::Twine(input1.dim()) + " and " +
                           llvm::Twine(input2.dim()));
  if (weight.dim() != 3 || input1.dim() == 0)
    return invalidArgument("bilinear(): weight must have 3 dimensions and the inputs at least 1");
  for (int64_t d = 0; d < input1.dim() - 1; ++d)
    if (input1.size(d) != input2.size(d))
      return invalidArgument("bilinear(): input batch dimensions do not match at dim " + llvm::Twine(d) + ": got " +
                             llvm::Twine(input1.size(d)) + " and " + llvm::Twine(input2.size(d)));
  if (input1.sizes().back() != weight.size(1))
    return invalidArgument("bilinear(): input1 size does not match weight size: got " +
                           llvm::Twine(input1.sizes().back()) + " but expected " + llvm::Twine(weight.size(1)));
  if (input2.sizes().back() != weight.size(2))
    return invalidArgument("bilinear(): input2 size does not match weight size: got " +
                           llvm::Twine(input2.sizes().back()) + " but expected " + llvm::Twine(weight.size(2)));
  if (bias.defined() && (bias.dim() != 1 || bias.size(0) != weight.size(0)))
    return invalidArgument("bilinear(): bias size does not match weight size: got " + llvm::Twine(bias.numel()) +
                           " but expected " + llvm::Twine(weight.size(0)));
  TSC_ASSIGN_OR_RETURN(Tensor out, einsum("...i,oij->...oj", {input1, weight}, std::nullopt));
  TSC_ASSIGN_OR_RETURN(out, einsum("...oj,...j->...o", {out, input2}, std::nullopt));
  return bias.defined() ? arith(Arith::Add, out, bias) : StatusOr<Tensor>(out);
}

/// out[j * n + l] = x[j] * y[l].
template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void productsOfRows(T *__restrict out, const T *__restrict x, int64_t m,
                                                        const T *__restrict y, int64_t n) {
  for (int64_t j = 0; j < m; ++j, out += n) {
    const T factor = x[j];
    for (int64_t l = 0; l < n; ++l)
      out[l] = factor * y[l];
  }
}

/// Multiplies each of m complex numbers by a row of n, as pairs of reals. Products and sums are rounded separately, as
/// point-wise operators multiply. `turned` is y times the imaginary unit.
template <typename R>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void complexProductsOfRows(R *__restrict out, const R *__restrict x, int64_t m,
                                                               const R *__restrict y, const R *__restrict turned,
                                                               int64_t n) {
#pragma clang fp contract(off)
  for (int64_t j = 0; j < m; ++j, out += 2 * n) {
    const R re = x[2 * j], im = x[2 * j + 1];
    for (int64_t l = 0; l < 2 * n; ++l)
      out[l] = re * y[l] + im * turned[l];
  }
}

/// Writes the products of row x, of m elements, with row y, of n, one behind the other.
template <typename T> static void multiplyRow(T *to, const T *x, int64_t m, const T *y, int64_t n) {
  if constexpr (std::is_floating_point_v<T>) {
    atSimdLevel<productsOfRows<T>, Overlap::None>(to, x, m, y, n);
  } else {
    using R = typename T::value_type;
    llvm::SmallVector<R, 64> turned(2 * n);
    for (int64_t l = 0; l < n; ++l)
      turned[2 * l] = -y[l].imag(), turned[2 * l + 1] = y[l].real();
    atSimdLevel<complexProductsOfRows<R>, Overlap::None>(reinterpret_cast<R *>(to), reinterpret_cast<const R *>(x), m,
                                                         reinterpret_cast<const R *>(y), turned.data(), n);
  }
}

/// Of two matrices whose rows are too short for the point-wise engine. Undefined: of others.
static StatusOr<Tensor> kronOfMatrices(const Tensor &a, const Tensor &b) {
  if (a.dim() != 2 || b.dim() != 2 || a.dtype() != b.dtype() || !a.isContiguous() || !b.isContiguous() || isLazy(a) ||
      isLazy(b))
    return Tensor();
  const int64_t rows = a.size(0) * b.size(0), columns = a.size(1) * b.size(1);
  auto multiply = [&](auto tag) -> StatusOr<Tensor> {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty({rows, columns}, a.dtype()));
    T *to = out.mutableData<T>();
    const T *x = a.data<T>(), *y = b.data<T>();
    parallelFor(0, rows, std::max<int64_t>(1, (1 << 15) / std::max<int64_t>(1, columns)),
                [&](int64_t first, int64_t last) {
                  for (int64_t r = first; r < last; ++r)
                    multiplyRow(to + r * columns, x + r / b.size(0) * a.size(1), a.size(1),
                                y + r % b.size(0) * b.size(1), b.size(1));
                });
    return out;
  };
  switch (a.dtype()) {
  case DType::Float: return multiply(TypeTag<float>{});
  case DType::Double: return multiply(TypeTag<double>{});
  case DType::ComplexFloat: return multiply(TypeTag<std::complex<float>>{});
  case DType::ComplexDouble: return multiply(TypeTag<std::complex<double>>{});
  default: return Tensor();
  }
}

StatusOr<Tensor> tsc::cpu::kron(const Tensor &self, const Tensor &other) {
  TSC_ASSIGN_OR_RETURN(Tensor ofMatrices, kronOfMatrices(self, other));
  if (ofMatrices.defined())
    return ofMatrices;
  int64_t rank = std::max(self.dim(), other.dim());
  Dims a, b, shape;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t i = d - (rank - self.dim()), j = d - (rank - other.dim());
    int64_t m = i < 0 ? 1 : self.size(i), n = j < 0 ? 1 : other.size(j);
    a.append({m, 1});
    b.append({1, n});
    shape.push_back(m * n);
  }
  TSC_ASSIGN_OR_RETURN(Tensor x, reshape(self, a));
  TSC_ASSIGN_OR_RETURN(Tensor y, reshape(other, b));
  TSC_ASSIGN_OR_RETURN(Tensor out, arith(Arith::Mul, x, y));
  return view(out, shape);
}

/// A chain of one is a copy of its matrix.
StatusOr<Tensor> tsc::cpu::chainMatmul(ArrayRef<Tensor> matrices) {
  return matrices.size() == 1 && matrices[0].dim() == 2 ? clone(matrices[0]) : multiDot(matrices);
}

StatusOr<Tensor> tsc::cpu::multiDot(ArrayRef<Tensor> matrices) {
  size_t n = matrices.size();
  if (n < 2)
    return invalidArgument("multi_dot(): expected at least 2 tensors but got " + llvm::Twine(n));
  std::vector<Tensor> chain(matrices.begin(), matrices.end());
  bool rowVector = chain.front().dim() == 1, columnVector = chain.back().dim() == 1;
  if (rowVector) {
    TSC_ASSIGN_OR_RETURN(chain.front(), unsqueeze(chain.front(), 0));
  }
  if (columnVector) {
    TSC_ASSIGN_OR_RETURN(chain.back(), unsqueeze(chain.back(), 1));
  }
  auto withoutAdded = [&](const Tensor &product) { // the dimensions that vectors were given
    Dims shape;
    if (!rowVector)
      shape.push_back(product.size(0));
    if (!columnVector)
      shape.push_back(product.size(1));
    return view(product, shape);
  };
  std::vector<int64_t> sizes;
  for (size_t i = 0; i != n; ++i) {
    if (chain[i].dim() != 2)
      return invalidArgument("multi_dot(): tensor " + llvm::Twine(i) + " must be 2D but got " +
                             llvm::Twine(chain[i].dim()) + "D");
    if (i && chain[i - 1].size(1) != chain[i].size(0))
      return invalidArgument("multi_dot(): tensors " + llvm::Twine(i - 1) + " and " + llvm::Twine(i) + " with shapes " +
                             shapeString(chain[i - 1].sizes()) + " and " + shapeString(chain[i].sizes()) +
                             " cannot be multiplied");
    sizes.push_back(chain[i].size(0));
  }
  sizes.push_back(chain.back().size(1));
  constexpr size_t longestOrdered = 256; // the order of more factors would take longer to find than it saves
  if (n > longestOrdered) {
    constexpr int64_t costOfFactor = 1024; // of a call and a tensor, beside the multiplications, which mm counts
    work::LongLoop turns(costOfFactor);
    TSC_ASSIGN_OR_RETURN(Tensor product, mm(chain[0], chain[1]));
    for (size_t i = 2; i != n; ++i) {
      if (!turns.goOn())
        return work::stopped();
      TSC_ASSIGN_OR_RETURN(product, mm(product, chain[i]));
    }
    return withoutAdded(product);
  }
  // cost[i][j]: multiplications of the cheapest order of factors i…j; split[i][j]: where it divides them.
  std::vector<std::vector<double>> cost(n, std::vector<double>(n, 0));
  std::vector<std::vector<size_t>> split(n, std::vector<size_t>(n, 0));
  for (size_t length = 2; length <= n; ++length)
    for (size_t i = 0; i + length <= n; ++i) {
      size_t j = i + length - 1;
      cost[i][j] = std::numeric_limits<double>::infinity();
      for (size_t s = i; s < j; ++s) {
        double total = cost[i][s] + cost[s + 1][j] + double(sizes[i]) * double(sizes[s + 1]) * double(sizes[j + 1]);
        if (total < cost[i][j])
          cost[i][j] = total, split[i][j] = s;
      }
    }
  auto multiply = [&](auto &&self, size_t i, size_t j) -> StatusOr<Tensor> {
    if (i == j)
      return chain[i];
    TSC_ASSIGN_OR_RETURN(Tensor a, self(self, i, split[i][j]));
    TSC_ASSIGN_OR_RETURN(Tensor b, self(self, split[i][j] + 1, j));
    return mm(a, b);
  };
  TSC_ASSIGN_OR_RETURN(Tensor out, multiply(multiply, 0, n - 1));
  return withoutAdded(out);
}
