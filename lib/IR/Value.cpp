//===- Value.cpp - Values, uses and names ---------------------------------===//
#include "tsc/IR/Graph.h"
#include "llvm/ADT/StringExtras.h"
using namespace tsc;

unsigned Use::index() const {
  assert(owner && "a use belongs to a node");
  return static_cast<unsigned>(this - &owner->use(0));
}

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
  assert((owner->kind() != prim::Param || owner->block()) && "the block of a parameter exists");
  return owner->kind() == prim::Param ? owner->block()->owner() : owner;
}

void Value::replaceAllUsesWith(Value *other) {
  assert(other && other != this && "another value takes the place");
  while (firstUse)
    firstUse->set(other);
}

std::string Value::displayName() const { return hasName() ? name().str() : llvm::utostr(number); }

Value *Value::setName(StringRef name) {
  Graph &g = graph();
  std::string unique = name.str(); // `name` may lie in the entry that goes
  if (hasName())
    g.names.erase(this->name());
  nameEntry = nullptr;
  if (unique.empty())
    return this;
  if (g.names.contains(unique)) {
    // x.3 and x share the counter of x.
    auto [stem, suffix] = StringRef(unique).rsplit('.');
    bool isNumbered = !stem.empty() && !suffix.empty() && llvm::all_of(suffix, [](char c) { return llvm::isDigit(c); });
    std::string base = isNumbered ? stem.str() : unique;
    unsigned &next = g.nextSuffix[base];
    do
      unique = (base + "." + llvm::Twine(++next)).str();
    while (g.names.contains(unique));
  }
  nameEntry = &*g.names.try_emplace(unique, this).first;
  return this;
}
