//===- EmitRecords.cpp - OpKinds, OpTraits, OpRecords, columns of text -===//
#include "OpModel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace tsc::tblgen;

static void writeString(raw_ostream &os, StringRef text) {
  os << '"';
  os.write_escaped(text);
  os << '"';
}

bool tsc::tblgen::emitOpKinds(raw_ostream &os, const RecordKeeper &records) {
  OpModel model;
  if (!readOpModel(records, model))
    return true;
  emitSourceFileHeader("One enumerator an overload, in the order of the table of records", os, records);
  for (const auto &op : model.ops)
    os << op->kind << ",\n";
  return false;
}

bool tsc::tblgen::emitOpTraits(raw_ostream &os, const RecordKeeper &records) {
  emitSourceFileHeader("Facts about operators that passes ask for", os, records);
  std::vector<Record *> traits = records.getAllDerivedDefinitions("Trait");
  llvm::sort(traits, [](const Record *a, const Record *b) {
    return a->getValueAsInt("position") < b->getValueAsInt("position");
  });
  for (const Record *trait : traits)
    os << "/// " << trait->getValueAsString("doc") << ".\n"
       << trait->getName() << " = uint64_t{1} << " << trait->getValueAsInt("position") << ",\n";
  return false;
}

/// The column `weights` as bits. A name that is no operand's is an error of the record.
static unsigned weightsOf(const OpDef &op) {
  unsigned bits = 0;
  for (StringRef name : op.record->getValueAsListOfStrings("weights")) {
    auto found = llvm::find_if(op.schema.args, [&](const SchemaArg &argument) { return argument.name == name; });
    auto position = found - op.schema.args.begin();
    if (found == op.schema.args.end() || position >= 8)
      PrintFatalError(op.record->getLoc(), "weights: '" + name + "' is not among the first 8 operands");
    bits |= 1u << position;
  }
  return bits;
}

bool tsc::tblgen::emitOpRecords(raw_ostream &os, const RecordKeeper &records) {
  OpModel model;
  if (!readOpModel(records, model))
    return true;
  emitSourceFileHeader("The table of overloads, sorted by name", os, records);
  for (const auto &op : model.ops) {
    os << "{";
    writeString(os, op->schema.qualified());
    os << ", ";
    writeString(os, op->schema.overload);
    os << ", ";
    writeString(os, op->form == Form::Functional ? op->field("schema").str() : op->schema.str());
    os << ", 0x" << utohexstr(op->traits) << "ull, OpKind::" << op->kind << ", ";
    writeString(os, op->field("summary"));
    os << ", " << weightsOf(*op) << "},\n";
  }
  return false;
}

/// A column of TorchScript text, for the operators that have it: OP(KIND, SOURCE). Definitions of operators that run as
/// them are COMPOSITE(KIND, SOURCE); who does not tell them apart has OP for both.
static bool emitColumn(raw_ostream &os, const RecordKeeper &records, StringRef column, StringRef description) {
  OpModel model;
  if (!readOpModel(records, model))
    return true;
  emitSourceFileHeader((description + ": OP(KIND, SOURCE)").str(), os, records);
  const bool tellsApart = column == "decomposition";
  if (tellsApart)
    os << "#ifndef COMPOSITE\n#define COMPOSITE(KIND, SOURCE) OP(KIND, SOURCE)\n#endif\n";
  for (const auto &op : model.ops)
    if (!op->field(column).empty() && op->form == Form::Functional)
      os << (tellsApart && op->isPlainComposite() ? "COMPOSITE(" : "OP(") << op->kind << ", R\"py(" << op->field(column)
         << ")py\")\n";
  if (tellsApart)
    os << "#undef COMPOSITE\n";
  return false;
}

bool tsc::tblgen::emitOpDecompositions(raw_ostream &os, const RecordKeeper &records) {
  return emitColumn(os, records, "decomposition", "TorchScript definitions of composite operators");
}

bool tsc::tblgen::emitOpDerivatives(raw_ostream &os, const RecordKeeper &records) {
  return emitColumn(os, records, "derivative", "Gradients of the operands, where they are known");
}
