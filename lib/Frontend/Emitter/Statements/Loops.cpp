//===- Loops.cpp - for and while ------------------------------------------===//
//
// prim::Loop as emitted has one input, the trip count, and two blocks: the body
// and the condition. SSA.cpp copies the condition to the entry and to the end of the body.
//
//===----------------------------------------------------------------------===//
#include "Loops.h"
#include "../../SugaredValues/Values.h"
#include "../Expressions.h"
#include "../Expressions/Conditions.h"
#include "../FunctionContext.h"
#include "../Refinement.h"
#include "../SizeLimits.h"
#include "../Statements.h"
#include "Assignments.h"
#include "Attempts.h"
#include "Branches.h"
#include "Withs.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

/// Emits a prim::Loop: over `iterable`, whose elements `target` is given, or while `condition` holds; for ever without
/// either. `refinesBehind` is told what the condition says, where it stands behind the loop. False after a report.
static bool emitLoop(FunctionContext &fn, SourceRange range, SugaredValue *iterable, const Tree *target,
                     const Tree *condition, StringRef breakFlag, llvm::function_ref<bool()> body,
                     llvm::function_ref<void(const Condition &)> refinesBehind = nullptr) {
  Value *trips = iterable ? iterable->length(fn, range) : fn.constant(std::numeric_limits<int64_t>::max(), range);
  if (!trips)
    return false;
  Node *loop = fn.insertNode(prim::Loop, {trips}, 0, range);
  Block &bodyBlock = loop->addBlock(), &conditionBlock = loop->addBlock();
  Condition tested;
  {
    InsertPointGuard guard(fn.graph());
    fn.env.push(conditionBlock);
    Value *test = nullptr;
    if (condition) {
      fn.graph().setInsertPoint(conditionBlock);
      fn.env.forgetPaths(); // the body may have set them
      tested = emitCondition(fn, condition);
      test = tested ? toBool(fn, tested.value, condition->range()) : nullptr;
    } else {
      fn.graph().setInsertPoint(loop);
      test = fn.constant(true, range);
    }
    fn.env.pop();
    if (!test)
      return false;
    conditionBlock.addOutput(test);
  }
  Value *index = bodyBlock.addInput("", Type::intType());
  auto guard = std::make_unique<InsertPointGuard>(fn.graph());
  fn.graph().setInsertPoint(bodyBlock);
  fn.env.push(bodyBlock);
  LoopScope scope{/*isUnrolled=*/false, fn.scopes.with, breakFlag};
  LoopScope *around = std::exchange(fn.scopes.loop, &scope);
  bool ok = true;
  fn.env.forgetPaths();
  insertRefinements(fn, tested.refinements.whenTrue, range);
  if (iterable && target) {
    SugaredValue *element = iterable->element(fn, range, index);
    ok = element && assignTo(fn, target, element, target->range());
  }
  ok = ok && body();
  fn.scopes.loop = around;
  std::unique_ptr<Frame> frame = fn.env.pop();
  if (!ok)
    return false;
  if (iterable)
    fn.containers.loops.push_back({loop, iterable, range});
  for (auto &entry : frame->types)
    if (!fn.env.isDefined(entry.first))
      fn.env.setError(entry.first, "is not defined when the loop is not run", range, /*isLoop=*/true);
  fn.env.eraseDeleted(*frame);
  for (auto &[name, value] : frame->sugared) { // the body may not have run
    SugaredValue *before = fn.env.sugaredOf(name);
    if (fn.env.isDefined(name) && !(before && standForSame(*before, *value)))
      fn.env.forgetChoice(name, range, /*isLoop=*/true);
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

bool tsc::emitForLoop(FunctionContext &fn, const Tree *target, SugaredValue *iterable, SourceRange range,
                      llvm::function_ref<bool()> body, StringRef breakFlag) {
  std::optional<unsigned> count = iterable->staticLength();
  if (!count)
    return emitLoop(fn, range, iterable, target, nullptr, breakFlag, body);
  LoopScope scope{/*isUnrolled=*/true, nullptr, breakFlag};
  llvm::SaveAndRestore<LoopScope *> inside(fn.scopes.loop, &scope);
  for (unsigned i = 0; i != *count; ++i) {
    Value *index = fn.constant(static_cast<int64_t>(i), range);
    if (index->id() > maxValuesAtUnrolling)
      return fn.error(range, diag::UnrolledTooFar);
    SugaredValue *element = iterable->element(fn, range, index);
    if (!element || !assignTo(fn, target, element, target->range()) || !body())
      return false;
    if (fn.isLeft())
      break;
  }
  return true;
}

/// The loop that `emit` emits, and the else branch that runs when no `break` has left it.
static bool emitLoopElse(FunctionContext &fn, SourceRange range, TreeList<Stmt> elseBody,
                         llvm::function_ref<bool(StringRef breakFlag)> emit) {
  std::string flag;
  if (!elseBody.empty()) {
    flag = fn.compiler.hiddenName("broken");
    if (!setVariable(fn, flag, fn.simple(fn.constant(false, range)), range))
      return false;
  }
  const bool ok = emit(flag);
  if (!ok || elseBody.empty() || fn.isLeft())
    return ok;
  Condition broken;
  broken.value = fn.env.load(flag, Type::boolType(), range);
  return emitIfBlocks(fn, range, broken, [] { return true; }, [&] { return emitStatements(fn, elseBody); });
}

/// A tuple whose elements are values of one type, as a list: a loop over it may be left early, and one that is unrolled
/// may not. What it was for another one.
static SugaredValue *asListOfOneType(FunctionContext &fn, SugaredValue *iterable, SourceRange range) {
  auto parts = llvm::isa<SimpleValue, TupleSugar>(iterable) ? iterable->asTuple(fn, range, std::nullopt) : std::nullopt;
  if (!parts || parts->empty() ||
      !llvm::all_of(*parts, [](SugaredValue *one) { return llvm::isa<SimpleValue, ConstantSugar>(one); }))
    return iterable;
  llvm::SmallVector<Value *, 8> values;
  for (SugaredValue *part : *parts)
    if (!values.emplace_back(part->asValue(fn, range)))
      return nullptr;
  const Type *type = values[0]->type();
  const bool isOfOne = llvm::all_of(values, [&](Value *value) { return value->type() == type; });
  return isOfOne && !fn.compiler.moduleInfo(type) ? fn.simple(fn.makeList(type, values, range)) : iterable;
}

bool tsc::emitFor(FunctionContext &fn, const For &tree) {
  return emitLoopElse(fn, tree.range(), tree.elseBody(), [&](StringRef breakFlag) {
    SugaredValue *source = emitSugared(fn, tree.iterable());
    SugaredValue *iterable = source ? source->iterable(fn, tree.iterable()->range()) : nullptr;
    if (iterable && llvm::isa<TupleLiteral>(tree.iterable()) && fn.resolver.followsPython() &&
        !fn.resolver.isPrinted() && llvm::any_of(tree.body(), [](const Tree *one) { return breaksOut(one, true); }))
      iterable = asListOfOneType(fn, iterable, tree.iterable()->range());
    return iterable &&
           emitForLoop(
               fn, tree.target(), iterable, tree.range(), [&] { return emitStatements(fn, tree.body()); }, breakFlag);
  });
}

static bool namesValues(const Tree *tree) {
  return tree && (llvm::isa<NamedExpr>(tree) || llvm::any_of(tree->children(), namesValues));
}

bool tsc::emitWhile(FunctionContext &fn, const While &tree) {
  return emitLoopElse(fn, tree.range(), tree.elseBody(), [&](StringRef breakFlag) {
    if (!namesValues(tree.condition()))
      return emitLoop(
          fn, tree.range(), nullptr, nullptr, tree.condition(), breakFlag,
          [&] { return emitStatements(fn, tree.body()); },
          [&](const Condition &condition) { // the loop is left where its condition is false
            const bool isLeftByBreak = llvm::any_of(tree.body(), [](const Tree *one) { return breaksOut(one, false); });
            if (!isLeftByBreak && !fn.isLeft())
              insertRefinements(fn, condition.refinements.whenFalse, tree.range());
          });
    // What the condition names belongs to the body: `while True: if not condition: break`, which is no break of the
    // user.
    return emitLoop(fn, tree.range(), nullptr, nullptr, nullptr, breakFlag, [&] {
      Condition condition = emitCondition(fn, tree.condition());
      return condition && emitIfBlocks(
                              fn, tree.range(), condition, [&] { return emitStatements(fn, tree.body()); },
                              [&] {
                                fn.insertNode(prim::BreakStmt, {}, 0, tree.range());
                                fn.noteLeft();
                                return true;
                              });
    });
  });
}

bool tsc::leaveLoop(FunctionContext &fn, bool isBreak, SourceRange range) {
  const LoopScope *loop = fn.scopes.loop;
  if (!loop && isAttemptInLoop(fn)) {
    emitWithExits(fn, nullptr);
    return leaveAttempt(fn, isBreak ? Leaving::ByBreak : Leaving::ByContinue, range);
  }
  StringRef word = isBreak ? "break" : "continue";
  if (!loop)
    return fn.error(range, diag::OutsideLoop, word);
  if (loop->isUnrolled)
    return fn.error(range, diag::InsideUnrolledLoop, word);
  if (isBreak && !loop->breakFlag.empty() &&
      !setVariable(fn, loop->breakFlag, fn.simple(fn.constant(true, range)), range))
    return false;
  emitWithExits(fn, loop->withs);
  fn.insertNode(isBreak ? prim::BreakStmt : prim::ContinueStmt, {}, 0, range);
  fn.noteLeft();
  return true;
}
