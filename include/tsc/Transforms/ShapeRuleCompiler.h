//===- ShapeRuleCompiler.h - The rules for shapes, compiled -----*- C++ -*-===//
#ifndef TSC_TRANSFORMS_SHAPERULECOMPILER_H
#define TSC_TRANSFORMS_SHAPERULECOMPILER_H

#include "tsc/Analysis/ShapeRules.h"
#include <memory>

namespace tsc {

/// Compiles the rules for shapes, which are TorchScript, each on first use, in a Context of its own.
///
/// Threads: one at a time.
class ShapeRuleCompiler final : public ShapeRuleSource {
public:
  ShapeRuleCompiler();
  ~ShapeRuleCompiler() override;
  /// Returns the compiled rule called `name`, or null when there is none or it does not compile.
  Function *rule(llvm::StringRef name) override;
  /// Returns what is wrong with the rules that were compiled so far; empty where nothing is.
  std::string diagnostics() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
