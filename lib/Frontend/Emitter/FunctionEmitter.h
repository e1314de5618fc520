//===- FunctionEmitter.h - From the tree of a function to IR ------*- C++ -*-===//
//
// Emits one function body: statements into blocks, variables as Load and Store,
// return, break and continue as statements. The passes of Lowering.h then make a
// graph of it. Every member reports its own errors, and answers null or false.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FRONTEND_FUNCTIONEMITTER_H
#define TSC_LIB_FRONTEND_FUNCTIONEMITTER_H

#include "CompilerImpl.h"
#include "Environment.h"
#include "Refinement.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Frontend/EmitterContext.h"
#include "tsc/Frontend/Resolver.h"
#include "tsc/Frontend/Tree.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include <array>
#include <functional>
#include <map>

namespace tsc {

class ClosureSugar;

/// Expressions that are compiled by looking at their syntax: `annotate(T, x)`, `isinstance(x, T)`, …
enum class FormKind : uint8_t {
  Annotate,
  IsInstance,
  JitIsInstance,
  HasAttr,
  GetAttr,
  UncheckedCast,
  Uninitialized,
  Fork,
  Print,
  List,
  Dict,
  Tuple,
  Len,
  Enumerate,
  Zip,
  Range,
  Reversed,
  Super,
  NewObject,
  ToList,
  JitAttribute,
  TrueConstant,
  FalseConstant,
  Raise,
  CastTyping,
  Set,
  Iter,
  Partial,
  Counter,
  AssertNever,
  TypeOf,
  IsTensor
};

class FunctionEmitter : public EmitterContext {
public:
  FunctionEmitter(Compiler::Impl &compiler, Resolver &resolver, Graph &graph, FunctionEmitter *outer = nullptr)
      : EmitterContext(compiler.context, compiler.diags, graph), compiler(compiler), context(compiler.context),
        diags(compiler.diags), resolver(resolver), graph(graph), env(graph), outer(outer) {}

  /// The body of `function`, whose graph is ours. Sets the return type when it was not annotated.
  bool emitFunction(const Def &def, Function &function);
  /// Returns a tuple of the expressions.
  bool emitExpressions(ArrayRef<const Tree *> expressions, Function &function);

  Compiler::Impl &compiler;
  Context &context;
  DiagnosticEngine &diags;
  using EmitterContext::calledFrom;
  Resolver &resolver;
  Graph &graph;
  Environment env;
  FunctionEmitter *outer;            ///< Of a closure: where its free variables live.
  FunctionEmitter *caller = nullptr; ///< Of an instance or a forked body: what calls it, and hands on what it reads.
  std::vector<Value *> captured;     ///< Values of `caller` that the body reads, in order of its extra inputs.
  /// The right operand of the comparison that was emitted last: in a chain it is the left one of the next.
  std::pair<const Tree *, Value *> lastCompared;
  llvm::StringMap<Value *> knownCaptures; ///< By the variable's name.

  //===-- Helpers -----------------------------------------------------------===//
  SugaredValue *simple(Value *value);
  Value *constant(const IValue &value, SourceRange range);
  /// Lists and tuples of constants, made anew wherever they are used: nobody shares a list that could change.
  Value *madeAnew(const IValue &value, const Type *type, SourceRange range);
  /// The same for those among a call's arguments that are defaults.
  void makeDefaultsAnew(llvm::MutableArrayRef<Value *> inputs, SourceRange range);
  Value *none(SourceRange range) { return constant(IValue(), range); }
  Node *insertNode(Symbol kind, ArrayRef<Value *> inputs, unsigned outputs, SourceRange range);
  Value *insertValue(Symbol kind, ArrayRef<Value *> inputs, const Type *type, SourceRange range);
  const Type *annotationType(const Tree *tree);
  Value *makeTuple(ArrayRef<Value *> elements, SourceRange range);
  Value *makeList(const Type *element, ArrayRef<Value *> elements, SourceRange range);
  Value *castTo(Value *value, const Type *type, SourceRange range); ///< prim::unchecked_cast
  /// Implicit conversions of assignments and returns: Optional lists, Tensor to number, tuple to list.
  Value *convertTo(Value *value, const Type *type, SourceRange range, bool allowConversions);
  bool isLiteralNone(const Tree *tree) const;

  //===-- Expressions.cpp ---------------------------------------------------===//
  Value *emitExpr(const Tree *tree, const Type *hint = nullptr);
  SugaredValue *emitSugared(const Tree *tree, NumBinders binders = std::nullopt, const Type *hint = nullptr);
  SugaredValue *emitUnobserved(const Tree *tree, NumBinders binders, const Type *hint);
  void tellOf(const Tree &tree, const SugaredValue &value) const; ///< Tells the compiler's observer (Observation.cpp).
  Value *emitSimpleExpr(const Tree *tree, const Type *hint);
  SugaredValue *lookUp(StringRef name, SourceRange range, bool required = true);
  /// Whether a variable of this function, or of one it is nested in, has the name.
  bool isVisible(StringRef name) const;
  Value *emitUnary(const UnaryOp &tree);
  Value *emitNamed(const NamedExpr &tree, const Type *hint);
  Value *emitSetLiteral(const SetLiteral &tree, const Type *hint);
  Value *emitSetComp(const SetComp &tree, const Type *hint);
  SugaredValue *emitSetForm(const Apply &tree, const Type *hint);
  SugaredValue *emitCounterForm(const Apply &tree, const Type *hint);
  Value *makeContainer(ContainerKind kind, Value *list, SourceRange range);
  Value *makeEmpty(ContainerKind kind, const Type *hint, SourceRange range);
  Value *emitBinary(const BinOp &tree);
  Value *emitBinaryOn(TreeOp op, Value *lhs, Value *rhs, SourceRange range);
  StringRef spelling; ///< Of the operator whose operands are matched to overloads; empty for calls.
  Value *asPythonPower(Value *power);
  Value *emitListLiteral(const ListLiteral &tree, const Type *hint);
  /// Lists added up; the first one itself where it is alone.
  Value *joinLists(ArrayRef<Value *> lists, SourceRange range);
  Value *emitStarredList(const ListLiteral &tree, const Type *element);
  Value *emitTupleLiteral(const TupleLiteral &tree, const Type *hint);
  Value *emitDictLiteral(const DictLiteral &tree, const Type *hint);
  Value *makeDict(ArrayRef<Value *> keys, ArrayRef<Value *> values, const DictType *hint, SourceRange range);
  Value *emitListComp(const ListComp &tree, const Type *hint);
  Value *emitComprehension(const Tree *element, TreeList<Comprehension> loops, SourceRange range, const Type *hint);
  std::map<std::string, std::string, std::less<>> renamed; ///< Targets of comprehensions that hide other variables.
  std::string nameHere(StringRef name) const {
    auto found = renamed.find(std::string_view(name));
    return found == renamed.end() ? name.str() : found->second;
  }
  std::string placeOf(const Tree *tree) const;
  void hideTargets(const Tree *target);
  bool emitComprehensionLoops(TreeList<Comprehension> loops, llvm::function_ref<bool()> innermost);
  Value *emitDictComp(const DictComp &tree, const Type *hint);
  Value *emitFormatString(const FormatString &tree);
  Value *emitTernary(const Ternary &tree, const Type *hint);
  bool emitElements(TreeList<Expr> trees, llvm::SmallVectorImpl<Value *> &values, const Type *hint = nullptr);
  Value *tupleIndex(Value *tuple, const Type *element, int64_t index, SourceRange range);

  //===-- Conditions.cpp ----------------------------------------------------===//
  Condition emitCondition(const Tree *tree);
  Condition emitShortCircuit(const BoolOp &tree);
  Condition emitShortCircuitFrom(const BoolOp &tree, const Condition &left);
  Condition emitShortCircuit(SourceRange range, bool isOr, const Condition &left,
                             llvm::function_ref<Condition()> emitOther);
  Condition emitPresence(const Tree *tree, Value *value);
  Refinement testedPlace(const Tree *tree, const Value *value) const;
  Value *emitBoolOp(const BoolOp &tree, const Type *hint);
  Condition emitLogical(const BoolOp &tree, const Type *hint);
  Value *emitChoice(SourceRange range, Value *left, bool isOr, llvm::function_ref<Value *()> emitRight,
                    const Type *hint);
  bool isValueSurely(const Tree *tree) const;
  Condition emitIsNone(const Compare &tree, Value *lhs, Value *rhs);
  Condition emitIsInstance(const Apply &tree, FormKind form);
  /// Whether `object`, which `tested` gave, is of the types that `of` names; of a tensor where that is null.
  Condition emitIsInstance(const Tree *tested, Value *object, const Tree *of, SourceRange range);
  /// `type(x) == T`; nothing for another comparison.
  std::optional<Condition> emitTypeComparison(const Compare &tree);
  /// type(x)
  SugaredValue *emitTypeOf(const Apply &tree);
  /// Methods that Python has and PyTorch's operators lack: `point._replace(x=1)`; nothing for another call.
  std::optional<SugaredValue *> emitPythonMethod(SugaredValue *object, const Select &callee, const Apply &tree);
  /// What a literal argument is to be, where the callee is known: the type of its parameter.
  const Type *parameterHint(SugaredValue &callee, size_t position, StringRef keyword);
  Condition knownCondition(bool value, SourceRange range);
  Value *toBool(Value *value, SourceRange range);
  Value *truthOfMember(Value *value, ArrayRef<const Type *> types, SourceRange range);
  /// Whether an empty value of the type counts as false.
  static bool hasLength(const Type *type) { return llvm::isa<ListType, DictType>(type) || type->isString(); }
  void insertRefinements(ArrayRef<Refinement> refinements, SourceRange range);
  Value *emitIfExpression(SourceRange range, const Condition &condition, llvm::function_ref<Value *()> whenTrue,
                          llvm::function_ref<Value *()> whenFalse, const Type *hint = nullptr);

  //===-- Calls.cpp ---------------------------------------------------------===//
  SugaredValue *emitApply(const Apply &tree, NumBinders binders, const Type *hint);
  bool emitArguments(const Apply &tree, std::vector<NamedValue> &args, std::vector<NamedValue> &kwargs,
                     unsigned skip = 0, bool takesSizes = false, SugaredValue *callee = nullptr);
  /// An operator: picks the overload, converts arguments, inserts; null after a report of all candidates.
  Value *callBuiltin(SourceRange range, Symbol name, ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs = {},
                     Value *receiver = nullptr);
  Value *callBuiltin(SourceRange range, Symbol name, std::initializer_list<Value *> args);
  void followPython(Node &node);
  Value *callFormat(SourceRange range, ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs, Value *receiver);
  Value *callFunction(SourceRange range, Function *function, ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs);
  Value *callMethod(SourceRange range, Value *self, Function *method, ArrayRef<NamedValue> args,
                    ArrayRef<NamedValue> kwargs);
  /// A call of a module: `forward` between its hooks.
  SugaredValue *callHooked(SourceRange range, Value *module, Function *forward, ArrayRef<NamedValue> args,
                           ArrayRef<NamedValue> kwargs);
  /// An int as a float, where that is wanted.
  Value *asFloatFor(Value *value, const Type *wanted, SourceRange range);
  Value *callSchema(SourceRange range, Value *self, const FunctionSchema &schema, StringRef methodName,
                    ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs, Symbol kind);
  /// `__add__` and its kin, or an ordinary operator when `self` is no class.
  Value *callMagic(SourceRange range, StringRef magic, Symbol fallback, ArrayRef<Value *> given);
  bool ensureSchema(SourceRange range, Function *function);
  /// Reports a positional-only parameter that is given by its name.
  bool checkPositionalOnly(SourceRange range, const Function &function, ArrayRef<NamedValue> kwargs);

  //===-- Variadics.cpp -----------------------------------------------------===//
  /// An argument of a call of what gathers arguments; starred: a list, or a dict of keywords, of a size not known here.
  struct VariadicArgument {
    Value *value;
    SourceRange range;
    std::string name;
    bool isKeyword, isStarred;
  };
  const VariadicInfo *variadicInfo(const Function *function) const;
  Value *callVariadic(SourceRange range, Value *self, Function *function, ArrayRef<VariadicArgument> given);
  Value *callVariadic(SourceRange range, Value *self, Function *function, ArrayRef<NamedValue> args,
                      ArrayRef<NamedValue> kwargs);
  SugaredValue *emitVariadicCall(Value *self, Function *function, const Apply &tree);
  /// Lowers the finished blocks of `body` to SSA.
  static void lowerBody(Graph &body, const Type *result);

  //===-- Instances.cpp -----------------------------------------------------===//
  /// An argument of a call that is compiled for it: a value, or what is none.
  struct SugaredArgument {
    SugaredValue *value;
    SourceRange range;
    std::string name; ///< Of a keyword argument.
  };
  ClosureSugar *makeClosure(const Tree &tree);
  SugaredValue *takeOver(SugaredValue *sugared);
  SugaredValue *variableOf(FunctionEmitter &definer, StringRef name, SourceRange range);
  SugaredValue *callClosure(ClosureSugar &closure, SourceRange range, ArrayRef<SugaredArgument> args);
  /// Values that are known by now, as arguments of a callee that may be given others.
  std::vector<SugaredArgument> sugaredArguments(SourceRange range, ArrayRef<NamedValue> args,
                                                ArrayRef<NamedValue> kwargs);
  /// Types that a statement `name: T` gives variables which have no value yet.
  std::map<std::string, const Type *, std::less<>> declaredTypes;
  SugaredValue *emitPartial(const Apply &tree); // Partials.cpp
  /// A call of what may take arguments that are no values.
  SugaredValue *callSugared(SugaredValue &callee, SourceRange range, ArrayRef<SugaredArgument> args);
  /// Binds the parameters of `closure` in the body's first frame; `take` makes a parameter of a value.
  bool bindParameters(ClosureSugar &closure, SourceRange range, ArrayRef<SugaredArgument> args, FunctionEmitter &user);
  /// The statements of a Def, or the expression of a Lambda; the type of what they return.
  const Type *emitClosureBody(const ClosureSugar &closure);
  bool emitSugaredArguments(const Apply &tree, std::vector<SugaredArgument> &args, unsigned skip = 0);
  /// `**value`, where the keywords are known.
  bool emitKeywords(const DoubleStarred &tree, std::vector<SugaredArgument> &args);
  /// A function of the prelude that is compiled for its arguments.
  Value *callTemplate(SourceRange range, StringRef name, ArrayRef<SugaredValue *> args);
  Value *callTemplate(SourceRange range, StringRef name, std::initializer_list<Value *> args);
  /// A call of a function without parameters whose body `emit` emits and returns from.
  Value *callInline(SourceRange range, StringRef name, llvm::function_ref<bool(FunctionEmitter &)> emit);
  Value *finishInstance(FunctionEmitter &inner, std::unique_ptr<Graph> body, StringRef name, const Type *result,
                        ArrayRef<Value *> args, SourceRange range);

  //===-- PythonCalls.cpp ---------------------------------------------------===//
  Value *compareOptionals(TreeOp op, Value *lhs, Value *rhs, SourceRange range);
  Value *compareTuples(TreeOp op, Value *lhs, Value *rhs, size_t first, SourceRange range);
  std::optional<Value *> emitPythonBinary(TreeOp op, Value *lhs, Value *rhs, SourceRange range);
  Value *emitQuantifier(const GeneratorExpr &generator, bool isAny, SourceRange range);
  std::optional<SugaredValue *> emitPythonCall(SugaredValue &callee, const Apply &tree);

  //===-- Attempts.cpp ------------------------------------------------------===//
  bool emitTry(const Try &tree);
  struct Attempt;
  Attempt *attempt = nullptr; ///< The `try` whose body this is, in a graph of its own.
  struct CaughtException {
    std::string message, className, future; ///< Hidden variables; `future` is what failed with it.
  };
  llvm::SmallVector<CaughtException, 2> caught; ///< Of the handlers around here, innermost last.
  /// `parts` are what the body is made of. `always` runs behind it, whatever happened, before the others.
  bool emitAttempt(ArrayRef<const Tree *> parts, SourceRange range,
                   llvm::function_ref<bool(FunctionEmitter &)> emitBody, llvm::function_ref<bool()> always,
                   llvm::function_ref<bool(const CaughtException &)> whenFailed, llvm::function_ref<bool()> whenDone);
  bool keepForHandlers(StringRef name, Value *value, SourceRange range);
  FunctionEmitter &returningFunction();
  bool finishReturn(Value *value, SourceRange range);
  bool leaveLoop(bool isBreak, SourceRange range);
  bool emitHandlers(const Try &tree, size_t first, const CaughtException &exception);
  bool emitRaiseAgain(const CaughtException &exception, SourceRange range);
  bool leaveAttempt(int64_t how, SourceRange range);

  //===-- Matches.cpp -------------------------------------------------------===//
  bool emitMatch(const Match &tree);
  using PatternCase = std::pair<const MatchCase *, const Tree *>; ///< And one of its patterns.
  bool emitCases(const Match &tree, ArrayRef<PatternCase> cases, StringRef subject, bool looksAtTuples = false);

  //===-- SpecialForms.cpp --------------------------------------------------===//
  SugaredValue *emitForm(FormKind form, const Apply &tree, NumBinders binders, const Type *hint);
  /// Whether `form` is called with `low` to `high` arguments and no keywords; reports when not.
  bool takes(const Apply &tree, StringRef form, size_t low, size_t high);
  Failed arityError(SourceRange range, StringRef form, size_t low, size_t high, size_t count);
  Value *emitAnnotated(SourceRange range, const Tree *typeTree, const Tree *valueTree);
  Value *emitAnnotate(const Apply &tree, bool isAttribute);
  Value *emitUncheckedCast(const Apply &tree);
  Value *emitOfType(const Apply &tree, StringRef form, Symbol kind);
  const StringLiteral *attributeNameOf(const Apply &tree, StringRef form);
  SugaredValue *emitGetAttr(const Apply &tree);
  Value *emitHasAttr(const Apply &tree);
  Value *emitEffect(const Apply &tree, Symbol kind, size_t padTo = 0);
  Value *textOfObject(Value *value, SourceRange range, bool asElement = false);
  Value *emitPrint(const Apply &tree);
  Value *emitPrintText(const Keyword &keyword, StringRef usual);
  Value *emitPrintedTexts(const Apply &tree);
  Value *emitRaiseForm(const Apply &tree);
  Value *emitFork(const Apply &tree);
  Value *emitToList(Value *tensor, const Type *hint, SourceRange range);
  SugaredValue *listUnrolled(SugaredValue *iterable, unsigned count, SourceRange range);
  SugaredValue *listByLoop(SugaredValue *iterable, SourceRange range);
  /// A list of what a loop over `values` sees.
  SugaredValue *listOf(SugaredValue *values, SourceRange range);
  /// As listOf, by one operator where there is one.
  SugaredValue *listCopy(SugaredValue *values, SourceRange range);
  SugaredValue *emitListForm(const Apply &tree, const Type *hint);
  SugaredValue *emitDictForm(const Apply &tree, const Type *hint);
  SugaredValue *emitTupleForm(const Apply &tree, NumBinders binders);
  SugaredValue *emitReversed(const Apply &tree);
  SugaredValue *emitSuper(const Apply &tree);
  Value *emitLen(const Apply &tree);
  SugaredValue *emitRange(const Apply &tree);
  SugaredValue *emitEnumerate(const Apply &tree);
  SugaredValue *emitZip(const Apply &tree);
  SugaredValue *zipOf(const Apply &tree, size_t count, SugaredValue *counter = nullptr);

  //===-- Subscripts.cpp ----------------------------------------------------===//
  SugaredValue *emitSubscript(const Subscript &tree, const Type *hint);
  Value *emitTensorSubscript(const Subscript &tree, Value *self);
  /// What subscripts say of a tensor: the view that ints, slices and None give, and how tensors index it.
  struct TensorIndexing {
    Value *values = nullptr;
    Value *indices = nullptr; ///< What aten::index takes; null where no tensor is among the subscripts.
    Value *item = nullptr;    ///< The only index, at `itemDim`, where at run time it may select as an int does.
    int64_t itemDim = 0;
    Value *hasItems = nullptr; ///< Whether one of several indices does so; null where none can.
  };
  /// Emits the selects, slices and unsqueezes among the subscripts of a tensor. Nothing after a report.
  std::optional<TensorIndexing> emitBasicIndexing(SourceRange range, Value *self, TreeList<Expr> subscripts);
  Value *readIndexed(SourceRange range, const TensorIndexing &place);
  bool writeIndexed(SourceRange range, const TensorIndexing &place, Value *given);
  Value *emitSlice(SourceRange range, Value *self, Value *dim, const Slice &slice);
  Value *emitTupleSlice(SourceRange range, Value *self, const Slice &slice);
  std::optional<int64_t> constantIndex(Value *index) const;
  Value *emitSubscriptTuple(const Subscript &tree);
  bool emitSubscriptAssign(const Subscript &target, Value *value, SourceRange range);
  bool emitSliceAssign(const Slice &slice, Value *self, Value *value, SourceRange range);
  /// The start, stop and step of a list's slice as Optional[int]; nothing after a report.
  std::optional<std::array<Value *, 3>> emitSliceBounds(const Slice &slice, SourceRange range);
  bool emitSubscriptAugAssign(const AugAssign &tree, const Subscript &target);
  Value *indexList(ArrayRef<Value *> indices, SourceRange range);
  Value *emitTensorIndex(const Tree *tree);

  //===-- Assignments.cpp ---------------------------------------------------===//
  bool emitAssign(const Assign &tree);
  /// Told of each variable that is set, with its type; false stops.
  std::function<bool(StringRef name, const Type *type, SourceRange range)> onBound;
  void noteAssigned(const Select &target, SugaredValue *object, const Type *assigned);
  bool assignTo(const Tree *target, SugaredValue *value, SourceRange range, const Type *annotated = nullptr);
  bool assignFromList(TreeList<Expr> targets, size_t star, Value *list, SourceRange range);
  bool assignTuple(TreeList<Expr> targets, SugaredValue *value, SourceRange range);
  bool setVariable(StringRef name, SugaredValue *value, SourceRange range, const Type *annotated = nullptr);
  bool emitAugAssign(const AugAssign &tree);
  Symbol inPlaceOperator(TreeOp op, Value *target, SourceRange range);
  bool emitDelete(const Delete &tree);

  //===-- Statements.cpp ----------------------------------------------------===//
  bool emitStatements(TreeList<Stmt> body);
  bool emitStatement(const Tree *tree);
  bool recover(const Tree *statement, const Frame &frame);
  bool recovers = false;         ///< Whether statements are emitted behind one that was refused.
  unsigned numRefused = 0;       ///< Statements.
  std::set<std::string> unknown; ///< Variables that refused statements would have set.
  bool isUnknown(StringRef name) const;
  bool emitImport(const Import &tree);
  bool emitIf(const If &tree);
  bool emitIfBlocks(SourceRange range, const Condition &condition, llvm::function_ref<bool()> whenTrue,
                    llvm::function_ref<bool()> whenFalse);
  bool emitReturn(const Tree *value, SourceRange range);
  bool emitRaise(const Raise &tree);
  bool emitRaiseNode(Value *message, StringRef className, SourceRange range);
  bool emitAssert(const Assert &tree);
  bool emitWith(const With &tree);
  Value *emitContext(const Expr *tree);
  /// Leaves the objects of open `with` statements, last to first, until `count` of them are open.
  void emitWithExits(size_t count);
  bool finishBody(SourceRange range, const Type *declared, TreeList<Stmt> body = {});
  bool declareParameters(const Def &def, const FunctionSchema &schema);
  const Type *returnType = nullptr;   ///< As declared.
  const Type *mergedReturn = nullptr; ///< Of the return statements so far.
  SourceRange lastReturn;             ///< Of these, the last one.
  bool returnDeclared = false;
  struct OpenWith {
    Value *object;
    SourceRange range;
  };
  llvm::SmallVector<OpenWith, 4> openWiths; ///< Of the `with` statements around here, outermost first.
  size_t withsOutsideLoop = 0;              ///< How many of them the innermost loop stands in.
  llvm::SmallPtrSet<Block *, 8> exitBlocks; ///< Blocks that surely leave by return, raise, break or continue.

  //===-- NewExceptions.cpp -------------------------------------------------===//
  /// The `__init__` that the user's class of exceptions has, and the class and the file it stands in.
  struct ExceptionConstructor {
    const Def *init;
    const ClassDef *type;
    Resolver *file;
  };
  static std::optional<ExceptionConstructor> exceptionConstructor(Resolver &resolver, StringRef name,
                                                                  unsigned depth = 0);
  /// The message of a new exception; `call` is null in `raise Late`. Null after a report.
  Value *emitNewException(const ExceptionConstructor &constructor, const Apply *call, SourceRange range);
  Value *constructException(const ExceptionConstructor &constructor, ArrayRef<SugaredArgument> args, SourceRange range);
  /// The text of an exception that is given these arguments.
  Value *exceptionText(ArrayRef<Value *> args, SourceRange range);
  /// In the `__init__` of an exception: which one, and whether it has given its base a message yet.
  const ExceptionConstructor *newException = nullptr;
  bool hasExceptionMessage = false;

  //===-- ChangedContainers.cpp -------------------------------------------------===//
  /// At the end of a function: loops whose bodies may change the size of what they go over ask for it in each trip.
  bool finishLoops();
  /// Reports changes of containers that are made once for all calls.
  bool checkSharedContainers();

  //===-- Loops.cpp ---------------------------------------------------------===//
  bool emitFor(const For &tree);
  bool emitForLoop(const Tree *target, SugaredValue *iterable, SourceRange range, llvm::function_ref<bool()> body);
  bool emitWhile(const While &tree);
  bool emitLoopElse(SourceRange range, TreeList<Stmt> elseBody, llvm::function_ref<bool()> emit);
  std::string breakFlag; ///< The variable that a break of the innermost loop sets; empty where nobody asks.
  /// `refinesBehind` is told what the loop's condition says, where it stands behind the loop.
  bool emitLoop(SourceRange range, SugaredValue *iterable, const Tree *target, const Tree *condition,
                llvm::function_ref<bool()> body, llvm::function_ref<void(const Condition &)> refinesBehind = nullptr);
  struct ContainerLoop {
    Node *node;
    SugaredValue *iterable;
    SourceRange range;
  };
  /// What stands for a container that is made once for all calls: a global, or a parameter with such a default.
  struct SharedContainer {
    Value *value;
    std::string name;
    bool isParameter;
  };
  std::vector<SharedContainer> sharedContainers;
  std::vector<ContainerLoop> containerLoops; ///< Every `for` that is a prim::Loop, comprehensions' included.
  python::ClassObject *owner = nullptr;      ///< Of a module's method: the class that has its text.
  const ClassDef *textOwner = nullptr;       ///< Of a method of another class: the same.
  const ClassType *initializing = nullptr;   ///< In __init__ of a source class: new attributes may be set.
  enum class LoopState : uint8_t { None, Loop, Unrolled } loopState = LoopState::None;
};

/// Returns the emitter that a sugared value of the frontend's own works on: every EmitterContext is one.
inline FunctionEmitter &emitterOf(EmitterContext &context) { return static_cast<FunctionEmitter &>(context); }

} // namespace tsc

#endif
