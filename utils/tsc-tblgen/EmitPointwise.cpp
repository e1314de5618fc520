//===- EmitPointwise.cpp - Point-wise operators for lib/Kernels -----------===//
//
// Bodies: structs with `eval(builder, tensors, uniforms)`, one for each operator,
// compute type that needs its own, and value of an operand that is compared with
// literals in quotes. The table says what the engine needs to know about each
// operator, in the order of PointwiseKind.
//
//===----------------------------------------------------------------------===//
#include "OpModel.h"
#include "ScalarExpr.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace tsc::tblgen;

namespace {
/// Where an operator's arguments go: tensors and uniforms are numbered separately.
struct Layout {
  unsigned numTensors = 0, numUniforms = 0;
  ScalarScope scope;
  std::string params;     ///< Initializers of PointwiseParam.
  std::string choiceName; ///< The string operand, or the number that bodies compare with literals, if any.
  std::string error;

  bool chooses(char kind) const { // 's': by a string, 'v': by a number
    return !choiceName.empty() && scope.names.find(choiceName)->second.kind == kind;
  }
};

struct ComputeClass {
  const char *type;  ///< Of `types`.
  const char *field; ///< The body of its own.
  const char *suffix;
};
constexpr ComputeClass computeClasses[] = {{"Real", "scalar", "Real"},
                                           {"Int", "intScalar", "Int"},
                                           {"Bool", "boolScalar", "Bool"},
                                           {"Cplx", "complexScalar", "Complex"}};
} // namespace

static bool computesIn(const OpDef &op, StringRef type) {
  return any_of(op.record->getValueAsListOfDefs("types"), [&](const Record *r) { return r->getName() == type; });
}

/// The literals that the operand is compared with in any body.
static std::vector<std::string> literalsOf(const OpDef &op, StringRef operand) {
  std::vector<std::string> all;
  for (StringRef field : {"scalar", "intScalar", "complexScalar", "boolScalar"})
    for (std::string &literal : literalsComparedWith(op.field(field), operand))
      if (!is_contained(all, literal))
        all.push_back(std::move(literal));
  return all;
}

static Layout layoutOf(const OpDef &op) {
  Layout layout;
  std::vector<StringRef> noPromote = op.record->getValueAsListOfStrings("noPromote");
  auto uniform = [&] { return "u[" + std::to_string(layout.numUniforms++) + "]"; };
  for (const SchemaArg &arg : op.schema.args) {
    StringRef type = arg.type;
    bool optional = type.consume_back("?");
    StringRef kind;
    if (type == "Tensor") {
      layout.scope.names[arg.name] = {"t[" + std::to_string(layout.numTensors++) + "]", 'v'};
      kind = "Tensor";
    } else if (type == "Scalar" || type == "float" || type == "int" || type == "bool") {
      layout.scope.names[arg.name] = {uniform(), 'v'};
      kind = type == "Scalar" ? "Scalar" : "Number";
      if (type == "Scalar" && layout.choiceName.empty() && !literalsOf(op, arg.name).empty())
        layout.choiceName = arg.name;
    } else if (type == "str" && layout.choiceName.empty()) {
      layout.choiceName = arg.name;
      layout.scope.names[arg.name] = {arg.name, 's'};
      kind = "Text";
    } else {
      layout.error = "a point-wise operator cannot take '" + arg.type + "'";
    }
    if (optional && kind != "Text")
      layout.scope.presence[arg.name] = uniform();
    bool promotes = (kind == "Tensor" || kind == "Scalar") && !is_contained(noPromote, arg.name);
    layout.params += (layout.params.empty() ? "" : ", ") + ("{PointwiseParam::" + kind).str() +
                     (optional ? ", true" : ", false") + (promotes ? ", true}" : ", false}");
  }
  return layout;
}

/// The text of the body for a compute class, and the field it stands in.
static std::pair<StringRef, StringRef> bodyFor(const OpDef &op, const ComputeClass &compute) {
  if (StringRef own = op.field(compute.field); !own.empty())
    return {own, compute.field};
  if (StringRef(compute.type) == "Bool")
    if (StringRef own = op.field("intScalar"); !own.empty())
      return {own, "intScalar"};
  return {op.field("scalar"), "scalar"};
}

/// "" for the body without a literal, then one for each literal.
static std::vector<std::string> choicesOf(const OpDef &op, const Layout &layout) {
  std::vector<std::string> choices = {""};
  if (!layout.choiceName.empty())
    llvm::append_range(choices, literalsOf(op, layout.choiceName));
  return choices;
}

/// Calls f(op) for the records of point-wise operators in the order of PointwiseKind.
template <typename F> static bool forEachPointwise(raw_ostream &os, const RecordKeeper &records, StringRef title, F f) {
  OpModel model;
  if (!readOpModel(records, model))
    return true;
  emitSourceFileHeader(title, os, records);
  bool ok = true;
  for (const auto &op : model.ops)
    if (op->isPointwise() && op->form == Form::Functional)
      ok &= f(*op);
  return !ok;
}

static std::string bodyName(const OpDef &op, StringRef choice) {
  std::string name = op.kind + (choice.empty() ? "" : "_is_" + choice.str());
  std::replace(name.begin(), name.end(), '-', 'm'); // of numbers
  std::replace(name.begin(), name.end(), '.', 'p');
  return name;
}

bool tsc::tblgen::emitPointwiseKinds(raw_ostream &os, const RecordKeeper &records) {
  return forEachPointwise(os, records, "Point-wise operators", [&](const OpDef &op) {
    os << op.kind << ",\n";
    return true;
  });
}

namespace {
/// A body in one compute class.
struct CompiledBody {
  std::string name; ///< Without the class.
  const Layout &layout;
  unsigned index;         ///< The same in all classes.
  size_t computeClass;    ///< Of computeClasses.
  const ScalarBody *body; ///< Null where the operator is not defined on the class.
};
} // namespace

/// Calls f for every body and compute class, in the order of their numbers; how many numbers there are is put in
/// `count`.
template <typename F>
static bool forEachBody(raw_ostream &os, const RecordKeeper &records, StringRef title, unsigned &count, F f) {
  count = 0;
  return forEachPointwise(os, records, title, [&](const OpDef &op) {
    Layout layout = layoutOf(op);
    if (!layout.error.empty()) {
      PrintError(op.record->getLoc(), layout.error);
      return false;
    }
    bool ok = true;
    for (const std::string &choice : choicesOf(op, layout)) {
      for (auto [i, compute] : enumerate(computeClasses)) {
        CompiledBody compiled{bodyName(op, choice), layout, count, i, nullptr};
        if (!computesIn(op, compute.type)) {
          f(compiled);
          continue;
        }
        auto [text, field] = bodyFor(op, compute);
        ScalarScope scope = layout.scope;
        if (!layout.choiceName.empty())
          scope.texts[layout.scope.names[layout.choiceName].code] =
              choice.empty() ? std::nullopt : std::optional<std::string>(choice);
        std::string error;
        size_t offset = 0;
        auto body = compileScalarBody(text, scope, error, offset);
        if (!body) {
          PrintError(locationInField(*op.record, field, offset), error);
          ok = false;
          continue;
        }
        compiled.body = &*body;
        f(compiled);
      }
      ++count;
    }
    return ok;
  });
}

bool tsc::tblgen::emitPointwiseBodies(raw_ostream &os, const RecordKeeper &records) {
  // Sections: TSC_POINTWISE_BODIES gives the structs, REAL(I, NAME), INT, BOOL, COMPLEX list them.
  // Bodies with the same code are one type, of which a kernel is compiled and linked once: that of the first is
  // defined, with a number by which parts of the kernels divide these types, and the others are its aliases.
  std::string structs, lists[4];
  StringMap<std::string> firstWith;
  unsigned count;
  auto add = [&](const CompiledBody &compiled) {
    if (!compiled.body)
      return;
    std::string name = compiled.name + "_" + computeClasses[compiled.computeClass].suffix;
    lists[compiled.computeClass] += "BODY(" + std::to_string(compiled.index) + ", " + name + ")\n";
    std::string operands = "numTensors = " + std::to_string(compiled.layout.numTensors) +
                           ", numUniforms = " + std::to_string(compiled.layout.numUniforms);
    auto [first, isNew] = firstWith.try_emplace(operands + "\n" + compiled.body->code, name);
    if (!isNew) {
      structs += "using " + name + " = " + first->second + ";\n";
      return;
    }
    structs += "struct " + name + " {\n  static constexpr unsigned number = " + std::to_string(firstWith.size() - 1) +
               ", " + operands +
               ";\n  template <class B> TSC_POINTWISE_INLINE static auto eval(B &b, const typename B::Value *t, "
               "const typename B::Value *u) {\n" +
               compiled.body->code + "  }\n};\n";
  };
  bool failed = forEachBody(os, records, "Scalar bodies as templates over a builder", count, add);
  os << "#ifdef TSC_POINTWISE_COUNT\ninline constexpr unsigned numPointwiseBodies = " << count << ";\n#endif\n";
  os << "#ifdef TSC_POINTWISE_BODIES\n" << structs << "#endif\n";
  for (auto [i, compute] : enumerate(computeClasses))
    os << "#ifdef TSC_POINTWISE_" << StringRef(compute.suffix).upper() << "\n" << lists[i] << "#endif\n";
  return failed;
}

/// About how many instructions of a processor a function of the builders takes on a vector.
static unsigned costOf(StringRef function) {
  return StringSwitch<unsigned>(function)
      .Case("constant", 0)
      .Case("div", 8)
#define FUNCTION(NAME, OPERANDS, RESULT, COST) .Case(#NAME, COST)
#include "ScalarFunctions.def"
      .Default(1);
}

namespace {
/// A call on the builder in a compiled body: `auto x2 = b.mul(t[0], x1);`.
struct BuilderCall {
  StringRef result, function;
  SmallVector<StringRef, 3> operands;
};
} // namespace

static std::vector<BuilderCall> callsIn(const ScalarBody &body) {
  std::vector<BuilderCall> calls;
  SmallVector<StringRef> statements;
  StringRef(body.code).split(statements, '\n');
  for (StringRef statement : statements) {
    auto [variable, call] = statement.split(" = b.");
    if (call.empty())
      continue; // the return
    auto [function, operands] = call.split('(');
    calls.push_back({variable.rsplit(' ').second, function, {}});
    operands.rsplit(')').first.split(calls.back().operands, ", ");
  }
  return calls;
}

static unsigned costOf(const ScalarBody &body) {
  unsigned cost = 0;
  for (const BuilderCall &call : callsIn(body))
    cost += costOf(call.function);
  return cost;
}

/// Whether the low bits of a body's integers are decided by the low bits of its operands, however many of both are
/// taken.
static bool isOfLowBits(const CompiledBody &compiled) {
  static constexpr StringRef ofLowBits[] = {"add",   "sub",    "mul",    "neg",     "bitAnd",
                                            "bitOr", "bitXor", "bitNot", "constant"};
  return StringRef(computeClasses[compiled.computeClass].suffix) == "Int" && compiled.body->kind != 'm' &&
         all_of(callsIn(*compiled.body),
                [](const BuilderCall &call) { return is_contained(ofLowBits, call.function); });
}

bool tsc::tblgen::emitPointwiseBodyFacts(raw_ostream &os, const RecordKeeper &records) {
  // Sections: TSC_REAL_BODIES, TSC_INT_BODIES, TSC_BOOL_BODIES; BODY(NAME, IS_MASK, COST, IS_OF_LOW_BITS) by number.
  std::string lists[4];
  unsigned count;
  bool failed = forEachBody(os, records, "What is known of scalar bodies", count, [&](const CompiledBody &compiled) {
    std::string &list = lists[compiled.computeClass];
    if (compiled.body)
      list += "BODY(\"" + compiled.name + "\", " + (compiled.body->kind == 'm' ? "true" : "false") + ", " +
              std::to_string(costOf(*compiled.body)) + ", " + (isOfLowBits(compiled) ? "true" : "false") + ")\n";
    else
      list += "BODY(\"\", false, 0, false)\n";
  });
  for (size_t i = 0; i != 3; ++i)
    os << "#ifdef TSC_" << StringRef(computeClasses[i].suffix).upper() << "_BODIES\n" << lists[i] << "#endif\n";
  return failed;
}

/// The function that a body is, where it does nothing but apply it to the tensors, in their order; else empty.
static StringRef wholeFunction(const CompiledBody &compiled) {
  const std::vector<BuilderCall> calls = callsIn(*compiled.body);
  if (calls.size() != 1 || compiled.body->kind == 'm' || compiled.layout.numUniforms != 0 ||
      !compiled.layout.choiceName.empty() || calls[0].operands.size() != compiled.layout.numTensors ||
      !StringRef(compiled.body->code).trim().ends_with(("return " + calls[0].result + ";").str()))
    return "";
  for (auto [i, operand] : enumerate(calls[0].operands))
    if (operand != "t[" + std::to_string(i) + "]")
      return "";
  return calls[0].function;
}

/// The functions that a body calls of what depends on elements of tensors, and not on numbers alone.
static SmallVector<StringRef, 4> functionsOfElements(const ScalarBody &body) {
  SmallVector<StringRef, 4> functions;
  SmallVector<StringRef, 16> ofElements;
  for (const BuilderCall &call : callsIn(body)) {
    if (none_of(call.operands, [&](StringRef o) { return o.starts_with("t[") || is_contained(ofElements, o); }))
      continue;
    ofElements.push_back(call.result);
    if (!is_contained(functions, call.function))
      functions.push_back(call.function);
  }
  return functions;
}

bool tsc::tblgen::emitPointwiseFunctions(raw_ostream &os, const RecordKeeper &records) {
  // REAL1(FUNCTION, KIND) and REAL2 have one line for each function of one or two operands that is the whole body of
  // some operator on floats, with the first such operator; INT1 and INT2 the same on integers. CALL(NUMBER, BODY,
  // FUNCTION): a body on floats calls the function of elements. Who includes the file defines those that he wants.
  static constexpr StringRef macros[] = {"REAL1", "REAL2", "INT1", "INT2", "CALL"};
  std::string whole, called;
  StringSet<> seen;
  unsigned count;
  bool failed = forEachBody(os, records, "Functions that scalar bodies call or are", count, [&](const CompiledBody &c) {
    const bool isReal = c.computeClass == 0, isInt = c.computeClass == 1;
    if (!c.body || (!isReal && !isInt))
      return;
    StringRef function = wholeFunction(c);
    const std::string macro = (isReal ? "REAL" : "INT") + std::to_string(c.layout.numTensors);
    if (!function.empty() && is_contained(macros, macro) && seen.insert(macro + " " + function.str()).second)
      whole += macro + "(" + function.str() + ", " + c.name + ")\n";
    if (isReal)
      for (StringRef name : functionsOfElements(*c.body))
        called += "CALL(" + std::to_string(c.index) + ", " + c.name + "_Real, " + name.str() + ")\n";
  });
  for (StringRef macro : macros)
    os << "#ifndef " << macro << "\n#define " << macro << "(...)\n#endif\n";
  os << whole << called;
  for (StringRef macro : macros)
    os << "#undef " << macro << "\n";
  return failed;
}

/// "promote_float" -> "PromoteFloat".
static std::string enumeratorOf(StringRef rule) {
  std::string out;
  SmallVector<StringRef> words;
  rule.split(words, '_');
  for (StringRef word : words)
    out += word.take_front().upper() + word.drop_front().str();
  return out;
}

bool tsc::tblgen::emitPointwiseTable(raw_ostream &os, const RecordKeeper &records) {
  unsigned index = 0;
  std::string arrays, ops;
  bool failed = forEachPointwise(os, records, "What the engine knows of each operator", [&](const OpDef &op) {
    Layout layout = layoutOf(op);
    std::string dispatch = op.field("dispatchName").str();
    if (dispatch.empty())
      dispatch = op.schema.name + "_cpu";
    arrays += "static constexpr PointwiseParam params_" + op.kind + "[] = {" + layout.params + "};\n";
    std::vector<std::string> choices = choicesOf(op, layout);
    if (layout.chooses('s')) {
      arrays += "static constexpr const char *texts_" + op.kind + "[] = {";
      for (size_t i = 1; i != choices.size(); ++i)
        arrays += "\"" + choices[i] + "\", ";
      arrays += "nullptr};\n";
    } else if (layout.chooses('v')) {
      arrays += "static constexpr double numbers_" + op.kind + "[] = {" + join(drop_begin(choices), ", ") + "};\n";
    }
    StringRef check = op.field("check");
    ops += "{\"" + op.schema.name + "\", \"" + dispatch + "\", params_" + op.kind + ", " +
           std::to_string(layout.numTensors) + ", " + std::to_string(layout.numUniforms) +
           ", DTypeRule::" + enumeratorOf(op.field("dtype")) + ", " + std::to_string(index) + ", " +
           (layout.chooses('s') ? "texts_" + op.kind : std::string("nullptr")) + ", " +
           (layout.chooses('v') ? "numbers_" + op.kind : std::string("{}")) + ", " +
           (check.empty() ? "nullptr" : check.str()) + ", " + (op.field("strides") == "contiguous" ? "true" : "false") +
           "},\n";
    index += choices.size();
    return true;
  });
  os << arrays << "static constexpr Op ops[] = {\n" << ops << "};\n";
  return failed;
}
