//===- EmitRecords.cpp - OpKinds, OpTraits, OpRecords, columns of text -===//
#include "OpModel.h"
#include "Texts.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
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
  Texts schemas, names, summaries;
  MapVector<uint64_t, size_t> traits;
  os << "#ifdef TSC_RECORD_ROWS\n";
  for (const auto &op : model.ops) {
    const std::string schema = op->form == Form::Functional ? op->field("schema").str() : op->schema.str();
    const std::string qualified = op->schema.qualified(), overload = op->schema.overload;
    const StringRef summary = op->field("summary");
    os << "{" << schemas.offsetOf(schema) << ", " << schema.size() << ", " << names.offsetOf(qualified) << ", "
       << names.offsetOf(overload) << ", " << summaries.offsetOf(summary) << ", "
       << traits.try_emplace(op->traits, traits.size()).first->second << ", " << qualified.size() << ", "
       << overload.size() << ", " << summary.size() << ", " << weightsOf(*op) << "}, // " << op->kind << "\n";
  }
  os << "#endif\n#ifdef TSC_RECORD_TRAITS\n";
  for (const auto &[bits, index] : traits)
    os << "0x" << utohexstr(bits) << "ull,\n";
  os << "#endif\n";
  schemas.write(os, "TSC_RECORD_SCHEMAS");
  names.write(os, "TSC_RECORD_NAMES");
  summaries.write(os, "TSC_RECORD_SUMMARIES");
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

/// packedTexts(), a function of one file, with the column's texts by OpKind, deflated.
static bool emitPackedColumn(raw_ostream &os, const RecordKeeper &records, StringRef column, StringRef title) {
  constexpr size_t packSize = 8 << 10; // inflated in some microseconds
  OpModel model;
  if (!readOpModel(records, model))
    return true;
  emitSourceFileHeader(title.str() + ", deflated", os, records);
  std::string entries, open;
  unsigned packs = 0;
  raw_string_ostream rows(entries);
  auto close = [&] {
    if (open.empty())
      return;
    SmallVector<uint8_t> deflated;
    compression::zlib::compress(arrayRefFromStringRef(open), deflated, compression::zlib::BestSizeCompression);
    os << "{{";
    writeString(os, toStringRef(deflated));
    os << ", " << deflated.size() << "}, " << open.size() << "},\n";
    open.clear();
    ++packs;
  };
  os << "static constexpr tsc::PackedTexts::Pack packs[] = {\n";
  for (auto [kind, op] : enumerate(model.ops)) {
    StringRef text = op->form == Form::Functional ? op->field(column) : "";
    if (text.trim().empty())
      continue;
    if (open.size() + text.size() > packSize)
      close();
    rows << "{" << kind << ", " << packs << ", " << open.size() << ", " << text.size() << "}, // " << op->kind << "\n";
    open += text;
  }
  close();
  os << "};\nstatic constexpr tsc::PackedTexts::Entry entries[] = {\n"
     << entries << "};\n"
     << "/// For threads that outlive static objects.\n"
        "static tsc::PackedTexts &packedTexts() {\n"
        "  static tsc::PackedTexts &texts = *new tsc::PackedTexts(packs, entries);\n"
        "  return texts;\n}\n";
  return false;
}

bool tsc::tblgen::emitPackedDecompositions(raw_ostream &os, const RecordKeeper &records) {
  return emitPackedColumn(os, records, "decomposition", "TorchScript definitions of composite operators");
}

bool tsc::tblgen::emitPackedDerivatives(raw_ostream &os, const RecordKeeper &records) {
  return emitPackedColumn(os, records, "derivative", "Gradients of the operands, where they are known");
}
