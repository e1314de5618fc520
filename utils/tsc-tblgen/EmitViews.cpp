//===- EmitViews.cpp - Typed views of nodes: OpViews ----------------------===//
//
// A view is a Node seen through its schema: dyn_cast<HypotOp>(&node)->other().
//
//===----------------------------------------------------------------------===//
#include "OpModel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace tsc::tblgen;

static std::string camel(StringRef text) {
  std::string out;
  SmallVector<StringRef> words;
  text.split(words, '_', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    out += word;
    out[out.size() - word.size()] = toUpper(word[0]);
  }
  return out;
}

/// "AddTensorOp", "AddInPlaceTensorOp", "PrimDeviceOp".
static std::string viewName(const OpDef &op) {
  StringRef name = op.schema.name;
  bool inPlace = name.ends_with("_") && !name.ends_with("__");
  std::string prefix = op.schema.ns == "aten" ? "" : camel(op.schema.ns);
  if (name.starts_with("_") && !name.starts_with("__"))
    prefix += "Internal";
  return prefix + camel(name) + (inPlace ? "InPlace" : "") + camel(op.schema.overload) + "Op";
}

bool tsc::tblgen::isCppKeyword(StringRef name) {
  static const StringSet<> keywords = {
      "default",  "int",      "float",     "bool",     "double",   "char",      "this",   "new",    "delete",
      "operator", "class",    "struct",    "template", "typename", "auto",      "const",  "static", "for",
      "while",    "if",       "else",      "do",       "switch",   "case",      "return", "long",   "short",
      "signed",   "unsigned", "namespace", "using",    "and",      "or",        "not",    "xor",    "union",
      "enum",     "register", "export",    "public",   "private",  "protected", "void"};
  return keywords.contains(name);
}

bool tsc::tblgen::emitOpViews(raw_ostream &os, const RecordKeeper &records) {
  OpModel model;
  if (!readOpModel(records, model))
    return true;
  emitSourceFileHeader("Typed views of nodes", os, records);
  StringSet<> used;
  for (const auto &op : model.ops) {
    std::string name = viewName(*op);
    if (!used.insert(name).second) {
      name = op->kind + "_Op";
      used.insert(name);
    }
    os << "/// " << op->schema.str() << "\nclass " << name << " : public OpView {\npublic:\n"
       << "  static constexpr OpKind kindOfOp = OpKind::" << op->kind << ";\n"
       << "  static bool classof(const Node *node) { return node->opKind() == kindOfOp; }\n";
    for (auto [i, arg] : enumerate(op->schema.args))
      os << "  Value *" << arg.name << (isCppKeyword(arg.name) || arg.name == name ? "_" : "")
         << "() const { return Node::input(" << i << "); }\n";
    os << "};\n";
  }
  return false;
}
