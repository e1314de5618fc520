//===- Object.h - Values of code that runs while loading --------*- C++ -*-===//
//
// Numbers, strings, tensors and whatever else compiled code has a type for are
// IValues. All else that Python has (lists of anything, classes, functions,
// modules being built) is an Object of the evaluator's.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FRONTEND_EVALUATOR_OBJECT_H
#define TSC_LIB_FRONTEND_EVALUATOR_OBJECT_H

#include "../Emitter/CodeEvaluator.h"
#include "../Emitter/CompilerImpl.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/IValue.h"
#include "llvm/ADT/StringSet.h"
#include <deque>
#include <map>

namespace tsc::python {

/// The classes of objects below, each of which has one kind.
enum class ObjectKind : uint8_t {
  List,
  Tuple,
  Dict,
  Set,
  Range,
  View,
  Iterator,
  Slice,
  Deque,
  Function,
  Bound,
  Native,
  Partial,
  Cached,
  Library,
  File,
  TensorMethod,
  Class,
  Instance,
  Super,
  State
};

/// The base of what Python has and compiled code has no type for. Objects are compared by identity unless Python says
/// otherwise.
struct Object {
  explicit Object(ObjectKind kind) : kind(kind) {}
  virtual ~Object() = default;
  const ObjectKind kind;
};

/// What an expression gives. The evaluator owns objects until the end of the program.
struct AnyValue {
  AnyValue() = default;
  AnyValue(IValue data, bool isParameter = false) : data(std::move(data)), isParameter(isParameter) {}
  AnyValue(Object *object) : object(object) {}
  IValue data;
  Object *object = nullptr;
  bool isParameter = false; ///< A tensor that torch.nn.Parameter made.
  bool isDType = false;     ///< A dtype, which is an int to compiled code.
  StringRef constantName;   ///< The name of a layout or a memory format, which is an int there too: "channels_last".
  bool isNone() const { return !object && data.isNone(); }
  bool isTensor() const { return !object && data.isTensor(); }
  bool isString() const { return !object && data.isString(); }
  bool isInt() const { return !object && (data.isInt() || data.isBool()); }
  bool isNumber() const { return !object && (data.isInt() || data.isBool() || data.isDouble()); }
  double toDouble() const { return data.isDouble() ? data.toDouble() : static_cast<double>(data.toInt()); }
  template <typename T> T *as() const { return object ? llvm::dyn_cast<T>(object) : nullptr; }
};

/// Whether a value is an optimizer or a scheduler of the prelude.
bool isOfOptim(const AnyValue &object);

/// The names of a `global` or `nonlocal` statement.
std::vector<StringRef> namesOfGlobal(const Tree &statement);

/// Absent after a report.
using Result = std::optional<AnyValue>;
/// An argument by name.
struct KeywordValue {
  std::string name;
  AnyValue value;
};
/// The arguments of a call.
struct Arguments {
  std::vector<AnyValue> positional;
  std::vector<KeywordValue> keywords;
};

/// The base of the class for a kind of object.
template <ObjectKind K> struct ObjectOf : Object {
  ObjectOf() : Object(K) {}
  static bool classof(const Object *o) { return o->kind == K; }
};

struct ClassObject;
/// A list of anything.
struct ListObject final : ObjectOf<ObjectKind::List> {
  std::vector<AnyValue> elements;
};
/// A tuple, and what Python makes of tuples: NamedTuples, torch.Size, the results of operators, unions of types.
struct TupleObject final : ObjectOf<ObjectKind::Tuple> {
  std::vector<AnyValue> elements;
  bool isSize = false;  ///< A torch.Size, which prints as such.
  bool isUnion = false; ///< `int | float`: its types.
  /// The name of the operator that returned the tuple, and those of its results; empty for other tuples.
  std::string operatorName;
  std::vector<std::string> resultNames;
  const TupleType *compiledType =
      nullptr;                 ///< The type of a NamedTuple of compiled code, whose fields `resultNames` has.
  ClassObject *type = nullptr; ///< The class of a NamedTuple of the user's; null for other tuples.
};
/// A set or a frozenset. Elements are compared one by one.
struct SetObject final : ObjectOf<ObjectKind::Set> {
  std::vector<AnyValue> elements;
  bool isFrozen = false;
};
/// A dict, or one of collections' classes of dicts. It keeps the order of insertion. Keys are compared one by one:
/// dicts of configurations are small.
struct DictObject final : ObjectOf<ObjectKind::Dict> {
  std::vector<std::pair<AnyValue, AnyValue>> entries;
  /// Its class: dict, OrderedDict, defaultdict or Counter.
  enum class Flavor : uint8_t { Plain, Ordered, Default, Counter } flavor = Flavor::Plain;
  AnyValue factory; ///< Makes the value of a key that a defaultdict lacks.
};
/// `slice(start, stop, step)`
struct SliceObject final : ObjectOf<ObjectKind::Slice> {
  AnyValue start, stop, step;
};
/// A collections.deque.
struct DequeObject final : ObjectOf<ObjectKind::Deque> {
  std::vector<AnyValue> elements;
  std::optional<size_t> limit; ///< `maxlen`.
};

/// `range(start, stop, step)`
struct RangeObject final : ObjectOf<ObjectKind::Range> {
  int64_t start = 0, stop = 0, step = 1;
  /// How many numbers it has; they fit in an int64_t where the elements do.
  uint64_t size() const;
  int64_t at(uint64_t index) const {
    return static_cast<int64_t>(static_cast<uint64_t>(start) + index * static_cast<uint64_t>(step));
  }
};
/// `d.keys()`, `d.values()`, `d.items()`: what the dict holds when it is asked.
struct ViewObject final : ObjectOf<ObjectKind::View> {
  /// What of the dict's entries it shows.
  enum class Part : uint8_t { Keys, Values, Items } part = Part::Keys;
  DictObject *dict = nullptr;
};
/// What `iter(x)` gives, and so what a loop goes over: it reads its source when the next element is asked for, and is
/// then one element shorter.
struct IteratorObject final : ObjectOf<ObjectKind::Iterator> {
  /// Where the next element comes from.
  enum class Step : uint8_t {
    Elements, ///< Those that were there when it was made.
    Living,   ///< It reads a list, which may change meanwhile.
    Entries,  ///< It reads a dict or a view, which must keep its size.
    Numbers,  ///< It counts the numbers of a range.
    Own,      ///< `__next__` of an object.
    Items,    ///< `__getitem__` of an object, by 0, 1, … up to an IndexError.
    Zip,
    Enumerate,
    Map,
    Filter
  } step = Step::Elements;
  std::string name;               ///< Python's name of its type: "list_iterator".
  std::vector<AnyValue> elements; ///< The elements, or the iterators that Zip, Map, Filter and Enumerate ask.
  AnyValue source;                ///< A list, dict, view, range or object; of Map and Filter the function.
  uint64_t next = 0;
  int64_t start = 0; ///< The first number of Enumerate, or how many Entries there were.
  bool isDone = false;
  bool isStrict = false; ///< Whether the iterators of Zip are to end together.
};

struct FileScope;

/// The variables of a call, and those around it that a nested function sees.
struct Frame {
  std::map<std::string, AnyValue, std::less<>> locals;
  const llvm::StringSet<> *assigned = nullptr; ///< Names that are local since the function assigns them; may be null.
  bool isComprehension = false;                ///< `:=` assigns in the frame around it.
  std::shared_ptr<Frame> outer;
  FileScope *file = nullptr;
  ClassObject *owner = nullptr;    ///< The class in whose body the function stands.
  AnyValue self;                   ///< The first argument, for super().
  ClassObject *body = nullptr;     ///< The class in whose body statements run, to which names go; null elsewhere.
  std::vector<StringRef> global;   ///< Names that `global` sends to the file.
  std::vector<StringRef> nonlocal; ///< Names that `nonlocal` sends to a function around this one.
};

/// A `def` or a lambda.
struct FunctionObject final : ObjectOf<ObjectKind::Function> {
  const Tree *tree = nullptr;
  FileScope *file = nullptr;
  std::shared_ptr<Frame> closure;
  ClassObject *owner = nullptr;
  std::map<const Tree *, AnyValue>
      defaults; ///< The default of each parameter that has one, evaluated when the function was defined.
  using Binding = ModuleMethod::Binding;
  Binding binding = Binding::Method;
  FunctionObject *setter = nullptr; ///< What sets a property; null where nothing does.
  std::optional<bool> gradMode;     ///< The grad mode that `@torch.no_grad()` and its kin let it run in.
  std::string wrappedName;          ///< `__name__`, where functools.wraps gave it another one.
  bool isAbstract = false;          ///< Marked by abc.abstractmethod.
};
/// A method of an object.
struct BoundObject final : ObjectOf<ObjectKind::Bound> {
  AnyValue self;
  FunctionObject *function = nullptr;
};
/// A function or type of Python's that the evaluator itself implements, or a method of a list, dict or string.
struct NativeObject final : ObjectOf<ObjectKind::Native> {
  std::string name; ///< "len", "list.append".
  AnyValue self;
};
/// What functools.partial made.
struct PartialObject final : ObjectOf<ObjectKind::Partial> {
  AnyValue function;
  Arguments given;
};
/// A function of functools.lru_cache or functools.cache, with what it gave lately, the newest last.
struct CachedObject final : ObjectOf<ObjectKind::Cached> {
  AnyValue function;
  std::optional<size_t> limit;
  std::vector<std::pair<AnyValue, AnyValue>> results; ///< Each result, behind the tuple of its arguments.
};
/// A name of a library that compiled code knows too: `torch.zeros`, `torch.nn.functional`.
struct LibraryObject final : ObjectOf<ObjectKind::Library> {
  std::string path;
};
/// A file of the user's that another one imported, as a module.
struct FileObject final : ObjectOf<ObjectKind::File> {
  FileScope *file = nullptr;
};
/// A method of a tensor.
struct TensorMethodObject final : ObjectOf<ObjectKind::TensorMethod> {
  AnyValue self;
  std::string name;
};

/// Attributes in the order in which they were first set.
template <typename T> class OrderedMap {
public:
  /// Returns the value under a name, or null. Valid until a name is added or erased.
  T *find(StringRef name) {
    auto it = index.find(name);
    return it == index.end() ? nullptr : &entries[it->second].second;
  }
  T &operator[](StringRef name) {
    if (T *known = find(name))
      return *known;
    index[name] = entries.size();
    return entries.emplace_back(name.str(), T()).second;
  }
  /// Removes a name. Returns whether it was there. It takes time in proportion to the number of names.
  bool erase(StringRef name) {
    auto it = index.find(name);
    if (it == index.end())
      return false;
    entries.erase(entries.begin() + it->second);
    index.clear();
    for (auto [i, entry] : llvm::enumerate(entries))
      index[entry.first] = i;
    return true;
  }
  auto begin() { return entries.begin(); }
  auto end() { return entries.end(); }
  size_t size() const { return entries.size(); }

private:
  std::vector<std::pair<std::string, T>> entries;
  llvm::StringMap<size_t> index;
};

/// A class of the user's files or of torch.nn. Only those of modules are seen by the compiler.
struct ClassObject final : ObjectOf<ObjectKind::Class>, ModuleClass {
  const ClassDef *tree = nullptr;
  FileScope *file = nullptr;
  std::vector<ClassObject *> order; ///< How attributes are looked up: the class itself, then its bases.
  OrderedMap<AnyValue> attributes;
  bool isModule = false;
  bool isDataclass = false;
  bool isFrozen = false;   ///< A dataclass whose fields keep their values.
  bool isOrdered = false;  ///< A dataclass that is compared by its fields.
  bool isAbstract = false; ///< Derives from abc.ABC.
  bool isNamedTuple = false;
  std::vector<std::string> fields; ///< The fields of what namedtuple() made; of other classes the annotations say them.
  const EnumType *members = nullptr; ///< The type of an enumeration in compiled code; null for other classes.
  std::string exceptionBase; ///< Python's class of exceptions that it is, or derives from; empty for other classes.
  bool derivesFrom(const ClassObject *other) const { return llvm::is_contained(order, other); }
  bool derivesFrom(StringRef library) const override {
    return llvm::any_of(order, [&](const ClassObject *c) { return c->isLibrary && c->name == library; });
  }
  bool derivesFromUsers(StringRef user) const override {
    return llvm::any_of(order, [&](const ClassObject *c) { return !c->isLibrary && c->name == user; });
  }
  std::optional<ModuleMethod> findMethod(StringRef attribute, const ModuleClass *after = nullptr) const override;
  void forEachAttribute(llvm::function_ref<void(StringRef name, const ModuleMethod &method)> visit) const override;
  /// Returns the attribute of the class, or of the first of those it derives from that has it, or null. With `after`,
  /// only the classes behind that one are asked.
  AnyValue *find(StringRef attribute, const ClassObject *after = nullptr) {
    for (ClassObject *one : order) {
      if (after) {
        if (one == after)
          after = nullptr;
        continue;
      }
      if (AnyValue *value = one->attributes.find(attribute))
        return value;
    }
    return nullptr;
  }

private:
  /// Returns what the compiler sees of one of the class's own attributes.
  ModuleMethod methodOf(const AnyValue &value) const;
};

/// What an attribute of a module is to torch.nn.
enum class SlotKind : uint8_t { Regular, Parameter, Buffer, Module };

/// An attribute of an object.
struct Slot {
  AnyValue value;
  SlotKind kind = SlotKind::Regular;
  bool isPersistent = true;
  const Tree *annotation = nullptr; ///< The annotation in `self.x: T = …`, or null.
};

/// An object of a class of the user's or of torch.nn.
struct InstanceObject final : ObjectOf<ObjectKind::Instance> {
  ClassObject *type = nullptr;
  OrderedMap<Slot> slots;
  std::vector<FunctionObject *> preHooks, hooks; ///< A module's hooks, in the order in which they were registered.
  Ref<ObjectValue> compiled;                     ///< What compiled code sees; null until it is asked for.
  uint64_t compiledAt = 0;                       ///< The evaluator's count of changes then.
  bool isBeingCompiled = false;
  SourceRange madeAt; ///< The user's call that made it, or made what made it.
};

/// What an optimizer's state_dict() gives. Its entries are not laid out as PyTorch's are, so a program can keep it,
/// save it and give it back, and not look into it.
struct StateObject final : ObjectOf<ObjectKind::State> {
  IValue data; ///< A Dict[str, Tensor].
};
/// `super()`: attributes of `self` from the classes behind `after`.
struct SuperObject final : ObjectOf<ObjectKind::Super> {
  InstanceObject *self = nullptr;
  ClassObject *after = nullptr;
};

/// The names of a file. Those of the library's files are defined when they are first wanted.
struct FileScope {
  SourceResolver *resolver = nullptr;
  OrderedMap<AnyValue> globals;
  std::shared_ptr<Frame> frame; ///< The frame in which the statements of a user's file run; null for a library's.
  bool isLibrary = false;
  std::string name; ///< What `__name__` is.
};

} // namespace tsc::python

#endif
