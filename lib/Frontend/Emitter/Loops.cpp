//===- Loops.cpp - for and while ------------------------------------------===//
//
// prim::Loop as emitted has one input, the trip count, and two blocks: the body
// and the condition. SSA.cpp copies the condition to the entry and to the end of the body.
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "SizeLimits.h"
#include "llvm/ADT/ScopeExit.h"

using namespace tsc;

bool FunctionEmitter::emitLoop(SourceRange range, SugaredValue *iterable, const Tree *target, const Tree *condition,
                               llvm::function_ref<bool()> body,
                               llvm::function_ref<void(const Condition &)> refinesBehind) {
  Value *trips = iterable ? iterable->length(*this, range) : constant(std::numeric_limits<int64_t>::max(), range);
  if (!trips)
    return false;
  Node *loop = insertNode(prim::Loop, {trips}, 0, range);
  Block &bodyBlock = loop->addBlock(), &conditionBlock = loop->addBlock();
  Condition tested;
  {
    InsertPointGuard guard(graph);
    env.push(conditionBlock);
    Value *test = nullptr;
    if (condition) {
      graph.setInsertPoint(conditionBlock);
      env.forgetPaths(); // the body may have set them
      tested = emitCondition(condition);
      test = tested ? toBool(tested.value, condition->range()) : nullptr;
    } else {
      graph.setInsertPoint(loop);
      test = constant(true, range);
    }
    env.pop();
    if (!test)
      return false;
    conditionBlock.addOutput(test);
  }
  Value *index = bodyBlock.addInput("", Type::intType());
  auto guard = std::make_unique<InsertPointGuard>(graph);
  graph.setInsertPoint(bodyBlock);
  env.push(bodyBlock);
  LoopState saved = std::exchange(loopState, LoopState::Loop);
  size_t savedWiths = std::exchange(withsOutsideLoop, openWiths.size());
  bool ok = true;
  env.forgetPaths();
  insertRefinements(tested.refinements.whenTrue, range);
  if (iterable && target) {
    SugaredValue *element = iterable->element(*this, range, index);
    ok = element && assignTo(target, element, target->range());
  }
  ok = ok && body();
  loopState = saved;
  withsOutsideLoop = savedWiths;
  std::unique_ptr<Frame> frame = env.pop();
  if (!ok)
    return false;
  if (iterable)
    containerLoops.push_back({loop, iterable, range});
  for (auto &entry : frame->types)
    if (!env.isDefined(entry.first))
      env.setError(entry.first, "is not defined when the loop is not run", range, /*isLoop=*/true);
  env.eraseDeleted(*frame);
  for (auto &[name, value] : frame->sugared) { // the body may not have run
    SugaredValue *before = env.sugaredOf(name);
    if (env.isDefined(name) && !(before && standForSame(*before, *value)))
      env.forgetChoice(name, range, /*isLoop=*/true);
  }
  guard.reset(); // behind the loop
  if (refinesBehind)
    refinesBehind(tested);
  return true;
}

/// Whether a `break`, or a `continue` where that is asked for, in these statements is one of the loop that they are the
/// body of.
static bool breaksOut(const Tree *tree, bool orGoesOn) {
  if (!tree || llvm::isa<Break>(tree))
    return tree;
  if (llvm::isa<Continue>(tree))
    return orGoesOn;
  if (llvm::isa<Def, Lambda, ClassDef>(tree))
    return false;
  auto leaves = [&](const Tree *part) { return breaksOut(part, orGoesOn); };
  if (auto *loop = llvm::dyn_cast<For>(tree)) // its body's are its own
    return llvm::any_of(loop->elseBody(), leaves);
  if (auto *loop = llvm::dyn_cast<While>(tree))
    return llvm::any_of(loop->elseBody(), leaves);
  return llvm::any_of(tree->children(), leaves);
}

bool FunctionEmitter::emitForLoop(const Tree *target, SugaredValue *iterable, SourceRange range,
                                  llvm::function_ref<bool()> body) {
  std::optional<unsigned> count = iterable->staticLength();
  if (!count)
    return emitLoop(range, iterable, target, nullptr, body);
  LoopState saved = std::exchange(loopState, LoopState::Unrolled);
  auto restore = llvm::make_scope_exit([&] { loopState = saved; });
  for (unsigned i = 0; i != *count; ++i) {
    Value *index = constant(static_cast<int64_t>(i), range);
    if (index->id() > maxValuesAtUnrolling)
      return error(range, diag::UnrolledTooFar);
    SugaredValue *element = iterable->element(*this, range, index);
    if (!element || !assignTo(target, element, target->range()) || !body())
      return false;
    if (exitBlocks.contains(&graph.insertPointBlock()))
      break;
  }
  return true;
}

/// The loop that `emit` emits, and the else branch that runs when no `break` has left it.
bool FunctionEmitter::emitLoopElse(SourceRange range, TreeList<Stmt> elseBody, llvm::function_ref<bool()> emit) {
  std::string flag;
  if (!elseBody.empty()) {
    flag = compiler.hiddenName("broken");
    if (!setVariable(flag, simple(constant(false, range)), range))
      return false;
  }
  std::string outer = std::exchange(breakFlag, flag);
  bool ok = emit();
  breakFlag = std::move(outer);
  if (!ok || elseBody.empty() || exitBlocks.contains(&graph.insertPointBlock()))
    return ok;
  Condition broken;
  broken.value = env.load(flag, Type::boolType(), range);
  return emitIfBlocks(range, broken, [] { return true; }, [&] { return emitStatements(elseBody); });
}

/// A tuple whose elements are values of one type, as a list: a loop over it may be left early, and one that is unrolled
/// may not. What it was for another one.
static SugaredValue *asListOfOneType(FunctionEmitter &e, SugaredValue *iterable, SourceRange range) {
  auto parts = llvm::isa<SimpleValue, TupleSugar>(iterable) ? iterable->asTuple(e, range, std::nullopt) : std::nullopt;
  if (!parts || parts->empty() ||
      !llvm::all_of(*parts, [](SugaredValue *one) { return llvm::isa<SimpleValue, ConstantSugar>(one); }))
    return iterable;
  llvm::SmallVector<Value *, 8> values;
  for (SugaredValue *part : *parts)
    if (!values.emplace_back(part->asValue(e, range)))
      return nullptr;
  const Type *type = values[0]->type();
  const bool isOfOne = llvm::all_of(values, [&](Value *value) { return value->type() == type; });
  return isOfOne && !e.compiler.moduleInfo(type) ? e.simple(e.makeList(type, values, range)) : iterable;
}

bool FunctionEmitter::emitFor(const For &tree) {
  return emitLoopElse(tree.range(), tree.elseBody(), [&] {
    SugaredValue *source = emitSugared(tree.iterable());
    SugaredValue *iterable = source ? source->iterable(*this, tree.iterable()->range()) : nullptr;
    if (iterable && llvm::isa<TupleLiteral>(tree.iterable()) && resolver.followsPython() && !resolver.isPrinted() &&
        llvm::any_of(tree.body(), [](const Tree *one) { return breaksOut(one, true); }))
      iterable = asListOfOneType(*this, iterable, tree.iterable()->range());
    return iterable && emitForLoop(tree.target(), iterable, tree.range(), [&] { return emitStatements(tree.body()); });
  });
}

static bool namesValues(const Tree *tree) {
  return tree && (llvm::isa<NamedExpr>(tree) || llvm::any_of(tree->children(), namesValues));
}

bool FunctionEmitter::emitWhile(const While &tree) {
  return emitLoopElse(tree.range(), tree.elseBody(), [&] {
    if (!namesValues(tree.condition()))
      return emitLoop(
          tree.range(), nullptr, nullptr, tree.condition(), [&] { return emitStatements(tree.body()); },
          [&](const Condition &condition) { // the loop is left where its condition is false
            const bool isLeftByBreak = llvm::any_of(tree.body(), [](const Tree *one) { return breaksOut(one, false); });
            if (!isLeftByBreak && !exitBlocks.contains(&graph.insertPointBlock()))
              insertRefinements(condition.refinements.whenFalse, tree.range());
          });
    // What the condition names belongs to the body: `while True: if not condition: break`, which is no break of the
    // user.
    return emitLoop(tree.range(), nullptr, nullptr, nullptr, [&] {
      Condition condition = emitCondition(tree.condition());
      return condition && emitIfBlocks(
                              tree.range(), condition, [&] { return emitStatements(tree.body()); },
                              [&] {
                                insertNode(prim::BreakStmt, {}, 0, tree.range());
                                exitBlocks.insert(&graph.insertPointBlock());
                                return true;
                              });
    });
  });
}
