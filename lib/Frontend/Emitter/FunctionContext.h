//===- FunctionContext.h - The function that is being emitted ---*- C++ -*-===//
//
// What the handlers of all constructs share while a body is emitted: the program,
// the resolver of the text, the graph, the variables, and how a statement may leave.
// Statements become blocks, variables Load and Store, and return, break and continue
// nodes of their own; the passes of Lowering.h then make a graph in SSA form of it.
//
// A construct has a file of its own (Loops.cpp, Attempts.cpp, …) whose header
// declares what others call; Expressions.cpp and Statements.cpp choose among them.
// Handlers report their own errors, and return null or false then. State that one
// construct needs is local to its file: the context only has pointers to it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FRONTEND_FUNCTIONCONTEXT_H
#define TSC_LIB_FRONTEND_FUNCTIONCONTEXT_H

#include "CompilerImpl.h"
#include "Environment.h"
#include "Statements/ChangedContainers.h"
#include "Statements/Recovery.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Frontend/EmitterContext.h"
#include "tsc/Frontend/Resolver.h"
#include "tsc/Frontend/Tree.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"

namespace tsc {

struct Attempt;
struct CaughtException;
struct ConstructedException;
struct LoopScope;
struct OpenWith;

/// The values of a caller that the body of an instance, or of a forked call, reads; Captures.h.
struct Captures {
  std::vector<Value *> values;          ///< One for each extra input of the body, in order.
  llvm::StringMap<Value *> knownByName; ///< Inputs that stand for variables which were read before.
};

/// What a function returns, as declared and as its return statements have shown so far.
struct ReturnFacts {
  const Type *type = nullptr;   ///< The declared type; the merged one once the body was emitted.
  const Type *merged = nullptr; ///< The type that the return statements so far have in common.
  SourceRange last;             ///< The last of these statements.
  bool isDeclared = false;      ///< Whether the signature names the type.
};

/// Which class's method a function is; null where it is none of the kind.
struct MethodFacts {
  const ModuleClass *owner = nullptr;      ///< The class that has the text of a module's method.
  const ClassDef *textOwner = nullptr;     ///< The class that has the text of another method.
  const ClassType *initializing = nullptr; ///< The class whose `__init__` this is: new attributes may be set.
};

/// The innermost constructs around the insertion point that change what a statement in them means. Each has a scope
/// object on the stack of its handler, which puts the one around it back when it ends.
struct EnclosingScopes {
  LoopScope *loop = nullptr;                   ///< What `break` and `continue` leave (Loops.h).
  OpenWith *with = nullptr;                    ///< What is left before a statement leaves the body (Withs.h).
  Attempt *attempt = nullptr;                  ///< The `try` whose body this function is (Attempts.h).
  const CaughtException *handled = nullptr;    ///< What a bare `raise` raises again (Attempts.h).
  ConstructedException *constructed = nullptr; ///< The exception whose `__init__` this is (NewExceptions.h).
};

/// The function whose body is being emitted: the context that all handlers take first.
///
/// Ownership: borrows the compiler, the resolver and the graph, and owns the sugared values that make() makes.
/// Threads:   one at a time, as its Compiler.
class FunctionContext final : public EmitterContext {
public:
  /// A context that inserts into `graph`. `outer` is what a nested function stands in, or null.
  FunctionContext(Compiler::Impl &compiler, Resolver &resolver, Graph &graph, FunctionContext *outer = nullptr)
      : EmitterContext(compiler.context, compiler.diags, graph), compiler(compiler), resolver(resolver), env(graph),
        outer(outer) {}

  //===-- Building ----------------------------------------------------------===//
  /// Returns what stands for a value of the graph; null of null.
  SugaredValue *simple(Value *value);
  /// Inserts a constant.
  Value *constant(const IValue &value, SourceRange range) { return graph().insertConstant(value, range); }
  /// Inserts the constant None.
  Value *none(SourceRange range) { return constant(IValue(), range); }
  /// Inserts a node whose outputs have no types yet.
  Node *insertNode(Symbol kind, ArrayRef<Value *> inputs, unsigned outputs, SourceRange range);
  /// Inserts a node and returns its one output, of `type`.
  Value *insertValue(Symbol kind, ArrayRef<Value *> inputs, const Type *type, SourceRange range);
  /// Inserts a tuple of the elements, of their types.
  Value *makeTuple(ArrayRef<Value *> elements, SourceRange range);
  /// Inserts a list of elements of type `element`.
  Value *makeList(const Type *element, ArrayRef<Value *> elements, SourceRange range);
  /// Inserts a prim::unchecked_cast, which is right where the value is known to be of `type`.
  Value *castTo(Value *value, const Type *type, SourceRange range);

  //===-- Leaving -----------------------------------------------------------===//
  /// Whether the block that is being filled is surely left by return, raise, break or continue.
  bool isLeft() const { return leftBlocks.contains(&graph().insertPointBlock()); }
  bool isLeft(Block &block) const { return leftBlocks.contains(&block); }
  /// Notes that the block which is being filled is surely left.
  void noteLeft() { leftBlocks.insert(&graph().insertPointBlock()); }

  using EmitterContext::calledFrom;
  Compiler::Impl &compiler;          ///< What all functions of the program share.
  Resolver &resolver;                ///< The names of the text that the function stands in.
  Environment env;                   ///< The variables of the function.
  FunctionContext *outer;            ///< Where the free variables of a closure live; else null.
  FunctionContext *caller = nullptr; ///< What calls an instance or a forked body, and hands on what it reads.
  Captures captures;
  ReturnFacts returns;
  MethodFacts method;
  EnclosingScopes scopes;
  ContainerUses containers;
  Recovery recovery;
  /// How the source spells the operator whose operands are matched to overloads, for reports; empty for calls.
  StringRef spelling;

private:
  llvm::SmallPtrSet<Block *, 8> leftBlocks;
};

/// Returns the context that a sugared value of the frontend's own works on: every EmitterContext is one.
inline FunctionContext &emitterOf(EmitterContext &context) { return static_cast<FunctionContext &>(context); }

} // namespace tsc

#endif
