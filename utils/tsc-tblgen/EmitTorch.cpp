//===- EmitTorch.cpp - Operators as libtorch's C++ functions --------------===//
//
// Gives each operator on tensors the signatures that PyTorch's generator derives
// from its schema: at::f, Tensor's method, f_out and f_outf, TensorOptions folded.
// The bodies call the operator by its name through tsc_torch_detail::Call.
//
//===----------------------------------------------------------------------===//
#include "OpModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/TableGenBackend.h"
#include <map>
#include <set>

using namespace llvm;
using namespace tsc::tblgen;

/// How many arguments detail::Call has room for.
static constexpr size_t mostArguments = 32;

namespace {
/// How a type of the schema looks in C++: the type of a parameter, and the member of tsc_torch_detail::Call that takes
/// one.
struct Mapped {
  std::string type;
  StringRef taker;
};

struct Parameter {
  std::string type, name, defaultValue, taker;
};

/// One C++ function: what is written of it in either form.
struct Signature {
  std::string name;
  std::vector<Parameter> parameters; ///< As the function has them.
  std::vector<size_t> order;         ///< The parameters in the order of the schema.
  std::string result;                ///< The type that it returns.
  std::string finish;                ///< The statements that call and return.
};
} // namespace

/// "int[2]" becomes "int[]": C++ takes lists of any size, and a number as a list of one.
static std::string withoutSize(StringRef type) {
  std::string out;
  for (size_t i = 0; i != type.size(); ++i) {
    out += type[i];
    if (type[i] == '[')
      while (i + 1 != type.size() && isDigit(type[i + 1]))
        ++i;
  }
  return out;
}

/// Nothing for a type of the language alone: a type variable, a dict.
static std::optional<Mapped> mapArgument(const SchemaArg &arg) {
  const std::string type = withoutSize(arg.type);
  if (type == "Tensor")
    return Mapped{arg.writes ? "Tensor &" : "const Tensor &", "tensor"};
  // A list of bools of known size is an array in C++.
  if (type == "bool[]" && arg.type != type)
    return Mapped{"std::array<bool, " + StringRef(arg.type).slice(5, arg.type.size() - 1).str() + ">", "booleans"};
  return StringSwitch<std::optional<Mapped>>(type)
      .Case("Tensor?", Mapped{"const c10::optional<Tensor> &", "optionalTensor"})
      .Case("Tensor[]", Mapped{"TensorList ", "tensors"})
      .Case("Tensor?[]", Mapped{"const c10::List<c10::optional<Tensor>> &", "optionalTensors"})
      .Case("Scalar", Mapped{"const Scalar &", "scalar"})
      .Case("Scalar?", Mapped{"const c10::optional<Scalar> &", "optionalScalar"})
      .Case("Scalar[]", Mapped{"ArrayRef<Scalar> ", "scalars"})
      .Case("int", Mapped{"int64_t ", "integer"})
      .Case("int?", Mapped{"c10::optional<int64_t> ", "optionalInteger"})
      .Case("int[]", Mapped{"IntArrayRef ", "integers"})
      .Case("int[]?", Mapped{"OptionalIntArrayRef ", "optionalIntegers"})
      .Case("float", Mapped{"double ", "real"})
      .Case("float?", Mapped{"c10::optional<double> ", "optionalReal"})
      .Case("float[]", Mapped{"ArrayRef<double> ", "reals"})
      .Case("float[]?", Mapped{"c10::optional<ArrayRef<double>> ", "optionalReals"})
      .Case("bool", Mapped{"bool ", "boolean"})
      .Case("bool?", Mapped{"c10::optional<bool> ", "optionalBoolean"})
      .Case("bool[]", Mapped{"ArrayRef<bool> ", "booleans"})
      .Case("str", Mapped{"c10::string_view ", "text"})
      .Case("str?", Mapped{"c10::optional<c10::string_view> ", "optionalText"})
      .Case("ScalarType", Mapped{"ScalarType ", "dtype"})
      .Case("ScalarType?", Mapped{"c10::optional<ScalarType> ", "optionalDtype"})
      .Case("Layout?", Mapped{"c10::optional<Layout> ", "optionalLayout"})
      .Case("Device", Mapped{"Device ", "device"})
      .Case("Device?", Mapped{"c10::optional<Device> ", "optionalDevice"})
      .Case("MemoryFormat", Mapped{"MemoryFormat ", "memoryFormat"})
      .Case("MemoryFormat?", Mapped{"c10::optional<MemoryFormat> ", "optionalMemoryFormat"})
      .Case("Generator?", Mapped{"c10::optional<Generator> ", "optionalGenerator"})
      .Default(std::nullopt);
}

/// The C++ type of a result, and the member of tsc_torch_detail::Call that gives one.
static std::optional<Mapped> mapResult(StringRef type) {
  return StringSwitch<std::optional<Mapped>>(withoutSize(type))
      .Case("Tensor", Mapped{"Tensor", "giveTensor"})
      .Case("Tensor[]", Mapped{"std::vector<Tensor>", "giveTensors"})
      .Case("Scalar", Mapped{"Scalar", "giveScalar"})
      .Case("int", Mapped{"int64_t", "giveInteger"})
      .Case("int[]", Mapped{"std::vector<int64_t>", "giveIntegers"})
      .Case("float", Mapped{"double", "giveReal"})
      .Case("bool", Mapped{"bool", "giveBoolean"})
      .Case("ScalarType", Mapped{"ScalarType", "giveDtype"})
      .Default(std::nullopt);
}

static std::string defaultInCpp(const SchemaArg &arg) {
  StringRef text = arg.defaultValue;
  const StringRef type = arg.type;
  if (text == "None")
    return type == "Tensor?" ? "{}" : "c10::nullopt";
  if (text == "True" || text == "False")
    return text.lower();
  if (type.starts_with("ScalarType"))
    return "static_cast<ScalarType>(" + text.str() + ")";
  if (type.starts_with("MemoryFormat"))
    return "static_cast<MemoryFormat>(" + text.str() + ")";
  if (text.consume_front("[") && text.consume_back("]"))
    return "{" + text.str() + "}";
  return text.str();
}

/// Methods and functions that include/tsc-torch writes by hand, since they answer without a call of an operator, or are
/// templates.
static bool isWrittenByHand(StringRef name) {
  static const StringSet<> names = {"size",
                                    "sizes",
                                    "stride",
                                    "strides",
                                    "dim",
                                    "ndimension",
                                    "numel",
                                    "item",
                                    "is_contiguous",
                                    "data",
                                    "set_data",
                                    "grad",
                                    "backward",
                                    "is_leaf",
                                    "retain_grad",
                                    "retains_grad",
                                    "requires_grad_",
                                    "get_device",
                                    "output_nr",
                                    "_version",
                                    "detach",
                                    "device",
                                    "layout",
                                    "is_cuda",
                                    "is_sparse",
                                    "element_size",
                                    "storage_offset",
                                    "tensor",
                                    "as_tensor",
                                    "cpu",
                                    "cuda",
                                    "is_floating_point",
                                    "is_complex",
                                    "is_signed",
                                    "is_conj",
                                    "is_neg",
                                    "is_quantized",
                                    "is_same",
                                    "is_inference",
                                    "index",
                                    "index_put_",
                                    "is_mkldnn",
                                    "is_meta",
                                    "is_xpu",
                                    "is_non_overlapping_and_dense",
                                    "sym_size",
                                    "sym_stride",
                                    "sym_numel",
                                    "sym_storage_offset",
                                    "len",
                                    "nbytes",
                                    "itemsize"};
  return names.contains(name);
}

/// Operators of TorchScript alone, which PyTorch's C++ has not: methods of lists and strings, conversions, overloads
/// that its compiler makes of others.
static bool isOfLanguageAlone(const OpDef &op) {
  static const StringSet<> families = {"Containers", "Prims",    "Strings", "Scalars",
                                       "Python",     "Language", "Files",   "Internal"};
  const StringRef overload = op.schema.overload;
  auto isTensors = [](const SchemaArg &arg) { return StringRef(arg.type).starts_with("Tensor"); };
  return op.schema.ns != "aten" || families.contains(op.family) || op.schema.varargs || op.schema.varreturns ||
         overload.contains("hacked_twin") || overload.starts_with("prim_") || overload == "None" ||
         (none_of(op.schema.args, isTensors) && none_of(op.schema.returns, isTensors));
}

/// Where the arguments dtype, layout, device and pin_memory begin, which C++ has as one TensorOptions; or -1.
static ptrdiff_t optionsOf(const Schema &schema) {
  static constexpr StringRef names[] = {"dtype", "layout", "device", "pin_memory"};
  for (size_t i = 0; i + 4 <= schema.args.size(); ++i)
    if (all_of(enumerate(names), [&](auto it) {
          const SchemaArg &arg = schema.args[i + it.index()];
          return arg.name == it.value() && StringRef(arg.type).ends_with("?");
        }))
      return i;
  return -1;
}

/// C++ has defaults at the end alone.
static void dropDefaultsBeforeOthers(std::vector<Parameter> &parameters) {
  bool atEnd = true;
  for (Parameter &parameter : reverse(parameters)) {
    atEnd &= !parameter.defaultValue.empty();
    if (!atEnd)
      parameter.defaultValue.clear();
  }
}

/// Fills in the result and the statements that end the body; false where a result is of the language alone.
static bool finishSignature(const Schema &schema, ArrayRef<std::string> written, Signature &out) {
  const auto &returns = schema.returns;
  const bool givesWritten = !returns.empty() && returns.size() == written.size() &&
                            all_of(returns, [](const SchemaArg &r) { return r.writes && r.type == "Tensor"; });
  const std::string count = std::to_string(returns.size());
  if (returns.empty()) {
    out.result = "void";
    out.finish = "call.run(0);";
  } else if (givesWritten && written.size() == 1) {
    out.result = "Tensor &";
    out.finish = "call.run(1); return " + written[0] + ";";
  } else if (givesWritten) {
    std::string types;
    for (size_t i = 0; i != written.size(); ++i)
      types += i ? ", Tensor &" : "Tensor &";
    out.result = "std::tuple<" + types + ">";
    out.finish = "call.run(" + count + "); return " + out.result + "(" + join(written, ", ") + ");";
  } else {
    std::vector<std::string> types, values;
    for (auto [i, result] : enumerate(returns)) {
      auto mapped = mapResult(result.type);
      if (!mapped)
        return false;
      types.push_back(mapped->type);
      values.push_back("call." + mapped->taker.str() + "(" + std::to_string(i) + ")");
    }
    out.result = types.size() == 1 ? types[0] : "std::tuple<" + join(types, ", ") + ">";
    out.finish = "call.run(" + count + "); return " +
                 (types.size() == 1 ? values[0] : out.result + "(" + join(values, ", ") + ")") + ";";
  }
  return true;
}

/// The arguments of the schema as parameters, in its order; with `options` from `optionsAt` on one for four.
static std::optional<std::vector<Parameter>> parametersOf(const Schema &schema, ptrdiff_t optionsAt, bool folded) {
  std::vector<Parameter> parameters;
  for (size_t i = 0; i < schema.args.size(); ++i) {
    const SchemaArg &arg = schema.args[i];
    if (folded && ptrdiff_t(i) == optionsAt) {
      const std::string initial = arg.defaultValue.empty() || arg.defaultValue == "None" ? "{}" : defaultInCpp(arg);
      parameters.push_back({"TensorOptions ", "options", arg.defaultValue.empty() ? "" : initial, "options"});
      i += 3;
      continue;
    }
    auto mapped = mapArgument(arg);
    if (!mapped)
      return std::nullopt;
    parameters.push_back({mapped->type, arg.name + (isCppKeyword(arg.name) ? "_" : ""),
                          arg.defaultValue.empty() ? "" : defaultInCpp(arg), mapped->taker.str()});
  }
  return parameters;
}

static bool isOut(const Schema &schema) {
  return any_of(schema.args, [](const SchemaArg &arg) { return arg.writes && arg.keywordOnly; });
}

/// The functions that a schema becomes: one, or with options two, or for one that writes its result f_out and f_outf.
static std::vector<Signature> signaturesOf(const OpDef &op) {
  std::vector<Signature> all;
  const Schema &schema = op.schema;
  const ptrdiff_t optionsAt = optionsOf(schema);
  for (bool second : {false, true}) {
    if (second && optionsAt < 0 && !isOut(schema))
      break;
    auto parameters = parametersOf(schema, optionsAt, !second);
    if (!parameters)
      return {};
    Signature signature;
    signature.name = schema.name;
    std::vector<std::string> written;
    for (const SchemaArg &arg : schema.args)
      if (arg.writes && StringRef(arg.annotated).starts_with("Tensor(") && (!isOut(schema) || arg.keywordOnly))
        written.push_back(arg.name);
    if (!finishSignature(schema, written, signature))
      return {};
    signature.parameters = *parameters;
    for (size_t i = 0; i != parameters->size(); ++i)
      signature.order.push_back(i);
    if (second)
      for (Parameter &parameter : signature.parameters)
        parameter.defaultValue.clear();
    if (isOut(schema)) {
      signature.name += second ? "_outf" : "_out";
      if (!second) { // what is written comes first
        std::vector<size_t> order = signature.order;
        stable_sort(order, [&](size_t a, size_t b) {
          return is_contained(written, (*parameters)[a].name) > is_contained(written, (*parameters)[b].name);
        });
        for (auto [place, from] : enumerate(order)) {
          signature.parameters[place] = (*parameters)[from];
          signature.order[from] = place;
        }
      }
    }
    dropDefaultsBeforeOthers(signature.parameters);
    all.push_back(std::move(signature));
  }
  return all;
}

static bool isMethod(const OpDef &op) {
  return !isOut(op.schema) &&
         any_of(op.schema.args, [](const SchemaArg &arg) { return arg.name == "self" && arg.type == "Tensor"; });
}

static void writeParameters(raw_ostream &os, const Signature &signature, bool withoutSelf) {
  bool first = true;
  for (const Parameter &parameter : signature.parameters) {
    if (withoutSelf && parameter.name == "self")
      continue;
    os << (first ? "" : ", ") << parameter.type << parameter.name;
    if (!parameter.defaultValue.empty())
      os << " = " << parameter.defaultValue;
    first = false;
  }
}

/// `{ ... }`: takes the arguments in the order of the schema, calls and returns. In a method, `self` is a reference.
static void writeBody(raw_ostream &os, const OpDef &op, const Signature &signature, bool method) {
  if (op.schema.args.size() > mostArguments)
    PrintFatalError(op.record->getLoc(),
                    "more arguments than tsc_torch_detail::Call of include/tsc-torch has room for");
  os << " { static tsc_torch_detail::Operator op(\"" << op.schema.qualified() << "\", \"" << op.schema.overload
     << "\"); ";
  if (method)
    os << "Tensor &self = const_cast<Tensor &>(*this); ";
  os << "tsc_torch_detail::Call call(op); ";
  for (size_t place : signature.order) {
    const Parameter &parameter = signature.parameters[place];
    os << "call." << parameter.taker << "(" << parameter.name << "); ";
  }
  os << signature.finish << " }\n";
}

namespace {
/// The types of a function's parameters, and how many of them a call must give.
struct Taken {
  std::vector<std::string> types;
  size_t required = 0;

  /// Whether a call fits both, so that C++ could not choose.
  bool meets(const Taken &other) const {
    const size_t count = std::max(required, other.required);
    return count <= std::min(types.size(), other.types.size()) &&
           std::equal(types.begin(), types.begin() + count, other.types.begin());
  }
};
} // namespace

static Taken takenBy(const Signature &signature, bool method) {
  Taken taken;
  for (const Parameter &parameter : signature.parameters) {
    if (method && parameter.name == "self")
      continue;
    taken.types.push_back(StringRef(parameter.type).trim(" &").str());
    taken.required += parameter.defaultValue.empty();
  }
  return taken;
}

/// Makes the signature one that C++ can tell from the others of its name: by taking defaults away, as PyTorch does with
/// the step of arange. False where that does not help.
static bool tellApart(Signature &signature, bool method, std::vector<Taken> &others) {
  auto meetsOne = [&] {
    return any_of(others, [taken = takenBy(signature, method)](const Taken &other) { return other.meets(taken); });
  };
  for (Parameter &parameter : signature.parameters) {
    if (!meetsOne())
      break;
    parameter.defaultValue.clear();
  }
  if (meetsOne())
    return false;
  others.push_back(takenBy(signature, method));
  return true;
}

/// Calls `write` for each function. Of overloads that C++ could not tell apart there is the first.
template <typename F> static bool forEachSignature(const RecordKeeper &records, bool methods, F write) {
  OpModel model;
  if (!readOpModel(records, model))
    return true;
  std::map<std::string, std::vector<Taken>> seen;
  for (const auto &op : model.ops) {
    if (isOfLanguageAlone(*op) || (methods && !isMethod(*op)))
      continue;
    for (Signature &signature : signaturesOf(*op))
      if (!isWrittenByHand(signature.name) && tellApart(signature, methods, seen[signature.name]))
        write(*op, signature);
  }
  return false;
}

bool tsc::tblgen::emitTorchMethods(raw_ostream &os, const RecordKeeper &records) {
  emitSourceFileHeader("Operators as methods of at::Tensor", os, records);
  return forEachSignature(records, true, [&](const OpDef &op, const Signature &signature) {
    os << signature.result << " " << signature.name << "(";
    writeParameters(os, signature, true);
    os << ") const";
    writeBody(os, op, signature, true);
  });
}

bool tsc::tblgen::emitTorchFunctions(raw_ostream &os, const RecordKeeper &records) {
  emitSourceFileHeader("Operators as functions of namespace at", os, records);
  return forEachSignature(records, false, [&](const OpDef &op, const Signature &signature) {
    os << "inline " << signature.result << " " << signature.name << "(";
    writeParameters(os, signature, false);
    os << ")";
    writeBody(os, op, signature, false);
  });
}

bool tsc::tblgen::emitTorchNames(raw_ostream &os, const RecordKeeper &records) {
  std::set<std::string> names;
  bool failed = forEachSignature(records, false, [&](const OpDef &op, const Signature &) {
    StringRef name = op.schema.name;
    if (!name.ends_with("__"))
      name.consume_back("_");
    names.insert(name.str());
  });
  for (const std::string &name : names)
    if (!name.empty())
      os << name << "\n";
  return failed;
}
