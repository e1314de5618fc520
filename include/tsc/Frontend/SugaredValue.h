//===- SugaredValue.h - What an expression may denote -----------*- C++ -*-===//
//
// Most expressions denote a Value of the graph. Others denote something that
// exists only while compiling: a function, a class, a Python module, a method
// bound to an object, a range. A SugaredValue is either, and answers what one can
// do with it: read an attribute, call it, iterate it, turn it into a Value.
//
// Ownership: whoever makes them keeps them in a SugaredArena; all others hold
// plain pointers. Errors: reported to the emitter's diagnostics, then null.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FRONTEND_SUGAREDVALUE_H
#define TSC_FRONTEND_SUGAREDVALUE_H

#include "tsc/IR/IValue.h"
#include "tsc/IR/Symbol.h"
#include "tsc/Support/Source.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>
#include <vector>

namespace tsc {

class EmitterContext;
struct NamedValue;
class Value;

/// What an expression denotes, for the casts between the subclasses of SugaredValue.
enum class SugaredKind : uint8_t {
  Simple,          ///< A Value of the graph.
  Constant,        ///< A constant that has no node yet: `math.pi`.
  Namespace,       ///< A module of Python's libraries, or of an archive.
  File,            ///< A file of the user's that another one imports, or a folder of such files.
  Builtin,         ///< An operator, perhaps with its first argument (`x.add`).
  Form,            ///< A name that is compiled by the syntax around it, such as `isinstance`.
  Cast,            ///< A type that converts when it is called: `int`, `float`.
  Function,        ///< A compiled function, or several overloads of one.
  FlaggedFunction, ///< A library function with a version for each value of some flags.
  Method,          ///< A method bound to an object.
  Class,           ///< A class, which makes objects when it is called.
  NamedTuple,      ///< A NamedTuple class.
  EnumClass,       ///< An enumeration.
  Tuple,           ///< Several sugared values of which no tuple was made yet.
  Range,           ///< `range(…)`.
  IterableTree,    ///< `zip` and `enumerate`: several iterables in step.
  TypeName,        ///< A name that denotes a type where a value is expected: `List[int]`.
  Closure,         ///< A function that each call compiles for its arguments: a lambda, a nested `def`.
  Partial,         ///< `functools.partial(f, …)`.
  Keywords,        ///< The arguments that a `**options` parameter holds.
  Super,           ///< `super()` in a method.
  ModuleForm,      ///< A method of modules and their containers that is compiled away: `self.parameters()`.
  Exception,       ///< The exception that `except … as e` has caught.
  NewException,    ///< `self` or `super()` in the `__init__` of an exception.
  ChosenModule,    ///< An element of a container of modules, at an index that is known at run time.
  OfHost,          ///< A kind that somebody outside of the frontend defines.
  Undefined        ///< A variable without a value.
};

/// How many values the left side of an assignment takes apart; nothing when it takes the whole value.
using NumBinders = std::optional<unsigned>;

/// What an expression denotes while it is compiled. Somebody outside of the frontend derives kinds of their own from it
/// (SugaredKind::OfHost), and does with the EmitterContext (tsc/Frontend/EmitterContext.h) what they are for. A kind
/// that cannot do what a function asks for reports that to the emitter's diagnostics, and the function returns null,
/// false or nothing.
class SugaredValue {
public:
  /// Each subclass hands in its own kind.
  explicit SugaredValue(SugaredKind kind) : sugaredKind(kind) {}
  virtual ~SugaredValue();
  SugaredKind kind() const { return sugaredKind; }
  /// Returns what messages call it: "function", "module 'torch'", "value of type 'Tensor'".
  virtual std::string describe() const = 0;

  /// Returns it as a value of the graph. Inserts nodes at the emitter's insertion point where that takes any.
  virtual Value *asValue(EmitterContext &e, SourceRange range);
  /// Returns what `value.name` denotes.
  virtual SugaredValue *attribute(EmitterContext &e, SourceRange range, llvm::StringRef name);
  /// Whether `value.name` denotes something. Reports nothing.
  virtual bool hasAttribute(EmitterContext &e, llvm::StringRef name) { return false; }
  /// Compiles `value.name = newValue`.
  virtual bool setAttribute(EmitterContext &e, SourceRange range, llvm::StringRef name, Value *newValue);
  /// Compiles `value(args, **kwargs)` and returns what the call denotes.
  virtual SugaredValue *call(EmitterContext &e, SourceRange range, llvm::ArrayRef<NamedValue> args,
                             llvm::ArrayRef<NamedValue> kwargs);
  /// Returns its elements, for `a, b = value`. `count` is the number of elements that the left side expects.
  virtual std::optional<llvm::SmallVector<SugaredValue *, 4>> asTuple(EmitterContext &e, SourceRange range,
                                                                      NumBinders count);

  // Iteration.

  /// Returns what length(), element() and staticLength() work on: for a dict its keys, for most kinds itself.
  virtual SugaredValue *iterable(EmitterContext &e, SourceRange range);
  /// Returns the number of elements as an int of the graph.
  virtual Value *length(EmitterContext &e, SourceRange range);
  /// Returns the element at `index`. `hint` is the type that the element should have, or null.
  virtual SugaredValue *element(EmitterContext &e, SourceRange range, Value *index, const Type *hint = nullptr);
  /// Returns the number of elements where a loop over them has to be unrolled, as for tuples, whose elements differ in
  /// type, and nothing otherwise.
  virtual std::optional<unsigned> staticLength() const { return std::nullopt; }

private:
  SugaredKind sugaredKind;
};

/// Owns sugared values.
class SugaredArena {
public:
  /// Makes a value that lives as long as the arena.
  template <typename T, typename... Args> T *make(Args &&...args) {
    auto owned = std::make_unique<T>(std::forward<Args>(args)...);
    T *plain = owned.get();
    values.push_back(std::move(owned));
    return plain;
  }

private:
  std::vector<std::unique_ptr<SugaredValue>> values;
};

} // namespace tsc

#endif
