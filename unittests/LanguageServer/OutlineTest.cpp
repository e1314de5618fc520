#include "tsc/LanguageServer/Outline.h"
#include <catch2/catch.hpp>

using namespace tsc::lsp;
using llvm::StringRef;
using Kind = OutlineSymbol::Kind;

static const OutlineSymbol *find(const Outline &outline, StringRef name) {
  for (const OutlineSymbol &symbol : outline.symbols())
    if (symbol.name == name)
      return &symbol;
  return nullptr;
}

TEST_CASE("Definitions have heads, docstrings and places") {
  const StringRef text = "def f(a: int, *rest, b: str = \"x, y\", **more) -> int:\n"
                         "    \"\"\"First.\n\n    Second.\"\"\"\n"
                         "    return a\n"
                         "class C(A, b.B, metaclass=M):\n"
                         "    'Short.'\n"
                         "    x: int = 3\n"
                         "    def m(self): self.y: float = 2.0; self.z = C(1)\n";
  const Outline outline(text);
  const OutlineSymbol *f = find(outline, "f");
  REQUIRE(f);
  CHECK(f->kind == Kind::Function);
  CHECK(f->head == "def f(a: int, *rest, b: str = \"x, y\", **more) -> int");
  CHECK(f->documentation == "First.\n\nSecond.");
  CHECK(text.slice(f->at.begin, f->at.end) == "f");
  CHECK(find(outline, "b")->detail == "str");
  CHECK(find(outline, "b")->value == "\"x, y\"");
  CHECK(find(outline, "rest")->kind == Kind::Parameter);
  CHECK(find(outline, "more")->kind == Kind::Parameter);
  const OutlineSymbol *c = find(outline, "C");
  REQUIRE(c);
  CHECK(c->bases == std::vector<std::string>{"A", "b.B"});
  CHECK(c->documentation == "Short.");
  CHECK(find(outline, "x")->detail == "int");
  CHECK(find(outline, "y")->kind == Kind::Attribute);
  CHECK(find(outline, "y")->detail == "float");
  CHECK(find(outline, "z")->value == "C(1)");
  CHECK(find(outline, "z")->parent == outline.findClass("C"));
}

TEST_CASE("Names are bound in many ways") {
  const Outline outline("import a.b, c.d as e\n"
                        "from .m import (g,\n    h as i)\n"
                        "j, (k, l) = 1, (2, 3)\n"
                        "for n, o in x: pass\n"
                        "with open(y) as p: pass\n"
                        "q = [r for r in s if (t := r)]\n"
                        "u[0] = v.w = 3\n"
                        "z == 3\n");
  for (StringRef name : {"a", "e", "g", "i", "j", "k", "l", "n", "o", "p", "q", "r", "t"})
    CHECK(find(outline, name));
  for (StringRef name : {"b", "c", "d", "h", "x", "y", "s", "u", "v", "w", "z"})
    CHECK(!find(outline, name));
  CHECK(find(outline, "a")->detail == "a");
  CHECK(find(outline, "e")->detail == "c.d");
  CHECK(find(outline, "i")->detail == ".m.h");
}

TEST_CASE("A name means the nearest binding of its scope") {
  const StringRef text =
      "x = 1\ndef f(x):\n    def g():\n        return x\n    x = 2\n    return x\nclass C:\n    x = 3\n"
      "    def h(self):\n        return x\n";
  const Outline outline(text);
  auto lineOf = [&](int symbol) { return text.take_front(outline.symbols()[symbol].at.begin).count('\n'); };
  auto meaning = [&](StringRef marker) {
    const size_t at = text.find(marker) + marker.size() - 1;
    return lineOf(outline.find("x", outline.scopeAt(at), at));
  };
  CHECK(meaning("        return x") == 1);
  CHECK(meaning("x = 2\n    return x") == 4);
  CHECK(meaning("self):\n        return x") == 0); // a class's names are not those of its methods
  CHECK(outline.find("nothing", -1, 0) == -1);
}

TEST_CASE("A text in which somebody types has names too") {
  const Outline outline("def f(a):\n    b = g(a,\n        c[\n\ndef h(\n    return 'unclosed\nk = 1\n");
  for (StringRef name : {"f", "a", "b", "h", "k"})
    CHECK(find(outline, name));
  CHECK(Outline("").symbols().empty());
  CHECK(Outline("def").symbols().empty());
  CHECK(Outline("\"\"\"never closed").symbols().empty());
}

TEST_CASE("Any bytes have an outline") {
  const StringRef text =
      "class A(B):\n  '''d'''\n  def f(self, x: int = (1, 2)) -> \"A\":\n    self.y, (z) = x, lambda a: a\n"
      "    return f'{x!r}' # c\nfrom . import (a as b,)\n";
  for (size_t size = 0; size != text.size(); ++size) {
    const Outline cut(text.take_front(size));
    for (const OutlineSymbol &symbol : cut.symbols())
      CHECK(symbol.at.end <= size);
    std::string changed = text.str();
    changed[size] = "([{)]}\"'\\\n\t#=:.,"[size % 15];
    const Outline other(changed);
    for (const OutlineSymbol &symbol : other.symbols())
      CHECK(symbol.at.end <= changed.size());
  }
}

TEST_CASE("Dotted names around a place") {
  const StringRef text = "a.b . cd(x).e \"f.g\" # h.i\n3.4";
  std::optional<Chain> chain = chainAt(text, text.find("cd") + 1);
  REQUIRE(chain);
  REQUIRE(chain->parts.size() == 3);
  CHECK(chain->parts[0].name == "a");
  CHECK(chain->parts[2].name == "cd");
  CHECK(!chain->hasReceiver);
  chain = chainAt(text, text.find(".e") + 1);
  REQUIRE(chain);
  CHECK(chain->hasReceiver);
  CHECK(chain->receiverEnd == text.find(".e"));
  CHECK(!chainAt(text, text.find("f.g")));
  CHECK(!chainAt(text, text.find("h.i")));
  CHECK(!chainAt(text, text.find("3.4")));
  CHECK(!chainBefore("abc", 3));
  REQUIRE(chainBefore("abc.", 4));
  CHECK(chainBefore("abc.", 4)->parts[1].name.empty());
}
