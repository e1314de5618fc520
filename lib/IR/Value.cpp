//===- Value.cpp - Values, uses and names ---------------------------------===//
#include "tsc/IR/Graph.h"
#include "llvm/ADT/StringExtras.h"
using namespace tsc;

unsigned Use::index() const { return static_cast<unsigned>(this - &owner->use(0)); }

void Use::set(Value *value) {
  if (used == value)
    return;
  if (used) {
    *link = nextUse;
    if (nextUse)
      nextUse->link = link;
    --used->useCount;
  }
  used = value;
  if (value) {
    nextUse = value->firstUse;
    if (nextUse)
      nextUse->link = &nextUse;
    value->firstUse = this;
    link = &value->firstUse;
    ++value->useCount;
  }
  owner->forgetOp();
}

Graph &Value::graph() const { return owner->graph(); }

Block &Value::block() const {
  assert(owner->block() && "the node of a value is inserted");
  return *owner->block();
}

Node *Value::definingNode() const {
  return owner->kind() == prim::Param ? owner->block()->owner() : owner;
}

void Value::replaceAllUsesWith(Value *other) {
  assert(other != this && "a value cannot replace itself");
  while (firstUse)
    firstUse->set(other);
}

std::string Value::displayName() const { return hasName() ? debugName : llvm::utostr(number); }

Value *Value::setName(StringRef name) {
  Graph &g = graph();
  if (hasName()) {
    g.names.erase(debugName);
    debugName.clear();
  }
  if (name.empty())
    return this;
  std::string unique = name.str();
  if (g.names.contains(unique)) {
    // x.3 and x share the counter of x.
    StringRef base = name;
    auto [stem, suffix] = name.rsplit('.');
    if (!stem.empty() && !suffix.empty() && llvm::all_of(suffix, [](char c) { return llvm::isDigit(c); }))
      base = stem;
    unsigned &next = g.nextSuffix[base];
    do
      unique = (base + "." + llvm::Twine(++next)).str();
    while (g.names.contains(unique));
  }
  g.names[unique] = this;
  debugName = std::move(unique);
  return this;
}
