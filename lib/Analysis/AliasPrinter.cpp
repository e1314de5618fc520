//===- AliasPrinter.cpp - Alias analysis as text --------------------------===//
//
//   %l : Tensor[] -> %l[%x, %y]            a list, and what it may hold
//   %t : (Tensor, int) -> (outside(Tensor), _)
//   %y : Tensor -> %y (escapes)
//   aten::add_(%y, %x, %1) writes %y
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

namespace {

class Printer {
public:
  Printer(llvm::raw_ostream &os, const AliasAnalysis &aliases, const MemoryDAG &memory)
      : os(os), aliases(aliases), memory(memory) {}

  void printValue(const Value *value, Element element) {
    os.indent(indent) << "%" << value->displayName() << " : " << value->type()->str() << " -> ";
    printElement(element);
    if (aliases.escapes(value))
      os << " (escapes)";
    os << "\n";
  }

  void printEffects(const Node &node, const MemoryEffects &effects) {
    os.indent(indent) << node.kindName() << "(";
    llvm::interleaveComma(node.inputs(), os, [&](const Value *input) { os << "%" << input->displayName(); });
    os << ") writes ";
    llvm::interleaveComma(effects.writes, os, [&](Location location) { os << memory.name(location); });
    if (effects.writesOutside)
      os << (effects.writes.empty() ? "" : ", ") << "everything outside";
    os << "\n";
  }

  unsigned indent = 2;

private:
  void printElement(Element element) {
    if (element == Element::None) {
      os << "_";
      return;
    }
    if (memory.isTuple(element)) {
      os << "(";
      llvm::interleaveComma(memory.fields(element), os, [&](Element field) { printElement(field); });
      os << ")";
      return;
    }
    llvm::SmallVector<Location, 4> locations;
    memory.collect(element, locations);
    if (locations.empty())
      os << "nothing";
    llvm::interleave(locations, os, [&](Location location) { printLocation(location); }, " | ");
  }

  void printLocation(Location location) {
    os << memory.name(location);
    llvm::SmallVector<Location, 4> held;
    memory.forEachHeld(location, [&](Location inner) { held.push_back(inner); });
    llvm::sort(held);
    held.erase(std::unique(held.begin(), held.end()), held.end());
    if (held.empty())
      return;
    os << "[";
    llvm::interleaveComma(held, os, [&](Location inner) { os << memory.name(inner); });
    os << "]";
  }

  llvm::raw_ostream &os;
  const AliasAnalysis &aliases;
  const MemoryDAG &memory;
};

} // namespace

void AliasAnalysis::print(llvm::raw_ostream &os) const {
  Printer printer(os, *this, memory);
  os << "alias analysis" << (graph.name().empty() ? "" : " of @" + graph.name().str()) << ":\n";
  auto printValues = [&](ArrayRef<Value *> values) {
    for (const Value *value : values)
      if (auto element = elementOf(value); element && isMutable(value))
        printer.printValue(value, *element);
  };
  auto printBlock = [&](auto &self, const Block &block) -> void {
    printValues(block.inputs());
    for (const Node &node : block.nodes()) {
      for (const Block &inner : node.blocks()) {
        printer.indent += 2;
        self(self, inner);
        printer.indent -= 2;
      }
      printValues(node.outputs());
      MemoryEffects storage;
      const MemoryEffects &effects = effectsOf(node, storage);
      if (!node.numBlocks() && (effects.writesOutside || !effects.writes.empty()))
        printer.printEffects(node, effects);
    }
  };
  printBlock(printBlock, graph.block());
}
