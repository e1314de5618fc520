//===- Context.h - Owner of types, symbols, operators -----------*- C++ -*-===//
#ifndef TSC_IR_CONTEXT_H
#define TSC_IR_CONTEXT_H

#include "tsc/IR/Symbol.h"
#include "tsc/IR/Type.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>

namespace tsc {

class ClassType;
class InterfaceType;
class EnumType;
class OperatorTable;
class SourceManager;
struct TensorFacts;

/// The base of what is kept for a Context beside its types and operators; see Context::extension().
class ContextExtension {
public:
  virtual ~ContextExtension();
};

/// Owns uniqued types and symbols, the operators with their parsed schemas, and source texts. Everything that shares
/// types shares a Context, which outlives it. May be used from many threads at once.
class Context {
public:
  Context();
  ~Context();
  Context(const Context &) = delete;

  Symbol symbol(StringRef qualified);          ///< Interns a name of the form `ns::name`, which is asserted.
  Symbol symbol(StringRef ns, StringRef name); ///< Interns `ns::name`.

  // No type that is given to these is null.
  const Type *listOf(const Type *element);
  /// Returns Optional[element], where Optional[Optional[T]] is Optional[T], Optional[None] is None, and Optional of a
  /// Union is the Union with None. Optional[Any] is a type of its own.
  const Type *optionalOf(const Type *element);
  const Type *futureOf(const Type *element);
  const Type *awaitOf(const Type *element);
  const Type *rrefOf(const Type *element);
  const Type *dictOf(const Type *key, const Type *value);
  const TupleType *tupleOf(ArrayRef<const Type *> elements);
  /// Returns the NamedTuple of that name, fields and types, a field for each type, made on first use. Those of one name
  /// that differ in fields or types are different types.
  const TupleType *namedTuple(StringRef name, ArrayRef<std::string> fields, ArrayRef<const Type *> types);
  /// Returns the NamedTuple of that name that was made first, or null.
  const TupleType *findNamedTuple(StringRef name);
  /// Returns the Union of one or more types. Nested unions are flattened and subtypes absorbed, so that the result may
  /// be a single type or an Optional.
  const Type *unionOf(ArrayRef<const Type *> members);
  /// Returns a type like `type` with `parts` in place of its Type::contained(), of which there are as many: `int[]`
  /// with a Tensor becomes `Tensor[]`. A NamedTuple keeps its name and fields. Optionals and Unions are simplified as
  /// optionalOf() and unionOf() say.
  const Type *withContained(const Type *type, ArrayRef<const Type *> parts);
  /// Returns withContained() with what `map` returns for each contained type, or null where that is null for one.
  const Type *mapContained(const Type *type, llvm::function_ref<const Type *(const Type *)> map);
  /// Returns the type variable of that name, as schemas use it.
  const Type *typeVariable(StringRef name);
  /// Returns the tensor type with these facts.
  const TensorType *tensor(const TensorFacts &facts);
  /// Returns the type of a constant that is `function`.
  const Type *functionType(const Function *function);

  /// Returns the class of that name. One that nobody has made is made opaque, to be defined later or never.
  ClassType *classType(StringRef name);
  ClassType *findClass(StringRef name); ///< Returns the class of that name, or null.
  /// Returns the interface of that name, made without methods on first use.
  InterfaceType *createInterface(StringRef name, bool isModule);
  InterfaceType *findInterface(StringRef name); ///< Returns the interface of that name, or null.
  /// Returns the enum of that name, made without members on first use.
  EnumType *createEnum(StringRef name, const Type *valueType);
  EnumType *findEnum(StringRef name); ///< Returns the enum of that name, or null.
  /// Returns the interface, enum, NamedTuple or class of that name, or null.
  const Type *findNamed(StringRef name);

  /// Returns the type without what is known of its tensors, also in containers: `Float(2, 3)[]` becomes `Tensor[]`.
  const Type *unshaped(const Type *type);
  /// Returns a type that both are subtypes of, as the join of two branches needs it. Where only their Union would do,
  /// it returns that with `allowUnion`, and null without.
  const Type *unify(const Type *a, const Type *b, bool allowUnion = false);

  /// Returns the one T of this context, a ContextExtension, made by T(Context &) when it is first asked for. That
  /// constructor may ask for no extension.
  template <typename T> T &extension() {
    static const char key = 0;
    return static_cast<T &>(extension(
        &key, [](Context &context) -> std::unique_ptr<ContextExtension> { return std::make_unique<T>(context); }));
  }

  OperatorTable &operators() { return *operatorTable; }
  SourceManager &sources() { return *sourceManager; }

private:
  using MakeExtension = std::unique_ptr<ContextExtension> (*)(Context &context);
  ContextExtension &extension(const void *key, MakeExtension make);

  struct Impl;
  std::unique_ptr<Impl> impl;
  std::unique_ptr<SourceManager> sourceManager;
  std::unique_ptr<OperatorTable> operatorTable;
  struct Extensions;
  std::unique_ptr<Extensions> extensions; ///< Declared last, since extensions use all of the above when destroyed.
};

} // namespace tsc

#endif
