//===- Tree.cpp - The syntax tree -----------------------------------------===//
#include "tsc/Frontend/Tree.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

using namespace tsc;

StringRef tsc::treeKindName(TreeKind kind) {
  static constexpr StringRef names[] = {
#define TREE(Kind) #Kind,
#include "tsc/Frontend/Trees.def"
  };
  return names[static_cast<size_t>(kind)];
}

StringRef tsc::unsupportedWords(TreeKind kind) {
  switch (kind) {
#define TREE(Kind)
#define UNSUPPORTED_TREE(Kind, words)                                                                                  \
  case TreeKind::Kind: return words;
#include "tsc/Frontend/Trees.def"
  default: return {};
  }
}

namespace {
/// The methods that classes define for an operator.
struct OperatorMethods {
  StringRef own, reflected, inPlace;
};
} // namespace

static OperatorMethods methodsOf(TreeOp op) {
  switch (op) {
  case TreeOp::Add: return {"__add__", "__radd__", "__iadd__"};
  case TreeOp::Sub: return {"__sub__", "__rsub__", "__isub__"};
  case TreeOp::Mul: return {"__mul__", "__rmul__", "__imul__"};
  case TreeOp::Div: return {"__truediv__", "__rtruediv__", "__itruediv__"};
  case TreeOp::FloorDiv: return {"__floordiv__", "__rfloordiv__", "__ifloordiv__"};
  case TreeOp::Mod: return {"__mod__", "__rmod__", "__imod__"};
  case TreeOp::Pow: return {"__pow__", "__rpow__", "__ipow__"};
  case TreeOp::MatMul: return {"__matmul__", "__rmatmul__", "__imatmul__"};
  case TreeOp::BitAnd: return {"__and__", "__rand__", "__iand__"};
  case TreeOp::BitOr: return {"__or__", "__ror__", "__ior__"};
  case TreeOp::BitXor: return {"__xor__", "__rxor__", "__ixor__"};
  case TreeOp::ShiftLeft: return {"__lshift__", "__rlshift__", "__ilshift__"};
  case TreeOp::ShiftRight: return {"__rshift__", "__rrshift__", "__irshift__"};
  case TreeOp::Eq: return {"__eq__", "", ""};
  case TreeOp::Ne: return {"__ne__", "", ""};
  case TreeOp::Lt: return {"__lt__", "", ""};
  case TreeOp::Le: return {"__le__", "", ""};
  case TreeOp::Gt: return {"__gt__", "", ""};
  case TreeOp::Ge: return {"__ge__", "", ""};
  case TreeOp::Neg: return {"__neg__", "", ""};
  case TreeOp::Invert: return {"__invert__", "", ""};
  case TreeOp::Plus: return {"__pos__", "", ""};
  default: return {};
  }
}

TreeOp tsc::mirroredOp(TreeOp op) {
  switch (op) {
  case TreeOp::Lt: return TreeOp::Gt;
  case TreeOp::Gt: return TreeOp::Lt;
  case TreeOp::Le: return TreeOp::Ge;
  case TreeOp::Ge: return TreeOp::Le;
  default: return op;
  }
}
StringRef tsc::treeOpMethod(TreeOp op) { return methodsOf(op).own; }
StringRef tsc::reflectedMethod(TreeOp op) { return methodsOf(op).reflected; }
StringRef tsc::inPlaceMethod(TreeOp op) { return methodsOf(op).inPlace; }

StringRef tsc::treeOpSpelling(TreeOp op) {
  static constexpr StringRef spellings[] = {"",   "+",  "-",  "*",  "/", "//", "%",   "**",     "@",   "&",
                                            "|",  "^",  "<<", ">>", "-", "+",  "not", "~",      "and", "or",
                                            "==", "!=", "<",  "<=", ">", ">=", "in",  "not in", "is",  "is not"};
  return spellings[static_cast<size_t>(op)];
}

void SyntaxTree::adopt(Tree &tree, ArrayRef<const Tree *> children) {
  auto **parts = arena.Allocate<const Tree *>(children.size());
  llvm::copy(children, parts);
  tree.parts = parts;
  tree.count = children.size();
  uint64_t height = 0, nodes = 1;
  for (const Tree *child : children) {
    if (!child)
      continue;
    height = std::max<uint64_t>(height, child->height);
    nodes += child->nodes;
  }
  tree.height = std::min<uint64_t>(height + 1, std::numeric_limits<uint16_t>::max());
  tree.nodes = std::min<uint64_t>(nodes, std::numeric_limits<uint32_t>::max());
}

void Tree::print(llvm::raw_ostream &os, unsigned indent) const {
  os.indent(indent) << '(' << treeKindName(treeKind);
  if (!name.empty() || treeKind == TreeKind::StringLiteral) {
    os << " \"";
    llvm::printEscapedString(name, os);
    os << '"';
  }
  if (op != TreeOp::None)
    os << ' ' << treeOpSpelling(op);
  if (treeKind == TreeKind::FloatLiteral || treeKind == TreeKind::ComplexLiteral)
    os << ' ' << llvm::format("%.17g", real);
  else if (treeKind == TreeKind::IntLiteral || treeKind == TreeKind::BoolLiteral || integer)
    os << ' ' << integer;
  if (flags)
    os << " flags=" << unsigned(flags);
  for (const Tree *part : children()) {
    os << '\n';
    if (part)
      part->print(os, indent + 2);
    else
      os.indent(indent + 2) << "()";
  }
  os << ')';
}

std::string Tree::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

void SyntaxTree::print(llvm::raw_ostream &os) const {
  for (const Tree *stmt : statements()) {
    stmt->print(os);
    os << '\n';
  }
}

static void collectTargets(const Tree *target, std::set<std::string> &names) {
  if (auto *var = llvm::dyn_cast<Var>(target))
    names.insert(var->name().str());
  else if (llvm::isa<TupleLiteral, ListLiteral, Starred>(target))
    for (const Tree *part : target->children())
      collectTargets(part, names);
}

static void collectCaptures(const Tree *pattern, std::set<std::string> &names) {
  if (auto *var = llvm::dyn_cast_or_null<Var>(pattern); var && var->name() != "_")
    names.insert(var->name().str());
  if (!pattern || llvm::isa<Select>(pattern)) // a constant
    return;
  auto *type = llvm::dyn_cast<Apply>(pattern);
  for (const Tree *part : pattern->children())
    if (!type || part != type->callee())
      collectCaptures(part, names);
}

void tsc::collectBoundNames(const Tree *tree, std::set<std::string> &names) {
  if (!tree || llvm::isa<Def, ClassDef, Lambda>(tree))
    return;
  if (auto *assign = llvm::dyn_cast<Assign>(tree))
    for (const Tree *target : assign->targets())
      collectTargets(target, names);
  else if (auto *augmented = llvm::dyn_cast<AugAssign>(tree))
    collectTargets(augmented->target(), names);
  else if (auto *loop = llvm::dyn_cast<For>(tree))
    collectTargets(loop->target(), names);
  else if (auto *item = llvm::dyn_cast<WithItem>(tree); item && item->target())
    collectTargets(item->target(), names);
  else if (auto *named = llvm::dyn_cast<NamedExpr>(tree))
    names.insert(named->target()->name().str());
  else if (auto *item = llvm::dyn_cast<MatchCase>(tree)) {
    if (!item->name().empty())
      names.insert(item->name().str());
    collectCaptures(item->pattern(), names);
  }
  for (const Tree *part : tree->children())
    collectBoundNames(part, names);
}
