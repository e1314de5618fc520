//===- ShapeRulesTest.cpp - Rules against kernels -------------------------===//
//
// For every operator with a column for shapes or dtypes: calls its kernel with
// random operands, and where the kernel succeeds the columns must have said what
// came out: dtype, sizes, strides, device. Then once more with some sizes turned
// into symbols: what is said must still hold.
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/ShapeRules.h"
#include "tsc/Analysis/OperatorInference.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Operator.h"
#include "tsc/Runtime/CallContext.h"
#include "tsc/Transforms/ShapeRuleCompiler.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <catch2/catch.hpp>
#include <random>

using namespace tsc;
using llvm::StringRef;

namespace {

/// Random arguments for a schema; likely to fit together, and no more than that.
class ArgumentMaker {
public:
  /// What is made for an operator does not depend on the other ones.
  explicit ArgumentMaker(const OpRecord &record)
      : random(llvm::xxh3_64bits((record.qualified + "." + record.overload).str())) {}

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
    std::vector<IValue> values;
    for (const Argument &argument : schema.arguments())
      values.push_back(chance(0.3) && argument.defaultValue ? deepCopy(*argument.defaultValue)
                                                            : value(argument.type, argument));
    return values;
  }

private:
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

  static bool holdsIndices(StringRef name) {
    return name.contains("ind") || name == "target" || name == "targets" || name == "offsets" || name == "repeats" ||
           name == "lengths" || name == "LU_pivots" || name == "pivots";
  }

  IValue tensor(StringRef name) {
    DType dtype = holdsIndices(name) && chance(0.9)       ? DType::Int64
                  : name == "mask" || name == "condition" ? DType::Bool
                  : oneDType                              ? floating
                             : pick({DType::Float, DType::Double, DType::Int64, DType::Int32, DType::Bool, DType::Half,
                                     DType::ComplexFloat});
    Dims sizes = holdsIndices(name) && chance(0.5) ? Dims{number(1, 3)} : shape();
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
    for (int64_t i = 0; i != t.numel(); ++i)
      t.set(i, isFloating(dtype) || isComplex(dtype) ? Scalar(0.1 + 0.1 * double(random() % 8))
                                                     : Scalar(int64_t(random() % 2)));
    return t;
  }

  std::vector<int64_t> ints(const Argument &argument) {
    StringRef name = argument.name;
    std::vector<int64_t> values;
    if (argument.fixedLength && (*argument.fixedLength > 1 || chance(0.7))) {
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

  int64_t integer(StringRef name) {
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
    StringRef name = argument.name;
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
    case TypeKind::Float: return pick({0.5, 1.0, 2.0});
    case TypeKind::Bool: return chance(0.5);
    case TypeKind::Number: return chance(0.5) ? IValue(number(0, 4)) : IValue(pick({0.5, 1.0, 2.5}));
    case TypeKind::Complex: return std::complex<double>(1, 2);
    case TypeKind::ScalarType:
      return pick({DType::Float, DType::Double, DType::Int64, DType::Int32, DType::Bool, DType::Half});
    case TypeKind::Layout: return int64_t{0};
    case TypeKind::MemoryFormat: return number(0, 1);
    case TypeKind::Device: return Device();
    case TypeKind::String:
      return pickText({"mean",    "sum",       "none",     "valid",   "same",     "ij",   "xy",  "constant",
                       "reflect", "replicate", "circular", "reduced", "complete", "r",    "L",   "U",
                       "trunc",   "floor",     "fro",      "nuc",     "amax",     "prod", "tanh"});
    default: return {};
    }
  }

  std::mt19937_64 random;
  int rank = 0, mode = 0;
  int64_t largest = 3;
  Dims base;
  DType floating = DType::Float;
  bool oneDType = true;
};

/// Calls the kernels of records.
class KernelCaller {
public:
  explicit KernelCaller(Context &context) : call(context) { call.setWarningHandler(nullptr); }

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
    std::vector<IValue> results(site.numResults);
    Status status = boxedKernels[static_cast<unsigned>(record.kind)](call, args.data(), results.data());
    call.site = nullptr;
    return status.ok() ? std::optional(std::move(results)) : std::nullopt;
  }

private:
  CallContext call;
};

/// Holds what is said against what came out; the text of the first difference, empty when there is none.
class Comparison {
public:
  llvm::DenseMap<uint32_t, int64_t> assignment; ///< What symbols stand for.
  const SymbolTable &symbols;
  bool complete;        ///< Everything was known.
  bool missing = false; ///< A tensor was not said to be one.
  bool silent = false;  ///< Sizes that could have been said were not.

  Comparison(const SymbolTable &symbols, bool complete) : symbols(symbols), complete(complete) {}

  std::string compare(const AbstractValue &said, const IValue &is, StringRef shapeColumn) {
    if (is.isList()) {
      const auto *list = said.asList();
      if (!list) {
        silent |= !shapeColumn.empty();
        return "";
      }
      if (list->elements.size() != is.listSize())
        return "says " + std::to_string(list->elements.size()) + " tensors, there are " + std::to_string(is.listSize());
      for (size_t i = 0; i != is.listSize(); ++i)
        if (std::string why = compare(list->elements[i], is.listElement(i), shapeColumn); !why.empty())
          return why;
      return "";
    }
    const AbstractTensor *tensor = said.asTensor();
    missing |= !tensor && is.isTensor();
    return tensor && is.isTensor() ? compareTensor(*tensor, is.asTensor(), shapeColumn) : "";
  }

private:
  std::string compareTensor(const AbstractTensor &said, const Tensor &is, StringRef shapeColumn) {
    if (said.dtype && *said.dtype != is.dtype())
      return ("says " + irName(*said.dtype) + ", is " + irName(is.dtype())).str();
    if (said.device && !(*said.device == is.device()))
      return "says device " + said.device->str();
    if (said.requiresGrad == true && !is.requiresGrad())
      return "says requires_grad=1";
    if (!said.sizes) {
      silent |= !shapeColumn.empty();
      return "";
    }
    if (!holds(*said.sizes, is.sizes()))
      return "says sizes " + text(*said.sizes) + ", are " + shapeString(is.sizes());
    if (said.strides && !holds(*said.strides, is.strides()))
      return "says strides " + text(*said.strides) + ", are " + shapeString(is.strides()) + " with sizes " +
             shapeString(is.sizes());
    return "";
  }

  bool holds(const SymbolicDims &said, ArrayRef<int64_t> is) const {
    if (said.size() != is.size())
      return false;
    for (auto [s, i] : llvm::zip(said, is)) {
      if (s.isConstant() && s.constant() != i)
        return false;
      if (SymbolTable::isPlainSymbol(s))
        if (auto at = assignment.find(symbols.idOf(s)); at != assignment.end() && at->second != i)
          return false;
    }
    return true;
  }

  static std::string text(const SymbolicDims &dims) {
    std::vector<std::string> parts;
    for (SymbolicInt d : dims)
      parts.push_back(d.isConstant() ? std::to_string(d.constant()) : "?");
    return "[" + llvm::join(parts, ", ") + "]";
  }
};

/// The operands as they are known before the call; with a Comparison that is not complete, some sizes as symbols.
std::vector<AbstractValue> abstractOperands(ArrayRef<AbstractValue> values, SymbolTable &symbols,
                                            Comparison &comparison) {
  llvm::DenseMap<int64_t, SymbolicInt> symbolOf;
  auto blur = [&](const AbstractTensor &tensor) {
    AbstractTensor blurred = tensor;
    blurred.strides.reset();
    for (SymbolicInt &size : *blurred.sizes) {
      if (size.constant() % 2 == 0)
        continue;
      SymbolicInt &symbol = symbolOf[size.constant()];
      if (symbol.isUnknown()) {
        symbol = symbols.fresh(SymbolRange::NonNegative);
        comparison.assignment[symbols.idOf(symbol)] = size.constant();
      }
      size = symbol;
    }
    return blurred;
  };
  std::vector<AbstractValue> operands;
  for (AbstractValue known : values) {
    if (!comparison.complete) {
      if (known.asTensor())
        known = blur(*known.asTensor());
      else if (const auto *list = known.asList()) {
        std::vector<AbstractValue> elements;
        for (const AbstractValue &element : list->elements)
          elements.push_back(element.asTensor() ? AbstractValue(blur(*element.asTensor())) : element);
        known = AbstractValue::list(std::move(elements));
      }
    }
    operands.push_back(std::move(known));
  }
  return operands;
}

std::vector<AbstractValue> known(ArrayRef<IValue> values) {
  std::vector<AbstractValue> all;
  for (const IValue &value : values)
    all.push_back(abstractConstant(value));
  return all;
}

std::string describe(ArrayRef<IValue> values) {
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

/// What the shape column says of one result.
StringRef shapeEntry(const ShapeColumns &columns, unsigned index) {
  llvm::SmallVector<StringRef, 4> entries;
  StringRef(columns.shape).split(entries, ';');
  return entries.size() == 1 ? entries.front() : index < entries.size() ? entries[index].trim() : StringRef();
}

std::string nameOf(const OpRecord &record) {
  return (record.qualified + (record.overload.empty() ? "" : ".") + record.overload).str();
}

/// The rule that the shape column begins with: `cat` of `cat(tensors, dim)`.
std::string ruleOf(const ShapeColumns &columns) {
  return StringRef(columns.shape).take_while([](char c) { return llvm::isAlnum(c) || c == '_'; }).str();
}

/// Rules that say nothing of some calls that PyTorch's kernels take: of scalars as vectors, of sizes of -1.
const StringRef rulesWithLimits[] = {"cross_entropy", "fft_to_real", "tensordot"};

/// Rules where the number of dimensions, or of tensors, depends on a size: they may be silent where it is a symbol.
const StringRef rulesOfSizes[] = {"cat",          "chunk", "cov",     "cross_entropy", "fft_to_real", "hstack",
                                  "linalg_solve", "split", "squeeze", "squeeze_dim",   "tensordot",   "unbind"};

/// Operators whose arguments depend on each other more than ArgumentMaker knows.
const StringRef withoutCalls[] = {"aten::_convolution",
                                  "aten::_convolution.deprecated",
                                  "aten::_convolution.out",
                                  "aten::_convolution_mode",
                                  "aten::_fft_r2c.out",
                                  "aten::_native_multi_head_attention.out",
                                  "aten::_transformer_encoder_layer_fwd.out",
                                  "aten::_upsample_bicubic2d_aa.vec",
                                  "aten::addbmm_",
                                  "aten::addmv_",
                                  "aten::addr_",
                                  "aten::complex.out",
                                  "aten::conv_depthwise3d.out",
                                  "aten::conv_tbc.out",
                                  "aten::convolution",
                                  "aten::convolution.out",
                                  "aten::ctc_loss.Tensor",
                                  "aten::cuda",
                                  "aten::diagonal_scatter.out",
                                  "aten::fft_ihfft.out",
                                  "aten::fft_ihfft2.out",
                                  "aten::fft_ihfftn.out",
                                  "aten::fft_rfft.out",
                                  "aten::fft_rfft2.out",
                                  "aten::fft_rfftn.out",
                                  "aten::fractional_max_pool3d",
                                  "aten::fractional_max_pool3d.output",
                                  "aten::grid_sampler_3d",
                                  "aten::gru.data",
                                  "aten::gru.input",
                                  "aten::gru_cell",
                                  "aten::layer_norm",
                                  "aten::linalg_lu_solve",
                                  "aten::linalg_lu_solve.out",
                                  "aten::lstm.data",
                                  "aten::lstm.input",
                                  "aten::lstm_cell",
                                  "aten::lu_solve",
                                  "aten::lu_solve.out",
                                  "aten::lu_unpack.out",
                                  "aten::mkldnn_convolution.out",
                                  "aten::native_group_norm",
                                  "aten::nll_loss2d",
                                  "aten::nll_loss2d.out",
                                  "aten::nll_loss2d_forward",
                                  "aten::nll_loss2d_forward.output",
                                  "aten::ormqr",
                                  "aten::polar.out",
                                  "aten::rnn_relu.data",
                                  "aten::rnn_relu.input",
                                  "aten::rnn_tanh.data",
                                  "aten::rnn_tanh.input",
                                  "aten::scatter.reduce",
                                  "aten::scatter.reduce_out",
                                  "aten::scatter.value_reduce",
                                  "aten::scatter.value_reduce_out",
                                  "aten::scatter_.reduce",
                                  "aten::scatter_.value_reduce",
                                  "aten::upsample_nearest2d.vec",
                                  "aten::upsample_nearest3d.vec_out",
                                  "aten::upsample_trilinear3d.vec"};

/// Whether results of the schema are tensors that columns may speak of.
bool givesTensors(const FunctionSchema &schema) {
  return llvm::any_of(schema.returns(), [](const Argument &result) {
    const auto *list = llvm::dyn_cast<ListType>(result.type);
    return result.type->isTensor() || (list && list->element()->isTensor());
  });
}

} // namespace

TEST_CASE("the columns of every record parse and name rules that compile") {
  ShapeRuleCompiler rules;
  Context context;
  std::function<void(const RuleExpr &, const FunctionSchema &)> check = [&](const RuleExpr &expr,
                                                                            const FunctionSchema &schema) {
    INFO(expr.name << " in " << schema.str());
    bool isOperand = schema.argumentIndex(expr.name).has_value();
    if (expr.kind == RuleExpr::Kind::Strides)
      CHECK(isOperand);
    static constexpr StringRef builtin[] = {"", "result", "contiguous", "dense", "elementwise", "nested_sizes"};
    bool namesRule = expr.kind == RuleExpr::Kind::Call || (expr.kind == RuleExpr::Kind::Operand && !isOperand);
    if (namesRule && !llvm::is_contained(builtin, expr.name))
      CHECK(rules.rule(expr.name));
    for (const RuleExpr &argument : expr.arguments)
      check(argument, schema);
  };
  for (const OpRecord &record : allOpRecords()) {
    const ShapeColumns &columns = shapeColumns(record.kind);
    FunctionSchema schema = parseKnownSchema(context, record.schema);
    for (StringRef column : {StringRef(columns.shape), StringRef(columns.strides)}) {
      std::string why;
      for (const RuleExpr &expr : parseRuleColumn(column, why))
        check(expr, schema);
      INFO(record.qualified.str() << ": " << column.str());
      CHECK(why == "");
    }
  }
  CHECK(rules.diagnostics() == "");
}

TEST_CASE("rules say what kernels return") {
  Context context;
  ShapeRuleCompiler rules;
  KernelCaller kernels(context);
  std::vector<std::string> untested;
  unsigned tested = 0;
  for (const OpRecord &record : allOpRecords()) {
    const ShapeColumns &columns = shapeColumns(record.kind);
    FunctionSchema schema = parseKnownSchema(context, record.schema);
    if ((columns.shape.empty() && columns.dtype.empty()) || !boxedKernels[static_cast<unsigned>(record.kind)] ||
        !givesTensors(schema))
      continue;
    ArgumentMaker arguments(record);
    unsigned succeeded = 0, failures = 0, silent = 0, silentOfSymbols = 0, missing = 0;
    for (unsigned attempt = 0; attempt != 400 && succeeded < 20 && failures < 2; ++attempt) {
      std::vector<IValue> values =
          arguments.make(schema, StringRef(columns.dtype).contains("promote") || record.has(Trait::Pointwise));
      std::vector<AbstractValue> before = known(values);
      std::vector<const Type *> types;
      for (const auto &[argument, value] : llvm::zip(schema.arguments(), values))
        types.push_back(value.isNone() ? argument.type : value.dynamicType(context));
      std::string call = describe(values);
      auto results = kernels.run(record, schema, values);
      if (!results)
        continue;
      ++succeeded;
      for (bool complete : {true, false}) {
        SymbolTable symbols;
        OperatorInference inference(symbols, rules);
        Comparison comparison(symbols, complete);
        std::vector<AbstractValue> operands = abstractOperands(before, symbols, comparison);
        std::vector<AbstractValue> said = inference.infer(record, schema, operands, types);
        for (unsigned i = 0; i != results->size(); ++i) {
          std::string why = comparison.compare(said[i], (*results)[i], shapeEntry(columns, i));
          INFO(nameOf(record) << (complete ? "" : " with symbols") << ", result " << i << ": " << why << "\n  (" << call
                              << ")");
          CHECK(why == "");
          failures += !why.empty();
        }
        (complete ? silent : silentOfSymbols) += comparison.silent;
        missing += comparison.missing;
      }
    }
    {
      std::string rule = ruleOf(columns);
      unsigned inQuarters = 4 * silent, inQuartersOfSymbols = 4 * silentOfSymbols;
      INFO(nameOf(record) << ": of " << succeeded << " calls, " << silent << " without sizes, with symbols "
                          << silentOfSymbols << ", " << missing << " without a tensor");
      CHECK(inQuarters <= (llvm::is_contained(rulesWithLimits, rule) ? succeeded : 0));
      CHECK(inQuartersOfSymbols <= (llvm::is_contained(rulesOfSizes, rule) ? 3 * succeeded : inQuarters));
      CHECK(missing == 0);
    }
    if (succeeded)
      ++tested;
    else if (!llvm::is_contained(withoutCalls, nameOf(record)))
      untested.push_back(nameOf(record));
  }
  INFO(tested << " operators were compared");
  CHECK(llvm::join(untested, " ") == ""); // ArgumentMaker may need to know an argument
}
