//===- Refinement.cpp - What a condition tells about types ----------------===//
#include "Refinement.h"
#include "../SugaredValues/Values.h"

using namespace tsc;

std::vector<const Type *> tsc::alternativesOf(const Type *type) {
  if (auto *optional = llvm::dyn_cast<OptionalType>(type)) {
    std::vector<const Type *> members = alternativesOf(optional->element());
    members.push_back(Type::noneType());
    return members;
  }
  if (auto *unionType = llvm::dyn_cast<UnionType>(type))
    return unionType->members();
  return {type};
}

const Type *tsc::withoutNone(Context &context, const Type *type) {
  std::vector<const Type *> members = alternativesOf(type);
  llvm::erase_if(members, [](const Type *t) { return t->isNone(); });
  if (members.empty())
    return type;
  return members.size() == 1 ? members[0] : context.unionOf(members);
}

std::vector<Refinement> tsc::unite(const std::vector<Refinement> &a, const std::vector<Refinement> &b) {
  std::vector<Refinement> result = a;
  for (const Refinement &r : b) {
    auto it = llvm::find_if(result, [&](const Refinement &o) { return o.name == r.name; });
    if (it == result.end()) {
      result.push_back(r);
      continue;
    }
    it->type = r.type; // the later one was found knowing the earlier one
    if (r.stored)
      it->stored = r.stored;
  }
  return result;
}

static std::vector<Refinement> intersect(Context &context, const std::vector<Refinement> &a,
                                         const std::vector<Refinement> &b) {
  std::vector<Refinement> result;
  for (const Refinement &x : a)
    for (const Refinement &y : b)
      if (x.name == y.name)
        if (const Type *type = context.unify(x.type, y.type, /*allowUnion=*/true))
          if (x.stored == y.stored)
            result.push_back({x.name, type, x.stored});
  return result;
}

Refinements Refinements::both(Context &context, const Refinements &other) const {
  return {unite(whenTrue, other.whenTrue), intersect(context, whenFalse, other.whenFalse)};
}

Refinements Refinements::either(Context &context, const Refinements &other) const {
  return {intersect(context, whenTrue, other.whenTrue), unite(whenFalse, other.whenFalse)};
}
