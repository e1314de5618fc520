//===- Module.h - Calling functions and modules -----------------*- C++ -*-===//
//
//   Module module = …;                       // from an archive, or a class of a source file
//   CallContext call(context);
//   StatusOr<IValue> y = module.run(call, "forward", {x});
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_MODULE_H
#define TSC_RUNTIME_MODULE_H

#include "tsc/IR/ClassType.h"
#include "tsc/Runtime/Arguments.h"
#include "tsc/Runtime/CallContext.h"
#include "tsc/Runtime/Code.h"
#include "tsc/Transforms/Freezing.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tsc {

/// Calls a function: binds the arguments, runs, and gives the result (None when it has none).
StatusOr<IValue> callFunction(CodeCache &cache, Function &function, CallContext &context, std::vector<IValue> args,
                              KeywordArguments kwargs = {});

class Module;

/// A value of a module, with the path to it from the module that was asked: "encoder.layers.0.weight".
struct ModuleAttribute {
  std::string path;
  IValue value;
};
/// A module within one, or that one itself, whose path is empty.
struct NamedModule;

/// How a module is told by Module::dump.
struct DumpOptions {
  bool methods = true;    ///< With their graphs.
  bool attributes = true; ///< Values of tensors among the attributes; of others they stand there always.
  bool parameters = true; ///< Values of parameters.
};

/// An object with its methods and what it holds. Modules form a tree; one that stands in two places of it is visited
/// once, as in Python, and a tensor under each of its names.
///
/// Ownership: shares the object; borrows the code cache and whatever its class needs (context, compilation unit).
/// Threads:   `run` may be called from many threads at once with a CallContext each, as long as the program itself does
///            not write to the module's attributes (Program::writes tells). What changes the module wants it for
///            itself.
class Module {
public:
  Module(Ref<ObjectValue> object, CodeCache &cache) : self(std::move(object)), cache(&cache) {}
  const ClassType &type() const { return *self->type; }
  const Ref<ObjectValue> &object() const { return self; }
  /// Null when there is none.
  Function *findMethod(llvm::StringRef name) const;
  //===-- What it holds -----------------------------------------------------===//
  bool hasAttribute(llvm::StringRef name) const;
  StatusOr<IValue> attribute(llvm::StringRef name) const;
  /// Of the module itself, or, with `recurse`, of all modules in it too; in the order in which attributes stand in
  /// their classes, where those of a submodule stand in its place.
  std::vector<ModuleAttribute> namedParameters(bool recurse = true) const;
  std::vector<ModuleAttribute> namedBuffers(bool recurse = true) const;
  /// All of them, parameters, buffers and submodules among them.
  std::vector<ModuleAttribute> namedAttributes(bool recurse = true) const;
  std::vector<Tensor> parameters(bool recurse = true) const;
  std::vector<Tensor> buffers(bool recurse = true) const;
  /// Its submodules, and the module with all that are in it, itself first.
  std::vector<NamedModule> namedChildren() const;
  std::vector<NamedModule> namedModules() const;
  std::vector<Module> children() const;
  std::vector<Module> modules() const;
  /// Calls `f` for the module and all in it, in the order of modules().
  void apply(llvm::function_ref<void(Module &)> f) const;
  /// The module at a path, "encoder.layers.0"; NotFound.
  StatusOr<Module> findModule(llvm::StringRef path) const;
  /// What PyTorch's Module::dump prints.
  void dump(llvm::raw_ostream &os, DumpOptions options = {}) const;

  //===-- Changing it -------------------------------------------------------===//
  // A frozen module holds no more than its code needs, and its code does not look at what was frozen.

  /// InvalidArgument: the value is not of the attribute's type; NotFound.
  Status setAttribute(llvm::StringRef name, IValue value) const;
  /// A new attribute of the module's class, with its value in this module; other modules of the class have none until
  /// it is set. One that is there must be of the same type and kind, and gets the value.
  Status registerAttribute(llvm::StringRef name, const Type *type, IValue value,
                           AttributeKind kind = AttributeKind::Regular) const;
  Status registerParameter(llvm::StringRef name, Tensor value) const;
  Status registerBuffer(llvm::StringRef name, Tensor value) const;
  /// Sets `training` of the module and of all in it that have it.
  void train(bool mode = true) const;
  void eval() const { train(false); }
  bool isTraining() const;
  /// Gives the floating-point parameters and buffers of the module and of all in it another dtype or device. A tensor
  /// that stands in several places stays one.
  Status to(std::optional<Device> device, std::optional<DType> dtype) const;
  /// A method of the class, `(self, inputs) -> …`, or `(self, inputs, result) -> …`, that runs before or after
  /// `forward` when the module itself is called, behind those that do already. Of all modules of the class.
  Status addForwardPreHook(llvm::StringRef method) const;
  Status addForwardHook(llvm::StringRef method) const;

  //===-- Calls -------------------------------------------------------------===//
  /// Calls the module itself, as `module(x)` does in Python: `forward`, with the module's hooks before and after it.
  /// What a hook gives, if not None, takes the place of the inputs or of the result.
  StatusOr<IValue> operator()(CallContext &context, std::vector<IValue> args, KeywordArguments kwargs = {}) const;
  /// Runs a method alone, as `module.forward(x)` does: hooks of other modules run where its code calls them.
  StatusOr<IValue> run(CallContext &context, llvm::StringRef method, std::vector<IValue> args,
                       KeywordArguments kwargs = {}) const;
  //===-- Copies ------------------------------------------------------------===//
  /// Another object of the class that holds the same values.
  Module copy() const;
  /// A copy that shares nothing that programs can write to. Tensors that share elements do so in the copy.
  Module deepcopy() const;
  /// As PyTorch's: a deep copy, or, with `inPlace`, new objects for the modules that hold the same values. Classes are
  /// shared: they do not change but by registerAttribute() and hooks.
  Module clone(bool inPlace = false) const;
  /// A copy that shares parameters, and objects of PyTorch's own classes, as packed weights, which do not change. Of
  /// the rest it has its own, as in deepcopy(), and of parameters that `mayShare` refuses.
  Module fork(llvm::function_ref<bool(const Tensor &)> mayShare = nullptr) const;
  /// A module that offers the methods named and no others, with the attributes that these cannot write read into their
  /// code, save those in `keep` (Transforms/Freezing.h). It holds no attribute that it does not need, and shares
  /// tensors and containers with this one, as PyTorch's does. `fates`, when given, receives what became of each
  /// attribute. With `forward` it offers the hooks too.
  StatusOr<Module> freeze(llvm::ArrayRef<std::string> methods, std::vector<std::string> keep = {},
                          std::vector<AttributeFate> *fates = nullptr) const;
  /// What runs where this method is called: of a frozen module, its own code; null for a method that it doesn't offer.
  const Graph *graphOf(const Function &method) const;

private:
  template <typename F> void visitAttributes(const std::string &prefix, bool recurse, F &&f) const;
  Status addHook(std::vector<std::string> ForwardHooks::*place, llvm::StringRef method, size_t numInputs) const;
  void dump(llvm::raw_ostream &os, DumpOptions options, llvm::SmallPtrSetImpl<const ObjectValue *> &printed) const;
  StatusOr<IValue> call(Function &method, CallContext &context, std::vector<IValue> args,
                        KeywordArguments kwargs) const;
  Ref<ObjectValue> self;
  CodeCache *cache;
  std::shared_ptr<const FrozenModule> frozen; ///< Null unless frozen. Shared by the copies of this, and by the cache.
};

struct NamedModule {
  std::string path;
  Module module;
};

} // namespace tsc

#endif
