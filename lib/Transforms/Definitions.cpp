//===- Definitions.cpp - What composite operators are made of -------------===//
#include "tsc/Transforms/Definitions.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/Support/PackedTexts.h"
#include "tsc/Transforms/Pass.h"
#include "tsc/Transforms/Passes/Calls.h"
using namespace tsc;

#include "tsc/IR/OpDecompositionsPacked.inc"

Definitions::Definitions(Context &context) : context(context), unit(context), compiler(unit, diags, prelude()) {
  compiler.setIsLibrary();
}

bool Definitions::has(OpKind kind) { return packedTexts().has(static_cast<unsigned>(kind)); }

const Graph *Definitions::find(OpKind kind) {
  if (!has(kind))
    return nullptr;
  std::lock_guard guard(lock);
  auto [known, isNew] = graphs.try_emplace(static_cast<unsigned>(kind), nullptr);
  if (isNew)
    known->second = compile(packedTexts().find(static_cast<unsigned>(kind)));
  return known->second;
}

const Graph *Definitions::compile(llvm::StringRef source) {
  const SourceBuffer &buffer = context.sources().add("<decomposition>", source.str());
  std::string prefix = ("__torch__.decomposition" + llvm::Twine(graphs.size())).str();
  if (failed(compiler.addSource(buffer, prefix)) || failed(compiler.sourceFunctions().back()->ensureDefined())) {
    assert(false && "a definition in a record compiles");
    return nullptr;
  }
  Graph *graph = compiler.sourceFunctions().back()->graph();
  AnalysisManager analyses;
  Inline().run(*graph, analyses);
  return graph;
}

bool Definitions::answer(llvm::StringRef key, llvm::function_ref<bool()> ask) {
  {
    std::lock_guard guard(answersLock);
    if (auto known = answers.find(key); known != answers.end())
      return known->second;
  }
  bool fresh = ask(); // without the lock: it asks for definitions
  std::lock_guard guard(answersLock);
  return answers.try_emplace(key, fresh).first->second;
}
