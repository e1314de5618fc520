//===- EmitFacts.cpp - Columns that passes and analyses ask for -----------===//
//
// FOLD, QUERY, LIST_EDIT, LAWS, PARTIAL and what else stands in `macros` below, one line for each overload
// that has the column. Who includes the file defines those that he wants.
//
//===----------------------------------------------------------------------===//
#include "OpModel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace tsc::tblgen;

/// The position of the argument of that name, or -1.
static int positionOf(const OpDef &op, StringRef name) {
  auto found = find_if(op.schema.args, [&](const SchemaArg &argument) { return argument.name == name; });
  return found == op.schema.args.end() ? -1 : static_cast<int>(found - op.schema.args.begin());
}

/// A bound of the column `clamp` as an expression that makes a ClampBound.
static std::string boundOf(const OpDef &op, StringRef text) {
  if (text.empty())
    return "ClampBound{}";
  if (int64_t number; !text.getAsInteger(10, number))
    return (Twine("ClampBound{int64_t{") + text + "}}").str();
  if (int position = positionOf(op, text); position >= 0)
    return "ClampBound{ClampBound::Operand{" + std::to_string(position) + "}}";
  PrintFatalError(op.record->getLoc(), "clamp: '" + text + "' is no whole number, nor an operand");
}

static void emitFold(raw_ostream &os, const OpDef &op) {
  StringRef fold = op.field("fold");
  bool ofTruth = fold == "Any" || fold == "All";
  StringRef kind = fold == "Any" ? "Max" : fold == "All" ? "Min" : fold;
  if (!is_contained({"Sum", "Product", "Max", "Min", "Mean"}, kind))
    PrintFatalError(op.record->getLoc(), "fold: '" + fold + "' is not Sum, Mean, Product, Max, Min, Any or All");
  os << "FOLD(" << op.kind << ", " << kind << ", " << positionOf(op, "dim") << ", " << positionOf(op, "keepdim") << ", "
     << positionOf(op, "dtype") << ", " << (ofTruth ? "true" : "false") << ")\n";
}

/// A literal of TorchScript as an expression that makes a tsc::Law.
static std::string lawOf(const OpDef &op, StringRef text) {
  if (text.empty())
    return "Law{}";
  if (text == "self")
    return "Law{Law::Self{}}";
  if (text == "True" || text == "False")
    return (Twine("Law{") + text.lower() + "}").str();
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    return ("Law{llvm::StringLiteral(" + text + ")}").str();
  if (int64_t number; !text.getAsInteger(10, number))
    return (Twine("Law{int64_t{") + text + "}}").str();
  if (double number; !text.getAsDouble(number) && text.contains('.'))
    return (Twine("Law{") + text + "}").str();
  PrintFatalError(op.record->getLoc(), "laws: '" + text + "' is no int, float, bool or string, nor self");
}

/// PRODUCT(KIND, positions of left, right, bias, beta and alpha, whether left is transposed, whether right is)
static void emitProduct(raw_ostream &os, const OpDef &op) {
  std::vector<StringRef> names = op.record->getValueAsListOfStrings("product");
  if (names.empty())
    return;
  if (names.size() != 2 && names.size() != 3)
    PrintFatalError(op.record->getLoc(), "product: the names of two factors, and of what is added to their product");
  bool isTransposed[] = {names[0].consume_back(".t"), names[1].consume_back(".t")};
  os << "PRODUCT(" << op.kind;
  for (StringRef name : names) {
    if (positionOf(op, name) < 0)
      PrintFatalError(op.record->getLoc(), "product: '" + name + "' is no operand");
    os << ", " << positionOf(op, name);
  }
  os << (names.size() == 2 ? ", -1" : "") << ", " << positionOf(op, "beta") << ", " << positionOf(op, "alpha");
  for (bool transposed : isTransposed)
    os << (transposed ? ", true" : ", false");
  os << ")\n";
}

static void emitLaws(raw_ostream &os, const OpDef &op) {
  static constexpr StringRef names[] = {"rightNeutral", "leftNeutral", "absorbs", "ofSame", "negates"};
  const Record *laws = op.record->getValueAsDef("laws");
  if (all_of(names, [&](StringRef name) { return laws->getValueAsString(name).empty(); }))
    return;
  os << "LAWS(" << op.kind;
  for (StringRef name : names)
    os << ", (" << lawOf(op, laws->getValueAsString(name)) << ")";
  os << ")\n";
}

/// The class of the operands of an overload on scalars of one kind, or on ints and floats, as the last letter of a
/// row's name: I, F, B or S (strings). 0 for other operands.
static char classOfOperands(const OpDef &op) {
  static constexpr std::pair<StringRef, char> letters[] = {{"int", 'I'}, {"float", 'F'}, {"bool", 'B'}, {"str", 'S'}};
  char all = 0;
  for (const SchemaArg &argument : op.schema.args) {
    auto found = find_if(letters, [&](const auto &letter) { return letter.first == argument.type; });
    if (found == std::end(letters))
      return 0;
    const char letter = found->second;
    const bool isMixture = (all == 'I' && letter == 'F') || (all == 'F' && letter == 'I');
    if (all && all != letter && !isMixture)
      return 0;
    all = isMixture ? 'F' : letter;
  }
  return all;
}

/// SCALAR_OP(KIND, ROW, whether its operands are swapped)
static void emitScalarOp(raw_ostream &os, const OpDef &op) {
  auto [text, order] = op.field("scalarOp").split(' ');
  if (text.empty())
    return;
  if (!order.empty() && order != "swapped")
    PrintFatalError(op.record->getLoc(), "scalarOp: '" + order + "' is not `swapped`");
  auto [row, classes] = text.split(':');
  std::string name = row.str();
  if (!classes.empty()) {
    const char letter = classOfOperands(op);
    if (!letter || !classes.contains(letter))
      return;
    name += letter;
  }
  os << "SCALAR_OP(" << op.kind << ", " << name << ", " << (order.empty() ? "false" : "true") << ")\n";
}

/// "log1p" as "Log1P": what PyTorch calls a node is made so of its operator's name.
static std::string camelCase(StringRef name) {
  std::string text;
  bool isInWord = false;
  for (char c : name) {
    if (c != '_')
      text += isInWord ? c : toUpper(c);
    isInWord = isAlpha(c);
  }
  return text;
}

/// BACKWARD_NODE(KIND, NAME, NAME of the in-place form)
static void emitBackwardNode(raw_ostream &os, const OpDef &op) {
  StringRef column = op.field("backwardNode");
  if (column.empty() && op.record->isSubClassOf("PointwiseOp") && !op.field("derivative").trim().empty())
    column = "0";
  if (column.empty())
    return;
  auto nameOf = [&](StringRef text) {
    return !text.empty() && all_of(text, isDigit) ? camelCase(op.schema.name) + "Backward" + text.str() : text.str();
  };
  auto [name, inPlace] = column.split(',');
  os << "BACKWARD_NODE(" << op.kind << ", \"" << nameOf(name) << "\", \"" << nameOf(inPlace.empty() ? name : inPlace)
     << "\")\n";
}

/// SPELLING(KIND, NAME), and PYTHON_MEANING(KIND of the operator of that name, KIND, enumerator of PythonAgreement).
static void emitSpelling(raw_ostream &os, const OpModel &model, const OpDef &op) {
  StringRef spelling = op.field("spelling"), agrees = op.field("agrees");
  if (spelling.empty())
    return;
  os << "SPELLING(" << op.kind << ", \"" << spelling << "\")\n";
  if (agrees.empty()) // what has that name is no operator
    return;
  auto plain = find_if(model.ops, [&](const auto &other) {
    return other->schema.qualified() == spelling && other->schema.overload == op.schema.overload;
  });
  if (plain == model.ops.end())
    PrintFatalError(op.record->getLoc(), "spelling: '" + spelling + "' has no overload '" + op.schema.overload + "'");
  os << "PYTHON_MEANING(" << (*plain)->kind << ", " << op.kind << ", " << agrees << ")\n";
}

bool tsc::tblgen::emitOpFacts(raw_ostream &os, const RecordKeeper &records) {
  static constexpr StringRef macros[] = {
      "FOLD",    "QUERY",      "LIST_EDIT", "LAWS",           "PARTIAL",         "METHOD",    "FUNCTIONAL",
      "SCATTER", "INVERSE",    "CLAMP",     "BACKWARD_NODE",  "CONTAINER_QUERY", "VIEW",      "ARITHMETIC",
      "PRODUCT", "CONVERSION", "SPELLING",  "PYTHON_MEANING", "DISTRIBUTION",    "SCALAR_OP", "DEVICE"};
  // Columns that hold an enumerator, which the compiler of the table looks at.
  static constexpr std::pair<StringRef, StringRef> enumerators[] = {
      {"query", "QUERY"},           {"containerQuery", "CONTAINER_QUERY"},
      {"listEdit", "LIST_EDIT"},    {"view", "VIEW"},
      {"partial", "PARTIAL"},       {"arithmetic", "ARITHMETIC"},
      {"conversion", "CONVERSION"}, {"distribution", "DISTRIBUTION"},
      {"device", "DEVICE"}};
  OpModel model;
  if (!readOpModel(records, model))
    return true;
  emitSourceFileHeader("Columns that passes and analyses ask for", os, records);
  for (StringRef macro : macros)
    os << "#ifndef " << macro << "\n#define " << macro << "(...)\n#endif\n";
  for (const auto &op : model.ops) {
    if (op->form != Form::Functional)
      continue;
    if (!op->field("fold").empty())
      emitFold(os, *op);
    for (auto [column, macro] : enumerators)
      if (StringRef name = op->field(column); !name.empty())
        os << macro << "(" << op->kind << ", " << name << ")\n";
    emitScalarOp(os, *op);
    for (StringRef column : {"method", "functional", "scatter", "inverse"})
      if (StringRef name = op->field(column); !name.empty())
        os << column.upper() << "(" << op->kind << ", \"" << name << "\")\n";
    if (StringRef clamp = op->field("clamp"); !clamp.empty()) {
      auto [low, high] = clamp.split(',');
      os << "CLAMP(" << op->kind << ", (" << boundOf(*op, low.trim()) << "), (" << boundOf(*op, high.trim()) << "))\n";
    }
    emitProduct(os, *op);
    emitLaws(os, *op);
    emitBackwardNode(os, *op);
    emitSpelling(os, model, *op);
  }
  for (StringRef macro : macros)
    os << "#undef " << macro << "\n";
  return false;
}
