//===- HostNamesTest.cpp - Names and values that a host defines -----------===//
//
// A resolver and kinds of sugared values that stand outside of the frontend, with
// what its public headers offer: attributes, calls and assignments emit nodes.
//
//===----------------------------------------------------------------------===//
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Frontend/EmitterContext.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/Frontend/Resolver.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include <catch2/catch.hpp>

using namespace tsc;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

/// A function of the host, which is given one tensor.
class HostFunction final : public SugaredValue {
public:
  explicit HostFunction(StringRef name) : SugaredValue(SugaredKind::OfHost), name(name.str()) {}
  std::string describe() const override { return "function of the host"; }
  SugaredValue *call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                     ArrayRef<NamedValue> kwargs) override {
    if (args.size() != 1 || !kwargs.empty())
      return e.error(range, diag::CannotCall, describe());
    if (name == "twice") {
      Value *two = e.insertConstant(IValue(int64_t{2}), range);
      Value *product = e.callOperator(range, "aten::mul", {args[0], NamedValue(two)});
      return product ? e.sugaredValue(product) : nullptr;
    }
    // keep(x): the last one that was kept is the variable `kept`.
    if (!e.assignName("kept", e.sugaredValue(args[0].value), range))
      return nullptr;
    return e.sugaredValue(e.insertConstant(IValue(), range));
  }

private:
  std::string name;
};

/// `host`: a module with functions, a constant, and a counter that a node of its own reads.
class HostModule final : public SugaredValue {
public:
  HostModule() : SugaredValue(SugaredKind::OfHost) {}
  std::string describe() const override { return "module 'host'"; }
  SugaredValue *attribute(EmitterContext &e, SourceRange range, StringRef name) override {
    if (name == "twice" || name == "keep")
      return e.make<HostFunction>(name);
    if (name == "half")
      return e.sugaredValue(e.insertConstant(IValue(0.5), range));
    if (name == "count") {
      Node *node = e.insert(e.context().symbol("host::count"), {}, 1, range);
      node->output()->setType(Type::intType());
      return e.sugaredValue(node->output());
    }
    if (name == "kept")
      return e.lookUpName("kept", range);
    return SugaredValue::attribute(e, range, name);
  }
};

class HostNames final : public Resolver {
public:
  SugaredValue *resolveValue(StringRef name, SourceRange) override { return name == "host" ? &module : nullptr; }
  const Type *resolveType(StringRef name, SourceRange) override {
    return name == "host.Image" ? Type::tensorType() : nullptr;
  }

private:
  HostModule module;
};

struct Program {
  explicit Program(StringRef text) {
    compiler.setHostNames(names);
    if (succeeded(compiler.addSource(context.sources().add("f.py", text.str()))))
      (void)compiler.defineAll();
  }
  /// The text of the graph of `f`.
  std::string graph() {
    Function *function = compiler.findSourceFunction("f");
    REQUIRE(function);
    REQUIRE(succeeded(function->ensureDefined()));
    return function->graph()->str();
  }

  HostNames names;
  Context context;
  DiagnosticEngine diags;
  CompilationUnit unit{context};
  Compiler compiler{unit, diags, prelude()};
};

} // namespace

TEST_CASE("attributes and calls of a host's values emit nodes") {
  Program program("def f(x: host.Image):\n    return host.twice(x) + host.half * host.count\n");
  INFO(program.diags.str());
  const std::string graph = program.graph();
  CHECK_THAT(graph, Catch::Contains("graph(%x : Tensor)"));
  CHECK_THAT(graph, Catch::Contains("prim::Constant[value=0.5]"));
  CHECK_THAT(graph, Catch::Contains("int = host::count()"));
  CHECK_THAT(graph, Catch::Contains("aten::mul(%x, "));
}

TEST_CASE("a host's values read and set variables of the function") {
  Program program("def f(x: Tensor, y: Tensor):\n"
                  "    host.keep(x)\n"
                  "    host.keep(y)\n"
                  "    return kept - host.kept\n");
  INFO(program.diags.str());
  CHECK_THAT(program.graph(), Catch::Contains("aten::sub(%y, %y"));
}

TEST_CASE("a file's own names and Python's come before the host's") {
  Program program("def host(x: Tensor):\n    return x\n\ndef f(x: Tensor):\n    return host(x)\n");
  INFO(program.diags.str());
  CHECK_THAT(program.graph(), Catch::Contains("prim::CallFunction"));
}

TEST_CASE("what a host's values cannot do is reported where it stands") {
  CHECK_THAT(
      Program("def f(x: Tensor):\n    return host.third(x)\n").diags.str(),
      Catch::Contains("error: attribute lookup is not defined on module 'host', which has no attribute 'third'"));
  CHECK_THAT(Program("def f(x: Tensor):\n    return host.twice(x, x)\n").diags.str(),
             Catch::Contains("error: cannot call a function of the host"));
  CHECK_THAT(Program("def f(x: Tensor):\n    return other.twice(x)\n").diags.str(),
             Catch::Contains("undefined value other"));
}
