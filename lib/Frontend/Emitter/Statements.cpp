//===- Statements.cpp - Statements, each by its handler -------------------===//
#include "Statements.h"
#include "../SugaredValues/Values.h"
#include "Calls/Instances.h"
#include "Expressions.h"
#include "FunctionContext.h"
#include "Imports.h"
#include "Statements/Assignments.h"
#include "Statements/Attempts.h"
#include "Statements/Branches.h"
#include "Statements/Loops.h"
#include "Statements/Matches.h"
#include "Statements/Raises.h"
#include "Statements/Recovery.h"
#include "Statements/Returns.h"
#include "Statements/Withs.h"
#include "tsc/Support/Stack.h"

using namespace tsc;

bool tsc::emitStatements(FunctionContext &fn, TreeList<Stmt> body) {
  const Frame &frame = fn.env.current();
  for (const Tree *statement : body) {
    if (!emitStatement(fn, statement) && !recover(fn, statement, frame))
      return false;
    // What follows a return is never run, and need not make sense.
    if (fn.isLeft())
      return true;
  }
  return true;
}

bool tsc::emitStatement(FunctionContext &fn, const Tree *tree) {
  requireStack();
  SourceRange range = tree->range();
  switch (tree->kind()) {
  case TreeKind::If: return emitIf(fn, *llvm::cast<If>(tree));
  case TreeKind::For: return emitFor(fn, *llvm::cast<For>(tree));
  case TreeKind::While: return emitWhile(fn, *llvm::cast<While>(tree));
  case TreeKind::Assign: return emitAssign(fn, *llvm::cast<Assign>(tree));
  case TreeKind::AugAssign: return emitAugAssign(fn, *llvm::cast<AugAssign>(tree));
  case TreeKind::Return: return emitReturn(fn, llvm::cast<Return>(tree)->value(), range);
  case TreeKind::Raise: return emitRaise(fn, *llvm::cast<Raise>(tree));
  case TreeKind::Assert: return emitAssert(fn, *llvm::cast<Assert>(tree));
  case TreeKind::With: return emitWith(fn, *llvm::cast<With>(tree));
  case TreeKind::Pass: return true;
  case TreeKind::Import: return emitImport(fn, *llvm::cast<Import>(tree));
  case TreeKind::Delete: return emitDelete(fn, *llvm::cast<Delete>(tree));
  case TreeKind::Def: {
    ClosureSugar *closure = makeClosure(fn, *tree);
    if (closure)
      fn.env.setSugared(llvm::cast<Def>(tree)->name(), closure);
    return closure;
  }
  case TreeKind::Try: return emitTry(fn, *llvm::cast<Try>(tree));
  case TreeKind::Match: return emitMatch(fn, *llvm::cast<Match>(tree));
  case TreeKind::ExprStmt: {
    const Tree *value = llvm::cast<ExprStmt>(tree)->value();
    return llvm::isa<StringLiteral, Dots>(value) || emitSugared(fn, value, 0);
  }
  case TreeKind::Break:
  case TreeKind::Continue: return leaveLoop(fn, llvm::isa<Break>(tree), range);
  default: {
    StringRef words = unsupportedWords(tree->kind());
    return fn.error(range, diag::UnsupportedSyntax, words.empty() ? treeKindName(tree->kind()) : words);
  }
  }
}
