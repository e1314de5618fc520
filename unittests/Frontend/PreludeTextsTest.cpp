//===- PreludeTextsTest.cpp - A compiler with a host's own prelude --------===//
#include "tsc/Frontend/PreludeTexts.h"
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/Frontend/Resolver.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include <catch2/catch.hpp>
#include <map>

using namespace tsc;
using llvm::StringRef;

namespace {

/// Gives torch.nn.functional one function, and counts how often each module is asked for.
class OneFunction final : public PreludeTexts {
public:
  std::vector<PreludeFile> files(const PreludeModule &module) const override {
    ++asked[&module];
    if (&module == &functionalPrelude)
      return {{"own.py", "def tripled(x: Tensor) -> Tensor:\n    return x * 3\n"}};
    return {};
  }
  std::string containerClass(ContainerKind) const override { return ""; }

  mutable std::map<const PreludeModule *, int> asked;
};

/// Compiles a text with these texts, and returns what is wrong with it.
std::string complaints(StringRef text, const PreludeTexts &texts) {
  Context context;
  CompilationUnit unit(context);
  DiagnosticEngine diags;
  Compiler compiler(unit, diags, texts);
  const SourceBuffer &source = context.sources().add("f.py", text.str());
  if (succeeded(compiler.addSource(source)))
    (void)compiler.defineAll();
  return diags.str();
}

} // namespace

TEST_CASE("a host's own texts are the prelude of its compiler") {
  const OneFunction texts;
  CHECK(complaints("import torch.nn.functional as F\n\ndef f(x: Tensor):\n    return F.tripled(F.tripled(x))\n", texts)
            .empty());
  CHECK(texts.asked[&functionalPrelude] == 1);
  CHECK(texts.asked[&gradientsPrelude] == 0);
  CHECK_THAT(complaints("import torch.nn.functional as F\n\ndef f(x: Tensor):\n    return F.tripled(x)\n", prelude()),
             Catch::Contains("tripled"));
}

TEST_CASE("every module of the prelude that comes with tsc has texts") {
  for (const PreludeModule *module :
       {&torchPrelude, &functionalPrelude, &attentionPrelude, &gradientsPrelude, &optimPrelude, &utilsPrelude,
        &sequencesPrelude, &torchCudaPrelude, &absentDevicesPrelude, &nnPrelude, &initPrelude, &pathlibPrelude,
        &pythonPrelude, &profilerPrelude, &prepackedPrelude, &upgradersPrelude, &quantizedPrelude, &audioPrelude,
        &cellsPrelude}) {
    INFO(module->prefix);
    const std::vector<PreludeFile> files = prelude().files(*module);
    CHECK_FALSE(files.empty());
    for (const PreludeFile &file : files) {
      INFO(file.name);
      CHECK_THAT(file.text, Catch::Contains("def "));
    }
  }
  CHECK_THAT(prelude().containerClass(ContainerKind::Set), Catch::Contains("class Set_NAME"));
  CHECK_THAT(prelude().containerClass(ContainerKind::Counter), Catch::Contains("class Counter_NAME"));
}

TEST_CASE("without an evaluator, a file with modules is refused") {
  Context context;
  CompilationUnit unit(context);
  DiagnosticEngine diags;
  Compiler compiler(unit, diags, prelude());
  const SourceBuffer &source = context.sources().add(
      "m.py", "import torch\n\nclass M(torch.nn.Module):\n    def forward(self, x: Tensor):\n        return x\n");
  CHECK(failed(compiler.addSource(source)));
  CHECK_FALSE(compiler.wasRun());
  CHECK(diags.hasErrors());
}
