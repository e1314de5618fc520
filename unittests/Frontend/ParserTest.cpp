//===- ParserTest.cpp - Syntax trees --------------------------------------===//
#include "tsc/Frontend/Parser.h"
#include "tsc/Frontend/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>

using namespace tsc;
using llvm::cast;

namespace {
struct Parsed {
  explicit Parsed(std::string text) : buffer("t.py", std::move(text)), tree(parseSource(buffer, diags)) {}
  std::string message() const { return diags.all().empty() ? "" : diags.all().front().message; }
  template <typename T> const T *first() {
    REQUIRE(succeeded(tree));
    return cast<T>(tree->statements()[0]);
  }
  SourceBuffer buffer;
  DiagnosticEngine diags;
  llvm::FailureOr<SyntaxTree> tree;
};
} // namespace

/// A short form: operators as (op a b), names and numbers as they are.
static std::string brief(const Tree *tree) {
  auto join = [](ArrayRef<const Tree *> parts) {
    std::string out;
    for (const Tree *part : parts)
      out += " " + (part ? brief(part) : "-");
    return out;
  };
  StringRef op;
  if (auto *bin = llvm::dyn_cast<BinOp>(tree))
    op = treeOpSpelling(bin->op());
  else if (auto *unary = llvm::dyn_cast<UnaryOp>(tree))
    op = treeOpSpelling(unary->op());
  else if (auto *logic = llvm::dyn_cast<BoolOp>(tree))
    op = treeOpSpelling(logic->op());
  else if (auto *compare = llvm::dyn_cast<Compare>(tree))
    op = treeOpSpelling(compare->op());
  else if (tree->children().empty())
    return tree->spelling().str();
  else
    op = treeKindName(tree->kind());
  return "(" + op.str() + join(tree->children()) + ")";
}

static std::string expr(std::string text) {
  Parsed parsed(std::move(text));
  if (failed(parsed.tree))
    return "!" + parsed.message();
  return brief(parsed.first<ExprStmt>()->value());
}

TEST_CASE("operators bind as in Python") {
  CHECK(expr("a + b * c ** -d") == "(+ a (* b (** c (- d))))");
  CHECK(expr("-a ** 2") == "(- (** a 2))");
  CHECK(expr("-2 ** 2") == "(- (** 2 2))");
  CHECK(expr("a - b - c") == "(- (- a b) c)");
  CHECK(expr("a ** b ** c") == "(** a (** b c))");
  CHECK(expr("not a == b and c or d") == "(or (and (not (== a b)) c) d)");
  CHECK(expr("a | b ^ c & d << e") == "(| a (^ b (& c (<< d e))))");
  CHECK(expr("a if b else c if d else e") == "(Ternary b a (Ternary d c e))");
  CHECK(expr("a < b <= c") == "(and (< a b) (<= b c))");
  CHECK(expr("a < b <= c == d") == "(and (< a b) (and (<= b c) (== c d)))");
  CHECK(expr("a is not None") == "(is not a None)");
  CHECK(expr("a not in b") == "(not in a b)");
  CHECK(expr("~a @ b") == "(@ (~ a) b)");
}

TEST_CASE("calls, subscripts, literals") {
  CHECK(expr("f(a, *b, c=d)") == "(Apply f (List a (Starred b)) (List (Keyword d)))");
  CHECK(expr("x[1:, ..., ::2]") == "(Subscript x (List (Slice 1 - -) ... (Slice - - 2)))");
  CHECK(expr("(a,)") == "(TupleLiteral a)");
  CHECK(expr("[a, b,]") == "(ListLiteral a b)");
  CHECK(expr("{a: b, 'c': 1}") == "(DictLiteral (List a 'c') (List b 1))");
  CHECK(expr("{a, b}") == "(SetLiteral a b)");
  CHECK(expr("[a for a in b if c]") == "(ListComp a (List (Comprehension a b (List c))))");
  CHECK(expr("{a: b for a, b in c}") == "(DictComp a b (List (Comprehension (TupleLiteral a b) c )))");
  CHECK(expr("lambda x, y=1: x") == "(Lambda (List (Param - -) (Param - 1)) x)");
  CHECK(expr("x.__torch__.a(inf, 1e-05)") == "(Apply (Select (Select x)) (List inf 1e-05) )");
}

TEST_CASE("numbers have values") {
  auto integer = [](std::string text) { return cast<IntLiteral>(Parsed(text).first<ExprStmt>()->value())->value(); };
  auto real = [](std::string text) { return cast<FloatLiteral>(Parsed(text).first<ExprStmt>()->value())->value(); };
  CHECK(integer("0x_FF") == 255);
  CHECK(integer("0b101") == 5);
  CHECK(integer("0o17") == 15);
  CHECK(integer("-9223372036854775808") == INT64_MIN);
  CHECK(real("1e-05") == 1e-05);
  CHECK(real("-1.5") == -1.5);
  CHECK(std::isinf(real("1e999")));
  Parsed complex("2.5j");
  CHECK(cast<ComplexLiteral>(complex.first<ExprStmt>()->value())->imaginary() == 2.5);
  CHECK(expr("9223372036854775808") ==
        "!Integral constant out of range (must fit in a signed 64 bit integer): '9223372036854775808'");
  CHECK(expr("0x") == "!invalid number '0x'");
}

TEST_CASE("strings join, f-strings have parts") {
  Parsed joined("'a' \"b\"");
  CHECK(cast<StringLiteral>(joined.first<ExprStmt>()->value())->value() == "ab");
  Parsed format("f'x={x + 1!r:>{w}}{{' 'y'");
  auto *string = cast<FormatString>(format.first<ExprStmt>()->value());
  REQUIRE(string->parts().size() == 4);
  auto *value = cast<FormatValue>(string->parts()[1]);
  CHECK(brief(value->value()) == "(+ x 1)");
  CHECK(value->conversion() == 'r');
  CHECK(value->spec() == ">{w}");
  CHECK(cast<StringLiteral>(string->parts()[2])->value() == "{");
  CHECK(expr("f'{}'") == "!f-string: empty expression not allowed");
  CHECK(expr("f'{a'") == "!f-string: expecting '}'");
  CHECK(expr("f'}'") == "!f-string: single '}' is not allowed");
  CHECK(expr("f'{a!x}'") == "!f-string: invalid conversion character: expected 's', 'r', or 'a'");
  CHECK(expr("'a' b'c'") == "!cannot mix bytes and nonbytes literals");
}

TEST_CASE("definitions") {
  Parsed parsed("@script\ndef f(self, a: int, b: List[int] = [], *, c=1) -> Tensor:\n  return a\n");
  auto *def = parsed.first<Def>();
  CHECK(def->name() == "f");
  CHECK(def->decorators().size() == 1);
  REQUIRE(def->params().size() == 4);
  CHECK(brief(def->params()[1]->type()) == "int");
  CHECK(brief(def->params()[2]->defaultValue()) == "[]");
  CHECK(def->params()[3]->isKeywordOnly());
  CHECK(brief(def->returnType()) == "Tensor");
  CHECK(def->point().text() == "f");
}

TEST_CASE("a type comment gives the types of parameters and result") {
  Parsed one("def f(self, a, b=1):\n  # type: (Tensor, int) -> List[int]\n  return a\n");
  auto *def = one.first<Def>();
  CHECK_FALSE(def->params()[0]->type());
  CHECK(brief(def->params()[2]->type()) == "int");
  CHECK(brief(def->returnType()) == "(Subscript List (List int))");

  Parsed lines("def f(a,  # type: Tensor\n      b   # type: int\n     ):\n  # type: (...) -> Tensor\n  return a\n");
  CHECK(brief(lines.first<Def>()->params()[0]->type()) == "Tensor");
  CHECK(brief(lines.first<Def>()->params()[1]->type()) == "int");
  CHECK(brief(lines.first<Def>()->returnType()) == "Tensor");

  Parsed behind("def f(a): # type: (int) -> int\n  return a\n");
  CHECK(brief(behind.first<Def>()->params()[0]->type()) == "int");
  Parsed wrong("def f(a):\n  # type: (int, int) -> int\n  return a\n");
  CHECK(wrong.message() == "Number of type annotations (2) did not match the number of function parameters (1)");
  Parsed noResult("def f(a):\n  # type: (int)\n  return a\n");
  CHECK(brief(noResult.first<Def>()->params()[0]->type()) == "int");
  CHECK_FALSE(noResult.first<Def>()->returnType());
  Parsed noArrow("def f(a):\n  # type: (int) int\n  return a\n");
  CHECK(noArrow.message() == "type comment of a function should read '# type: (T1, T2) -> R'");

  Parsed assign("a = []  # type: List[int]\n");
  CHECK(brief(assign.first<Assign>()->type()) == "(Subscript List (List int))");
  Parsed loop("for i in x:  # type: int\n  pass\n");
  CHECK(brief(loop.first<For>()->type()) == "int");
}

TEST_CASE("statements") {
  Parsed parsed("if a: b\nelif c: d\nelse:\n  e; f\n");
  auto *stmt = parsed.first<If>();
  auto *elif = cast<If>(stmt->elseBody()[0]);
  CHECK(elif->elseBody().size() == 2);
  Parsed assign("a = b, c = d\n");
  CHECK(assign.first<Assign>()->targets().size() == 2);
  Parsed decl("a : int\n");
  CHECK_FALSE(decl.first<Assign>()->value());
  Parsed aug("a[0] //= 2\n");
  CHECK(aug.first<AugAssign>()->op() == TreeOp::FloorDiv);
  Parsed with("with a as b, c:\n  pass\n");
  CHECK(with.first<With>()->items().size() == 2);
  Parsed import("from ..a.b import c as d, e\n");
  CHECK(import.first<Import>()->module() == "..a.b");
  CHECK(import.first<Import>()->names()[0]->alias() == "d");
  Parsed klass("class Foo(Module):\n  __parameters__ = [\"w\", ]\n  __annotations__[\"0\"] = int\n  x : Tensor\n  def "
               "f(self): pass\n");
  CHECK(klass.first<ClassDef>()->body().size() == 4);
  Parsed attempt("try:\n  a\nexcept E as e:\n  b\nfinally:\n  c\n");
  CHECK(attempt.first<Try>()->handlers()[0]->name() == "e");
  CHECK(attempt.first<Try>()->finalBody().size() == 1);
  Parsed match("match x:\n  case 1 | 2:\n    a\n  case y if y > 3:\n    b\n");
  CHECK(match.first<Match>()->cases().size() == 2);
  CHECK(match.first<Match>()->cases()[1]->guard());
  Parsed name("match = x\n");
  CHECK(name.first<Assign>()->targets().size() == 1);
}

TEST_CASE("errors say what was expected and what was found") {
  auto error = [](std::string text) { return Parsed(std::move(text)).message(); };
  CHECK(error("a b\n") == "expected NEWLINE but found 'ident' here");
  CHECK(error("f(a b)\n") == "expected ) but found 'ident' here");
  CHECK(error("a = \n") == "expected ident but found 'NEWLINE' here");
  CHECK(error("for a, in b, :\n  pass\nfor 1 in x: pass") ==
        "cannot assign to '1': unexpected expression on the left-hand side of an assignment");
  CHECK(error("f(a)=1\n") == "cannot assign to 'f(a)': unexpected expression on the left-hand side of an assignment");
  CHECK(error("if a:\nb\n") == "expected an indented block after 'if'");
  CHECK(error("a\n  b\n") == "unexpected indent");
  CHECK(error("f(a=1, b)\n") == "positional argument follows keyword argument");
  CHECK(error("f(a=1, a=2)\n") == "keyword argument repeated: 'a'");
  CHECK(error("def f(a, a): pass\n") == "duplicate parameter 'a' in function definition");
  CHECK(error("def f(a=1, b): pass\n") == "Non-default positional argument follows default argument");
  CHECK(error("def f(a, *): pass\n") == "named arguments must follow bare *");
}

TEST_CASE("depth and size are bounded") {
  auto repeated = [](StringRef text, unsigned n) {
    std::string out;
    for (unsigned i = 0; i != n; ++i)
      out += text;
    return out;
  };
  CHECK(StringRef(Parsed(repeated("(", 100000) + repeated(")", 100000)).message()).starts_with("nested too deeply"));
  CHECK(StringRef(Parsed(repeated("-", 100000) + "a").message()).starts_with("nested too deeply"));
  CHECK(StringRef(Parsed("a" + repeated("+a", 100000)).message()).starts_with("nested too deeply"));
  CHECK(StringRef(Parsed("a" + repeated(".b", 100000)).message()).starts_with("nested too deeply"));
  std::string chain = "a";
  for (unsigned i = 0; i != 60; ++i)
    chain = "a < (" + chain + ") < a";
  CHECK(Parsed(chain).message() == "chained comparisons inside chained comparisons repeat their operands too often");
  CHECK(succeeded(Parsed(repeated("(", 90) + "a" + repeated(")", 90)).tree));
  CHECK(succeeded(Parsed("a" + repeated("+a", 900)).tree));
  std::string elifs = "if a: b\n" + repeated("elif a: b\n", 100000);
  CHECK(StringRef(Parsed(elifs).message()).starts_with("nested too deeply"));
}
