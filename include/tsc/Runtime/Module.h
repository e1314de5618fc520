//===- Module.h - Calling functions and modules -----------------*- C++ -*-===//
//
//   Module module = …;                       // from an archive, or a class of a source file
//   CallContext call(context);
//   StatusOr<IValue> y = module.run(call, "forward", {x});
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_MODULE_H
#define TSC_RUNTIME_MODULE_H

#include "tsc/Runtime/Arguments.h"
#include "tsc/Runtime/CallContext.h"
#include "tsc/Runtime/Code.h"

namespace tsc {

/// Calls a function: binds the arguments, runs, and gives the result (None when it has none).
StatusOr<IValue> callFunction(CodeCache &cache, Function &function, CallContext &context, std::vector<IValue> args,
                              KeywordArguments kwargs = {});

/// An object with its methods.
///
/// Ownership: shares the object; borrows the code cache and whatever its class needs (context, compilation unit).
/// Threads:   `run` may be called from many threads at once with a CallContext each, as long as the program itself does
///            not write to the module's attributes.
class Module {
public:
  Module(Ref<ObjectValue> object, CodeCache &cache) : self(std::move(object)), cache(&cache) {}
  const ClassType &type() const { return *self->type; }
  const Ref<ObjectValue> &object() const { return self; }
  /// Null when there is none.
  Function *findMethod(llvm::StringRef name) const;
  StatusOr<IValue> attribute(llvm::StringRef name) const;
  /// Runs a method; `forward` with the module's hooks before and after it.
  StatusOr<IValue> run(CallContext &context, llvm::StringRef method, std::vector<IValue> args, KeywordArguments kwargs = {}) const;
  /// A copy that shares nothing that programs can write to.
  Module copy() const;

private:
  Ref<ObjectValue> self;
  CodeCache *cache;
};

} // namespace tsc

#endif
