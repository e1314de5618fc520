//===- Context.h - Owner of types, symbols, operators -----------*- C++ -*-===//
#ifndef TSC_IR_CONTEXT_H
#define TSC_IR_CONTEXT_H

#include "tsc/IR/Symbol.h"
#include "tsc/IR/Type.h"
#include <memory>

namespace tsc {

class ClassType;
class InterfaceType;
class EnumType;
class OperatorTable;
class SourceManager;
struct TensorFacts;

/// What a library keeps for a Context, see Context::extension.
class ContextExtension {
public:
  virtual ~ContextExtension();
};

/// Owns uniqued types and symbols, the operators' parsed schemas and source texts. Everything that shares types
/// shares a Context, which outlives it. Safe to use from many threads.
class Context {
public:
  Context();
  ~Context();
  Context(const Context &) = delete;

  Symbol symbol(StringRef qualified); ///< "aten::add"
  Symbol symbol(StringRef ns, StringRef name);

  const Type *listOf(const Type *element);
  /// Optional[Optional[T]] is Optional[T]; Optional[Any] is Any; Optional[None] is None.
  const Type *optionalOf(const Type *element);
  const Type *futureOf(const Type *element);
  const Type *awaitOf(const Type *element);
  const Type *rrefOf(const Type *element);
  const Type *dictOf(const Type *key, const Type *value);
  const TupleType *tupleOf(ArrayRef<const Type *> elements);
  /// The NamedTuple of that name; the one made first when it exists with the same fields.
  const TupleType *namedTuple(StringRef name, ArrayRef<std::string> fields, ArrayRef<const Type *> types);
  const TupleType *findNamedTuple(StringRef name);
  /// Flattened, subtypes absorbed; may collapse to a single type or an Optional.
  const Type *unionOf(ArrayRef<const Type *> members);
  const Type *typeVariable(StringRef name);
  const TensorType *tensor(const TensorFacts &facts);
  const Type *functionType(const Function *function);

  /// The class of that name, made opaque when nobody has made it.
  ClassType *classType(StringRef name);
  ClassType *findClass(StringRef name);
  InterfaceType *createInterface(StringRef name, bool isModule);
  InterfaceType *findInterface(StringRef name);
  EnumType *createEnum(StringRef name, const Type *valueType);
  EnumType *findEnum(StringRef name);
  /// A class, interface, enum or NamedTuple by name; null when there is none.
  const Type *findNamed(StringRef name);

  /// The least type that both are subtypes of, as if/else joins need it; null when only a Union (asked for by
  /// `allowUnion`) or Any would do.
  const Type *unify(const Type *a, const Type *b, bool allowUnion = false);

  /// The one T of this context, which a library above keeps here; made by T(Context &) when it is first asked for.
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
  std::unique_ptr<Extensions> extensions; ///< Last: they use all of the above.
};

} // namespace tsc

#endif
