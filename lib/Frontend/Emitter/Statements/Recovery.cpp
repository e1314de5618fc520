//===- Recovery.cpp - Going on behind a statement that was refused --------===//
#include "Recovery.h"
#include "../../SugaredValues/Values.h"
#include "../FunctionContext.h"
#include <set>

using namespace tsc;

/// The names that a condition reads, which it may tell something about.
static void collectReadNames(const Tree *tree, std::set<std::string> &names) {
  if (!tree)
    return;
  if (auto *name = llvm::dyn_cast<Var>(tree))
    names.insert(name->name().str());
  for (const Tree *part : tree->children())
    collectReadNames(part, names);
}

bool tsc::recover(FunctionContext &fn, const Tree *statement, const Frame &frame) {
  constexpr unsigned mostRefused = 20;
  const bool isTriedAgain = fn.compiler.widening && fn.compiler.widening->isWanted;
  if (!fn.recovery.isOn || isTriedAgain || ++fn.recovery.numRefused > mostRefused)
    return false;
  while (&fn.env.current() != &frame)
    fn.env.pop();
  std::set<std::string> names;
  collectBoundNames(statement, names);
  if (auto *closure = llvm::dyn_cast<Def>(statement))
    names.insert(closure->name().str());
  std::set<std::string> asked;
  if (llvm::isa<Assert, If, While>(statement))
    collectReadNames(statement->child(0), asked);
  for (const std::string &name : asked) // a condition narrows these
    if (const Type *type = fn.env.typeOf(name); type && (llvm::isa<OptionalType, UnionType>(type) || type->isAny()))
      names.insert(name);
  for (const std::string &name : names)
    fn.env.erase(name);
  fn.recovery.unknown.insert(names.begin(), names.end());
  if (llvm::isa<Return, Raise, Break, Continue>(statement))
    fn.noteLeft();
  return true;
}

bool tsc::isUnknown(const FunctionContext &fn, StringRef name) {
  return (!fn.recovery.unknown.empty() && fn.recovery.unknown.contains(name.str())) ||
         (fn.outer && isUnknown(*fn.outer, name)) || (fn.caller && isUnknown(*fn.caller, name));
}
