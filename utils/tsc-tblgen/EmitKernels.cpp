//===- EmitKernels.cpp - Boxed wrappers of kernels ------------------------===//
//
// A wrapper reads the boxed arguments as its kernel's parameters and boxes what
// comes back: `return finish(cpu::select(tensor(*a[0]), integer(*a[1])), r)`.
//
//===----------------------------------------------------------------------===//
#include "OpModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/TableGenBackend.h"
#include <set>

using namespace llvm;
using namespace tsc::tblgen;

StringRef tsc::tblgen::readerOf(StringRef type) {
  std::string plain = type.str(); // int[2] reads as int[], SymInt as int
  for (size_t open = plain.find('['); open != std::string::npos; open = plain.find('[', open + 1))
    plain.erase(open + 1, plain.find(']', open) - open - 1);
  if (StringRef(plain).starts_with("SymInt"))
    plain = "int" + plain.substr(6);
  return StringSwitch<StringRef>(plain)
      .Cases("Tensor", "Tensor?", "tensor")
      .Cases("Tensor[]", "Tensor?[]", "tensorList")
      .Case("int", "integer")
      .Case("int?", "optionalInteger")
      .Case("int[]", "integerList")
      .Case("int[]?", "optionalIntegerList")
      .Case("float", "floating")
      .Case("float?", "optionalFloating")
      .Case("float[]", "floatingList")
      .Case("float[]?", "optionalFloatingList")
      .Case("bool", "boolean")
      .Case("bool?", "optionalBoolean")
      .Case("bool[]", "booleanList")
      .Case("Scalar", "scalar")
      .Case("Scalar?", "optionalScalar")
      .Case("complex", "complexNumber")
      .Case("str", "string")
      .Case("str?", "optionalString")
      .Case("ScalarType", "dtype")
      .Case("ScalarType?", "optionalDType")
      .Case("Layout", "layout")
      .Case("Layout?", "optionalLayout")
      .Case("Device", "device")
      .Case("Device?", "optionalDevice")
      .Case("MemoryFormat", "memoryFormat")
      .Case("MemoryFormat?", "optionalMemoryFormat")
      .Case("Generator?", "drop")
      .Default("");
}

/// The function of tsc/Runtime/Dispatch/Unboxing.h that says whether an int is one of an enumeration, for a reader that
/// takes it for one.
static StringRef enumerationCheck(StringRef reader) {
  return StringSwitch<StringRef>(reader)
      .Cases("dtype", "optionalDType", "checkDType")
      .Cases("layout", "optionalLayout", "checkLayout")
      .Cases("memoryFormat", "optionalMemoryFormat", "checkMemoryFormat")
      .Default("");
}

/// For a `Disjoint` operator: looks at each operand that it reads before the first write.
static void emitOverlapChecks(raw_ostream &os, const OpDef &op) {
  if (!op.hasTrait("Disjoint"))
    return;
  for (auto [written, to] : enumerate(op.schema.args)) {
    if (!to.writes)
      continue;
    for (auto [read, from] : enumerate(op.schema.args))
      if (!from.writes && StringRef(from.type).starts_with("Tensor"))
        os << "  TSC_RETURN_IF_ERROR(checkDisjoint(*a[" << written << "], *a[" << read << "]));\n";
  }
}

static bool writesItself(const OpDef &op) { return op.form == Form::InPlace && !op.field("inPlaceKernel").empty(); }

static bool emitUnboxed(raw_ostream &os, const OpDef &op) {
  emitOverlapChecks(os, op);
  for (size_t i = 0; i != op.schema.args.size(); ++i)
    if (StringRef check = enumerationCheck(readerOf(op.schema.args[i].type)); !check.empty())
      os << "  TSC_RETURN_IF_ERROR(" << check << "(*a[" << i << "]));\n";
  if (writesItself(op))
    os << "  TSC_RETURN_IF_ERROR(" << op.field("inPlaceKernel") << "(";
  else
    os << "  return finish(" << op.field("kernel") << "(";
  bool first = true;
  if (op.hasTrait("Random")) {
    auto given = find_if(op.schema.args, [](const auto &arg) { return StringRef(arg.type) == "Generator?"; });
    if (given == op.schema.args.end())
      os << "c.generator()";
    else
      os << "generatorOf(c, *a[" << given - op.schema.args.begin() << "])";
    first = false;
  }
  for (size_t i = 0; i != op.schema.args.size(); ++i) {
    StringRef read = readerOf(op.schema.args[i].type);
    if (read.empty()) {
      PrintError(op.record->getLoc(), "a kernel cannot take '" + op.schema.args[i].type + "'; use boxedKernel");
      return false;
    }
    if (read == "drop")
      continue;
    os << (first ? "" : ", ") << read << "(*a[" << i << "])";
    first = false;
  }
  os << ")";
  os << (writesItself(op) ? ");\n  r[0] = *a[0];\n  return okStatus();\n" : ", r);\n");
  return true;
}

/// A form that writes what the functional one gives calls that one.
static void emitWriting(raw_ostream &os, const OpDef &op) {
  emitOverlapChecks(os, op);
  os << "  return " << (op.form == Form::InPlace ? "inPlaceOf(" : "outOf(") << op.base->kind << ", c, a, ";
  if (op.form == Form::Out)
    os << op.base->schema.args.size() << ", " << op.numOutArgs() << ", ";
  os << "r);\n";
}

static bool hasKernel(const OpDef &op) {
  return !op.field("kernel").empty() || !op.field("boxedKernel").empty() || op.isPointwise() || op.isPlainComposite();
}

/// The call that leaves the results of a record without an unboxed kernel in `r`.
static std::string boxedCall(const OpDef &op) {
  if (!op.isPlainComposite())
    return (op.field("boxedKernel") + "(c, a, r)").str();
  return ("runDefinition(c, OpKind::" + op.base->kind + ", {a, size_t{" + Twine(op.base->schema.args.size()) +
          "}}, {r, size_t{" + Twine(op.base->schema.returns.size()) + "}})")
      .str();
}

bool tsc::tblgen::emitOpKernels(raw_ostream &os, const RecordKeeper &records, StringRef family) {
  OpModel model;
  if (!readOpModel(records, model))
    return true;
  emitSourceFileHeader(("Boxed wrappers of " + family).str(), os, records);
  os << "#include \"tsc/IR/OpRecord.h\"\n#include \"tsc/Runtime/Dispatch/CallContext.h\"\n#include "
        "\"tsc/Runtime/Dispatch/Unboxing.h\"\n"
     << "#if __has_include(\"tsc/Kernels/" << family << ".h\")\n#include \"tsc/Kernels/" << family << ".h\"\n#endif\n"
     << "#if __has_include(\"tsc/Runtime/Dispatch/Ops/" << family << ".h\")\n#include \"tsc/Runtime/Dispatch/Ops/"
     << family << ".h\"\n#endif\n";
  for (const Record *header : records.getAllDerivedDefinitions("KernelHeader"))
    if (familyOf(*header) == family)
      os << "#include \"" << header->getValueAsString("path") << "\"\n";
  os << "\nnamespace tsc {\n";
  std::set<std::string> declared;
  for (const auto &op : model.ops) {
    StringRef boxed = op->field("boxedKernel");
    bool isName = boxed.consume_front("ops::") && all_of(boxed, [](char c) { return isAlnum(c) || c == '_'; });
    if (op->family != family || !isName || !declared.insert(boxed.str()).second)
      continue;
    os << "namespace ops { Status " << boxed << "(CallContext &, const IValue *const *, IValue *); }\n";
  }
  os << "namespace boxed {\nusing namespace unboxing;\n";
  for (const auto &op : model.ops) // which may come after what calls it
    if (op->family == family && hasKernel(*op) && op->form == Form::Functional && !op->isPointwise())
      os << "Status " << op->kind << "(CallContext &, const IValue *const *, IValue *);\n";
  bool ok = true;
  for (const auto &op : model.ops) {
    if (op->family != family || !hasKernel(*op))
      continue;
    os << "Status " << op->kind << "(CallContext &c, const IValue *const *a, IValue *r) {\n";
    if (op->isPointwise())
      os << "  return pointwise"
         << (op->form == Form::Functional ? ""
             : op->form == Form::InPlace  ? "InPlace"
                                          : "Out")
         << "(PointwiseKind::" << op->base->kind << ", a, r);\n";
    else if (op->form != Form::Functional && !writesItself(*op))
      emitWriting(os, *op);
    else if (!op->field("kernel").empty())
      ok &= emitUnboxed(os, *op);
    else
      os << "  return " << boxedCall(*op) << ";\n";
    os << "}\n";
  }
  os << "} // namespace boxed\n} // namespace tsc\n";
  return !ok;
}

bool tsc::tblgen::emitOpKernelTable(raw_ostream &os, const RecordKeeper &records) {
  OpModel model;
  if (!readOpModel(records, model))
    return true;
  emitSourceFileHeader("Boxed kernels by OpKind", os, records);
  os << "#include \"tsc/Runtime/Dispatch/CallContext.h\"\n\nnamespace tsc {\nnamespace boxed {\n";
  for (const auto &op : model.ops)
    if (hasKernel(*op))
      os << "Status " << op->kind << "(CallContext &, const IValue *const *, IValue *);\n";
  os << "} // namespace boxed\n\nconst BoxedKernel boxedKernels[] = {\n";
  for (const auto &op : model.ops)
    os << "    " << (hasKernel(*op) ? "boxed::" + op->kind : "nullptr") << ",\n";
  os << "    nullptr};\n} // namespace tsc\n";
  return false;
}
