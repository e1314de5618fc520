//===- Object.h - Objects of a program's classes ----------------*- C++ -*-===//
//
//   StatusOr<IValue> n = object.attribute("n", /*orElse=*/IValue(0));
//   Status defined = object.define("def twice(self, x):\n    return 2 * self.forward(x)\n");
//   StatusOr<IValue> y = object.runMethod(call, "twice", x);
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_OBJECT_H
#define TSC_RUNTIME_OBJECT_H

#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/Runtime/Dispatch/Arguments.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Executor/GraphExecutor.h"
#include "tsc/Transforms/Freezing.h"
#include <functional>
#include <future>
#include <utility>

namespace tsc {

class CompilationUnit;
class Method;

/// Calls a function: binds the arguments to its signature, runs it, and returns its result, or None where it has none.
/// Several results are a tuple. The arguments are moved away.
StatusOr<IValue> callFunction(const GraphExecutor &executor, Function &function, CallContext &context,
                              std::vector<IValue> &&args, const KeywordArguments &kwargs = {});

/// What objects ask of the program that their classes belong to: its functions, and the libraries above this one. A
/// Program is one. Who shares it keeps the program's types, code and executor alive.
class ObjectUnit {
public:
  virtual ~ObjectUnit();
  /// Returns the unit that owns the program's functions and methods.
  virtual CompilationUnit &compilationUnit() = 0;
  /// Returns a method that the text of a class has and that the class does not list yet, since modules of a file list
  /// methods when these are first asked for. Null where there is none, or after a report. It has been compiled with all
  /// that it calls, or that was reported. Any thread may ask.
  virtual Function *declareMethod(const ClassType &type, llvm::StringRef name) = 0;
  /// Does what Object::define() says.
  virtual Status define(ClassType &type, llvm::StringRef source) = 0;
  /// Does what Module::save() says.
  virtual StatusOr<std::string> saveObject(const IValue &object) = 0;
};

/// A value together with the program whose types and functions it may refer to: PyTorch's StrongTypePtr, for a value of
/// any type. The value alone, like each part of it, may be used as long as this exists, or the Program.
class StrongValue {
public:
  StrongValue(IValue value, std::shared_ptr<ObjectUnit> unit) : unit(std::move(unit)), held(std::move(value)) {}
  StrongValue(const StrongValue &) = default;
  StrongValue(StrongValue &&) = default;
  /// Lets the old value go before its program.
  StrongValue &operator=(StrongValue other) {
    std::swap(unit, other.unit);
    std::swap(held, other.held);
    return *this;
  }
  const IValue &value() const { return held; }

private:
  std::shared_ptr<ObjectUnit> unit; ///< Goes after the value, whose destructor looks at types.
  IValue held;
};

/// An object of a class, with the executor that runs its methods. Copies refer to the same object.
///
/// Ownership: shares the object; borrows the executor and whatever its class needs (context, compilation unit), or
///            shares them where `unit` owns them, as that of Program::findModule() and Program::object() does.
/// Threads:   `run` may be called from many threads at once with a CallContext each, as long as the program itself does
///            not write to the object's attributes (Program::writes says whether it does). So may findMethod(),
///            method() and methods(). Nothing else may use the object while a function changes it.
class Object {
public:
  Object(Ref<ObjectValue> object, const GraphExecutor &executor, std::shared_ptr<ObjectUnit> unit = nullptr)
      : owner(std::move(unit)), self(std::move(object)), executor(&executor) {}
  Object(const Object &) = default;
  Object(Object &&) = default;
  /// Lets the old object go before its program.
  Object &operator=(Object other) {
    std::swap(owner, other.owner);
    std::swap(self, other.self);
    std::swap(executor, other.executor);
    std::swap(frozen, other.frozen);
    return *this;
  }
  const ClassType &type() const { return *self->type; }
  const Ref<ObjectValue> &object() const { return self; }
  /// Whether it is what Module::freeze() made: attributes that became constants have the value None in it.
  bool isFrozen() const { return frozen != nullptr; }
  /// Returns the program that the class belongs to; null for an object that was made without one.
  const std::shared_ptr<ObjectUnit> &unit() const { return owner; }
  /// Returns the object as a value that may outlive the Program if unit() owns what the program needs.
  StrongValue strongValue() const { return StrongValue(IValue(self), owner); }

  //===-- Attributes and constants ------------------------------------------===//

  /// Returns the number of the object's slots, which is that of the attributes that have had a value.
  size_t numSlots() const { return self->slots.size(); }
  /// Whether the object has the attribute, with a value, or its class the constant.
  bool hasAttribute(llvm::StringRef name) const;
  /// Returns the value of an attribute, or of a constant of the class; NotFound where there is neither.
  StatusOr<IValue> attribute(llvm::StringRef name) const;
  /// Returns the value of an attribute, or of a constant of the class, or `orElse` where there is neither.
  IValue attribute(llvm::StringRef name, IValue orElse) const;
  /// Sets an attribute. NotFound where the class has no such attribute, InvalidArgument where the value is not of the
  /// attribute's type, or the name is that of a constant.
  Status setAttribute(llvm::StringRef name, IValue value) const;

  //===-- Methods -----------------------------------------------------------===//

  /// Returns the method called `name`, or null. Those that a file's text has are found, too, where there is a unit().
  Function *findMethod(llvm::StringRef name) const;
  /// Returns the method called `name`, bound to the object; NotFound names those that there are.
  StatusOr<Method> method(llvm::StringRef name) const;
  /// Returns all methods that the class lists, bound to the object.
  std::vector<Method> methods() const;
  /// Compiles methods (`def f(self, x): …`) and adds them to the object's class. The text may be indented as a whole.
  /// An argument without an annotation is a Tensor. InvalidArgument where one does not compile, or has the name of
  /// something that the class has: then none is added. FailedPrecondition for an object without a unit(),
  /// Unimplemented for a frozen module.
  Status define(llvm::StringRef source) const;
  /// Calls a method without the module's hooks, as `module.forward(x)` does. Hooks of other modules run where its code
  /// calls these.
  StatusOr<IValue> run(CallContext &context, llvm::StringRef method, std::vector<IValue> args,
                       KeywordArguments kwargs = {}) const;
  /// Calls a method of the class, which findMethod() gave, in the same way.
  StatusOr<IValue> run(CallContext &context, Function &method, std::vector<IValue> &&args,
                       const KeywordArguments &kwargs = {}) const;
  /// Calls a method by its name with these arguments, of which IValues are made.
  template <typename... Args>
  StatusOr<IValue> runMethod(CallContext &context, llvm::StringRef method, Args &&...args) const {
    return run(context, method, std::vector<IValue>{IValue(std::forward<Args>(args))...});
  }
  /// Returns the graph that a call of the method runs: in a frozen module its frozen graph, or null for a method that
  /// it does not have.
  const Graph *graphOf(const Function &method) const;

  //===-- Copies ------------------------------------------------------------===//

  /// Returns a new object of the class whose attributes hold the same values.
  Object copy() const;
  /// Returns a copy that shares nothing that programs can write to. Tensors that share elements do so in the copy.
  Object deepcopy() const;

protected:
  std::shared_ptr<ObjectUnit> owner; ///< Goes last. It may point to a program without owning it.
  Ref<ObjectValue> self;
  const GraphExecutor *executor;
  std::shared_ptr<const FrozenModule> frozen; ///< Null unless frozen. Copies of the module and the executor share it.

private:
  StatusOr<IValue> call(Function &method, CallContext &context, std::vector<IValue> &&args,
                        const KeywordArguments &kwargs) const;
};

/// A method bound to an object. It shares what the Object shares.
class Method {
public:
  Method(Object object, Function &function) : self(std::move(object)), called(&function) {}
  llvm::StringRef name() const { return called->name(); }
  const Object &owner() const { return self; }
  Function &function() const { return *called; }
  /// Returns the graph that a call runs (Object::graphOf).
  const Graph *graph() const { return self.graphOf(*called); }
  /// Calls the method, as Object::run() does.
  StatusOr<IValue> operator()(CallContext &context, std::vector<IValue> args, KeywordArguments kwargs = {}) const {
    return self.run(context, *called, std::move(args), kwargs);
  }
  /// Runs a task once, now or later, in any thread.
  using Launcher = std::function<void(std::function<void()> task)>;
  /// Lets `launch` make the call, and returns at once if that does. The future receives the result. `context` serves
  /// this call alone and must not go before it ends.
  std::future<StatusOr<IValue>> runAsync(CallContext &context, std::vector<IValue> args, KeywordArguments kwargs,
                                         const Launcher &launch) const;

private:
  Object self;
  Function *called;
};

} // namespace tsc

#endif
