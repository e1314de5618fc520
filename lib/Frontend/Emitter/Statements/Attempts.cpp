//===- Attempts.cpp - try, except, else, finally --------------------------===//
//
// The body of a `try` is a graph of its own that prim::fork runs; the future is
// asked at once whether it failed (tsc::failure). Variables that the body sets go
// through lists of one element, cells, so that those set before a failure are seen
// behind it. The graph gives how it was left: by its end, a return, a break or a
// continue, which are then done outside of it.
//
//===----------------------------------------------------------------------===//
#include "Attempts.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Calls/Instances.h"
#include "../Expressions/Names.h"
#include "../FunctionContext.h"
#include "../Lowering.h"
#include "../Refinement.h"
#include "../Statements.h"
#include "../TypeExpressions.h"
#include "Assignments.h"
#include "Branches.h"
#include "ChangedContainers.h"
#include "Loops.h"
#include "Returns.h"
#include "llvm/Support/SaveAndRestore.h"
#include <map>
#include <set>

using namespace tsc;

/// A list of at most one element: in the graph around the body, and as an input of the body.
struct Cell {
  Value *around = nullptr, *within = nullptr;
  const Type *type = nullptr; ///< Null while nothing was put in.
};

/// The `try` whose body a context emits.
struct tsc::Attempt {
  FunctionContext &root;                          ///< The function, whose returns these are.
  bool isInLoop;                                  ///< Whether the `try` stands in a loop that its body may leave.
  std::map<std::string, Cell, std::less<>> cells; ///< Of the variables that the body sets.
  Cell returned;
  bool leaves[4] = {}; ///< How the body may be left, by Leaving.
  bool &leavesBy(Leaving how) { return leaves[static_cast<size_t>(how)]; }
};

/// Puts a value into a cell, whose type grows with what is put in.
static bool put(FunctionContext &fn, Cell &cell, Value *value, SourceRange range) {
  const Type *type = cell.type ? fn.context().unify(cell.type, value->type(), /*allowUnion=*/true) : value->type();
  cell.type = type;
  for (Value *list : {cell.around, cell.within})
    list->setType(fn.context().listOf(type));
  Value *emptied = callBuiltin(fn, range, fn.context().symbol("aten::clear"), {cell.within});
  return emptied && callBuiltin(fn, range, aten::append, {cell.within, value});
}

static Value *contentsOf(FunctionContext &fn, Value *cell, SourceRange range) {
  return callBuiltin(fn, range, aten::__getitem__, {cell, fn.constant(int64_t{0}, range)});
}

bool tsc::keepForHandlers(FunctionContext &fn, StringRef name, Value *value, SourceRange range) {
  auto cell = fn.scopes.attempt->cells.find(std::string_view(name));
  return cell == fn.scopes.attempt->cells.end() || put(fn, cell->second, value, range);
}

bool tsc::keepReturned(FunctionContext &fn, Value *value, SourceRange range) {
  return put(fn, fn.scopes.attempt->returned, value, range);
}

bool tsc::leaveAttempt(FunctionContext &fn, Leaving how, SourceRange range) {
  fn.scopes.attempt->leavesBy(how) = true;
  fn.insertNode(prim::ReturnStmt, {fn.constant(static_cast<int64_t>(how), range)}, 0, range);
  fn.noteLeft();
  return true;
}

bool tsc::isAttemptInLoop(const FunctionContext &fn) { return fn.scopes.attempt && fn.scopes.attempt->isInLoop; }

FunctionContext &tsc::returningFunction(FunctionContext &fn) {
  return fn.scopes.attempt ? fn.scopes.attempt->root : fn;
}

//===-- Bodies ----------------------------------------------------------------===//

namespace {
/// Emits one body of a `try`, and what is done behind it.
class AttemptEmitter {
public:
  AttemptEmitter(FunctionContext &fn, SourceRange range)
      : fn(fn), range(range), body(std::make_shared<Graph>(fn.context())), inner(fn.compiler, fn.resolver, *body, &fn),
        attempt{returningFunction(fn), fn.scopes.loop ? !fn.scopes.loop->isUnrolled : isAttemptInLoop(fn), {}, {}} {
    inner.scopes.attempt = &attempt;
    inner.scopes.handled = fn.scopes.handled;
    inner.caller = &fn;
    inner.method.owner = fn.method.owner;
    inner.method.initializing = fn.method.initializing;
    inner.graph().setInsertPoint(body->block());
    inner.env.push(body->block());
  }

  /// Emits the body, made of `parts`, and the fork that runs it. False after a report.
  bool emitBody(ArrayRef<const Tree *> parts, llvm::function_ref<bool(FunctionContext &)> emit) {
    if (!makeCells(parts))
      return false;
    inner.env.push(body->block());
    if (!emit(inner))
      return false;
    if (!inner.isLeft())
      leaveAttempt(inner, Leaving::AtEnd, range);
    std::unique_ptr<Frame> last = inner.env.pop();
    for (auto &[name, type] : last->types)
      if (!before.count(name) && attempt.cells.count(name))
        defined[name] = type;
    if (!checkSharedContainers(inner) || !finishLoops(inner))
      return false;
    if (SourceRange deep = findDeepExit(*body); deep.isValid())
      return fn.error(deep, diag::NestedTooDeeply, maxExitDepth);
    lowerBody(*body, Type::intType());
    inputs.insert(inputs.end(), inner.captures.values.begin(), inner.captures.values.end());
    Node *node = fn.insertNode(prim::fork, inputs, 1, range);
    node->setAttribute(attr::Subgraph, body);
    future = node->output()->setType(fn.context().futureOf(Type::intType()));
    fn.env.forgetPaths();
    return true;
  }

  /// Asks whether the body failed, keeps what it failed with, and gives variables what the body has set them to. False
  /// after a report.
  bool emitOutcome() {
    exception = {fn.compiler.hiddenName("message"), fn.compiler.hiddenName("class"), fn.compiler.hiddenName("future")};
    Value *failure = callBuiltin(fn, range, fn.context().symbol("tsc::failure"), {future});
    if (!failure)
      return false;
    auto parts = SimpleValue(failure).asTuple(fn, range, 3);
    failed.value = (*parts)[0]->asValue(fn, range);
    if (!setVariable(fn, exception.className, (*parts)[1], range) ||
        !setVariable(fn, exception.message, (*parts)[2], range) ||
        !setVariable(fn, exception.future, fn.simple(future), range))
      return false;
    for (const std::string &name : before)
      if (!setVariable(fn, name, fn.simple(contentsOf(fn, attempt.cells[name].around, range)), range))
        return false;
    return true;
  }

  /// Emits the branch between a failure and the other ways to leave the body. False after a report.
  bool emitBranches(llvm::function_ref<bool(const CaughtException &)> whenFailed, llvm::function_ref<bool()> whenDone) {
    return emitIfBlocks(
        fn, range, failed, [&] { return whenFailed(exception); }, [&] { return emitLeaving(whenDone); });
  }

private:
  Cell makeCell(const Type *type, ArrayRef<Value *> elements) {
    Cell cell;
    cell.around = fn.makeList(type ? type : Type::tensorType(), elements, range);
    cell.within = body->addInput("", cell.around->type());
    cell.type = type;
    inputs.push_back(cell.around);
    return cell;
  }

  /// Makes cells for the variables that the body may set, with the values that they have. False after a report.
  bool makeCells(ArrayRef<const Tree *> parts) {
    std::set<std::string> names;
    for (const Tree *part : parts)
      collectBoundNames(part, names);
    for (const std::string &name : names) {
      const Type *type = fn.env.typeOf(name);
      if (fn.env.sugaredOf(name) && !type)
        continue;
      Cell &cell = attempt.cells[name];
      if (!type) {
        cell = makeCell(nullptr, {});
        continue;
      }
      before.insert(name);
      cell = makeCell(type, {fn.env.load(name, type, range)});
      Value *value = contentsOf(inner, cell.within, range);
      if (!value)
        return false;
      inner.env.store(name, value, range);
      inner.env.setType(name, type);
    }
    attempt.returned = makeCell(nullptr, {});
    return true;
  }

  /// Does outside of the body what left it.
  bool leave(Leaving how) {
    if (how != Leaving::ByReturn)
      return leaveLoop(fn, how == Leaving::ByBreak, range);
    Value *value = contentsOf(fn, attempt.returned.around, range);
    return value && finishReturn(fn, value, range);
  }

  /// Emits what is done where the body did not fail.
  bool emitLeaving(llvm::function_ref<bool()> whenDone) {
    Value *how = callBuiltin(fn, range, aten::wait, {future});
    llvm::SmallVector<Leaving, 3> ways;
    for (Leaving way : {Leaving::ByReturn, Leaving::ByBreak, Leaving::ByContinue})
      if (attempt.leavesBy(way))
        ways.push_back(way);
    for (Leaving way : ways) {
      if (!attempt.leavesBy(Leaving::AtEnd) && way == ways.back())
        return leave(way);
      Condition isThis;
      isThis.value = callBuiltin(fn, range, aten::eq, {how, fn.constant(static_cast<int64_t>(way), range)});
      if (!isThis.value || !emitIfBlocks(fn, range, isThis, [&] { return leave(way); }, [] { return true; }))
        return false;
    }
    if (!attempt.leavesBy(Leaving::AtEnd)) { // it always raises
      fn.noteLeft();
      return emitRaiseAgain(fn, exception, range);
    }
    for (auto &[name, type] : defined) {
      Value *value = contentsOf(fn, attempt.cells[name].around, range);
      if (value && value->type() != type)
        value = fn.castTo(value, type, range);
      if (!value || !setVariable(fn, name, fn.simple(value), range))
        return false;
    }
    return whenDone();
  }

  FunctionContext &fn;
  SourceRange range;
  std::shared_ptr<Graph> body;
  FunctionContext inner; ///< The context of the body.
  Attempt attempt;
  std::vector<Value *> inputs;
  std::set<std::string> before;                ///< Variables that had a value before the body.
  std::map<std::string, const Type *> defined; ///< Variables that have one only at its end.
  Value *future = nullptr;
  CaughtException exception;
  Condition failed;
};
} // namespace

/// Emits a body made of `parts`. `always` runs behind it, whatever happened, before one of the others. False after a
/// report.
static bool emitAttempt(FunctionContext &fn, ArrayRef<const Tree *> parts, SourceRange range,
                        llvm::function_ref<bool(FunctionContext &)> emitBody, llvm::function_ref<bool()> always,
                        llvm::function_ref<bool(const CaughtException &)> whenFailed,
                        llvm::function_ref<bool()> whenDone) {
  AttemptEmitter emitter(fn, range);
  if (!emitter.emitBody(parts, emitBody) || !emitter.emitOutcome() || !always())
    return false;
  return fn.isLeft() || emitter.emitBranches(whenFailed, whenDone);
}

//===-- Exceptions -------------------------------------------------------------===//

namespace {
struct ExceptionClass {
  const char *name, *base;
};
} // namespace

/// Python's own, as far as programs of tensors meet them.
static constexpr ExceptionClass builtinExceptions[] = {{"Exception", "BaseException"},
                                                       {"KeyboardInterrupt", "BaseException"},
                                                       {"ArithmeticError", "Exception"},
                                                       {"ZeroDivisionError", "ArithmeticError"},
                                                       {"OverflowError", "ArithmeticError"},
                                                       {"FloatingPointError", "ArithmeticError"},
                                                       {"AssertionError", "Exception"},
                                                       {"AttributeError", "Exception"},
                                                       {"LookupError", "Exception"},
                                                       {"IndexError", "LookupError"},
                                                       {"KeyError", "LookupError"},
                                                       {"RuntimeError", "Exception"},
                                                       {"NotImplementedError", "RuntimeError"},
                                                       {"RecursionError", "RuntimeError"},
                                                       {"StopIteration", "Exception"},
                                                       {"TypeError", "Exception"},
                                                       {"ValueError", "Exception"},
                                                       {"UnicodeError", "ValueError"},
                                                       {"NameError", "Exception"},
                                                       {"MemoryError", "Exception"},
                                                       {"OSError", "Exception"},
                                                       {"FileNotFoundError", "OSError"},
                                                       {"TimeoutError", "OSError"},
                                                       {"Warning", "Exception"},
                                                       {"UserWarning", "Warning"},
                                                       {"ImportError", "Exception"},
                                                       {"ModuleNotFoundError", "ImportError"}};

bool tsc::isBuiltinException(StringRef name) {
  return name == "BaseException" ||
         llvm::any_of(builtinExceptions, [&](const ExceptionClass &known) { return name == known.name; });
}

bool tsc::isExceptionBelow(StringRef name, StringRef ancestor) {
  for (const ExceptionClass *known = nullptr; name != ancestor; name = known->base) {
    known = llvm::find_if(builtinExceptions, [&](const ExceptionClass &one) { return name == one.name; });
    if (known == std::end(builtinExceptions))
      return false;
  }
  return true;
}

std::string Resolver::exceptionName(StringRef dottedName) {
  dottedName.consume_front("builtins.");
  return isBuiltinException(dottedName) ? ("builtins." + dottedName).str() : "";
}

/// The full names of a class and of all classes below it.
static std::vector<std::string> classesBelow(Resolver &resolver, const std::string &fullName) {
  std::vector<std::string> names{fullName};
  for (size_t i = 0; i != names.size() && names.size() < 1000; ++i) {
    if (StringRef builtin = names[i]; builtin.consume_front("builtins."))
      for (const ExceptionClass &known : builtinExceptions)
        if (builtin == known.base)
          names.push_back(std::string("builtins.") + known.name);
    for (std::string &own : resolver.exceptionsWithBase(names[i]))
      if (!llvm::is_contained(names, own))
        names.push_back(std::move(own));
  }
  return names;
}

/// The classes of `except A:` or `except (A, B):`; false after a report.
static bool collectClasses(FunctionContext &fn, const Tree *tree, std::vector<std::string> &names) {
  if (auto *tuple = llvm::dyn_cast<TupleLiteral>(tree))
    return llvm::all_of(tuple->elements(), [&](const Tree *each) { return collectClasses(fn, each, names); });
  std::string name = fn.resolver.exceptionName(dottedName(tree));
  if (name.empty())
    return fn.error(tree->range(), diag::NoExceptionClass, tree->spelling());
  for (std::string &each : classesBelow(fn.resolver, name)) {
    if (StringRef builtin = each; builtin.consume_front("builtins.")) // operators name theirs without the module
      names.push_back(builtin.str());
    names.push_back(std::move(each));
  }
  return true;
}

bool tsc::emitRaiseAgain(FunctionContext &fn, const CaughtException &exception, SourceRange range) {
  SugaredValue *future = lookUp(fn, exception.future, range);
  if (!callBuiltin(fn, range, aten::wait, {future->asValue(fn, range)}))
    return false;
  SugaredValue *message = lookUp(fn, exception.message, range), *name = lookUp(fn, exception.className, range);
  fn.insertNode(prim::RaiseException, {message->asValue(fn, range), name->asValue(fn, range)}, 0, range);
  fn.noteLeft();
  return true;
}

static bool emitHandlers(FunctionContext &fn, const Try &tree, size_t first, const CaughtException &exception) {
  if (first == tree.handlers().size())
    return emitRaiseAgain(fn, exception, tree.range());
  const ExceptHandler &handler = *tree.handlers()[first];
  SourceRange range = handler.point();
  auto handle = [&] {
    if (!handler.name().empty())
      fn.env.setSugared(handler.name(),
                        fn.make<ExceptionSugar>(exception.message, exception.className, exception.future));
    llvm::SaveAndRestore<const CaughtException *> handled(fn.scopes.handled, &exception);
    bool ok = emitStatements(fn, handler.body());
    fn.env.erase(handler.name());
    return ok;
  };
  std::vector<std::string> names;
  if (handler.type() && !collectClasses(fn, handler.type(), names))
    return false;
  if (!handler.type() || llvm::is_contained(names, "Exception"))
    return handle();
  llvm::SmallVector<Value *, 16> known;
  for (const std::string &name : names)
    known.push_back(fn.constant(IValue(name), range));
  Condition isOne;
  Value *list = fn.makeList(Type::stringType(), known, range);
  Value *className = fn.env.load(exception.className, Type::stringType(), range);
  isOne.value = callBuiltin(fn, range, aten::__contains__, {list, className});
  return isOne && emitIfBlocks(fn, range, isOne, handle, [&] { return emitHandlers(fn, tree, first + 1, exception); });
}

bool tsc::emitTry(FunctionContext &fn, const Try &tree) {
  SourceRange range = tree.range();
  auto nothing = [] { return true; };
  auto emitBody = [&](FunctionContext &fn) {
    if (tree.handlers().empty())
      return emitStatements(fn, tree.body());
    return emitAttempt(
        fn, {tree.child(0)}, range, [&](FunctionContext &inner) { return emitStatements(inner, tree.body()); }, nothing,
        [&](const CaughtException &exception) { return emitHandlers(fn, tree, 0, exception); },
        [&] { return emitStatements(fn, tree.elseBody()); });
  };
  if (!tree.hasFinally())
    return emitBody(fn);
  return emitAttempt(
      fn, {tree.child(0), tree.child(1), tree.child(2)}, range, emitBody,
      [&] { return emitStatements(fn, tree.finalBody()); },
      [&](const CaughtException &exception) { return emitRaiseAgain(fn, exception, range); }, nothing);
}

Value *ExceptionSugar::asValue(EmitterContext &context, SourceRange range) {
  FunctionContext &fn = emitterOf(context);
  SugaredValue *text = lookUp(fn, message, range);
  return text ? text->asValue(fn, range) : nullptr;
}

SugaredValue *ExceptionSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionContext &fn = emitterOf(context);
  if (name != "args")
    return SugaredValue::attribute(fn, range, name);
  Value *text = asValue(fn, range), *kind = lookUp(fn, className, range)->asValue(fn, range);
  Value *key = text && kind ? callTemplate(fn, range, "exception_key", {kind, text}) : nullptr;
  return key ? fn.simple(fn.makeTuple({key}, range)) : nullptr;
}
