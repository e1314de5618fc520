//===- TapedCode.cpp - Graphs that a tape records as one operator ---------===//
#include "tsc/Runtime/Tape/TapedCode.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

StatusOr<std::shared_ptr<TapedCode>> TapedCode::make(const Graph &graph, CodeCache &codes, llvm::StringRef name) {
  auto made = std::make_shared<TapedCode>();
  TSC_ASSIGN_OR_RETURN(made->taped, TapedGraph::make(graph));
  made->codes = &codes;
  made->name = name.str();
  if (made->taped->tracked().none())
    return unimplemented("no result of a graph requires a gradient");
  llvm::SmallBitVector operands(made->taped->operands().size(), true);
  TSC_ASSIGN_OR_RETURN(TapedGraph::Backward whole, made->taped->backward(made->taped->tracked(), operands));
  made->allOperators = whole.operators;
  made->recomputed = whole.numRecomputed;
  auto keep = [&](const TapedGraph::Source &source) {
    if (source.kind != TapedGraph::Source::Gradient && !llvm::is_contained(made->keptTensors, source))
      made->keptTensors.push_back(source);
  };
  llvm::for_each(whole.captures, keep);
  for (const TapedGraph::Read &read : whole.checked)
    keep(read.source);
  TSC_ASSIGN_OR_RETURN(made->forwardCode, codes.add(made->taped->forward().clone(), name));
  return made;
}

int TapedCode::numberOf(TapedGraph::Source source) const {
  const auto *at = llvm::find(keptTensors, source);
  return at == keptTensors.end() ? -1 : static_cast<int>(at - keptTensors.begin());
}

StatusOr<const TapedCode::Backward *> TapedCode::backward(const llvm::SmallBitVector &arrived,
                                                          const llvm::SmallBitVector &wanted) {
  std::vector<unsigned> key(arrived.set_bits_begin(), arrived.set_bits_end());
  key.push_back(~0u);
  key.insert(key.end(), wanted.set_bits_begin(), wanted.set_bits_end());
  Status failure;
  const Backward *found =
      backwards.findOrAdd([&](const Backward &known) { return known.key == key; },
                          [&](size_t) -> std::unique_ptr<const Backward> {
                            StatusOr<Backward> made = makeBackward(arrived, wanted);
                            if (made.ok())
                              return std::make_unique<const Backward>(Backward{key, std::move(made->how), made->code});
                            failure = std::move(made).status();
                            return nullptr;
                          });
  if (!found)
    return failure;
  return found;
}

StatusOr<TapedCode::Backward> TapedCode::makeBackward(const llvm::SmallBitVector &arrived,
                                                      const llvm::SmallBitVector &wanted) {
  Backward made;
  TSC_ASSIGN_OR_RETURN(made.how, taped->backward(arrived, wanted));
  TSC_ASSIGN_OR_RETURN(made.code, codes->add(std::move(made.how.graph), name));
  return made;
}
