//===- Slices.h - slice(…) and Ellipsis, for subscripts ---------*- C++ -*-===//
//
// Both are objects of Python's that no value of the graph stands for: a subscript reads
// them while it is compiled.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FRONTEND_SLICES_H
#define TSC_LIB_FRONTEND_SLICES_H

#include "tsc/Frontend/SugaredValue.h"
#include <array>

namespace tsc {

/// What `slice(start, stop, step)` has made. A bound that is left out has the type None.
class SliceSugar final : public SugaredValue {
public:
  explicit SliceSugar(std::array<Value *, 3> bounds) : SugaredValue(SugaredKind::Builtin), bounds(bounds) {}
  std::string describe() const override { return "slice"; }
  SugaredValue *attribute(EmitterContext &e, SourceRange range, llvm::StringRef name) override;
  std::array<Value *, 3> bounds; ///< Start, stop and step.
};

/// `slice`, which makes one when it is called.
class SliceFunction final : public SugaredValue {
public:
  SliceFunction() : SugaredValue(SugaredKind::Builtin) {}
  std::string describe() const override { return "builtin slice"; }
  SugaredValue *call(EmitterContext &e, SourceRange range, llvm::ArrayRef<NamedValue> args,
                     llvm::ArrayRef<NamedValue> kwargs) override;
};

/// `Ellipsis`, which a subscript understands as `...`.
class EllipsisSugar final : public SugaredValue {
public:
  EllipsisSugar() : SugaredValue(SugaredKind::Builtin) {}
  std::string describe() const override { return "Ellipsis"; }
};

/// What a name of Python's own is that only subscripts understand; null for all but `slice` and `Ellipsis`.
SugaredValue *subscriptBuiltin(SugaredArena &arena, llvm::StringRef name);

} // namespace tsc

#endif
