//===- MadeByPassesTest.cpp - Operators that no program may call ----------===//
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/OpRecord.h"
#include <catch2/catch.hpp>
#include <set>

using namespace tsc;
using llvm::StringRef;

static std::string complaints(StringRef text, bool isLibrary) {
  Context context;
  CompilationUnit unit(context);
  DiagnosticEngine diags;
  Compiler compiler(unit, diags, prelude());
  if (isLibrary)
    compiler.setIsLibrary();
  const SourceBuffer &source = context.sources().add("f.py", text.str());
  if (succeeded(compiler.addSource(source)))
    (void)compiler.defineAll();
  return diags.str();
}

static std::set<std::string> namesMadeByPasses() {
  std::set<std::string> names;
  for (const OpRecord &record : allOpRecords())
    if (record.has(Trait::MadeByPasses))
      names.insert(record.qualified.str());
  return names;
}

TEST_CASE("what only passes make is refused in source and in archives, whatever it is given") {
  const std::set<std::string> names = namesMadeByPasses();
  CHECK(names.count("tsc::add_pending_"));
  for (const std::string &qualified : names) {
    INFO(qualified);
    auto [ns, name] = StringRef(qualified).split("::");
    const std::string refusal = "operator '" + qualified + "' is one that only passes make";
    const std::string called = ("torch.ops." + ns + "." + name).str();
    for (const std::string &text :
         {"def f(x: Tensor):\n    return " + called + "(x)\n",
          "def f(x: Tensor):\n    g = torch.ops." + ns.str() + "\n    return g." + name.str() + "(x)\n",
          "def f(x: List[Tensor]):\n    return [y for y in map(" + called + ", x)]\n"})
      CHECK_THAT(complaints(text, /*isLibrary=*/false), Catch::Contains(refusal));

    Context context;
    CompilationUnit unit(context);
    DiagnosticEngine diags;
    Compiler compiler(unit, diags, prelude());
    const SourceBuffer &code = context.sources().add(
        "code/__torch__.py", ("def f(x: Tensor) -> Tensor:\n  return ops." + ns + "." + name + "(x)\n").str());
    compiler.setArchive([&](StringRef module) { return module == "__torch__" ? &code : nullptr; }, {});
    Function *function = compiler.findFunction("__torch__.f");
    REQUIRE(function);
    CHECK(failed(function->ensureDefined()));
    CHECK_THAT(diags.str(), Catch::Contains(refusal));
  }
}

TEST_CASE("tsc's own texts may call what passes make") {
  const char text[] = "def f(x: Tensor, y: List[Tensor]):\n    torch.ops.tsc.add_pending_(x, y)\n    return x\n";
  CHECK(complaints(text, /*isLibrary=*/true).empty());
  CHECK_THAT(
      complaints(text, /*isLibrary=*/false),
      Catch::Contains(
          "f.py:2:5: error: operator 'tsc::add_pending_' is one that only passes make: programs cannot call it"));
}

TEST_CASE("what means what Python means has no name that programs can call") {
  CHECK_THAT(complaints("def f(x: float):\n    return torch.ops.python.div(x, x)\n", /*isLibrary=*/false),
             Catch::Contains("module 'torch.ops.python' has no attribute 'div'"));
  Context context;
  CompilationUnit unit(context);
  DiagnosticEngine diags;
  Compiler compiler(unit, diags, prelude());
  const SourceBuffer &code =
      context.sources().add("code/__torch__.py", "def f(x: float) -> float:\n  return ops.python.div(x, x)\n");
  compiler.setArchive([&](StringRef module) { return module == "__torch__" ? &code : nullptr; }, {});
  Function *function = compiler.findFunction("__torch__.f");
  REQUIRE(function);
  CHECK(failed(function->ensureDefined()));
  CHECK_THAT(diags.str(), Catch::Contains("programs cannot call it"));
}
