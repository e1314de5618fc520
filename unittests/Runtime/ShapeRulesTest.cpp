//===- ShapeRulesTest.cpp - Rules against kernels -------------------------===//
//
// For every operator with a column for shapes or dtypes: calls its kernel with
// random operands, and where the kernel succeeds the columns must have said what
// came out: dtype, sizes, strides, device. Then once more with some sizes turned
// into symbols: what is said must still hold.
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/ShapeRules.h"
#include "RandomArguments.h"
#include "tsc/Analysis/OperatorInference.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Operator.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Transforms/ShapeRuleCompiler.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <catch2/catch.hpp>

using namespace tsc;
using llvm::StringRef;

namespace {

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

/// What the shape column says of one result.
StringRef shapeEntry(const ShapeColumns &columns, unsigned index) {
  llvm::SmallVector<StringRef, 4> entries;
  StringRef(columns.shape).split(entries, ';');
  return entries.size() == 1 ? entries.front() : index < entries.size() ? entries[index].trim() : StringRef();
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
const StringRef withoutCalls[] = {
    "aten::_convolution", "aten::_convolution.deprecated", "aten::_convolution.out", "aten::_convolution_mode",
    "aten::_fft_r2c.out", "aten::_native_multi_head_attention.out", "aten::_transformer_encoder_layer_fwd.out",
    "aten::_upsample_bicubic2d_aa.vec", "aten::addbmm_", "aten::addmv_", "aten::addr_", "aten::complex.out",
    "aten::conv_depthwise3d.out", "aten::conv_tbc.out", "aten::convolution", "aten::convolution.out",
    "aten::ctc_loss.Tensor", "aten::cuda", "aten::diagonal_scatter.out", "aten::fft_ihfft.out", "aten::fft_ihfft2.out",
    "aten::fft_ihfftn.out", "aten::fft_rfft.out", "aten::fft_rfft2.out", "aten::fft_rfftn.out",
    "aten::fractional_max_pool3d", "aten::fractional_max_pool3d.output", "aten::grid_sampler_3d", "aten::gru.data",
    "aten::gru.input", "aten::gru_cell", "aten::linalg_lu_solve", "aten::linalg_lu_solve.out", "aten::lstm.data",
    "aten::lstm.input", "aten::lstm_cell", "aten::lu_solve", "aten::lu_solve.out", "aten::lu_unpack.out",
    "aten::mkldnn_convolution.out", "aten::native_group_norm", "aten::nll_loss2d", "aten::nll_loss2d.out",
    "aten::nll_loss2d_forward", "aten::nll_loss2d_forward.output", "aten::ormqr", "aten::polar.out",
    "aten::rnn_relu.data", "aten::rnn_relu.input", "aten::rnn_tanh.data", "aten::rnn_tanh.input",
    "aten::scatter.reduce", "aten::scatter.reduce_out", "aten::scatter.value_reduce", "aten::scatter.value_reduce_out",
    "aten::scatter_.reduce", "aten::scatter_.value_reduce", "aten::upsample_nearest2d.vec",
    "aten::upsample_nearest3d.vec_out", "aten::upsample_trilinear3d.vec",
    // Of quantized dtypes, which no argument has.
    "aten::int_repr", "aten::quantize_per_channel", "aten::quantize_per_tensor", "aten::quantize_per_tensor_dynamic",
    "tsc::quantized_expand", "tsc::with_quantizer"};

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
