//===- Attempts.cpp - try, except, else, finally --------------------------===//
//
// The body of a `try` is a graph of its own that prim::fork runs; the future is
// asked at once whether it failed (tsc::failure). Variables that the body sets go
// through lists of one element, cells, so that those set before a failure are seen
// behind it. The graph gives how it was left: by its end, a return, a break or a
// continue, which are then done outside of it.
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "Lowering.h"
#include "TypeExpressions.h"
#include <map>
#include <set>

using namespace tsc;

enum Leaving : int64_t { AtEnd, ByReturn, ByBreak, ByContinue };

namespace {
/// A list of at most one element: in the graph around the body, and as an input of the body.
struct Cell {
  Value *around = nullptr, *within = nullptr;
  const Type *type = nullptr; ///< Null while nothing was put in.
};
} // namespace

struct FunctionEmitter::Attempt {
  FunctionEmitter *home; ///< What the `try` stands in.
  FunctionEmitter *root; ///< The function, whose returns these are.
  std::map<std::string, Cell, std::less<>> cells;
  Cell returned;
  bool isInLoop = false;
  bool leaves[4] = {};
};

/// Puts a value into a cell, whose type grows with what is put in.
static bool put(FunctionEmitter &e, Cell &cell, Value *value, SourceRange range) {
  const Type *type = cell.type ? e.context.unify(cell.type, value->type(), /*allowUnion=*/true) : value->type();
  cell.type = type;
  for (Value *list : {cell.around, cell.within})
    list->setType(e.context.listOf(type));
  Value *emptied = e.callBuiltin(range, e.context.symbol("aten::clear"), {cell.within});
  return emptied && e.callBuiltin(range, aten::append, {cell.within, value});
}

static Value *contentsOf(FunctionEmitter &e, Value *cell, SourceRange range) {
  return e.callBuiltin(range, aten::__getitem__, {cell, e.constant(int64_t{0}, range)});
}

bool FunctionEmitter::keepForHandlers(StringRef name, Value *value, SourceRange range) {
  auto cell = attempt->cells.find(std::string_view(name));
  return cell == attempt->cells.end() || put(*this, cell->second, value, range);
}

//===-- Leaving --------------------------------------------------------------===//

bool FunctionEmitter::leaveAttempt(int64_t how, SourceRange range) {
  attempt->leaves[how] = true;
  insertNode(prim::ReturnStmt, {constant(how, range)}, 0, range);
  exitBlocks.insert(&graph.insertPointBlock());
  return true;
}

FunctionEmitter &FunctionEmitter::returningFunction() { return attempt ? *attempt->root : *this; }

bool FunctionEmitter::finishReturn(Value *value, SourceRange range) {
  if (attempt && !put(*this, attempt->returned, value, range))
    return false;
  emitWithExits(0);
  if (attempt)
    return leaveAttempt(ByReturn, range);
  insertNode(prim::ReturnStmt, {value}, 0, range);
  exitBlocks.insert(&graph.insertPointBlock());
  return true;
}

bool FunctionEmitter::leaveLoop(bool isBreak, SourceRange range) {
  StringRef word = isBreak ? "break" : "continue";
  if (loopState == LoopState::None && attempt && attempt->isInLoop) {
    emitWithExits(0);
    return leaveAttempt(isBreak ? ByBreak : ByContinue, range);
  }
  if (loopState == LoopState::None)
    return error(range, diag::OutsideLoop, word);
  if (loopState == LoopState::Unrolled)
    return error(range, diag::InsideUnrolledLoop, word);
  if (isBreak && !breakFlag.empty() && !setVariable(breakFlag, simple(constant(true, range)), range))
    return false;
  emitWithExits(withsOutsideLoop);
  insertNode(isBreak ? prim::BreakStmt : prim::ContinueStmt, {}, 0, range);
  exitBlocks.insert(&graph.insertPointBlock());
  return true;
}

//===-- Bodies ----------------------------------------------------------------===//

bool FunctionEmitter::emitAttempt(ArrayRef<const Tree *> parts, SourceRange range,
                                  llvm::function_ref<bool(FunctionEmitter &)> emitBody,
                                  llvm::function_ref<bool()> always,
                                  llvm::function_ref<bool(const CaughtException &)> whenFailed,
                                  llvm::function_ref<bool()> whenDone) {
  std::set<std::string> names;
  for (const Tree *part : parts)
    collectBoundNames(part, names);
  auto body = std::make_shared<Graph>(context);
  FunctionEmitter inner(compiler, resolver, *body, this);
  Attempt state;
  state.home = this;
  state.root = &returningFunction();
  state.isInLoop = loopState == LoopState::Loop || (loopState == LoopState::None && attempt && attempt->isInLoop);
  inner.attempt = &state;
  inner.caller = this;
  inner.caught = caught;
  inner.owner = owner;
  inner.initializing = initializing;
  inner.graph.setInsertPoint(body->block());
  inner.env.push(body->block());
  std::vector<Value *> inputs;
  auto makeCell = [&](Cell &cell, const Type *type, ArrayRef<Value *> elements) {
    cell.around = makeList(type ? type : Type::tensorType(), elements, range);
    cell.within = body->addInput("", cell.around->type());
    cell.type = type;
    inputs.push_back(cell.around);
  };
  std::set<std::string> before;
  for (const std::string &name : names) {
    const Type *type = env.typeOf(name);
    if (env.sugaredOf(name) && !type)
      continue;
    Cell &cell = state.cells[name];
    if (!type) {
      makeCell(cell, nullptr, {});
      continue;
    }
    before.insert(name);
    makeCell(cell, type, {env.load(name, type, range)});
    Value *value = contentsOf(inner, cell.within, range);
    if (!value)
      return false;
    inner.env.store(name, value, range);
    inner.env.setType(name, type);
  }
  makeCell(state.returned, nullptr, {});
  inner.env.push(body->block());
  if (!emitBody(inner))
    return false;
  if (!inner.exitBlocks.contains(&inner.graph.insertPointBlock()))
    inner.leaveAttempt(AtEnd, range);
  std::map<std::string, const Type *> defined;
  std::unique_ptr<Frame> last = inner.env.pop();
  for (auto &[name, type] : last->types)
    if (!before.count(name) && state.cells.count(name))
      defined[name] = type;
  if (!inner.checkSharedContainers() || !inner.finishLoops())
    return false;
  if (SourceRange deep = findDeepExit(*body); deep.isValid())
    return error(deep, diag::NestedTooDeeply, maxExitDepth);
  lowerBody(*body, Type::intType());
  inputs.insert(inputs.end(), inner.captured.begin(), inner.captured.end());
  Node *node = insertNode(prim::fork, inputs, 1, range);
  node->setAttribute(attr::Subgraph, body);
  Value *future = node->output()->setType(context.futureOf(Type::intType()));
  env.forgetPaths();

  CaughtException exception{compiler.hiddenName("message"), compiler.hiddenName("class"),
                            compiler.hiddenName("future")};
  Value *failure = callBuiltin(range, context.symbol("tsc::failure"), {future});
  if (!failure)
    return false;
  auto parts3 = SimpleValue(failure).asTuple(*this, range, 3);
  Condition failed;
  failed.value = (*parts3)[0]->asValue(*this, range);
  if (!setVariable(exception.className, (*parts3)[1], range) || !setVariable(exception.message, (*parts3)[2], range) ||
      !setVariable(exception.future, simple(future), range))
    return false;
  for (const std::string &name : before)
    if (!setVariable(name, simple(contentsOf(*this, state.cells[name].around, range)), range))
      return false;
  if (!always())
    return false;
  if (exitBlocks.contains(&graph.insertPointBlock()))
    return true;
  auto leave = [&](int64_t how) {
    if (how != ByReturn)
      return leaveLoop(how == ByBreak, range);
    Value *value = contentsOf(*this, state.returned.around, range);
    return value && finishReturn(value, range);
  };
  auto done = [&] {
    Value *how = callBuiltin(range, aten::wait, {future});
    llvm::SmallVector<int64_t, 3> ways;
    for (int64_t way : {ByReturn, ByBreak, ByContinue})
      if (state.leaves[way])
        ways.push_back(way);
    for (int64_t way : ways) {
      if (!state.leaves[AtEnd] && way == ways.back())
        return leave(way);
      Condition isThis;
      isThis.value = callBuiltin(range, aten::eq, {how, constant(way, range)});
      if (!isThis.value || !emitIfBlocks(range, isThis, [&] { return leave(way); }, [] { return true; }))
        return false;
    }
    if (!state.leaves[AtEnd]) { // it always raises
      exitBlocks.insert(&graph.insertPointBlock());
      return emitRaiseAgain(exception, range);
    }
    for (auto &[name, type] : defined) {
      Value *value = contentsOf(*this, state.cells[name].around, range);
      if (value && value->type() != type)
        value = castTo(value, type, range);
      if (!value || !setVariable(name, simple(value), range))
        return false;
    }
    return whenDone();
  };
  return emitIfBlocks(range, failed, [&] { return whenFailed(exception); }, done);
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
static bool collectClasses(FunctionEmitter &e, const Tree *tree, std::vector<std::string> &names) {
  if (auto *tuple = llvm::dyn_cast<TupleLiteral>(tree))
    return llvm::all_of(tuple->elements(), [&](const Tree *each) { return collectClasses(e, each, names); });
  std::string name = e.resolver.exceptionName(dottedName(tree));
  if (name.empty())
    return e.error(tree->range(), diag::NoExceptionClass, tree->spelling());
  for (std::string &each : classesBelow(e.resolver, name)) {
    if (StringRef builtin = each; builtin.consume_front("builtins.")) // operators name theirs without the module
      names.push_back(builtin.str());
    names.push_back(std::move(each));
  }
  return true;
}

/// Waits for what failed: its error tells where it was raised.
bool FunctionEmitter::emitRaiseAgain(const CaughtException &exception, SourceRange range) {
  SugaredValue *future = lookUp(exception.future, range);
  if (!callBuiltin(range, aten::wait, {future->asValue(*this, range)}))
    return false;
  SugaredValue *message = lookUp(exception.message, range), *name = lookUp(exception.className, range);
  insertNode(prim::RaiseException, {message->asValue(*this, range), name->asValue(*this, range)}, 0, range);
  exitBlocks.insert(&graph.insertPointBlock());
  return true;
}

bool FunctionEmitter::emitHandlers(const Try &tree, size_t first, const CaughtException &exception) {
  if (first == tree.handlers().size())
    return emitRaiseAgain(exception, tree.range());
  const ExceptHandler &handler = *tree.handlers()[first];
  SourceRange range = handler.point();
  auto handle = [&] {
    if (!handler.name().empty())
      env.setSugared(handler.name(), make<ExceptionSugar>(exception.message, exception.className, exception.future));
    caught.push_back(exception);
    bool ok = emitStatements(handler.body());
    caught.pop_back();
    env.erase(handler.name());
    return ok;
  };
  std::vector<std::string> names;
  if (handler.type() && !collectClasses(*this, handler.type(), names))
    return false;
  if (!handler.type() || llvm::is_contained(names, "Exception"))
    return handle();
  llvm::SmallVector<Value *, 16> known;
  for (const std::string &name : names)
    known.push_back(constant(IValue(name), range));
  Condition isOne;
  Value *list = makeList(Type::stringType(), known, range);
  Value *className = env.load(exception.className, Type::stringType(), range);
  isOne.value = callBuiltin(range, aten::__contains__, {list, className});
  return isOne && emitIfBlocks(range, isOne, handle, [&] { return emitHandlers(tree, first + 1, exception); });
}

bool FunctionEmitter::emitTry(const Try &tree) {
  SourceRange range = tree.range();
  auto nothing = [] { return true; };
  auto emitBody = [&](FunctionEmitter &e) {
    if (tree.handlers().empty())
      return e.emitStatements(tree.body());
    return e.emitAttempt(
        {tree.child(0)}, range, [&](FunctionEmitter &inner) { return inner.emitStatements(tree.body()); }, nothing,
        [&](const CaughtException &exception) { return e.emitHandlers(tree, 0, exception); },
        [&] { return e.emitStatements(tree.elseBody()); });
  };
  if (!tree.hasFinally())
    return emitBody(*this);
  return emitAttempt(
      {tree.child(0), tree.child(1), tree.child(2)}, range, emitBody, [&] { return emitStatements(tree.finalBody()); },
      [&](const CaughtException &exception) { return emitRaiseAgain(exception, range); }, nothing);
}

Value *ExceptionSugar::asValue(EmitterContext &context, SourceRange range) {
  FunctionEmitter &e = emitterOf(context);
  SugaredValue *text = e.lookUp(message, range);
  return text ? text->asValue(e, range) : nullptr;
}

SugaredValue *ExceptionSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionEmitter &e = emitterOf(context);
  if (name != "args")
    return SugaredValue::attribute(e, range, name);
  Value *text = asValue(e, range), *kind = e.lookUp(className, range)->asValue(e, range);
  Value *key = text && kind ? e.callTemplate(range, "exception_key", {kind, text}) : nullptr;
  return key ? e.simple(e.makeTuple({key}, range)) : nullptr;
}
