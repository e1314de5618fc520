//===- Slices.cpp - slice(…) and Ellipsis, for subscripts -----------------===//
#include "Slices.h"
#include "Values.h"

using namespace tsc;

SugaredValue *SliceSugar::attribute(EmitterContext &e, SourceRange range, StringRef name) {
  static constexpr StringRef names[] = {"start", "stop", "step"};
  const auto *found = llvm::find(names, name);
  if (found == std::end(names))
    return SugaredValue::attribute(e, range, name);
  return emitterOf(e).simple(bounds[found - std::begin(names)]);
}

SugaredValue *SliceFunction::call(EmitterContext &e, SourceRange range, ArrayRef<NamedValue> args,
                                  ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(e);
  if (!kwargs.empty())
    return fn.error(range, diag::SliceKeyword);
  if (args.empty() || args.size() > 3)
    return arityError(fn, range, "slice", 1, 3, args.size());
  std::array<Value *, 3> bounds{};
  const size_t first = args.size() == 1 ? 1 : 0; // the only one is where it stops
  for (size_t i = 0; i != args.size(); ++i)
    bounds[first + i] = args[i].value;
  for (Value *&bound : bounds)
    bound = bound ? bound : fn.none(range);
  return fn.make<SliceSugar>(bounds);
}

SugaredValue *tsc::subscriptBuiltin(SugaredArena &arena, StringRef name) {
  if (name == "slice")
    return arena.make<SliceFunction>();
  return name == "Ellipsis" ? arena.make<EllipsisSugar>() : nullptr;
}
