//===- ShapeRuleCompiler.cpp - The rules for shapes, compiled ------------===//
#include "tsc/Transforms/ShapeRuleCompiler.h"
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"

using namespace tsc;

static constexpr llvm::StringLiteral prefix = "shapes";

struct ShapeRuleCompiler::Impl {
  Impl() : unit(context), text("Rules.py", std::string(shapeRuleText())), compiler(unit, diags, prelude()) {
    compiler.setIsLibrary();
    (void)compiler.addSource(text, prefix); // what is wrong shows when a rule is asked for
  }
  Context context;
  DiagnosticEngine diags;
  CompilationUnit unit;
  SourceBuffer text;
  Compiler compiler;
};

ShapeRuleCompiler::ShapeRuleCompiler() : impl(std::make_unique<Impl>()) {}
ShapeRuleCompiler::~ShapeRuleCompiler() = default;

Function *ShapeRuleCompiler::rule(llvm::StringRef name) {
  Function *function = impl->unit.find((prefix + "." + name).str());
  return function && succeeded(function->ensureDefined()) ? function : nullptr;
}

std::string ShapeRuleCompiler::diagnostics() const { return impl->diags.str(); }
