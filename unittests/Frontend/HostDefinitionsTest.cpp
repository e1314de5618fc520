//===- HostDefinitionsTest.cpp - Functions and classes of a host's --------===//
//
// Definitions that are handed in one by one, each with a resolver for its names, and
// modules whose methods a host gives the text of.
//
//===----------------------------------------------------------------------===//
#include "tsc/Frontend/HostDefinitions.h"
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/HostModules.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/Frontend/Resolver.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include <catch2/catch.hpp>

using namespace tsc;
using llvm::StringRef;

namespace {

/// Names of one text: those that a test has set, and `torch`.
class Names final : public Resolver {
public:
  explicit Names(Compiler &compiler) : compiler(compiler) {}
  SugaredValue *resolveValue(StringRef name, SourceRange) override {
    return name == "torch" ? valueOfLibrary(compiler, "torch") : values.lookup(name);
  }
  const Type *resolveType(StringRef name, SourceRange) override { return types.lookup(name); }
  bool followsPython() const override { return true; }
  llvm::StringMap<SugaredValue *> values;
  llvm::StringMap<const Type *> types;

private:
  Compiler &compiler;
};

struct Host {
  const SourceBuffer &text(StringRef source) { return context.sources().add("host.py", source.str()); }
  std::string graphOf(Function *function) {
    REQUIRE(function);
    INFO(diags.str());
    REQUIRE(succeeded(function->ensureDefined()));
    return function->graph()->str();
  }
  Context context;
  DiagnosticEngine diags;
  CompilationUnit unit{context};
  Compiler compiler{unit, diags, prelude()};
  Names names{compiler};
};

/// A class with one method, `forward`, and a function beside it.
class Doubling final : public HostModuleClass {
public:
  Doubling(Host &host) : HostModuleClass("Doubling", false), host(host) {}
  std::optional<HostMethod> findMethod(StringRef name, const HostModuleClass *after) override {
    ++numAsked;
    if (after)
      return std::nullopt;
    HostMethod method;
    method.names = &host.names;
    method.owner = this;
    if (name == "forward")
      method.text = &host.text("def forward(self, x: Tensor) -> Tensor:\n"
                               "    return self.twice(x) * self.scale + self.shift\n");
    else if (name == "twice")
      method.text = &host.text("def twice(x: Tensor) -> Tensor:\n    return x + x\n");
    else
      return std::nullopt;
    method.binding = name == "twice" ? HostMethod::Binding::Static : HostMethod::Binding::Method;
    return method;
  }
  bool derivesFrom(StringRef) override { return false; }
  bool derivesFromUsers(StringRef name) override { return name == "Doubling"; }
  std::vector<std::string> attributeNames() override { return {"forward", "twice"}; }
  unsigned numAsked = 0;

private:
  Host &host;
};

} // namespace

TEST_CASE("functions are declared one by one and call each other by what names mean") {
  Host host;
  Function *inner = declareFunction(host.compiler, host.text("def f(x: Tensor):\n    return torch.relu(x)\n"),
                                    "__torch__.a.f", host.names);
  REQUIRE(inner);
  host.names.values["g"] = valueOfFunction(host.compiler, {inner});
  Function *outer = declareFunction(host.compiler, host.text("def f(x: Tensor):\n    return g(x) + 1\n"),
                                    "__torch__.b.f", host.names);
  CHECK_THAT(host.graphOf(outer), Catch::Contains("prim::CallFunction"));
  CHECK(host.unit.find("__torch__.b.f") == outer);
}

TEST_CASE("a text without a definition is reported") {
  Host host;
  CHECK(!declareFunction(host.compiler, host.text("x = 1\n"), "__torch__.f", host.names));
  CHECK_THAT(host.diags.str(), Catch::Contains("text that is no definition aren't supported"));
}

TEST_CASE("constants, classes and types of a host are known by its names") {
  Host host;
  const Type *pair =
      declareClass(host.compiler, host.text("class Pair(NamedTuple):\n    first: int\n    second: float = 2.0\n"),
                   "__torch__.Pair", host.names);
  REQUIRE(pair);
  host.names.types["Pair"] = pair;
  host.names.values["Pair"] = valueOfType(host.compiler, pair);
  host.names.values["N"] = valueOfConstant(host.compiler, IValue(int64_t{7}));
  CHECK(typeFromText(host.compiler, host.text("List[Pair]"), host.names) == host.context.listOf(pair));
  Function *function =
      declareFunction(host.compiler, host.text("def f() -> Pair:\n    return Pair(N)\n"), "__torch__.f", host.names);
  CHECK_THAT(host.graphOf(function), Catch::Contains("prim::Constant[value=7]"));
}

TEST_CASE("a lambda of a host's is compiled for each call") {
  Host host;
  host.names.values["twice"] =
      valueOfTemplate(host.compiler, host.text("lambda x: x + x"), host.names, /*isLambda=*/true);
  Function *function =
      declareFunction(host.compiler, host.text("def f(x: int, y: Tensor):\n    return twice(x) * twice(y)\n"),
                      "__torch__.f", host.names);
  const std::string graph = host.graphOf(function);
  CHECK_THAT(graph, Catch::Contains("int = prim::CallFunction"));
  CHECK_THAT(graph, Catch::Contains("Tensor = prim::CallFunction"));
}

TEST_CASE("methods of a host's modules are declared when they are wanted") {
  Host host;
  Doubling doubling(host);
  HostModuleType made;
  made.type = &doubling;
  made.attributes.push_back({"scale", Type::tensorType(), AttributeKind::Parameter});
  made.constants.emplace_back("shift", IValue(int64_t{3}));
  made.untyped.emplace_back("logger", "a Logger");
  ClassType *type = declareModule(host.compiler, "__torch__.Doubling", std::move(made));
  REQUIRE(type);
  CHECK(type->isModule());
  CHECK(type->attribute(0).kind == AttributeKind::Parameter);
  CHECK(doubling.numAsked == 0);
  Function *forward = host.compiler.findMethod(*type, "forward");
  const std::string graph = host.graphOf(forward);
  CHECK_THAT(graph, Catch::Contains("prim::GetAttr[name=\"scale\"]"));
  CHECK_THAT(graph, Catch::Contains("prim::Constant[value=3]"));
  CHECK_THAT(graph, Catch::Contains("prim::CallFunction"));
  CHECK(!host.compiler.findMethod(*type, "backward"));
  CHECK(!host.diags.hasErrors());
}

TEST_CASE("a class takes further methods, and keeps those it has") {
  Host host;
  REQUIRE(declareClass(host.compiler,
                       host.text("class C:\n    def __init__(self):\n        self.n = 1\n\n    def get(self) "
                                 "-> int:\n        return self.n\n"),
                       "__torch__.C", host.names));
  ClassType *type = host.context.findClass("__torch__.C");
  REQUIRE(type);
  Function *known = type->findMethod("get");
  Function *added = declareMethod(host.compiler, *type, host.text("def take(self) -> int:\n    return self.n + 1\n"),
                                  "take", host.names);
  CHECK(added);
  CHECK(type->findMethod("get") == known);
  CHECK(type->findMethod("take") == added);
}
