//===- TracedModules.h - From the trace of a module to methods --*- C++ -*-===//
//
//   Ref<ObjectValue> module = *copyForTrace(original, context); // each module with a class of its own
//   std::unique_ptr<Graph> trace = …;                   // what ran, as a graph whose first input is `module`
//   StatusOr<Function *> forward = addTracedMethod(*module, "forward", std::move(trace), unit);
//
// A trace names what it reads of its module (`prim::TracedAttr`) and marks which
// nodes ran in the call of which module (`prim::TracedModuleForward`). docs/LangRef.md
// has the form of such graphs.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TRANSFORMS_TRACEDMODULES_H
#define TSC_TRANSFORMS_TRACEDMODULES_H

#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/IValue.h"
#include "tsc/Support/Status.h"
#include <memory>

namespace tsc {

class Graph;

/// Owns the methods that the passes create-method-calls and fixup-trace-scopes make in a Context, for graphs that come
/// from text and belong to no program. It is asked for by `context.extension<TracedMethods>()`.
///
/// Threads: one at a time.
class TracedMethods final : public ContextExtension {
public:
  explicit TracedMethods(Context &context) : unit(context) {}
  CompilationUnit unit; ///< Has all methods, in the order in which they were made: callees before their callers.
};

/// Makes methods of the traced calls in a trace, and calls of these methods in their place. A call becomes the method
/// `forward` of the module's class, which `unit` owns; a second call of the same module becomes `forward1`, and so on.
/// A trace whose first input is no object has its calls inlined. Classes that have no definition, as in textual IR, are
/// told apart where modules share one.
///
/// Errors: InvalidArgument for a trace that does not say of which class a module is; the graph is not changed then.
Status fixupTraceScopes(Graph &trace, CompilationUnit &unit);

/// Does what fixupTraceScopes() does for a trace with one result, whose first input is `module`, and makes the trace
/// itself the method `name` of the module's class, which must have no such method. Returns the method.
///
/// Errors: those of fixupTraceScopes(), and InvalidArgument for a trace of another form. Nothing is changed then.
StatusOr<Function *> addTracedMethod(const ObjectValue &module, llvm::StringRef name, std::unique_ptr<Graph> trace,
                                     CompilationUnit &unit);

/// Makes methods of the traced calls with subgraphs in a trace, and calls of these methods in their place. The trace
/// becomes the body of `entry`. A call has the name of the method that ran as its attribute `name`, and an object of
/// the method's class as input 0. Where nobody else calls that method, neither a method of `module` or of a module in
/// it nor a function that one of these calls, and where all modules of its class have calls with equal subgraphs, or
/// there is one such module, the subgraph becomes its body. Otherwise, and where further calls ran other nodes, it
/// becomes a method beside it, `forward1` for `forward`, which `unit` owns. Calls with equal subgraphs share a method.
void makeTracedMethods(Graph &trace, const Function &entry, const ObjectValue &module, CompilationUnit &unit);

/// Puts the nodes of the traced calls with subgraphs in a trace in the place of the calls, so that the trace can run.
void inlineTracedCalls(Graph &trace);

/// Returns a copy of a module, and of the modules in it, in which each module has a class of its own in `context`:
/// `a.M` becomes `a.___torch_mangle_0.M`. The classes have the attributes of the old ones and no methods. The copies
/// share the values of all attributes that are no modules. A module that has several places in the tree has them in the
/// copy.
///
/// Errors: InvalidArgument for a module that holds itself, or is nested deeper than the stack allows.
StatusOr<Ref<ObjectValue>> copyForTrace(const Ref<ObjectValue> &module, Context &context);

} // namespace tsc

#endif
