//===- Module.h - Calling functions and modules -----------------*- C++ -*-===//
//
//   Module module = …;                       // from an archive, or a class of a source file
//   CallContext call(context);
//   StatusOr<IValue> y = module.run(call, "forward", {x});
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_MODULE_H
#define TSC_RUNTIME_MODULE_H

#include "tsc/Runtime/Object.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tsc {

class Module;

/// An attribute's value, with its path from the module that was asked: "encoder.layers.0.weight".
struct ModuleAttribute {
  std::string path;
  IValue value;
};
/// A module with its path from the module that was asked, which itself has the empty path.
struct NamedModule;

/// What Module::dump prints.
struct DumpOptions {
  bool methods = true;    ///< Whether it prints the methods with their graphs.
  bool attributes = true; ///< Whether it prints the values of tensors among the attributes; it always prints others.
  bool parameters = true; ///< Whether it prints the values of parameters.
};

/// An object that is a module. Modules form a tree. Functions that walk it visit a module that has several places in it
/// once, as Python does, and a tensor under each of its names. Modules that these functions return share the unit.
class Module : public Object {
public:
  using Object::Object;
  /// Takes an object whose class is one of modules, as Program::object() gives it.
  explicit Module(Object object) : Object(std::move(object)) {
    assert(type().isModule() && "an object that is a module");
  }
  /// Makes a class of modules without attributes and methods, and a module of it. A name without dots is one of
  /// `__torch__`. Where a type of that name exists, the class gets its mangledName() with `mangle`, and it is
  /// InvalidArgument without.
  static StatusOr<Module> create(llvm::StringRef className, std::shared_ptr<ObjectUnit> unit,
                                 const GraphExecutor &executor, bool mangle = false);
  /// Returns the module with another unit(), such as one that owns the program.
  Module withUnit(std::shared_ptr<ObjectUnit> unit) const;
  /// Returns the module with another executor that runs its methods: the module's own, or the asWritten() of that.
  Module withExecutor(const GraphExecutor &other) const;
  //===-- What it holds -----------------------------------------------------===//
  /// Returns the parameters of the module and, with `recurse`, of all modules in it, in the order in which their
  /// classes declare attributes. The parameters of a submodule stand in its place.
  std::vector<ModuleAttribute> namedParameters(bool recurse = true) const;
  /// Returns the buffers, in the same order.
  std::vector<ModuleAttribute> namedBuffers(bool recurse = true) const;
  /// Returns all attributes, in the same order, with parameters, buffers and submodules among them.
  std::vector<ModuleAttribute> namedAttributes(bool recurse = true) const;
  /// Returns the tensors of namedParameters().
  std::vector<Tensor> parameters(bool recurse = true) const;
  /// Returns the tensors of namedBuffers().
  std::vector<Tensor> buffers(bool recurse = true) const;
  /// Returns the modules that the module's attributes hold.
  std::vector<NamedModule> namedChildren() const;
  /// Returns the module itself, which comes first, and all modules in it.
  std::vector<NamedModule> namedModules() const;
  std::vector<Module> children() const;
  std::vector<Module> modules() const;
  /// Calls `f` for each of modules(), in their order.
  void apply(llvm::function_ref<void(Module &)> f) const;
  /// Returns the module at a path such as "encoder.layers.0", or NotFound. The empty path is the module's own.
  StatusOr<Module> findModule(llvm::StringRef path) const;
  /// Prints what PyTorch's Module::dump prints.
  void dump(llvm::raw_ostream &os, DumpOptions options = {}) const;

  //===-- Changing it -------------------------------------------------------===//
  // A frozen module has only the attributes that its code needs, and changing one that was frozen has no effect on it.

  /// Adds an attribute to the module's class, and sets its value in this module. Other modules of the class have no
  /// value until it is set. An attribute of that name must have the same type and kind, and gets the value.
  /// InvalidArgument where a constant has the name.
  Status registerAttribute(llvm::StringRef name, const Type *type, IValue value,
                           AttributeKind kind = AttributeKind::Regular) const;
  /// Adds a parameter, as registerAttribute() does.
  Status registerParameter(llvm::StringRef name, Tensor value) const;
  /// Adds a buffer, as registerAttribute() does.
  Status registerBuffer(llvm::StringRef name, Tensor value) const;
  /// Sets the attribute `training` of the module and of all modules in it that have it.
  void train(bool mode = true) const;
  void eval() const { train(false); }
  bool isTraining() const;
  /// Moves the parameters and buffers of the module and of all modules in it to a device, converts those of them that
  /// are floating-point or complex to a dtype, or both. A tensor that several attributes hold stays one. A complex
  /// tensor keeps its dtype where `dtype` is real. InvalidArgument where `dtype` is neither floating-point nor complex.
  Status to(std::optional<Device> device, std::optional<DType> dtype) const;
  /// Lets a method of the class, `(self, inputs) -> …`, run before `forward` when a module of the class is called,
  /// after the hooks that do so already. Applies to all modules of the class.
  Status addForwardPreHook(llvm::StringRef method) const;
  /// Lets a method of the class, `(self, inputs, result) -> …`, run after `forward` in the same way.
  Status addForwardHook(llvm::StringRef method) const;
  /// Adds a copy of a method of another module of the program to this module's class. Where the two modules have
  /// submodules under the same names, the copy takes those of this class for those of the other. InvalidArgument where
  /// the class has a method of that name, where modules of one class would become several, or where an attribute that
  /// the method uses is of another type in this class; NotFound where the other has no such method.
  Status cloneMethod(const Module &from, llvm::StringRef name) const;

  //===-- Calls -------------------------------------------------------------===//
  /// Calls the module itself, as `module(x)` does in Python: `forward`, with the module's hooks before and after it. A
  /// hook that does not return None replaces the inputs, or the result.
  StatusOr<IValue> operator()(CallContext &context, std::vector<IValue> args, KeywordArguments kwargs = {}) const;
  /// Calls the method `forward` without the module's hooks.
  StatusOr<IValue> forward(CallContext &context, std::vector<IValue> args, KeywordArguments kwargs = {}) const {
    return run(context, "forward", std::move(args), std::move(kwargs));
  }

  //===-- Copies and files --------------------------------------------------===//

  /// Returns a new module of the class whose attributes hold the same values.
  Module copy() const;
  /// Returns a deep copy (Object::deepcopy).
  Module deepcopy() const;
  /// Returns a deep copy, or, with `inPlace`, new objects for all modules, whose attributes hold the same values, as
  /// PyTorch's clone does. Classes are shared; only registerAttribute() and hooks change them.
  Module clone(bool inPlace = false) const;
  /// Returns a copy that shares the parameters, and objects of PyTorch's own classes, such as packed weights, which do
  /// not change. Everything else is copied as by deepcopy(), and so are parameters for which `mayShare` returns false.
  Module fork(llvm::function_ref<bool(const Tensor &)> mayShare = nullptr) const;
  /// Returns a module that has the methods named (with `forward`, its hooks too) and no others. Attributes that these
  /// methods cannot write become constants of their code, save those named in `keep` (Transforms/Freezing.h). It has no
  /// attribute that it does not need, and shares tensors and containers with this module, as PyTorch's freeze does.
  /// `fates`, if given, receives how each attribute was treated. NotFound where there is no such method.
  StatusOr<Module> freeze(llvm::ArrayRef<std::string> methods, std::vector<std::string> keep = {},
                          std::vector<AttributeFate> *fates = nullptr) const;
  /// Returns the bytes of an archive of the module, as torch.jit.save writes them. FailedPrecondition for a module
  /// without a unit(); Unimplemented for a frozen one (Program::freezeToSave writes these).
  StatusOr<std::string> save() const;
  /// Writes these bytes to a file, which is replaced as a whole. InvalidArgument where it cannot be written.
  Status save(const std::string &path) const;

private:
  template <typename F> void visitAttributes(const std::string &prefix, bool recurse, F &&f) const;
  Status addHook(std::vector<std::string> ForwardHooks::*place, llvm::StringRef method, size_t numInputs) const;
  void dump(llvm::raw_ostream &os, DumpOptions options, llvm::SmallPtrSetImpl<const ObjectValue *> &printed) const;
  /// Returns the module that an object within this one is.
  Module within(ObjectValue &object) const { return Module(Ref<ObjectValue>::share(&object), *executor, owner); }
};

/// A module, and its path from the one that was asked, as in "encoder.layers.0"; empty for that one itself.
struct NamedModule {
  std::string path;
  Module module;
};

} // namespace tsc

#endif
