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

/// The kinds of syntax tree nodes (Trees.def).
enum class TreeKind : uint8_t {
#define TREE(Kind) Kind,
#include "tsc/Frontend/Trees.def"
};

/// Returns the name of a kind: `Apply`, `BinOp`.
StringRef treeKindName(TreeKind kind);
/// Returns what messages call a construct that TorchScript lacks ("global variables"), or an empty string for one that
/// it has.
StringRef unsupportedWords(TreeKind kind);

/// The operators of BinOp, UnaryOp, BoolOp, Compare and AugAssign.
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
/// Returns how an operator is written: `+`, `not in`.
StringRef treeOpSpelling(TreeOp op);
/// Returns the method that Python calls on the first operand, such as `__add__` for `+`, or an empty string where there
/// is none.
StringRef treeOpMethod(TreeOp op);
/// Returns the method that Python calls on the right operand, such as `__radd__` for `+`, or an empty string where
/// there is none.
StringRef reflectedMethod(TreeOp op);
/// Returns the comparison that means the same with its sides exchanged: `<` for `>`. Other operators are returned as
/// they are.
TreeOp mirroredOp(TreeOp op);
/// Returns the method of an augmented assignment, such as `__iadd__` for `+=`, or an empty string where there is none.
StringRef inPlaceMethod(TreeOp op);

/// A node of the syntax tree: its kind, its place in the source, and its children.
class Tree {
public:
  TreeKind kind() const { return treeKind; }
  /// Returns the range from the first to the last character.
  SourceRange range() const { return {*source, first, last}; }
  const SourceBuffer &buffer() const { return *source; }
  /// Returns what a caret should point at: the operator of a BinOp, the name of a Def or behind a dot, and the whole
  /// range of others.
  SourceRange point() const { return {*source, caret, caret == first ? last : caretEnd}; }
  /// Returns the text of the whole range.
  StringRef spelling() const { return source->text().slice(first, last); }
  /// Returns the children; that of an absent part is null.
  ArrayRef<const Tree *> children() const { return {parts, count}; }
  const Tree *child(unsigned i) const { return children()[i]; }
  /// Returns the length of the longest path to a leaf, which is at most SyntaxTree::maxDepth in a parsed tree.
  unsigned depth() const { return height; }
  /// Returns how many nodes a walk meets, counting a shared node once for each path to it; at most UINT32_MAX.
  uint32_t weight() const { return nodes; }
  /// Prints an S-expression with a node on each line and children indented, for tests.
  void print(llvm::raw_ostream &os, unsigned indent = 0) const;
  /// Returns what print() prints.
  std::string str() const;

protected:
  friend class SyntaxTree;
  Tree(TreeKind kind, SourceRange range)
      : source(range.buffer()), first(range.begin()), last(range.end()), caret(first), caretEnd(last), treeKind(kind) {}
  Tree(const Tree &) = default;

  const SourceBuffer *source;
  const Tree *const *parts = nullptr;
  StringRef name; ///< A name, or the characters of a string.
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

/// The children of a List node as `T`s. An absent list (null) counts as empty.
template <typename T> class TreeList {
public:
  TreeList() = default;
  explicit TreeList(const Tree *list) {
    if (list)
      items = list->children();
  }
  /// Iterates over the children as pointers to `T`.
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

/// A statement. Its class is that of every node: statements and expressions differ by kind only.
using Stmt = Tree;
/// An expression.
using Expr = Tree;

/// The base of the class for a kind of node. `part` returns child i, which may be null, as a `T`; `list` returns child
/// i as a list.
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

/// A list of nodes: arguments, parameters, the statements of a body. See TreeList.
TSC_TREE(List)
};

/// `name : type = default`, a parameter. A type from a `# type:` comment appears as an annotation does.
TSC_TREE(Param)
  /// How a parameter takes arguments.
  enum Flag : uint8_t { KeywordOnly = 1, VarArgs = 2 /* *name */, VarKeywords = 4 /* **name */, PositionalOnly = 8 };
  StringRef name() const { return Tree::name; }
  const Expr *type() const { return child(0); }         ///< May be null.
  const Expr *defaultValue() const { return child(1); } ///< May be null.
  bool isKeywordOnly() const { return flags & KeywordOnly; }
  bool isPositionalOnly() const { return flags & PositionalOnly; }
  bool isVarArgs() const { return flags & VarArgs; }
  bool isVarKeywords() const { return flags & VarKeywords; }
};

/// `name=value`, an argument of a call or of a class definition.
TSC_TREE(Keyword)
  StringRef name() const { return Tree::name; }
  const Expr *value() const { return child(0); }
};

/// `value as target` in a `with`.
TSC_TREE(WithItem)
  const Expr *value() const { return child(0); }
  const Expr *target() const { return child(1); } ///< May be null.
};

/// `a.b as c` in an import. alias() is empty without `as`.
TSC_TREE(Alias)
  StringRef path() const { return Tree::name; }
  StringRef alias() const { return child(0) ? child(0)->spelling() : StringRef(); }
};

/// `{value!r:spec}` in an f-string.
TSC_TREE(FormatValue)
  const Expr *value() const { return child(0); }
  StringRef spec() const { return Tree::name; } ///< Returns the text behind the colon, as it is written.
  char conversion() const { return static_cast<char>(integer); }   ///< 'r', 's', 'a' or 0.
};

/// `for target in iterable if condition` in a comprehension.
TSC_TREE(Comprehension)
  const Expr *target() const { return child(0); }
  const Expr *iterable() const { return child(1); }
  TreeList<Expr> conditions() const { return list<Expr>(2); }
};

/// `except type as name: body`. type() is null for a bare `except:`.
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

/// A name as an expression.
TSC_TREE(Var)
  StringRef name() const { return Tree::name; }
};
/// An integer that fits into 64 bits; the parser reports one that does not.
TSC_TREE(IntLiteral)
  int64_t value() const { return integer; }
};
/// `2.5`.
TSC_TREE(FloatLiteral)
  double value() const { return real; }
};
/// `2j`.
TSC_TREE(ComplexLiteral)
  double imaginary() const { return real; }
};
/// A string with its escapes resolved and adjacent literals joined. It may hold NUL.
TSC_TREE(StringLiteral)
  StringRef value() const { return Tree::name; }
  bool isBytes() const { return flags & 1; }
};
/// An f-string. Its parts are StringLiterals and FormatValues.
TSC_TREE(FormatString)
  TreeList<Tree> parts() const { return TreeList<Tree>(this); }
};
/// `None`.
TSC_TREE(NoneLiteral)
};
/// `True` or `False`.
TSC_TREE(BoolLiteral)
  bool value() const { return integer; }
};
/// `...`.
TSC_TREE(Dots)
};
/// `callee(args, keywords)`, a call.
TSC_TREE(Apply)
  const Expr *callee() const { return child(0); }
  TreeList<Expr> args() const { return list<Expr>(1); } ///< May hold Starreds.
  TreeList<Tree> keywords() const { return list<Tree>(2); } ///< Keywords, or DoubleStarreds (unsupported).
};
/// `value.name`.
TSC_TREE(Select)
  const Expr *value() const { return child(0); }
  StringRef name() const { return Tree::name; }
};
/// `value[indices]`. `value[i, j:k]` has two indices; `value[(i, j)]` has one, a TupleLiteral, which means the same to
/// a tensor.
TSC_TREE(Subscript)
  const Expr *value() const { return child(0); }
  TreeList<Expr> indices() const { return list<Expr>(1); }
};
/// `start:stop:step` among the indices of a Subscript. Each part may be null.
TSC_TREE(Slice)
  const Expr *start() const { return child(0); }
  const Expr *stop() const { return child(1); }
  const Expr *step() const { return child(2); }
};
/// `lhs op rhs` for arithmetic and bit operators.
TSC_TREE(BinOp)
  TreeOp op() const { return Tree::op; }
  const Expr *lhs() const { return child(0); }
  const Expr *rhs() const { return child(1); }
};
/// `op operand` for Neg, Plus, Not and Invert. A minus before a number is part of the number, as in PyTorch: `-1` is an
/// IntLiteral.
TSC_TREE(UnaryOp)
  TreeOp op() const { return Tree::op; }
  const Expr *operand() const { return child(0); }
};
/// `lhs and rhs` or `lhs or rhs`.
TSC_TREE(BoolOp)
  TreeOp op() const { return Tree::op; }
  const Expr *lhs() const { return child(0); }
  const Expr *rhs() const { return child(1); }
};
/// `lhs op rhs` for Eq to IsNot. `a < b < c` is BoolOp(And, a < b, b < c) with `b` shared.
TSC_TREE(Compare)
  TreeOp op() const { return Tree::op; }
  const Expr *lhs() const { return child(0); }
  const Expr *rhs() const { return child(1); }
};
/// `trueValue if condition else falseValue`.
TSC_TREE(Ternary)
  const Expr *condition() const { return child(0); }
  const Expr *trueValue() const { return child(1); }
  const Expr *falseValue() const { return child(2); }
};
/// `[a, b]`.
TSC_TREE(ListLiteral)
  TreeList<Expr> elements() const { return TreeList<Expr>(this); }
};
/// `(a, b)`, or `a, b` without parentheses.
TSC_TREE(TupleLiteral)
  TreeList<Expr> elements() const { return TreeList<Expr>(this); }
};
/// `{a, b}`.
TSC_TREE(SetLiteral)
  TreeList<Expr> elements() const { return TreeList<Expr>(this); }
};
/// `{key: value}`. keys()[i] may be a DoubleStarred (unsupported); values()[i] is then the same node.
TSC_TREE(DictLiteral)
  TreeList<Expr> keys() const { return list<Expr>(0); }
  TreeList<Expr> values() const { return list<Expr>(1); }
};
/// `[element for …]`.
TSC_TREE(ListComp)
  const Expr *element() const { return child(0); }
  TreeList<Comprehension> loops() const { return list<Comprehension>(1); }
};
/// `{key: value for …}`.
TSC_TREE(DictComp)
  const Expr *key() const { return child(0); }
  const Expr *value() const { return child(1); }
  TreeList<Comprehension> loops() const { return list<Comprehension>(2); }
};
/// `{element for …}`.
TSC_TREE(SetComp)
  const Expr *element() const { return child(0); }
  TreeList<Comprehension> loops() const { return list<Comprehension>(1); }
};
/// `(element for …)`.
TSC_TREE(GeneratorExpr)
  const Expr *element() const { return child(0); }
  TreeList<Comprehension> loops() const { return list<Comprehension>(1); }
};
/// `*value`.
TSC_TREE(Starred)
  const Expr *value() const { return child(0); }
};
/// `**value`, where it is unsupported.
TSC_TREE(DoubleStarred)
  const Expr *value() const { return child(0); }
};
/// `lambda params: body`.
TSC_TREE(Lambda)
  TreeList<Param> params() const { return list<Param>(0); }
  const Expr *body() const { return child(1); }
};
/// `target := value`.
TSC_TREE(NamedExpr)
  const Var *target() const { return part<Var>(0); }
  const Expr *value() const { return child(1); }
};
/// A `yield`, unsupported.
TSC_TREE(Yield)
};
/// An `await`, unsupported.
TSC_TREE(Await)
};

//===-- Statements ---------------------------------------------------------===//

/// `def name(params) -> returnType: body`, with its decorators.
TSC_TREE(Def)
  StringRef name() const { return Tree::name; }
  TreeList<Expr> decorators() const { return list<Expr>(0); }
  TreeList<Param> params() const { return list<Param>(1); }
  const Expr *returnType() const { return child(2); } ///< May be null.
  TreeList<Stmt> body() const { return list<Stmt>(3); }
};
/// `class name(bases):`. The body keeps its statements in their order: Assign (attributes), Def (methods), docstring,
/// pass.
TSC_TREE(ClassDef)
  StringRef name() const { return Tree::name; }
  TreeList<Expr> decorators() const { return list<Expr>(0); }
  TreeList<Expr> bases() const { return list<Expr>(1); }
  TreeList<Tree> keywords() const { return list<Tree>(2); }
  TreeList<Stmt> body() const { return list<Stmt>(3); }
};
/// `if condition: thenBody else: elseBody`. An `elif` is an If alone in elseBody().
TSC_TREE(If)
  const Expr *condition() const { return child(0); }
  TreeList<Stmt> thenBody() const { return list<Stmt>(1); }
  TreeList<Stmt> elseBody() const { return list<Stmt>(2); }
};
/// `for target in iterable: body else: elseBody`.
TSC_TREE(For)
  const Expr *target() const { return child(0); }
  const Expr *iterable() const { return child(1); }
  TreeList<Stmt> body() const { return list<Stmt>(2); }
  const Expr *type() const { return child(3); } ///< The target's type from a `# type:` comment; may be null.
  TreeList<Stmt> elseBody() const { return list<Stmt>(4); }
  bool hasElse() const { return child(4); }
};
/// `while condition: body else: elseBody`.
TSC_TREE(While)
  const Expr *condition() const { return child(0); }
  TreeList<Stmt> body() const { return list<Stmt>(1); }
  TreeList<Stmt> elseBody() const { return list<Stmt>(2); }
  bool hasElse() const { return child(2); }
};
/// `a = b = value`, `a : type = value`, `a : type` (without a value), or `a = value  # type: T`.
TSC_TREE(Assign)
  TreeList<Expr> targets() const { return list<Expr>(0); }
  const Expr *value() const { return child(1); } ///< Null for a bare declaration.
  const Expr *type() const { return child(2); }  ///< May be null.
};
/// `target op= value`.
TSC_TREE(AugAssign)
  TreeOp op() const { return Tree::op; }
  const Expr *target() const { return child(0); }
  const Expr *value() const { return child(1); }
};
/// `return value`.
TSC_TREE(Return)
  const Expr *value() const { return child(0); } ///< May be null.
};
/// `raise value from cause`.
TSC_TREE(Raise)
  const Expr *value() const { return child(0); } ///< May be null.
  const Expr *cause() const { return child(1); } ///< May be null.
};
/// `assert condition, message`.
TSC_TREE(Assert)
  const Expr *condition() const { return child(0); }
  const Expr *message() const { return child(1); } ///< May be null.
};
/// `with items: body`.
TSC_TREE(With)
  TreeList<WithItem> items() const { return list<WithItem>(0); }
  TreeList<Stmt> body() const { return list<Stmt>(1); }
};
/// `pass`.
TSC_TREE(Pass)
};
/// `break`.
TSC_TREE(Break)
};
/// `continue`.
TSC_TREE(Continue)
};
/// `del targets`.
TSC_TREE(Delete)
  TreeList<Expr> targets() const { return list<Expr>(0); }
};
/// An expression as a statement.
TSC_TREE(ExprStmt)
  const Expr *value() const { return child(0); }
};
/// `import a.b as c`, where module() is empty, or `from module import x as y`. `from m import *` has one Alias `*`.
TSC_TREE(Import)
  StringRef module() const { return Tree::name; } ///< Includes leading dots.
  bool isFrom() const { return flags & 1; }
  TreeList<Alias> names() const { return list<Alias>(0); }
};
/// `global`, unsupported.
TSC_TREE(Global)
};
/// `nonlocal`, unsupported.
TSC_TREE(Nonlocal)
};
/// `try: body except …: else: elseBody finally: finalBody`. A missing `else` or `finally` is an empty list.
TSC_TREE(Try)
  TreeList<Stmt> body() const { return list<Stmt>(0); }
  TreeList<ExceptHandler> handlers() const { return list<ExceptHandler>(1); }
  TreeList<Stmt> elseBody() const { return list<Stmt>(2); }
  TreeList<Stmt> finalBody() const { return list<Stmt>(3); }
  bool hasFinally() const { return child(3); }
};
/// `match subject:` with its cases.
TSC_TREE(Match)
  const Expr *subject() const { return child(0); }
  TreeList<MatchCase> cases() const { return list<MatchCase>(1); }
};
/// An `async` statement, unsupported.
TSC_TREE(AsyncStmt)
};

#undef TSC_TREE

/// Owns the nodes of one parse, in an arena: none is freed before the others. Borrows the buffer. The parser reports a
/// tree that would be deeper than maxDepth, so that whoever walks a tree may recurse.
class SyntaxTree {
public:
  static constexpr unsigned maxDepth = 1000;

  explicit SyntaxTree(const SourceBuffer &buffer) : source(&buffer) {}
  SyntaxTree(SyntaxTree &&) = default;
  SyntaxTree &operator=(SyntaxTree &&) = default;

  const SourceBuffer &buffer() const { return *source; }
  /// Returns the statements of the file; for a tree of parseExpression(), a list of its expression.
  TreeList<Stmt> statements() const { return TreeList<Stmt>(top); }
  /// Returns the expression of a tree that parseExpression() made.
  const Expr *expression() const { return top->child(0); }
  /// Prints the nodes as nested parentheses, each with its kind, for tests and developers.
  void print(llvm::raw_ostream &os) const;

  /// Makes a node of class `T`, for the parser. Children may be null.
  template <typename T> T *make(SourceRange range, ArrayRef<const Tree *> children = {}) {
    T *tree = new (arena.Allocate(sizeof(T), alignof(T))) T(range);
    adopt(*tree, children);
    return tree;
  }
  /// Copies a text into the tree's memory.
  StringRef save(StringRef text) { return text.copy(arena); }
  static void setName(Tree &tree, StringRef name) { tree.name = name; }
  static void setOp(Tree &tree, TreeOp op) { tree.op = op; }
  static void setInt(Tree &tree, int64_t value) { tree.integer = value; }
  static void setReal(Tree &tree, double value) { tree.real = value; }
  static void setFlags(Tree &tree, uint8_t flags) { tree.flags = flags; }
  /// Sets the range that diagnostics point to, where that is not where the node begins.
  static void setPoint(Tree &tree, SourceRange at) { tree.caret = at.begin(); tree.caretEnd = at.end(); }
  void setTop(const List *list) { top = list; }

private:
  void adopt(Tree &tree, ArrayRef<const Tree *> children);

  const SourceBuffer *source;
  llvm::BumpPtrAllocator arena;
  const Tree *top = nullptr;
};

/// Adds the names of the variables that a statement binds. Those that are bound inside of functions and classes in it
/// are not added.
void collectBoundNames(const Tree *tree, std::set<std::string> &names);

} // namespace tsc

#endif
