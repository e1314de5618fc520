//===- ShapeRuleCompiler.h - The rules for shapes, compiled -----*- C++ -*-===//
#ifndef TSC_TRANSFORMS_SHAPERULECOMPILER_H
#define TSC_TRANSFORMS_SHAPERULECOMPILER_H

#include "tsc/Analysis/ShapeRules.h"
#include <memory>

namespace tsc {

/// Compiles rules for shapes with the frontend, each on first use, in a Context of its own.
class ShapeRuleCompiler final : public ShapeRuleSource {
public:
  ShapeRuleCompiler();
  ~ShapeRuleCompiler() override;
  Function *rule(llvm::StringRef name) override;
  /// What is wrong with the rules compiled so far; empty for rules that are right.
  std::string diagnostics() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
