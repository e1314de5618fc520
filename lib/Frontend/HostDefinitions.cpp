//===- HostDefinitions.cpp - Functions and classes of a host's ------------===//
//
// Definitions that are handed in one by one, each with the text that it stands in
// and a resolver for the names in that text.
//
//===----------------------------------------------------------------------===//
#include "tsc/Frontend/HostDefinitions.h"
#include "Emitter/CompilerImpl.h"
#include "Emitter/TypeExpressions.h"
#include "SugaredValues/Values.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Frontend/Parser.h"
#include "tsc/IR/ClassType.h"

using namespace tsc;

/// Returns the one definition of kind `T` that a text holds; null after a report.
template <typename T> static const T *parseOne(Compiler::Impl &compiler, const SourceBuffer &text) {
  const SyntaxTree *tree = compiler.parse(text);
  if (!tree)
    return nullptr;
  const Tree *first = tree->statements().empty() ? nullptr : tree->statements().front();
  if (auto *found = llvm::dyn_cast_or_null<T>(first))
    return found;
  const bool isAsync = first && llvm::isa<AsyncStmt>(first);
  (void)compiler.diags.report(first ? first->range() : SourceRange(text, 0, 0), diag::UnsupportedSyntax,
                              isAsync ? "functions that are async" : "text that is no definition");
  return nullptr;
}

Function *tsc::declareFunction(Compiler &compiler, const SourceBuffer &text, StringRef qualifiedName, Resolver &names) {
  Compiler::Impl &impl = compiler.implementation();
  auto *def = parseOne<Def>(impl, text);
  return def ? impl.declareFunction(*def, qualifiedName, nullptr, names) : nullptr;
}

Function *tsc::declareMethod(Compiler &compiler, ClassType &type, const SourceBuffer &text, StringRef name,
                             Resolver &names) {
  Compiler::Impl &impl = compiler.implementation();
  auto *def = parseOne<Def>(impl, text);
  if (!def)
    return nullptr;
  Function *method = impl.declareFunction(*def, (type.name() + "." + name).str(), &type, names);
  if (!method)
    return nullptr;
  if (type.findMethod(name))
    type.unsafeRemoveMethod(name);
  type.addMethod(method);
  return method;
}

const Type *tsc::declareClass(Compiler &compiler, const SourceBuffer &text, StringRef qualifiedName, Resolver &names) {
  Compiler::Impl &impl = compiler.implementation();
  auto *tree = parseOne<ClassDef>(impl, text);
  return tree ? impl.declareClass(*tree, qualifiedName, names) : nullptr;
}

const Type *tsc::typeFromText(Compiler &compiler, const SourceBuffer &text, Resolver &names) {
  Compiler::Impl &impl = compiler.implementation();
  llvm::FailureOr<SyntaxTree> tree = parseExpression(text, impl.diags);
  return failed(tree) ? nullptr : typeFromExpression(impl.context, impl.diags, names, tree->expression());
}

SugaredValue *tsc::valueOfFunction(Compiler &compiler, std::vector<Function *> overloads) {
  assert(!overloads.empty() && "a function has at least one overload");
  return compiler.implementation().arena.make<FunctionSugar>(std::move(overloads));
}

SugaredValue *tsc::valueOfType(Compiler &compiler, const Type *type) {
  return sugarForType(compiler.implementation().arena, type);
}

SugaredValue *tsc::valueOfConstant(Compiler &compiler, IValue value, const Type *type) {
  return compiler.implementation().arena.make<ConstantSugar>(std::move(value), type);
}

SugaredValue *tsc::valueOfTemplate(Compiler &compiler, const SourceBuffer &text, Resolver &names, bool isLambda) {
  Compiler::Impl &impl = compiler.implementation();
  if (!isLambda) {
    auto *def = parseOne<Def>(impl, text);
    return def ? impl.arena.make<ClosureSugar>(*def, names, nullptr) : nullptr;
  }
  llvm::FailureOr<SyntaxTree> tree = parseExpression(text, impl.diags);
  if (failed(tree))
    return nullptr;
  impl.trees.push_back(std::move(*tree));
  const Expr *expression = impl.trees.back().expression();
  if (!llvm::isa<Lambda>(expression)) {
    (void)impl.diags.report(expression->range(), diag::UnsupportedSyntax, "this where a lambda should stand");
    return nullptr;
  }
  return impl.arena.make<ClosureSugar>(*expression, names, nullptr);
}

SugaredValue *tsc::valueOfLibrary(Compiler &compiler, StringRef path) {
  Compiler::Impl &impl = compiler.implementation();
  return libraryValue(impl, impl.arena, path);
}

const Type *tsc::typeOfLibrary(Compiler &compiler, StringRef path) {
  return libraryClass(compiler.implementation(), path);
}
