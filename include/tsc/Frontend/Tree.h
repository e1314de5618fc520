//===- Tree.h - The syntax tree ---------------------------------*- C++ -*-===//
//
// What the parser makes of TorchScript source, before any name or type is
// known. One uniform node (kind, range, text, children) with a class per kind
// that gives the children names; use llvm::isa, cast and dyn_cast. An absent
// part (a parameter without a type) is a null child.
//
// Trees are immutable, and live as long as the SyntaxTree that owns their
// memory and the buffer they were parsed from. Chained comparisons share the
// operand in the middle, so a tree may be reached along two paths.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FRONTEND_TREE_H
#define TSC_FRONTEND_TREE_H

#include "tsc/Support/Source.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Casting.h"
#include <cstring>
#include <set>

namespace llvm {
class raw_ostream;
}

namespace tsc {

using llvm::ArrayRef;
using llvm::StringRef;

enum class TreeKind : uint8_t {
#define TREE(Kind) Kind,
#include "tsc/Frontend/Trees.def"
};

/// `Apply`, `BinOp`, ...
StringRef treeKindName(TreeKind kind);
/// What TorchScript calls a construct that it lacks ("lambdas"); empty for what it has.
StringRef unsupportedWords(TreeKind kind);

/// Operators of BinOp, UnaryOp, BoolOp, Compare and AugAssign.
enum class TreeOp : uint8_t {
  None,
  Add,
  Sub,
  Mul,
  Div,
  FloorDiv,
  Mod,
  Pow,
  MatMul,
  BitAnd,
  BitOr,
  BitXor,
  ShiftLeft,
  ShiftRight,
  Neg,
  Plus,
  Not,
  Invert,
  And,
  Or,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  In,
  NotIn,
  Is,
  IsNot,
};
/// `+`, `not in`, ...
StringRef treeOpSpelling(TreeOp op);
/// The method of a class that the operator asks its first operand for: `__add__`; empty where there is none.
StringRef treeOpMethod(TreeOp op);
/// `__radd__` of `+`: the method of what stands on the right. Empty where Python asks none.
StringRef reflectedMethod(TreeOp op);
/// What a comparison is with its sides exchanged: `a > b` is `b < a`.
TreeOp mirroredOp(TreeOp op);
/// `__iadd__` of `+=`.
StringRef inPlaceMethod(TreeOp op);

class Tree {
public:
  TreeKind kind() const { return treeKind; }
  /// All of it, first to last character.
  SourceRange range() const { return {*source, first, last}; }
  const SourceBuffer &buffer() const { return *source; }
  /// What to point a caret at: the operator of a BinOp, the name of a Def or after a dot; else all of it.
  SourceRange point() const { return {*source, caret, caret == first ? last : caretEnd}; }
  /// What the source says.
  StringRef spelling() const { return source->text().slice(first, last); }
  ArrayRef<const Tree *> children() const { return {parts, count}; }
  const Tree *child(unsigned i) const { return children()[i]; }
  /// Length of the longest path to a leaf; at most SyntaxTree::MaxDepth.
  unsigned depth() const { return height; }
  /// How many nodes a walk meets (a shared node counts once for each path); saturates.
  uint32_t weight() const { return nodes; }
  /// An S-expression, one node a line, children indented. For tests.
  void print(llvm::raw_ostream &os, unsigned indent = 0) const;
  std::string str() const;

protected:
  friend class SyntaxTree;
  Tree(TreeKind kind, SourceRange range)
      : source(range.buffer()), first(range.begin()), last(range.end()), caret(first), caretEnd(last), treeKind(kind) {}
  Tree(const Tree &) = default;

  const SourceBuffer *source;
  const Tree *const *parts = nullptr;
  StringRef name; ///< A name or the characters of a string.
  union {
    int64_t integer = 0;
    double real;
  };
  uint32_t first, last, caret, caretEnd, count = 0, nodes = 1;
  uint16_t height = 1;
  TreeKind treeKind;
  TreeOp op = TreeOp::None;
  uint8_t flags = 0;
};

/// The children of a List node as `T`s; null when the list itself is absent counts as empty.
template <typename T> class TreeList {
public:
  TreeList() = default;
  explicit TreeList(const Tree *list) {
    if (list)
      items = list->children();
  }
  struct Iterator : llvm::iterator_adaptor_base<Iterator, const Tree *const *, std::random_access_iterator_tag,
                                                const T *, ptrdiff_t, const T *, const T *> {
    explicit Iterator(const Tree *const *p) : Iterator::iterator_adaptor_base(p) {}
    const T *operator*() const { return llvm::cast<T>(*this->I); }
  };
  Iterator begin() const { return Iterator(items.begin()); }
  Iterator end() const { return Iterator(items.end()); }
  size_t size() const { return items.size(); }
  bool empty() const { return items.empty(); }
  const T *operator[](size_t i) const { return llvm::cast<T>(items[i]); }
  const T *front() const { return (*this)[0]; }
  const T *back() const { return (*this)[size() - 1]; }

private:
  ArrayRef<const Tree *> items;
};

/// Any statement or expression; the two differ by kind only.
using Stmt = Tree;
using Expr = Tree;

template <TreeKind K> class TreeOf : public Tree {
public:
  static constexpr TreeKind Kind = K;
  static bool classof(const Tree *tree) { return tree->kind() == K; }

protected:
  friend class SyntaxTree;
  explicit TreeOf(SourceRange range) : Tree(K, range) {}
  template <typename T> const T *part(unsigned i) const { return llvm::cast_or_null<T>(child(i)); }
  template <typename T> TreeList<T> list(unsigned i) const { return TreeList<T>(child(i)); }
};

// clang-format off: what follows opens its classes by a macro.
#define TSC_TREE(Name) class Name : public TreeOf<TreeKind::Name> { using TreeOf::TreeOf; friend class SyntaxTree; public:

//===-- Parts --------------------------------------------------------------===//

TSC_TREE(List)
};

/// `name : type = default`. A type from a `# type:` comment appears here just as one from an annotation.
TSC_TREE(Param)
  enum Flag : uint8_t { KeywordOnly = 1, VarArgs = 2 /* *name */, VarKeywords = 4 /* **name */, PositionalOnly = 8 };
  StringRef name() const { return Tree::name; }
  const Expr *type() const { return child(0); }         ///< May be null.
  const Expr *defaultValue() const { return child(1); } ///< May be null.
  bool isKeywordOnly() const { return flags & KeywordOnly; }
  bool isPositionalOnly() const { return flags & PositionalOnly; }
  bool isVarArgs() const { return flags & VarArgs; }
  bool isVarKeywords() const { return flags & VarKeywords; }
};

/// `name=value` in a call.
TSC_TREE(Keyword)
  StringRef name() const { return Tree::name; }
  const Expr *value() const { return child(0); }
};

/// `value as target`.
TSC_TREE(WithItem)
  const Expr *value() const { return child(0); }
  const Expr *target() const { return child(1); } ///< May be null.
};

/// `a.b as c` in an import; alias() is empty without `as`.
TSC_TREE(Alias)
  StringRef path() const { return Tree::name; }
  StringRef alias() const { return child(0) ? child(0)->spelling() : StringRef(); }
};

/// `{value!r:spec}` in an f-string.
TSC_TREE(FormatValue)
  const Expr *value() const { return child(0); }
  StringRef spec() const { return Tree::name; }                    ///< As written after the colon.
  char conversion() const { return static_cast<char>(integer); }   ///< 'r', 's', 'a' or 0.
};

/// `for target in iterable if condition`.
TSC_TREE(Comprehension)
  const Expr *target() const { return child(0); }
  const Expr *iterable() const { return child(1); }
  TreeList<Expr> conditions() const { return list<Expr>(2); }
};

/// `except type as name: body`; type() is null for a bare `except:`.
TSC_TREE(ExceptHandler)
  const Expr *type() const { return child(0); }
  TreeList<Stmt> body() const { return list<Stmt>(1); }
  StringRef name() const { return Tree::name; } ///< Empty without `as`.
};

/// `case pattern as name if guard: body`. A pattern is the expression that it reads as: `int()`, `1 | 2`, `_`.
TSC_TREE(MatchCase)
  const Expr *pattern() const { return child(0); }
  const Expr *guard() const { return child(1); } ///< May be null.
  TreeList<Stmt> body() const { return list<Stmt>(2); }
  StringRef name() const { return Tree::name; } ///< Empty without `as`.
};

//===-- Expressions --------------------------------------------------------===//

TSC_TREE(Var)
  StringRef name() const { return Tree::name; }
};
/// A literal of an integer that fits; one that does not is a diagnostic of the parser.
TSC_TREE(IntLiteral)
  int64_t value() const { return integer; }
};
TSC_TREE(FloatLiteral)
  double value() const { return real; }
};
/// `2j`.
TSC_TREE(ComplexLiteral)
  double imaginary() const { return real; }
};
/// The characters after escapes were resolved and adjacent literals joined; may hold NUL.
TSC_TREE(StringLiteral)
  StringRef value() const { return Tree::name; }
  bool isBytes() const { return flags & 1; }
};
/// Parts are StringLiterals and FormatValues.
TSC_TREE(FormatString)
  TreeList<Tree> parts() const { return TreeList<Tree>(this); }
};
TSC_TREE(NoneLiteral)
};
TSC_TREE(BoolLiteral)
  bool value() const { return integer; }
};
/// `...`
TSC_TREE(Dots)
};
TSC_TREE(Apply)
  const Expr *callee() const { return child(0); }
  TreeList<Expr> args() const { return list<Expr>(1); }    ///< Starred among them.
  TreeList<Tree> keywords() const { return list<Tree>(2); } ///< Keyword, or DoubleStarred (unsupported).
};
/// `value.name`
TSC_TREE(Select)
  const Expr *value() const { return child(0); }
  StringRef name() const { return Tree::name; }
};
/// `value[i, j:k]` has two indices; `value[(i, j)]` has one, a TupleLiteral, which means the same to a tensor.
TSC_TREE(Subscript)
  const Expr *value() const { return child(0); }
  TreeList<Expr> indices() const { return list<Expr>(1); }
};
/// `start:stop:step`, each may be null. Only among Subscript::indices.
TSC_TREE(Slice)
  const Expr *start() const { return child(0); }
  const Expr *stop() const { return child(1); }
  const Expr *step() const { return child(2); }
};
TSC_TREE(BinOp)
  TreeOp op() const { return Tree::op; }
  const Expr *lhs() const { return child(0); }
  const Expr *rhs() const { return child(1); }
};
/// Neg, Plus, Not, Invert. (A minus before a number is part of the number, as in PyTorch: `-1` is an IntLiteral.)
TSC_TREE(UnaryOp)
  TreeOp op() const { return Tree::op; }
  const Expr *operand() const { return child(0); }
};
/// And, Or.
TSC_TREE(BoolOp)
  TreeOp op() const { return Tree::op; }
  const Expr *lhs() const { return child(0); }
  const Expr *rhs() const { return child(1); }
};
/// Eq ... IsNot. `a < b < c` is BoolOp(And, a < b, b < c) with `b` shared.
TSC_TREE(Compare)
  TreeOp op() const { return Tree::op; }
  const Expr *lhs() const { return child(0); }
  const Expr *rhs() const { return child(1); }
};
/// `trueValue if condition else falseValue`
TSC_TREE(Ternary)
  const Expr *condition() const { return child(0); }
  const Expr *trueValue() const { return child(1); }
  const Expr *falseValue() const { return child(2); }
};
TSC_TREE(ListLiteral)
  TreeList<Expr> elements() const { return TreeList<Expr>(this); }
};
TSC_TREE(TupleLiteral)
  TreeList<Expr> elements() const { return TreeList<Expr>(this); }
};
TSC_TREE(SetLiteral)
  TreeList<Expr> elements() const { return TreeList<Expr>(this); }
};
/// keys()[i] may be a DoubleStarred (unsupported); then values()[i] is the same node.
TSC_TREE(DictLiteral)
  TreeList<Expr> keys() const { return list<Expr>(0); }
  TreeList<Expr> values() const { return list<Expr>(1); }
};
TSC_TREE(ListComp)
  const Expr *element() const { return child(0); }
  TreeList<Comprehension> loops() const { return list<Comprehension>(1); }
};
TSC_TREE(DictComp)
  const Expr *key() const { return child(0); }
  const Expr *value() const { return child(1); }
  TreeList<Comprehension> loops() const { return list<Comprehension>(2); }
};
TSC_TREE(SetComp)
  const Expr *element() const { return child(0); }
  TreeList<Comprehension> loops() const { return list<Comprehension>(1); }
};
TSC_TREE(GeneratorExpr)
  const Expr *element() const { return child(0); }
  TreeList<Comprehension> loops() const { return list<Comprehension>(1); }
};
TSC_TREE(Starred)
  const Expr *value() const { return child(0); }
};
TSC_TREE(DoubleStarred)
  const Expr *value() const { return child(0); }
};
TSC_TREE(Lambda)
  TreeList<Param> params() const { return list<Param>(0); }
  const Expr *body() const { return child(1); }
};
/// `target := value`
TSC_TREE(NamedExpr)
  const Var *target() const { return part<Var>(0); }
  const Expr *value() const { return child(1); }
};
TSC_TREE(Yield)
};
TSC_TREE(Await)
};

//===-- Statements ---------------------------------------------------------===//

TSC_TREE(Def)
  StringRef name() const { return Tree::name; }
  TreeList<Expr> decorators() const { return list<Expr>(0); }
  TreeList<Param> params() const { return list<Param>(1); }
  const Expr *returnType() const { return child(2); } ///< May be null.
  TreeList<Stmt> body() const { return list<Stmt>(3); }
};
/// `class Name(bases):`. The body keeps its statements in order: Assign (attributes), Def (methods), docstring, pass.
TSC_TREE(ClassDef)
  StringRef name() const { return Tree::name; }
  TreeList<Expr> decorators() const { return list<Expr>(0); }
  TreeList<Expr> bases() const { return list<Expr>(1); }
  TreeList<Tree> keywords() const { return list<Tree>(2); }
  TreeList<Stmt> body() const { return list<Stmt>(3); }
};
/// `elif` is an If alone in the else branch.
TSC_TREE(If)
  const Expr *condition() const { return child(0); }
  TreeList<Stmt> thenBody() const { return list<Stmt>(1); }
  TreeList<Stmt> elseBody() const { return list<Stmt>(2); }
};
TSC_TREE(For)
  const Expr *target() const { return child(0); }
  const Expr *iterable() const { return child(1); }
  TreeList<Stmt> body() const { return list<Stmt>(2); }
  const Expr *type() const { return child(3); } ///< Of the target, from a `# type:` comment; may be null.
  TreeList<Stmt> elseBody() const { return list<Stmt>(4); }
  bool hasElse() const { return child(4); }
};
TSC_TREE(While)
  const Expr *condition() const { return child(0); }
  TreeList<Stmt> body() const { return list<Stmt>(1); }
  TreeList<Stmt> elseBody() const { return list<Stmt>(2); }
  bool hasElse() const { return child(2); }
};
/// `a = b = value`, `a : type = value`, `a : type` (no value), `a = value  # type: T`.
TSC_TREE(Assign)
  TreeList<Expr> targets() const { return list<Expr>(0); }
  const Expr *value() const { return child(1); } ///< Null for a bare declaration.
  const Expr *type() const { return child(2); }  ///< May be null.
};
TSC_TREE(AugAssign)
  TreeOp op() const { return Tree::op; }
  const Expr *target() const { return child(0); }
  const Expr *value() const { return child(1); }
};
TSC_TREE(Return)
  const Expr *value() const { return child(0); } ///< May be null.
};
TSC_TREE(Raise)
  const Expr *value() const { return child(0); } ///< May be null.
  const Expr *cause() const { return child(1); } ///< May be null.
};
TSC_TREE(Assert)
  const Expr *condition() const { return child(0); }
  const Expr *message() const { return child(1); } ///< May be null.
};
TSC_TREE(With)
  TreeList<WithItem> items() const { return list<WithItem>(0); }
  TreeList<Stmt> body() const { return list<Stmt>(1); }
};
TSC_TREE(Pass)
};
TSC_TREE(Break)
};
TSC_TREE(Continue)
};
TSC_TREE(Delete)
  TreeList<Expr> targets() const { return list<Expr>(0); }
};
TSC_TREE(ExprStmt)
  const Expr *value() const { return child(0); }
};
/// `import a.b as c` (module() empty), `from m import x as y`; `from m import *` has one Alias `*`.
TSC_TREE(Import)
  StringRef module() const { return Tree::name; } ///< With leading dots.
  bool isFrom() const { return flags & 1; }
  TreeList<Alias> names() const { return list<Alias>(0); }
};
TSC_TREE(Global)
};
TSC_TREE(Nonlocal)
};
/// A missing `else` or `finally` is an empty list.
TSC_TREE(Try)
  TreeList<Stmt> body() const { return list<Stmt>(0); }
  TreeList<ExceptHandler> handlers() const { return list<ExceptHandler>(1); }
  TreeList<Stmt> elseBody() const { return list<Stmt>(2); }
  TreeList<Stmt> finalBody() const { return list<Stmt>(3); }
  bool hasFinally() const { return child(3); }
};
TSC_TREE(Match)
  const Expr *subject() const { return child(0); }
  TreeList<MatchCase> cases() const { return list<MatchCase>(1); }
};
TSC_TREE(AsyncStmt)
};

#undef TSC_TREE

/// Owns the nodes of one parse.
///
/// Memory: an arena; nodes are never freed one by one. Errors: none; a tree that grows deeper than MaxDepth is
/// reported by the parser, so that whoever walks a tree may recurse.
class SyntaxTree {
public:
  static constexpr unsigned maxDepth = 1000;

  explicit SyntaxTree(const SourceBuffer &buffer) : source(&buffer) {}
  SyntaxTree(SyntaxTree &&) = default;
  SyntaxTree &operator=(SyntaxTree &&) = default;

  const SourceBuffer &buffer() const { return *source; }
  /// The statements of the file; for an expression or a type, a list of one.
  TreeList<Stmt> statements() const { return TreeList<Stmt>(top); }
  /// The expression parseExpression or parseType made.
  const Expr *expression() const { return top->child(0); }
  void print(llvm::raw_ostream &os) const;

  /// How the parser builds nodes. Children may be null.
  template <typename T> T *make(SourceRange range, ArrayRef<const Tree *> children = {}) {
    T *tree = new (arena.Allocate(sizeof(T), alignof(T))) T(range);
    adopt(*tree, children);
    return tree;
  }
  StringRef save(StringRef text) { return text.copy(arena); }
  static void setName(Tree &tree, StringRef name) { tree.name = name; }
  static void setOp(Tree &tree, TreeOp op) { tree.op = op; }
  static void setInt(Tree &tree, int64_t value) { tree.integer = value; }
  static void setReal(Tree &tree, double value) { tree.real = value; }
  static void setFlags(Tree &tree, uint8_t flags) { tree.flags = flags; }
  static void setPoint(Tree &tree, SourceRange at) { tree.caret = at.begin(); tree.caretEnd = at.end(); }
  void setTop(const List *list) { top = list; }

private:
  void adopt(Tree &tree, ArrayRef<const Tree *> children);

  const SourceBuffer *source;
  llvm::BumpPtrAllocator arena;
  const Tree *top = nullptr;
};

/// Adds the names of variables that a statement binds; those of functions and classes in it are their own.
void collectBoundNames(const Tree *tree, std::set<std::string> &names);

} // namespace tsc

#endif
