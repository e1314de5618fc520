//===- OpModel.cpp - From records to overloads ----------------------------===//
#include "OpModel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;
using namespace tsc::tblgen;

SMLoc tsc::tblgen::locationInField(const Record &record, StringRef field, size_t offset) {
  const RecordVal *value = record.getValue(field);
  StringRef text = record.getValueAsString(field);
  unsigned buffer = SrcMgr.FindBufferContainingLoc(value->getLoc());
  if (!buffer)
    return record.getLoc().front();
  // The value follows its `let`; its text stands in the file as it is.
  const char *end = SrcMgr.getMemoryBuffer(buffer)->getBufferEnd();
  StringRef rest(value->getLoc().getPointer(), end - value->getLoc().getPointer());
  size_t found = rest.find(text);
  return found == StringRef::npos ? value->getLoc() : SMLoc::getFromPointer(rest.data() + found + offset);
}

static std::string enumerator(const Schema &schema) {
  std::string text = schema.ns + "_" + schema.name;
  if (!schema.overload.empty())
    text += "_" + schema.overload;
  text[0] = toUpper(text[0]);
  for (char &c : text)
    if (!isAlnum(c))
      c = '_';
  return text;
}

std::string tsc::tblgen::familyOf(const Record &record) {
  unsigned buffer = SrcMgr.FindBufferContainingLoc(record.getLoc().front());
  return sys::path::stem(SrcMgr.getMemoryBuffer(buffer)->getBufferIdentifier()).str();
}

static uint64_t traitBit(const RecordKeeper &records, StringRef name) {
  return uint64_t{1} << records.getDef(name)->getValueAsInt("position");
}

using TraitsOfWord = std::pair<StringRef, SmallVector<StringRef, 2>>;
/// The traits that a word in a column stands for; none for an empty column.
static SmallVector<StringRef, 2> traitsOfColumn(const OpDef &op, StringRef column, ArrayRef<TraitsOfWord> words) {
  StringRef given = op.record->getValueAsString(column);
  if (given.empty())
    return {};
  std::string known;
  for (const auto &[word, traits] : words) {
    if (word == given)
      return traits;
    known += (known.empty() ? "" : ", ") + word.str();
  }
  PrintFatalError(op.record->getLoc(), column + ": '" + given + "' is none of " + known);
}

static uint64_t traitsOf(const RecordKeeper &records, const OpDef &op) {
  uint64_t traits = 0;
  for (const Record *trait : op.record->getValueAsListOfDefs("traits"))
    traits |= uint64_t{1} << trait->getValueAsInt("position");
  auto add = [&](StringRef name) { traits |= traitBit(records, name); };
  auto has = [&](StringRef name) { return (traits & traitBit(records, name)) != 0; };
  if (any_of(op.schema.args, [](const SchemaArg &arg) { return arg.writes; }))
    add("Writes");
  if (any_of(op.schema.returns, [](const SchemaArg &result) { return result.aliases; }))
    add("Aliases");
  if (op.form != Form::Functional)
    add(op.form == Form::InPlace ? "InPlaceForm" : "OutForm");
  if (has("Random"))
    add("Nondeterministic");
  StringRef dtype = op.record->getValueAsString("dtype");
  if (dtype == "self")
    add("KeepsDtype");
  if (dtype.starts_with("promote") || dtype == "division")
    add("Promotes");
  if (!has("Writes") && !has("SideEffects") && !has("Nondeterministic") && !has("Control"))
    add("Pure");
  if (StringRef shape = op.record->getValueAsString("shape");
      !op.schema.args.empty() && op.schema.args[0].type == "Tensor" && shape == op.schema.args[0].name)
    add("KeepsRank");
  if (has("Pointwise"))
    add("Broadcasts");
  for (StringRef trait : traitsOfColumn(op, "quantized",
                                        {{"takes", {"TakesQuantized"}},
                                         {"keeps", {"KeepsScheme"}},
                                         {"reals", {"SeesReals"}},
                                         {"unit", {"UnitRange"}},
                                         {"signedUnit", {"SignedUnitRange"}},
                                         {"units", {"KeepsScheme", "AveragesUnits"}},
                                         {"integers", {"KeepsScheme", "AveragesIntegers"}}}))
    add(trait);
  for (StringRef trait : traitsOfColumn(op, "devices",
                                        {{"any", {"TakesAnyDevice"}},
                                         {"moves", {"MovesDevice"}},
                                         {"geometry", {"ReadsGeometry"}},
                                         {"hostIndices", {"TakesHostIndices"}}}))
    add(trait);
  return traits;
}

static void makeInPlace(OpDef &op) {
  op.schema.name += "_";
  if (auto name = op.record->getValueAsOptionalString("inPlaceName"))
    op.schema.overload = name->str();
  op.schema.args[0].annotated = "Tensor(a!)";
  op.schema.args[0].writes = op.schema.args[0].aliases = true;
  op.schema.returns[0].annotated = "Tensor(a!)";
  op.schema.returns[0].writes = op.schema.returns[0].aliases = true;
}

static void makeOut(OpDef &op) {
  std::string name = op.field("outName").str();
  if (name.empty())
    name = op.schema.overload.empty() ? "out" : op.schema.overload + "_out";
  op.schema.overload = name;
  std::vector<StringRef> names = op.record->getValueAsListOfStrings("outArgs");
  for (size_t i = 0; i != op.schema.returns.size(); ++i) {
    SchemaArg &result = op.schema.returns[i];
    SchemaArg out;
    out.name = i < names.size()                                       ? names[i].str()
               : op.schema.returns.size() == 1 || result.name.empty() ? "out"
                                                                      : result.name;
    out.type = result.type;
    out.annotated = std::string("Tensor(") + char('a' + i) + "!)";
    out.writes = out.aliases = out.keywordOnly = true;
    result.annotated = out.annotated;
    result.aliases = result.writes = true;
    op.schema.args.push_back(std::move(out));
  }
}

static bool checkVariant(const OpDef &op, const Record &variant) {
  auto isTensor = [](const SchemaArg &arg) { return arg.type == "Tensor"; };
  if (op.schema.returns.empty() || !all_of(op.schema.returns, isTensor)) {
    PrintError(op.record->getLoc(), "a variant needs an operator that returns tensors");
    return false;
  }
  if (variant.getName() == "InPlace" &&
      (op.schema.returns.size() != 1 || op.schema.args.empty() || !isTensor(op.schema.args[0]))) {
    PrintError(op.record->getLoc(), "InPlace needs a Tensor as first argument and as only result");
    return false;
  }
  return true;
}

bool tsc::tblgen::readOpModel(const RecordKeeper &records, OpModel &model) {
  std::vector<Record *> defs = records.getAllDerivedDefinitions("Op");
  llvm::sort(defs, [](const Record *a, const Record *b) { return a->getID() < b->getID(); });
  bool ok = true;
  for (const Record *record : defs) {
    auto op = std::make_unique<OpDef>();
    op->record = record;
    op->base = op.get();
    op->family = familyOf(*record);
    if (!is_contained(model.families, op->family))
      model.families.push_back(op->family);
    std::string error;
    size_t offset = 0;
    auto schema = parseSchema(record->getValueAsString("schema"), error, offset);
    if (!schema) {
      PrintError(record->getLoc(),
                 "schema '" + record->getValueAsString("schema") + "': " + error + " at character " + Twine(offset));
      ok = false;
      continue;
    }
    op->schema = std::move(*schema);
    const OpDef *base = op.get();
    model.ops.push_back(std::move(op));
    for (const Record *variant : record->getValueAsListOfDefs("variants")) {
      if (!checkVariant(*base, *variant)) {
        ok = false;
        continue;
      }
      auto derived = std::make_unique<OpDef>(*base);
      derived->base = base;
      derived->form = variant->getName() == "InPlace" ? Form::InPlace : Form::Out;
      derived->form == Form::InPlace ? makeInPlace(*derived) : makeOut(*derived);
      model.ops.push_back(std::move(derived));
    }
  }
  StringMap<const OpDef *> seen;
  for (auto &op : model.ops) {
    op->kind = enumerator(op->schema);
    op->traits = traitsOf(records, *op);
    auto [it, isNew] = seen.try_emplace(op->kind, op.get());
    if (!isNew) {
      PrintError(op->record->getLoc(), "'" + op->schema.str() + "' is defined twice");
      PrintNote(it->second->record->getLoc(), "here too");
      ok = false;
    }
  }
  for (auto [i, op] : enumerate(model.ops))
    op->position = i;
  llvm::sort(model.ops, [](const auto &a, const auto &b) {
    return std::pair(a->schema.qualified(), a->position) < std::pair(b->schema.qualified(), b->position);
  });
  return ok;
}
