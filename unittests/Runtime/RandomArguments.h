//===- RandomArguments.h - Calls of kernels with made operands --*- C++ -*-===//
#ifndef TSC_UNITTESTS_RUNTIME_RANDOMARGUMENTS_H
#define TSC_UNITTESTS_RUNTIME_RANDOMARGUMENTS_H

#include "tsc/IR/Context.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/IR/Operator.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Runtime/Tape/Tape.h"
#include "tsc/Tensor/Generator.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <random>

namespace tsc {

/// Random arguments for a schema; likely to fit together, and no more than that.
class ArgumentMaker {
public:
  /// What is made for an operator does not depend on the other ones.
  /// What floats are: numbers that often fit, or any in a range, so that none is at a kink or equals another.
  enum class Numbers { Few, Many };
  explicit ArgumentMaker(const OpRecord &record, bool onlyFloats = false, Numbers numbers = Numbers::Few,
                         DType many = DType::Double)
      : record(record), onlyFloats(onlyFloats), numbers(numbers), many(many),
        random(llvm::xxh3_64bits((record.qualified + "." + record.overload).str())) {}

  /// `mixesDTypes`: the operator may promote.
  std::vector<IValue> make(const FunctionSchema &schema, bool mixesDTypes) {
    rank = pick({0, 1, 2, 2, 3, 3, 4, 5});
    largest = pick({2, 3, 3, 7});
    mode = pick({0, 0, 1, 2, 3});
    base.clear();
    for (int i = 0; i < rank; ++i)
      base.push_back(size());
    floating = pick({DType::Float, DType::Float, DType::Double, DType::Int64, DType::ComplexFloat, DType::Bool,
                     DType::Int32, DType::UInt8});
    oneDType = !mixesDTypes || chance(0.6);
    if (onlyFloats)
      floating = numbers == Numbers::Many ? many : pick({DType::Float, DType::Double});
    isSumOfBatch = schema.argumentIndex("batch1").has_value();
    affine.reset();
    if (schema.argumentIndex("normalized_shape") && rank > 0)
      affine = Dims(ArrayRef<int64_t>(base).take_back(number(1, rank)));
    else if (rank > 1 && (schema.argumentIndex("num_groups") || schema.argumentIndex("running_mean")))
      affine = Dims{base[1]};
    given.clear();
    if (schema.argumentIndex("theta") && rank > 3) // matrices for the points of as many images
      given["theta"] = {base[0], rank - 2, rank - 1};
    if (numbers == Numbers::Many)
      fit(schema);
    std::vector<IValue> values;
    for (const Argument &argument : schema.arguments())
      values.push_back(chance(0.3) && argument.defaultValue ? deepCopy(*argument.defaultValue)
                                                            : value(argument.type, argument));
    return values;
  }

private:
  /// Shapes of operands that chance would hardly make.
  void fit(const FunctionSchema &schema) {
    spatial = 0;
    takesClasses = schema.argumentIndex("ignore_index").has_value();
    if (takesClasses && rank > 0 && chance(0.8)) {
      mode = 0;
      given["weight"] = {base[rank > 1]};
      given["target"] = base;
      if (chance(0.7))
        given["target"].erase(given["target"].begin() + (rank > 1));
    }
    if (rank > 3)
      given["random_samples"] = {base[0], base[1], rank - 2};
    fitPivots(schema);
    if (rank > 0)
      given["fweights"] = given["aweights"] = {base.back()};
    if (takesPlane = schema.argumentIndex("HxW") && rank > 1; takesPlane)
      given["weight"] = given["bias"] = {base[1]};
    auto stride = schema.argumentIndex("stride");
    if (!stride || !schema.argumentIndex("weight") || !schema.argumentIndex("padding"))
      return;
    // Convolutions.
    const Argument &argument = schema.arguments()[*stride];
    llvm::StringRef name = record.qualified;
    spatial = argument.fixedLength ? *argument.fixedLength : number(1, 2);
    transposed = schema.argumentIndex("transposed") ? chance(0.5) : name.contains("transpose");
    const bool isDepthwise = name.contains("depthwise");
    groups = isDepthwise || schema.argumentIndex("groups") ? number(1, 2) : 1;
    int64_t in = isDepthwise ? 1 : number(1, 2), out = number(1, 2);
    Dims input{number(1, spatial == 3 ? 1 : 2), groups * in};
    Dims weight = transposed ? Dims{groups * in, out} : Dims{groups * out, in};
    kernel.clear();
    for (int64_t d = 0; d != spatial; ++d) {
      input.push_back(spatial == 3 ? number(2, 3) : number(3, 4));
      kernel.push_back(number(1, 2));
      weight.push_back(kernel.back());
    }
    if (chance(0.2))
      input.erase(input.begin());
    given["input"] = given["self"] = input;
    given["weight"] = weight;
    given["bias"] = {groups * out};
  }

  /// Factors of matrices and where their rows went.
  void fitPivots(const FunctionSchema &schema) {
    for (const char *pivots : {"pivots", "LU_pivots"}) {
      if (rank < 2 || !schema.argumentIndex(pivots))
        continue;
      Dims factors = base, right = base;
      const bool isUnpacked = record.qualified == "aten::lu_unpack";
      const int64_t n = factors[rank - 2];
      if (!isUnpacked)
        factors.back() = n;
      given["LU"] = given["LU_data"] = given["LD"] = factors;
      given["B"] = given["self"] = right;
      if (chance(0.5))
        std::swap(given["B"][rank - 1], given["B"][rank - 2]);
      factors.pop_back();
      factors.back() = std::min(base[rank - 1], n);
      if (!isUnpacked)
        factors.back() = n;
      given[pivots] = factors;
      rowsOfFactors = n;
    }
  }

  Tensor pivotsOf(llvm::StringRef name) {
    const Dims &sizes = given[name.str()];
    Tensor pivots = *Tensor::empty(sizes, DType::Int32);
    for (int64_t i = 0; i != pivots.numel(); ++i)
      pivots.set(i, Scalar(number(i % sizes.back() + 1, rowsOfFactors)));
    return pivots;
  }

  template <typename T> T pick(std::initializer_list<T> from) { return from.begin()[random() % from.size()]; }
  const char *pickText(std::initializer_list<const char *> from) { return from.begin()[random() % from.size()]; }
  bool chance(double p) { return std::uniform_real_distribution<>(0, 1)(random) < p; }
  int64_t number(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
  }
  int64_t size() { return chance(0.04) ? 0 : chance(0.15) ? 1 : number(2, std::max<int64_t>(largest, 2)); }

  Dims shape() {
    Dims sizes = base;
    if (mode == 1) { // broadcasts against the others
      sizes = Dims(ArrayRef<int64_t>(sizes).drop_front(sizes.empty() ? 0 : random() % (sizes.size() + 1)));
      for (int64_t &s : sizes)
        s = chance(0.4) ? 1 : s;
    } else if (mode == 2) {
      sizes.resize(number(0, 3));
      for (int64_t &s : sizes)
        s = size();
    } else if (mode == 3) { // as factors of products, or inputs and weights: of one rank, sizes from a small choice
      for (int64_t &s : sizes)
        s = number(2, 3);
    }
    return sizes;
  }

  static bool holdsIndices(llvm::StringRef name) {
    return name.contains("ind") || name == "target" || name == "targets" || name == "offsets" || name == "repeats" ||
           name == "lengths" || name == "LU_pivots" || name == "pivots" || name == "start" || name == "fweights";
  }

  /// Below which singular values are taken for zeros: a matrix stays of full rank.
  bool isTolerance(llvm::StringRef name) const {
    return numbers == Numbers::Many && (name == "rcond" || name == "atol" || name == "rtol");
  }

  IValue tensor(llvm::StringRef name) {
    if (numbers == Numbers::Many && name.ends_with("pivots") && given.count(name.str()))
      return pivotsOf(name);
    const bool isAffine = name == "weight" || name == "bias" || name.starts_with("running_");
    const bool isClass = numbers == Numbers::Few || name != "target" || (takesClasses && chance(0.6));
    DType dtype = isTolerance(name) || (numbers == Numbers::Many && name == "aweights") ? DType::Double
                  : holdsIndices(name) && isClass && chance(0.9)                        ? DType::Int64
                  : name == "mask" || name == "condition"                               ? DType::Bool
                  : oneDType                                                            ? floating
                  : onlyFloats ? pick({DType::Float, DType::Double})
                               : pick({DType::Float, DType::Double, DType::Int64, DType::Int32, DType::Bool,
                                       DType::Half, DType::ComplexFloat});
    if (onlyFloats && !isFloating(dtype) && numbers == Numbers::Few)
      dtype = floating;
    auto found = given.find(name.str());
    Dims sizes = found != given.end()                ? found->second
                 : name == "start"                   ? Dims()
                 : holdsIndices(name) && chance(0.5) ? Dims{number(1, 3)}
                 : isAffine && affine                ? *affine
                                                     : shape();
    if (onlyFloats && name == "bias" && !affine && !spatial)
      sizes = {weightRows};
    if (name == "weight" && !sizes.empty())
      weightRows = sizes.front();
    if (isSumOfBatch && name == "self" && sizes.size() == 3 && chance(0.5))
      sizes.erase(sizes.begin());
    Dims strides = contiguousStrides(sizes);
    if (sizes.size() > 1 && chance(0.3)) { // laid out in another order
      Dims order(sizes.size());
      std::iota(order.begin(), order.end(), 0);
      std::shuffle(order.begin(), order.end(), random);
      int64_t next = 1;
      for (int64_t d : order) {
        strides[d] = next;
        next *= std::max<int64_t>(sizes[d], 1);
      }
    }
    Tensor t = *Tensor::emptyStrided(sizes, strides, dtype);
    double shift = numbers == Numbers::Many && chance(0.4) ? pick({-1.0, 1.0, -0.5}) : 0;
    const bool isSmall = isTolerance(name);
    auto any = [&] { return isSmall ? 1e-9 : shift + std::uniform_real_distribution<>(0.05, 0.95)(random); };
    for (int64_t i = 0; i != t.numel(); ++i)
      if (numbers == Numbers::Many && isComplex(dtype))
        t.set(i, Scalar(std::complex<double>(any(), any())));
      else if (numbers == Numbers::Many && isFloating(dtype))
        t.set(i, Scalar(any()));
      else
        t.set(i, isFloating(dtype) || isComplex(dtype) ? Scalar(0.1 + 0.1 * double(random() % 8))
                                                       : Scalar(int64_t(random() % 2)));
    return t;
  }

  std::vector<int64_t> ints(const Argument &argument) {
    llvm::StringRef name = argument.name;
    std::vector<int64_t> values;
    if (name == "normalized_shape" && affine)
      return {affine->begin(), affine->end()};
    if (spatial && name == "kernel_size")
      return {kernel.begin(), kernel.end()};
    if (numbers == Numbers::Many && name == "output_size" && !argument.fixedLength)
      values.resize(std::max(rank - 2, 1));
    else if (spatial && chance(0.8))
      values.resize(spatial);
    else if (argument.fixedLength && (*argument.fixedLength > 1 || chance(0.7))) {
      values.resize(*argument.fixedLength);
    } else if (name == "size" || name == "shape" || name == "sizes") {
      values.assign(base.begin(), base.end());
      if (chance(0.3))
        std::shuffle(values.begin(), values.end(), random);
      if (chance(0.3) && !values.empty())
        values[random() % values.size()] = -1;
      if (chance(0.2))
        values.insert(values.begin(), number(1, 3));
      return values;
    } else if (name.starts_with("dim") || name == "source" || name == "destination") {
      values.resize(rank);
      std::iota(values.begin(), values.end(), 0);
      std::shuffle(values.begin(), values.end(), random);
      if (chance(0.5))
        values.resize(number(0, rank));
      return values;
    } else {
      values.resize(number(0, std::max(rank, 1)));
    }
    for (int64_t &v : values)
      v = integer(name);
    return values;
  }

  int64_t integer(llvm::StringRef name) {
    if (name == "num_groups" && affine)
      return chance(0.5) ? 1 : affine->front();
    if (numbers == Numbers::Many && name == "padding_idx")
      return -1; // its row has a gradient of zero, which the rule says and not the kernel
    if (takesPlane && (name == "N" || name == "C"))
      return base[name == "C"];
    if (takesPlane && name == "HxW")
      return std::accumulate(base.begin() + 2, base.end(), int64_t(1), std::multiplies<>());
    if (takesPlane && name == "group")
      return chance(0.5) ? 1 : base[1];
    if (spatial && name == "groups")
      return groups;
    if (name == "groups" || name == "benchmark" || name == "step")
      return 1;
    if (name.starts_with("dim") || name.contains("_dim"))
      return number(-rank, std::max(rank - 1, 0));
    if (name.contains("kernel") || name.contains("stride") || name == "dilation" || name == "output_size")
      return number(1, 3);
    if (name.contains("padding") || name == "reduction")
      return number(0, 1);
    return number(chance(0.2) ? -2 : 0, 3);
  }

  IValue value(const Type *type, const Argument &argument) {
    llvm::StringRef name = argument.name;
    switch (type->kind()) {
    case TypeKind::Tensor: return tensor(name);
    case TypeKind::Optional:
      return chance(0.4) || name == "generator" ? IValue() : value(llvm::cast<OptionalType>(type)->element(), argument);
    case TypeKind::List: {
      const Type *element = llvm::cast<ListType>(type)->element();
      if (element->isInt())
        return ints(argument);
      IValue list = makeList(element->hasFreeVariables() ? Type::intType() : element);
      for (int64_t i = 0, n = number(1, 3); i != n; ++i)
        appendToList(list, element->hasFreeVariables() ? IValue(number(0, 5)) : value(element, argument));
      return list;
    }
    case TypeKind::Int:
    case TypeKind::SymInt: return integer(name);
    case TypeKind::Float:
      if (isTolerance(name))
        return 1e-9;
      return pick({0.5, 1.0, 2.0});
    case TypeKind::Bool:
      if (spatial && name == "transposed")
        return transposed;
      if (numbers == Numbers::Many && name == "hermitian")
        return false; // what is made is not
      return chance(0.5) && !(numbers == Numbers::Many && (name == "scale_grad_by_freq" || name == "full_matrices")) ||
             (numbers == Numbers::Many && name == "some");
    case TypeKind::Number: return chance(0.5) ? IValue(number(0, 4)) : IValue(pick({0.5, 1.0, 2.5}));
    case TypeKind::Complex: return std::complex<double>(1, 2);
    case TypeKind::ScalarType:
      if (numbers == Numbers::Many)
        return many;
      return pick({DType::Float, DType::Double, DType::Int64, DType::Int32, DType::Bool, DType::Half});
    case TypeKind::Layout: return int64_t{0};
    case TypeKind::MemoryFormat: return number(0, 1);
    case TypeKind::Device: return Device();
    case TypeKind::String:
      if (numbers == Numbers::Many && name == "equation")
        return pickText({"ij,jk->ik", "ij,jk", "bij,bjk->bik", "i,i", "ii->i", "ii", "ij->", "ij->ji", "i,j->ij",
                         "...i,...i", "...i,...i->...", "ij,kj,k->i", "iij,j->i"});
      return pickText({"mean",    "sum",       "none",     "valid",   "same",     "ij",   "xy",  "constant",
                       "reflect", "replicate", "circular", "reduced", "complete", "r",    "L",   "U",
                       "trunc",   "floor",     "fro",      "nuc",     "amax",     "prod", "tanh"});
    default: return {};
    }
  }

  const OpRecord &record;
  const bool onlyFloats;
  const Numbers numbers = Numbers::Few;
  const DType many; ///< The dtype of many numbers.
  std::mt19937_64 random;
  int rank = 0, mode = 0;
  int64_t largest = 3;
  Dims base;
  std::optional<Dims> affine; ///< The shape of weights and biases, where the schema tells.
  DType floating = DType::Float;
  int64_t weightRows = 1;
  std::map<std::string, Dims> given; ///< Shapes of operands by name.
  Dims kernel;
  int64_t rowsOfFactors = 0;
  int64_t spatial = 0, groups = 1; ///< Of a convolution.
  bool transposed = false, takesClasses = false, takesPlane = false;
  bool oneDType = true, isSumOfBatch = false;
};

/// Calls the kernels of records.
class KernelCaller {
public:
  explicit KernelCaller(Context &context) : call(context) {
    installOperatorServices(context);
    installGradientServices(context);
    call.setWarningHandler(nullptr);
  }

  /// The kernel may write `values`.
  std::optional<std::vector<IValue>> run(const OpRecord &record, const FunctionSchema &schema,
                                         ArrayRef<IValue> values) {
    std::vector<const IValue *> args;
    for (const IValue &value : values)
      args.push_back(&value);
    CallSite site;
    site.numArgs = args.size();
    site.numResults = schema.returns().size();
    site.resultType = schema.returns().front().type;
    site.name = record.qualified.data();
    call.site = &site;
    call.generator().setSeed(7); // each call draws the same numbers
    std::vector<IValue> results(site.numResults);
    Status status = boxedKernels[static_cast<unsigned>(record.kind)](call, args.data(), results.data());
    call.site = nullptr;
    return status.ok() ? std::optional(std::move(results)) : std::nullopt;
  }

private:
  CallContext call;
};

inline std::string describe(ArrayRef<IValue> values) {
  std::string text;
  for (const IValue &value : values) {
    text += text.empty() ? "" : ", ";
    if (value.isTensor())
      text += irName(value.asTensor().dtype()).str() + shapeString(value.asTensor().sizes()) + "/" +
              shapeString(value.asTensor().strides());
    else if (value.isTensorList())
      for (const Tensor &t : value.toTensorList().elements)
        text += irName(t.dtype()).str() + shapeString(t.sizes()) + " ";
    else {
      llvm::raw_string_ostream os(text);
      reprValue(os, value);
    }
  }
  return text;
}

inline std::string nameOf(const OpRecord &record) {
  return (record.qualified + (record.overload.empty() ? "" : ".") + record.overload).str();
}

} // namespace tsc

#endif
