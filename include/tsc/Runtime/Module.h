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
#include "tsc/Transforms/Freezing.h"

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
  /// Calls the module itself, as `module(x)` does in Python: `forward`, with the module's hooks before and after it.
  /// What a hook gives, if not None, takes the place of the inputs or of the result.
  StatusOr<IValue> operator()(CallContext &context, std::vector<IValue> args, KeywordArguments kwargs = {}) const;
  /// Runs a method alone, as `module.forward(x)` does: hooks of other modules run where its code calls them.
  StatusOr<IValue> run(CallContext &context, llvm::StringRef method, std::vector<IValue> args,
                       KeywordArguments kwargs = {}) const;
  /// A copy that shares nothing that programs can write to.
  Module copy() const;
  /// A module that offers the methods named and no others, with the attributes that these cannot write read into their
  /// code, save those in `keep` (Transforms/Freezing.h). It holds no attribute that it does not need, and shares
  /// tensors and containers with this one, as PyTorch's does. `fates`, when given, receives what became of each
  /// attribute. With `forward` it offers the hooks too.
  StatusOr<Module> freeze(llvm::ArrayRef<std::string> methods, std::vector<std::string> keep = {},
                          std::vector<AttributeFate> *fates = nullptr) const;

private:
  StatusOr<IValue> call(Function &method, CallContext &context, std::vector<IValue> args,
                        KeywordArguments kwargs) const;
  Ref<ObjectValue> self;
  CodeCache *cache;
  std::shared_ptr<const FrozenModule> frozen; ///< Null unless frozen. Shared by the copies of this, and by the cache.
};

} // namespace tsc

#endif
