//===- Evaluator.h - Python that runs while a program is loaded -*- C++ -*-===//
//
// Modules are made by Python: __init__ loops, branches, builds lists and calls
// constructors. The evaluator walks the trees of a dynamic subset of Python; what
// computes on tensors is compiled and run by the host. From the objects that
// result, ModuleTypes.cpp makes the classes and objects of compiled code.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FRONTEND_EVALUATOR_H
#define TSC_LIB_FRONTEND_EVALUATOR_H

#include "../Emitter/FunctionContext.h"
#include "Object.h"
#include "tsc/Frontend/Evaluator/Construction.h"
#include "tsc/Support/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"

namespace tsc::python {

enum class WrongCall : uint8_t;
struct NativeCall;
struct NativeFunction;
struct PercentValue;

/// Walks the trees of code that runs while a program is loaded, and owns the objects that it makes.
///
/// Ownership: borrows the compiler and the host; objects live as long as the evaluator.
/// Threads:   one at a time walks code (makeModule(), callByName(), runFile(), runMain(), runStatement()). Others may
///            compile bodies meanwhile, which asks for names and methods: a Walk holds the unit's definition lock, but
///            for the time in which the host runs what was compiled.
/// Errors:    an exception that nobody catches, and what the evaluator lacks, are reported; results are then absent.
class Evaluator final : public CodeEvaluator {
public:
  Evaluator(Compiler::Impl &compiler, ConstructionHost &host) : compiler(compiler), host(host) {}

  //===-- What the compiler asks for (CodeEvaluator.h) ----------------------===//
  bool runFile(SourceResolver &resolver) override;
  void beginSession(SourceResolver &resolver) override { user = &makeScope(resolver); }
  bool hasMain() const override { return !mainBlocks.empty(); }
  bool runMain() override;
  llvm::FailureOr<Ref<ObjectValue>> makeModule(StringRef name) override;
  bool usesModules(StringRef function) override;
  std::optional<IValue> callByName(StringRef function, std::vector<IValue> args,
                                   std::vector<std::pair<std::string, IValue>> kwargs) override;
  std::vector<std::string> moduleNames() override;
  SugaredValue *globalForCode(const SourceResolver &file, StringRef name, SourceRange range) override;
  std::optional<bool> isOneOf(const ModuleClass &type, const Tree *named, const Resolver &file, bool isExact) override;

  //===-- Prompt.cpp: statements one after the other ------------------------===//
  using CodeEvaluator::runStatement;
  bool runStatement(const Tree *statement, std::optional<std::string> *shown) override;
  bool hasGlobal(StringRef name) override { return user->globals.find(name); }
  std::vector<std::string> globalNames() override;
  std::optional<IValue> globalData(StringRef name) override;
  std::optional<std::string> reprOfModule(const IValue &value) override;
  void setGlobal(StringRef name, const IValue &value) override;

  //===-- What its own parts ask for ----------------------------------------===//
  /// Calls what is callable, one level deeper: too many nested calls are a RecursionError.
  Result call(const AnyValue &callee, const Arguments &arguments, SourceRange range);
  /// Calls what is callable, without counting levels.
  Result callAny(const AnyValue &callee, const Arguments &arguments, SourceRange range);
  /// Returns `object.name`, or raises an AttributeError.
  Result attribute(const AnyValue &object, StringRef name, SourceRange range);
  /// What compiled code sees of a module, made or brought up to date; null after a report.
  ObjectValue *compiledModule(InstanceObject &instance, SourceRange range);
  /// torch.jit.save.
  Result saveModule(InstanceObject &module, const AnyValue &path, SourceRange range);
  /// The module that a name of the file stands for: one that its code made, or one of a class that needs no arguments,
  /// made now. Without a name, the one that the file is about. Null when there is none; `failed` is set after a report.
  InstanceObject *findModule(StringRef name, bool &failed);
  /// What a name is among the globals of the user's file that the resolver reads; null when it is none.
  AnyValue *globalOf(const Tree *tree, const Resolver &of);
  /// Whether a class of the file can be made without arguments.
  static bool needsNoArguments(ClassObject &type);

private:
  enum class Flow : uint8_t { Next, Break, Continue, Return, Failed };
  using FramePtr = std::shared_ptr<Frame>;

  template <typename T, typename... Args> T *make(Args &&...args) {
    auto owned = std::make_unique<T>(std::forward<Args>(args)...);
    T *plain = owned.get();
    objects.push_back(std::move(owned));
    return plain;
  }
  template <typename... Args> std::nullopt_t fail(SourceRange range, const DiagnosticKind &kind, Args &&...args) {
    report(range, llvm::formatv(kind.format, std::forward<Args>(args)...).str(), kind);
    return std::nullopt;
  }
  /// A Python exception: `TypeError`, "what went wrong".
  std::nullopt_t raise(SourceRange range, StringRef type, const llvm::Twine &message);
  /// What CPython runs and the evaluator doesn't: no exception, so that no handler hides it.
  std::nullopt_t refuse(SourceRange range, const llvm::Twine &things);
  /// A refusal, or with it an exception, where there is no result to say so: of text, and of equality. What is
  /// evaluated around it fails.
  void refuseLater(const llvm::Twine &things);
  /// A KeyError with the key itself.
  std::nullopt_t raiseKeyError(SourceRange range, const AnyValue &key);
  std::nullopt_t raiseArgs(SourceRange range, StringRef type, std::vector<AnyValue> args);
  /// What a function of tsc/Python failed with: an exception, or what it doesn't have, which is refused.
  std::nullopt_t raiseStatus(SourceRange range, const Status &status);
  template <typename T> Result valueOf(StatusOr<T> result, SourceRange range) {
    return result.ok() ? Result(IValue(*std::move(result))) : raiseStatus(range, result.status());
  }
  std::nullopt_t raiseFrozen(SourceRange range, const llvm::Twine &message);
  bool usesModules(const Tree *tree, FileScope &file, llvm::DenseSet<const Tree *> &seen);
  /// What a name, or a name of a module's, is among the globals of a file; null when it is none.
  AnyValue *globalOf(const Tree *tree, FileScope &file);
  void noteAssignedNames(const Tree *tree, bool isConstructor);
  void report(SourceRange range, std::string message, const DiagnosticKind &kind);
  bool countStep(SourceRange range);
  /// Keeps threads that compile bodies away from the frontend, and from Python's objects, which compiling reads, while
  /// code is walked. Held by what walks code for others; outside() gives it back.
  class Walk {
  public:
    explicit Walk(Evaluator &evaluator) : evaluator(evaluator) {
      if (evaluator.walk)
        return; // within another one
      lock = evaluator.compiler.unit.lockDefinitions();
      evaluator.walk = this;
    }
    ~Walk() {
      if (lock.owns_lock())
        evaluator.walk = nullptr;
    }
    Walk(const Walk &) = delete;

  private:
    friend class Evaluator;
    Evaluator &evaluator;
    std::unique_lock<std::recursive_mutex> lock;
  };
  /// Calls `ask`, which asks the host for something, while other threads may compile: the host may wait for them.
  template <typename Ask> auto outside(Ask ask) {
    if (!walk)
      return ask();
    Walk *held = std::exchange(walk, nullptr);
    held->lock.unlock();
    auto taken = llvm::make_scope_exit([&] {
      held->lock.lock();
      walk = held;
    });
    return ask();
  }
  /// One level deeper into containers or modules, and one step. Refused, with a report, where they are nested too
  /// deeply, as those are that hold themselves, or have taken too many steps.
  class Nesting {
  public:
    explicit Nesting(Evaluator &evaluator) : evaluator(evaluator) { ++evaluator.nesting; }
    ~Nesting() { --evaluator.nesting; }
    Nesting(const Nesting &) = delete;
    bool isAllowed() const { return evaluator.mayNest(); }

  private:
    Evaluator &evaluator;
  };
  bool mayNest();
  /// What `count` more elements cost; a MemoryError where that is too much.
  bool countElements(int64_t count, int64_t times, SourceRange range);

  //===-- Statements.cpp ----------------------------------------------------===//
  Flow run(TreeList<Stmt> body, const FramePtr &frame, AnyValue &returned);
  Flow run(const Tree *statement, const FramePtr &frame, AnyValue &returned);
  Flow runFor(const For &tree, const FramePtr &frame, AnyValue &returned);
  Flow runWhile(const While &tree, const FramePtr &frame, AnyValue &returned);
  Flow runWith(const With &tree, const FramePtr &frame, AnyValue &returned);
  /// The items from number `first` on, and the body.
  Flow runWith(const With &tree, size_t first, const FramePtr &frame, AnyValue &returned);
  bool import(const Import &tree, Frame &frame);
  bool importFrom(const Import &tree, SourceResolver &from, Frame &frame);
  /// The names of a user's file, which is run on first use; null after a report. One that is being run has those that
  /// it has so far.
  FileScope *scopeOf(SourceResolver &file);
  FileScope &makeScope(SourceResolver &file);
  bool runStatements(FileScope &file);
  AnyValue *memberOf(FileScope &file, StringRef name, bool &failed);
  bool assign(const Tree *target, const AnyValue &value, const FramePtr &frame, const Tree *annotation = nullptr);
  bool augmentedAssign(const AugAssign &tree, const FramePtr &frame);
  Result changed(TreeOp op, const AnyValue &before, const AnyValue &by, SourceRange range);
  std::string mangled(StringRef name, const Frame &frame);
  bool decorate(AnyValue &value, const Tree *decorator, const FramePtr &frame);
  /// The grad mode of `torch.no_grad()` and its kin; nothing for other contexts and decorators.
  static std::optional<bool> gradModeOf(const AnyValue &callee, const AnyValue *given);
  bool unpack(TreeList<Expr> targets, const AnyValue &value, const FramePtr &frame, SourceRange range);
  void setName(StringRef name, const AnyValue &value, Frame &frame);
  bool erase(const Tree *target, const FramePtr &frame);
  Result define(const Def &def, const FramePtr &frame);
  Result defineClass(const ClassDef &tree, const FramePtr &frame);
  bool setBases(ClassObject &type, const ClassDef &tree, const FramePtr &frame);

  //===-- Exceptions.cpp ----------------------------------------------------===//
  /// An exception under way.
  struct Thrown {
    Diagnostic diagnostic; ///< What is said where nobody catches it.
    std::string type, message;
    AnyValue value; ///< The object that was raised, or made for a handler.
  };
  Flow runTry(const Try &tree, const FramePtr &frame, AnyValue &returned);
  Flow handle(const Try &tree, Thrown &thrown, const FramePtr &frame, AnyValue &returned, bool &isHandled);
  Flow runRaise(const Raise &tree, const FramePtr &frame);
  std::optional<bool> isCaughtBy(const Thrown &thrown, const AnyValue &handler, SourceRange range);
  /// Keeps a report for the `try` around here; false where there is none, or it is no exception.
  bool keepForHandlers(Diagnostic &diagnostic, const DiagnosticKind &kind, StringRef text);
  void throwAgain(Thrown thrown);
  AnyValue objectOf(Thrown &thrown);
  std::string exceptionText(const InstanceObject &exception);
  ClassObject *userException(StringRef fullName);
  InstanceObject *makeException(StringRef type, const Arguments &arguments);
  /// `type(object)`: of one of Python's own exceptions what its name gives.
  AnyValue classOf(const InstanceObject &instance);
  Flow runMatch(const Match &tree, const FramePtr &frame, AnyValue &returned);
  /// Whether a value fits a pattern, whose names for its parts are added to `captures`; nothing after a report.
  using Captures = std::vector<std::pair<StringRef, AnyValue>>;
  std::optional<bool> matches(const Tree *pattern, const AnyValue &value, const FramePtr &frame, Captures &captures);
  std::optional<bool> matchesSequence(const Tree *pattern, const AnyValue &value, const FramePtr &frame,
                                      Captures &captures);
  std::optional<bool> matchesClass(const Apply &pattern, const AnyValue &value, const FramePtr &frame,
                                   Captures &captures);

  //===-- Expressions.cpp ---------------------------------------------------===//
  Result eval(const Tree *tree, const FramePtr &frame);
  /// Evaluates without telling the compiler's observer.
  Result evalUnobserved(const Tree *tree, const FramePtr &frame);
  Result evalSelect(const Select &tree, const FramePtr &frame);
  Result evalBinary(const BinOp &tree, const FramePtr &frame);
  Result evalLogical(const BoolOp &tree, const FramePtr &frame);
  Result evalTernary(const Ternary &tree, const FramePtr &frame);
  /// Evaluates the comprehension of a list, a set or a dict.
  Result evalComprehension(const Tree *tree, const FramePtr &frame);
  Result evalLambda(const Lambda &tree, const FramePtr &frame);
  Result evalNamed(const NamedExpr &tree, const FramePtr &frame);
  Result lookUp(StringRef name, const FramePtr &frame, SourceRange range);
  AnyValue *findName(StringRef name, const FramePtr &frame, bool *isUnbound = nullptr);
  Result global(FileScope &file, StringRef name, SourceRange range);
  Result evalUnary(const UnaryOp &tree, const FramePtr &frame);
  Result evalCompare(const Compare &tree, const FramePtr &frame);
  /// The right operand of the comparison that was made last: in a chain it is the left one of the next.
  std::pair<const Tree *, AnyValue> lastCompared;
  Result evalSubscript(const Subscript &tree, const FramePtr &frame);
  Result evalFormat(const FormatString &tree, const FramePtr &frame);
  Result evalApply(const Apply &tree, const FramePtr &frame);
  /// The values of the trees from number `first` on.
  bool evalElements(TreeList<Expr> trees, const FramePtr &frame, std::vector<AnyValue> &values, size_t first = 0);
  bool generate(const GeneratorExpr &tree, const FramePtr &frame, llvm::function_ref<bool(const AnyValue &)> take);
  std::optional<Result> callOnGenerator(const AnyValue &callee, const Apply &tree, const FramePtr &frame,
                                        Arguments &arguments);
  bool comprehend(TreeList<Comprehension> loops, size_t level, const FramePtr &frame,
                  llvm::function_ref<bool(const FramePtr &)> body);
  Result evalDict(const DictLiteral &tree, const FramePtr &frame);
  Result evalIndex(const Subscript &tree, const FramePtr &frame);
  std::optional<std::vector<int64_t>> placesOf(const SliceObject &slice, size_t size, SourceRange range);
  Result tensorIndex(const Tree *tree, const FramePtr &frame);
  Result tensorSubscript(const AnyValue &object, const Subscript &tree, const FramePtr &frame, AnyValue *selection);
  Result callSelected(const AnyValue &part, const AnyValue &selected, SourceRange range);
  Result withoutLeadingOnes(const AnyValue &tensor, SourceRange range);
  bool putSelected(const AnyValue &part, const AnyValue &selected, const AnyValue &value, SourceRange range);
  bool setTensorPart(const AnyValue &part, const AnyValue &value, SourceRange range);
  /// The tensor stays what it is for all who hold it, and has the elements and the dtype of another one.
  void takeElements(const Tensor &to, const Tensor &from);
  bool setData(const AnyValue &tensor, const AnyValue &value, SourceRange range);
  Result subscript(const AnyValue &object, const AnyValue &index, SourceRange range);
  Result missing(DictObject &dict, const AnyValue &key, SourceRange range);
  Result slice(const AnyValue &object, const SliceObject &bounds, SourceRange range);
  bool setSlice(ListObject &list, const SliceObject &bounds, const AnyValue &value, SourceRange range);
  bool eraseLayer(InstanceObject &layers, int64_t index, SourceRange range);
  bool setItem(const AnyValue &object, const AnyValue &index, const AnyValue &value, SourceRange range);

  //===-- Operators.cpp -----------------------------------------------------===//
  Result binary(TreeOp op, const AnyValue &first, const AnyValue &second, SourceRange range);
  /// The sum of two sequences of one type, a sequence repeated, or a text formatted by `%`; nothing for other operands.
  std::optional<Result> ofSequences(TreeOp op, const AnyValue &lhs, const AnyValue &rhs, SourceRange range);
  template <typename Sequence>
  std::optional<Result> ofElements(TreeOp op, const Sequence &sequence, const AnyValue &rhs, SourceRange range);
  /// `int | float`
  Result unionOfTypes(const AnyValue &lhs, const AnyValue &rhs);
  Result merged(const DictObject &left, const DictObject &right, SourceRange range);
  /// A member of an enumeration of numbers or strings as its value; another value as it is.
  AnyValue withoutEnum(const AnyValue &value) const;
  Result ofNumbers(TreeOp op, const AnyValue &lhs, const AnyValue &rhs, SourceRange range);
  std::optional<Result> ofSets(TreeOp op, const SetObject &a, const SetObject &b);
  std::nullopt_t noOperator(TreeOp op, const AnyValue &lhs, const AnyValue &rhs, SourceRange range);

  //===-- Comparisons.cpp ---------------------------------------------------===//
  /// What a method of an object's class gives, as operators ask for it; nothing where there is no such method.
  std::optional<Result> callOwn(StringRef method, const AnyValue &self, std::vector<AnyValue> operands,
                                SourceRange range);
  /// An operator between two values, of which either's class may define it; nothing where neither does.
  std::optional<Result> callEither(StringRef method, StringRef reflected, const AnyValue &lhs, const AnyValue &rhs,
                                   SourceRange range);
  static bool isNotImplemented(const AnyValue &value);
  bool isSameKey(const AnyValue &a, const AnyValue &b);
  bool hasKey(const std::vector<AnyValue> &keys, const AnyValue &key);
  bool isHashable(const AnyValue &key, SourceRange range);
  Result compare(TreeOp op, const AnyValue &first, const AnyValue &second, SourceRange range);
  std::optional<bool> truth(const AnyValue &value, SourceRange range);
  bool equal(const AnyValue &first, const AnyValue &second);
  /// `is`, where names of libraries and of Python's own types are equal to themselves.
  bool isSameThing(const AnyValue &a, const AnyValue &b);
  std::optional<bool> contains(const AnyValue &container, const AnyValue &element, SourceRange range);
  /// The elements that a loop goes over.
  bool elements(const AnyValue &iterable, SourceRange range, std::vector<AnyValue> &result);

  //===-- Representations.cpp -----------------------------------------------===//
  std::string str(const AnyValue &value);
  std::string repr(const AnyValue &value);
  std::string reprElements(llvm::ArrayRef<AnyValue> values, StringRef open, StringRef close);
  /// `name=value, …` of what has named fields.
  std::string reprFields(llvm::ArrayRef<std::string> names, llvm::ArrayRef<AnyValue> values, StringRef between);
  std::string reprObject(const AnyValue &value);
  std::string reprTuple(const TupleObject &tuple);
  std::string reprSet(const SetObject &set);
  std::string reprInstance(InstanceObject &instance, const AnyValue &value);
  std::string reprClass(const ClassObject &type);
  std::string reprNative(const NativeObject &native);
  std::string reprData(const AnyValue &value);
  std::string reprModule(InstanceObject &module);
  std::string reprDict(DictObject &dict);
  std::optional<std::string> ownText(StringRef method, const AnyValue &value);
  static std::string reprType(StringRef name);
  static std::string addressed(const llvm::Twine &what, const AnyValue &value);
  static bool isTypeName(StringRef name);
  static bool isType(const AnyValue &value);

  //===-- Iteration.cpp -----------------------------------------------------===//
  /// An iterator over a value, or that value where it is one; null after a report.
  IteratorObject *iterate(const AnyValue &iterable, SourceRange range);
  /// The next element, absent at the end; false after a report.
  bool advance(IteratorObject &iterator, SourceRange range, std::optional<AnyValue> &next);
  bool advanceAll(IteratorObject &iterator, SourceRange range, std::vector<AnyValue> &row);
  static bool orderedElements(const SetObject &set, std::vector<AnyValue> &ordered);
  std::vector<AnyValue> viewed(const ViewObject &view);
  AnyValue entryOf(ViewObject::Part part, const AnyValue &key, const AnyValue &value);
  std::string typeName(const AnyValue &value);

  //===-- Calls.cpp ---------------------------------------------------------===//
  const llvm::StringSet<> &assignedIn(const Def &def);
  Result callFunction(FunctionObject &function, const Arguments &arguments, SourceRange range,
                      const AnyValue *self = nullptr);
  bool bind(TreeList<Param> params, StringRef name, FunctionObject &function, const Arguments &arguments,
            const AnyValue *self, SourceRange range, Frame &frame);
  Result construct(ClassObject &type, const Arguments &arguments, SourceRange range);
  bool initializeFields(InstanceObject &instance, const Arguments &arguments, SourceRange range);
  /// Lists and dicts of a module and those below it become what compiled code left.
  void takeOverContainers(InstanceObject &module);
  void takeOverContainers(InstanceObject &module, llvm::DenseSet<InstanceObject *> &seen);
  struct CompiledCall;
  bool prepareCall(InstanceObject &module, const Arguments &arguments, SourceRange range, CompiledCall &made);
  Result runCompiledCall(InstanceObject &module, CompiledCall &made, SourceRange range);
  Result walkModule(InstanceObject &module, FunctionObject &forward, Arguments arguments, SourceRange range);
  Result callModule(InstanceObject &module, const Arguments &arguments, SourceRange range);
  Result bindAttribute(const AnyValue &found, InstanceObject *self, ClassObject *type, SourceRange range);
  Result bindAttribute(const AnyValue &found, std::optional<AnyValue> self, ClassObject *type, SourceRange range);
  Result classAttribute(ClassObject &type, StringRef name, SourceRange range);
  Result instanceAttribute(InstanceObject &instance, StringRef name, SourceRange range);
  Result fileAttribute(FileScope &file, StringRef name, SourceRange range);
  Result superAttribute(const SuperObject &super, StringRef name, SourceRange range);
  Result noAttribute(const AnyValue &object, StringRef name, SourceRange range);
  bool setAttribute(const AnyValue &object, StringRef name, const AnyValue &value, SourceRange range,
                    const Tree *annotation = nullptr);

  //===-- Records.cpp -------------------------------------------------------===//
  /// The fields of a dataclass or NamedTuple, bases' first.
  std::vector<std::string> fieldsOf(const ClassObject &type);
  /// A class of this library's own; of NamedTuples, where it has fields.
  ClassObject *recordClass(StringRef name, std::vector<std::string> fields);
  Result makeNamedTuple(ClassObject &type, const Arguments &arguments, SourceRange range);
  Result makeNamedTupleClass(const Arguments &arguments, SourceRange range);
  std::optional<Result> namedTupleAttribute(TupleObject &tuple, StringRef name, SourceRange range);
  std::optional<Result> callNamedTuple(TupleObject &tuple, StringRef name, const Arguments &arguments,
                                       SourceRange range);
  /// The type of a NamedTuple of the user's in compiled code; null where it has none.
  const TupleType *compiledNamedTuple(const ClassObject &type);
  ClassObject *classOfNamedTuple(const TupleType &type);
  /// A value as compiled code takes it where it wants this type; absent after a report.
  std::optional<IValue> toDataOf(const AnyValue &value, const Type *type, SourceRange range);
  Result replaceFields(const AnyValue &object, const Arguments &changes, SourceRange range);
  Result asPlain(const AnyValue &value, bool asTuple, SourceRange range);

  //===-- Natives.cpp, Conversions.cpp, Containers.cpp ----------------------===//
  static bool isNative(StringRef name);
  static bool isMissingNative(StringRef name);
  struct Natives;
  struct ModuleMethods;
  struct ListMethods;
  struct DictMethods;
  struct SetMethods;
  struct StringMethods;
  bool checkArity(size_t least, size_t most, const NativeCall &call);
  bool knowsKeywords(StringRef known, const NativeCall &call);
  /// Calls the function of the row that has the call's name, if its arguments are as the row says.
  Result callRow(llvm::ArrayRef<NativeFunction> table, const NativeCall &call, WrongCall whenWrong);
  std::nullopt_t refuseArguments(const NativeCall &call);
  Result removeHook(const NativeObject &handle);
  Result callQualified(NativeObject &callee, const Arguments &arguments, SourceRange range);
  bool elementsInAnyOrder(const AnyValue &iterable, SourceRange range, std::vector<AnyValue> &values);
  IteratorObject *makeIterator(IteratorObject::Step step, StringRef name, llvm::ArrayRef<AnyValue> sources,
                               SourceRange range);
  IteratorObject *makeOwnIterator(const AnyValue &object);
  static bool isModuleContainer(const ClassObject &type);
  bool knowsMember(const LibraryObject &library, StringRef name);
  Result length(const AnyValue &value, SourceRange range);
  Result sorted(std::vector<AnyValue> values, const AnyValue &key, bool isReverse, SourceRange range);
  Result makeDict(const Arguments &arguments, SourceRange range);
  bool update(DictObject &dict, const Arguments &arguments, SourceRange range);
  Result makeSet(llvm::ArrayRef<AnyValue> values, SourceRange range);
  Result callArithmetic(StringRef name, const Arguments &arguments, SourceRange range);
  Result attributeIfAny(const AnyValue &object, StringRef name, bool &has, SourceRange range);
  Result callUntil(StringRef stop, StringRef method, const AnyValue &object, std::vector<AnyValue> operands,
                   SourceRange range, bool &isStopped);
  Result makeProperty(const Arguments &arguments, SourceRange range);
  std::optional<bool> isNativeSubclass(const AnyValue &type, const AnyValue &of);
  Result hash(const AnyValue &value, SourceRange range);
  Result isSubclass(const AnyValue &type, const AnyValue &of, SourceRange range);
  Result callSequence(NativeObject &callee, StringRef name, const Arguments &arguments, SourceRange range);
  Result callDict(DictObject &dict, StringRef name, const Arguments &arguments, SourceRange range);
  Result callSet(SetObject &set, StringRef name, const Arguments &arguments, SourceRange range);
  Result callString(const NativeCall &call);
  AnyValue native(StringRef name);
  Result callNative(NativeObject &callee, const Arguments &arguments, SourceRange range);
  Result elementOf(const AnyValue &tensor, StringRef type, SourceRange range);
  Result wholeNumber(const AnyValue &given, SourceRange range);
  Result callOnCharacter(llvm::StringRef name, const AnyValue &value, SourceRange range);
  Result callOfNumber(const NativeCall &call, StringRef group);
  Result callContainer(NativeObject &callee, const Arguments &arguments, SourceRange range);
  Result moveTensors(InstanceObject &self, const AnyValue &device, SourceRange range);
  Result callModuleNative(StringRef name, InstanceObject &self, const Arguments &arguments, SourceRange range);
  Result callMath(StringRef name, const Arguments &arguments, SourceRange range);
  Result isInstance(const AnyValue &object, const AnyValue &type, SourceRange range);
  Result extremum(bool isMax, const Arguments &arguments, SourceRange range);
  Result convert(StringRef type, const Arguments &arguments, SourceRange range);
  Result deepCopy(const AnyValue &value, SourceRange range);
  Result formatted(StringRef text, const Arguments &arguments, SourceRange range);
  Result percentFormatted(StringRef text, const AnyValue &given, SourceRange range);
  StatusOr<PercentValue> percentValue(const AnyValue &given, char letter, SourceRange range);
  std::optional<std::string> formatOne(const AnyValue &given, StringRef spec, SourceRange range);
  AnyValue copyOf(const AnyValue &value, std::map<const Object *, Object *> &copies,
                  std::map<const void *, AnyValue> &tensors);

  //===-- PythonLibraries.cpp -----------------------------------------------===//
  /// Calls what is here of Python's own libraries; nothing for other names.
  std::optional<Result> callPythonLibrary(StringRef path, const Arguments &arguments, SourceRange range);
  Result makeSpecialDict(DictObject::Flavor flavor, Arguments arguments, SourceRange range);
  bool countAll(DictObject &counter, const AnyValue &iterable, int64_t sign, SourceRange range);
  std::optional<Result> callCounter(DictObject &counter, StringRef name, const Arguments &arguments, SourceRange range);
  Result makeDeque(const Arguments &arguments, SourceRange range);
  static void trim(DequeObject &deque, bool fromLeft);
  Result callDeque(DequeObject &deque, StringRef name, const Arguments &arguments, SourceRange range);
  Result reduce(const Arguments &arguments, SourceRange range);
  Result callCached(CachedObject &cached, const Arguments &arguments, SourceRange range);
  Result makeCached(StringRef path, const AnyValue &function, const Arguments *options, SourceRange range);
  Result callGetter(const NativeObject &getter, const Arguments &arguments, SourceRange range);
  Result callOperator(StringRef name, const Arguments &arguments, SourceRange range);
  Result shallowCopy(const AnyValue &value, SourceRange range);
  Result callAutogradGrad(Arguments arguments, SourceRange range);

  //===-- Libraries.cpp -----------------------------------------------------===//
  Result library(StringRef path, SourceRange range);
  Result callLibrary(const LibraryObject &callee, const Arguments &arguments, SourceRange range);
  struct LibraryFunctions;
  Result callCompiled(StringRef path, const Arguments &arguments, SourceRange range);
  using Emit = llvm::function_ref<SugaredValue *(FunctionContext &, ArrayRef<NamedValue>, ArrayRef<NamedValue>)>;
  /// Compiles what `emit` makes of the arguments, runs it, and gives its result. Calls of one `key` whose arguments
  /// have the same types, and the same values where these are plain, share their code.
  Result runCompiled(StringRef key, const Arguments &arguments, SourceRange range, Emit emit);
  Result tensorAttribute(const AnyValue &tensor, StringRef name, SourceRange range);
  /// Returns an attribute of an object of a compiled class, such as an optimizer.
  Result compiledAttribute(const AnyValue &object, StringRef name, SourceRange range);
  Result callTensorMethod(const AnyValue &self, StringRef name, const Arguments &arguments, SourceRange range);
  /// A value as compiled code takes it; absent after a report.
  std::optional<IValue> toData(const AnyValue &value, SourceRange range);
  AnyValue fromData(const IValue &data);
  FileScope &libraryScope();
  Result makeParameter(const Arguments &arguments, SourceRange range);

  //===-- ModuleTypes.cpp ---------------------------------------------------===//
  friend class ModuleCompiler;
  Compiler::Impl &compiler;
  ConstructionHost &host;
  llvm::StringMap<Function *> compiledCalls;
  llvm::StringMap<ClassType *> moduleTypes;
  /// What lists and dicts have become, with their types, while a module and those below it are compiled.
  std::map<std::pair<const Object *, std::string>, IValue> sharedContainers;
  unsigned numBeingCompiled = 0;
  llvm::StringSet<> namesOfTypes;  ///< The qualified names that a class has; others of the name have mangled ones.
  llvm::StringSet<> assignedNames; ///< Attributes that code other than constructors assigns.
  std::deque<std::unique_ptr<Object>> objects;
  std::deque<FileScope> files;
  FileScope *user = nullptr, *nn = nullptr;
  std::vector<const If *> mainBlocks;
  llvm::DenseMap<const SourceResolver *, FileScope *> userFiles;
  std::vector<SourceRange> calls;                  ///< Those under way, outermost first.
  unsigned numTries = 0;                           ///< `try` statements whose bodies are running.
  std::optional<Thrown> pending;                   ///< What such a body raised, on its way to the handlers.
  std::vector<Thrown> handled;                     ///< What the handlers that are running caught, innermost last.
  AnyValue raised;                                 ///< The object of a `raise` that is being reported.
  llvm::StringMap<ClassObject *> exceptionClasses; ///< Python's own.
  llvm::StringMap<ClassObject *> recordClasses;
  std::vector<ClassObject *> namedTupleClasses;
  Walk *walk = nullptr; ///< The one of the thread that walks code; null where none does, and while the host is asked.
  uint64_t steps = 0, changes = 1;
  unsigned depth = 0, nesting = 0, numCompiled = 0;
  SourceRange userCall;        ///< The user's call whose library code is running; else none.
  bool isRefused = false;      ///< A refusal was reported where there was no result to say so: all fails from here on.
  bool isRaisedInside = false; ///< An exception was reported likewise: what is evaluated around it fails.
  llvm::DenseSet<const Tree *> decorated; ///< What a decorator replaced.
  std::map<const Def *, llvm::StringSet<>> assignedByFunction;
  llvm::DenseSet<const InstanceObject *> unbegun; ///< Modules whose Module.__init__ was not called yet.
  SourceRange lastStep;
};

} // namespace tsc::python

#endif
