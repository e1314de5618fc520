//===- ArgumentWalk.cpp - Which argument goes to which parameter ----------===//
#include "tsc/IR/ArgumentWalk.h"
#include "tsc/IR/Type.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

const Type *ArgumentWalk::withoutOptional(const Type *type) {
  const auto *maybe = llvm::dyn_cast<OptionalType>(type);
  return maybe ? maybe->element() : type;
}

/// Whether further arguments by position may be the elements of this one. Of lists of anything there is the length
/// alone, and `len(x)` does not count its arguments.
bool ArgumentWalk::mayTakeRest(size_t parameter) const {
  llvm::ArrayRef<Argument> formals = schema.arguments();
  const Argument &formal = formals[parameter];
  const auto *list = llvm::dyn_cast<ListType>(withoutOptional(formal.type));
  const bool isLast = parameter + 1 == formals.size() || formals[parameter + 1].keywordOnly;
  return isLast && list && !formal.fixedLength && !list->element()->hasFreeVariables() && !list->element()->isAny();
}

ArgumentWalk::Source ArgumentWalk::take(size_t parameter, llvm::function_ref<bool(size_t index)> isElement) {
  assert(parameter < schema.arguments().size() && "one of the parameters");
  const Argument &formal = schema.arguments()[parameter];
  if (!formal.keywordOnly && used != numPositional) {
    const size_t index = used;
    if (mayTakeRest(parameter) && isElement(index)) {
      used = numPositional;
      return {Source::Rest, index};
    }
    ++used;
    return {Source::Positional, index};
  }
  for (auto [i, keyword] : llvm::enumerate(keywords))
    if (keyword == formal.name && !named.test(i)) {
      named.set(i);
      return {Source::Keyword, i};
    }
  return {formal.defaultValue ? Source::Default : Source::Missing};
}

std::optional<size_t> ArgumentWalk::unusedKeyword() const {
  const int index = named.find_first_unset();
  return index < 0 ? std::nullopt : std::optional<size_t>(static_cast<size_t>(index));
}
