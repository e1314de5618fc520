//===- Statements.cpp - Statements that run while loading -----------------===//
#include "../Emitter/SourceResolver.h"
#include "../Emitter/TypeExpressions.h"
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Python/Slices.h"
#include "tsc/Support/Stack.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tsc;
using namespace tsc::python;

static constexpr uint64_t maxSteps = 20'000'000;
static constexpr size_t shownCalls = 6;

//===-- Reports ------------------------------------------------------------===//

void Evaluator::report(SourceRange range, std::string message, const DiagnosticKind &kind) {
  Diagnostic diagnostic{&kind, Severity::Error, range, std::move(message), {}, {}};
  for (SourceRange call : llvm::make_range(calls.rbegin(), calls.rend())) {
    if (diagnostic.notes.size() == shownCalls)
      break;
    if (call.isValid() && call != range)
      diagnostic.notes.push_back({&diag::CalledFromHere, Severity::Note, call, diag::CalledFromHere.format, {}, {}});
  }
  std::string text = diagnostic.message;
  if (!keepForHandlers(diagnostic, kind, text))
    compiler.diags.emit(std::move(diagnostic));
}

std::nullopt_t Evaluator::raise(SourceRange range, StringRef type, const llvm::Twine &message) {
  return fail(range, diag::PythonError, type, message.str());
}

std::nullopt_t Evaluator::refuse(SourceRange range, const llvm::Twine &things) {
  const SourceBuffer *file = range.buffer();
  std::string message = llvm::formatv(diag::UnsupportedWhileLoading.format, things.str()).str();
  report(range, message + "; Python runs it: python3 " + (file ? file->name().str() : "FILE"),
         diag::UnsupportedWhileLoading);
  return std::nullopt;
}

void Evaluator::refuseLater(const llvm::Twine &things) {
  if (!std::exchange(isRefused, true))
    refuse(lastStep, things);
}

std::nullopt_t Evaluator::raiseArgs(SourceRange range, StringRef type, std::vector<AnyValue> args) {
  Arguments arguments;
  arguments.positional = std::move(args);
  InstanceObject *exception = makeException(type, arguments);
  raised = AnyValue(exception);
  raise(range, type, exceptionText(*exception));
  raised = AnyValue();
  return std::nullopt;
}

std::nullopt_t Evaluator::raiseKeyError(SourceRange range, const AnyValue &key) {
  return raiseArgs(range, "KeyError", {key});
}

bool Evaluator::mayNest() {
  constexpr unsigned maxNesting = 200;
  if (nesting <= maxNesting && ++steps <= maxSteps)
    return true;
  if (!std::exchange(isRefused, true))
    raise(lastStep, "RecursionError", "a container holds itself, or is nested too deeply or too large");
  return false;
}

bool Evaluator::countElements(int64_t count, int64_t times, SourceRange range) {
  int64_t all;
  if (times > 0 && (__builtin_mul_overflow(count, times, &all) || all > static_cast<int64_t>(maxSteps - steps))) {
    raise(range, "MemoryError", llvm::Twine("containers of more than ") + llvm::Twine(maxSteps) + " elements in all");
    return false;
  }
  if (times > 0)
    steps += static_cast<uint64_t>(all);
  return true;
}

bool Evaluator::countStep(SourceRange range) {
  lastStep = range;
  if (isRefused)
    return false;
  if (!mayRecurse()) {
    raise(range, "RecursionError", "nested too deeply for the stack of this thread");
    return false;
  }
  if (++steps <= maxSteps)
    return true;
  fail(range, diag::TooManySteps, maxSteps);
  return false;
}

//===-- Statements ---------------------------------------------------------===//

Evaluator::Flow Evaluator::run(TreeList<Stmt> body, const FramePtr &frame, AnyValue &returned) {
  for (const Tree *statement : body)
    if (Flow flow = run(statement, frame, returned); flow != Flow::Next)
      return flow;
  return Flow::Next;
}

Evaluator::Flow Evaluator::run(const Tree *tree, const FramePtr &frame, AnyValue &returned) {
  auto done = [](bool ok) { return ok ? Flow::Next : Flow::Failed; };
  if (!countStep(tree->range()) || isRaisedInside)
    return Flow::Failed;
  switch (tree->kind()) {
  case TreeKind::Pass: return Flow::Next;
  case TreeKind::Break: return Flow::Break;
  case TreeKind::Continue: return Flow::Continue;
  case TreeKind::ExprStmt: {
    const Tree *value = llvm::cast<ExprStmt>(tree)->value();
    return llvm::isa<StringLiteral, Dots>(value) ? Flow::Next : done(eval(value, frame).has_value());
  }
  case TreeKind::Def: {
    Result function = define(*llvm::cast<Def>(tree), frame);
    if (function)
      setName(llvm::cast<Def>(tree)->name(), *function, *frame);
    return done(function.has_value());
  }
  case TreeKind::ClassDef: {
    Result type = defineClass(*llvm::cast<ClassDef>(tree), frame);
    if (type)
      setName(llvm::cast<ClassDef>(tree)->name(), *type, *frame);
    return done(type.has_value());
  }
  case TreeKind::Import: return done(import(*llvm::cast<Import>(tree), *frame));
  case TreeKind::Assign: {
    auto *assignment = llvm::cast<Assign>(tree);
    if (!assignment->value())
      return Flow::Next;
    Result value = eval(assignment->value(), frame);
    if (!value)
      return Flow::Failed;
    for (const Tree *target : assignment->targets())
      if (!assign(target, *value, frame, assignment->type()))
        return Flow::Failed;
    return Flow::Next;
  }
  case TreeKind::AugAssign: return done(augmentedAssign(*llvm::cast<AugAssign>(tree), frame));
  case TreeKind::If: {
    auto *conditional = llvm::cast<If>(tree);
    Result condition = eval(conditional->condition(), frame);
    std::optional<bool> holds = condition ? truth(*condition, conditional->condition()->range()) : std::nullopt;
    if (!holds)
      return Flow::Failed;
    return run(*holds ? conditional->thenBody() : conditional->elseBody(), frame, returned);
  }
  case TreeKind::For: return runFor(*llvm::cast<For>(tree), frame, returned);
  case TreeKind::While: return runWhile(*llvm::cast<While>(tree), frame, returned);
  case TreeKind::Return: {
    const Tree *value = llvm::cast<Return>(tree)->value();
    Result result = value ? eval(value, frame) : Result(AnyValue());
    if (!result)
      return Flow::Failed;
    returned = std::move(*result);
    return Flow::Return;
  }
  case TreeKind::Try: return runTry(*llvm::cast<Try>(tree), frame, returned);
  case TreeKind::Match: return runMatch(*llvm::cast<Match>(tree), frame, returned);
  case TreeKind::Raise: return runRaise(*llvm::cast<Raise>(tree), frame);
  case TreeKind::Assert: {
    auto *assertion = llvm::cast<Assert>(tree);
    Result condition = eval(assertion->condition(), frame);
    std::optional<bool> holds = condition ? truth(*condition, assertion->condition()->range()) : std::nullopt;
    if (!holds || *holds)
      return done(holds.has_value());
    Result message = assertion->message() ? eval(assertion->message(), frame) : Result(AnyValue(IValue("")));
    if (message)
      raise(tree->range(), "AssertionError", str(*message));
    return Flow::Failed;
  }
  case TreeKind::With: return runWith(*llvm::cast<With>(tree), frame, returned);
  case TreeKind::Delete:
    for (const Tree *target : llvm::cast<Delete>(tree)->targets())
      if (!erase(target, frame))
        return Flow::Failed;
    return Flow::Next;
  case TreeKind::Global:
    for (StringRef name : namesOfGlobal(*tree))
      frame->global.push_back(name);
    return Flow::Next;
  case TreeKind::Nonlocal:
    for (StringRef name : namesOfGlobal(*tree))
      frame->nonlocal.push_back(name);
    return Flow::Next;
  default: {
    StringRef words = unsupportedWords(tree->kind());
    if (words.empty())
      words = treeKindName(tree->kind());
    refuse(tree->range(), words);
    return Flow::Failed;
  }
  }
}

Evaluator::Flow Evaluator::runFor(const For &tree, const FramePtr &frame, AnyValue &returned) {
  std::optional<Flow> left; // how the body left the loop
  auto each = [&](const AnyValue &value) {
    if (!countStep(tree.range()) || !assign(tree.target(), value, frame)) {
      left = Flow::Failed;
      return false;
    }
    Flow flow = run(tree.body(), frame, returned);
    if (flow == Flow::Break)
      left = Flow::Next;
    if (flow == Flow::Return || flow == Flow::Failed)
      left = flow;
    return !left;
  };
  const SourceRange range = tree.iterable()->range();
  if (auto *generator = llvm::dyn_cast<GeneratorExpr>(tree.iterable())) {
    const bool ok = generate(*generator, frame, each);
    return left ? *left : ok ? run(tree.elseBody(), frame, returned) : Flow::Failed;
  }
  Result iterable = eval(tree.iterable(), frame);
  IteratorObject *iterator = iterable ? iterate(*iterable, range) : nullptr;
  for (std::optional<AnyValue> next; iterator;) {
    if (!advance(*iterator, range, next))
      return Flow::Failed;
    if (!next)
      return run(tree.elseBody(), frame, returned);
    if (!each(*next))
      return *left;
  }
  return Flow::Failed;
}

Evaluator::Flow Evaluator::runWhile(const While &tree, const FramePtr &frame, AnyValue &returned) {
  for (;;) {
    Result condition = countStep(tree.range()) ? eval(tree.condition(), frame) : std::nullopt;
    std::optional<bool> holds = condition ? truth(*condition, tree.condition()->range()) : std::nullopt;
    if (!holds)
      return Flow::Failed;
    if (!*holds)
      return run(tree.elseBody(), frame, returned);
    Flow flow = run(tree.body(), frame, returned);
    if (flow == Flow::Break)
      return Flow::Next;
    if (flow == Flow::Return || flow == Flow::Failed)
      return flow;
  }
}

std::optional<bool> Evaluator::gradModeOf(const AnyValue &callee, const AnyValue *given) {
  auto *library = callee.as<LibraryObject>();
  if (!library)
    return std::nullopt;
  const StringRef path = library->path;
  const bool takesMode = path == "torch.set_grad_enabled" || path == "torch.inference_mode" ||
                         path == "torch.autograd.set_grad_enabled" || path == "torch.autograd.inference_mode" ||
                         path == "torch.autograd.grad_mode.set_grad_enabled";
  if (takesMode && given && !given->object && given->data.isBool()) {
    if (!path.ends_with("inference_mode"))
      return given->data.toBool();
    return given->data.toBool() ? std::optional(false) : std::nullopt;
  }
  return llvm::StringSwitch<std::optional<bool>>(path)
      .Cases("torch.no_grad", "torch.inference_mode", "torch.autograd.no_grad", "torch.autograd.inference_mode",
             "torch.autograd.grad_mode.no_grad", false)
      .Cases("torch.enable_grad", "torch.autograd.enable_grad", "torch.autograd.grad_mode.enable_grad", true)
      .Default(std::nullopt);
}

Evaluator::Flow Evaluator::runWith(const With &tree, const FramePtr &frame, AnyValue &returned) {
  return runWith(tree, 0, frame, returned);
}

Evaluator::Flow Evaluator::runWith(const With &tree, size_t first, const FramePtr &frame, AnyValue &returned) {
  if (first == tree.items().size())
    return run(tree.body(), frame, returned);
  const WithItem *item = tree.items()[first];
  SourceRange range = item->value()->range();
  auto *apply = llvm::dyn_cast<Apply>(item->value());
  Result callee = eval(apply ? apply->callee() : item->value(), frame);
  Result given = callee && callee->as<LibraryObject>() && apply && apply->args().size() == 1
                     ? eval(apply->args()[0], frame)
                     : Result(AnyValue());
  if (!callee || !given)
    return Flow::Failed;
  if (std::optional<bool> mode = gradModeOf(*callee, &*given)) {
    const bool before = host.setGradMode(*mode);
    Flow flow = runWith(tree, first + 1, frame, returned);
    host.setGradMode(before);
    return flow;
  }
  Result context = apply ? eval(item->value(), frame) : callee;
  if (!context)
    return Flow::Failed;
  auto *object = context->as<InstanceObject>();
  if (!object || !object->type->find("__enter__") || !object->type->find("__exit__")) {
    refuse(range, "contexts without '__enter__' and '__exit__'");
    return Flow::Failed;
  }
  std::optional<Result> entered = callOwn("__enter__", *context, {}, range);
  if (!entered || !*entered)
    return Flow::Failed;
  ++numTries; // what is raised here goes to __exit__ first
  Flow flow = item->target() && !assign(item->target(), **entered, frame) ? Flow::Failed
                                                                          : runWith(tree, first + 1, frame, returned);
  --numTries;
  isRaisedInside = false;
  std::optional<Thrown> thrown = std::exchange(pending, std::nullopt);
  if (flow == Flow::Failed && !thrown)
    return flow;                 // a refusal, which ends the program
  std::vector<AnyValue> told(3); // class, exception, traceback
  if (thrown) {
    AnyValue exception = objectOf(*thrown);
    told = {classOf(*exception.as<InstanceObject>()), exception, native("traceback")};
  }
  std::optional<Result> left = callOwn("__exit__", *context, told, range);
  std::optional<bool> isSwallowed = left && *left ? truth(**left, range) : std::nullopt;
  if (!isSwallowed)
    return Flow::Failed;
  if (!thrown)
    return flow;
  if (*isSwallowed)
    return Flow::Next;
  throwAgain(std::move(*thrown));
  return Flow::Failed;
}

//===-- Assignments --------------------------------------------------------===//

/// A private name of a class's own as Python writes it: `__count` is `_Counter__count` in the text of Counter.
std::string Evaluator::mangled(StringRef name, const Frame &frame) {
  if (!name.starts_with("__") || name.ends_with("__"))
    return name.str();
  for (const Frame *at = &frame; at; at = at->outer.get())
    if (ClassObject *type = at->body ? at->body : at->owner)
      return type->isLibrary ? name.str() : ("_" + StringRef(type->name).ltrim('_') + name).str();
  return name.str();
}

/// The function around this one whose variable `nonlocal` names; null where it names none.
static python::Frame *ownerOfNonlocal(python::Frame &frame, StringRef name) {
  if (!llvm::is_contained(frame.nonlocal, name))
    return nullptr;
  for (python::Frame *at = frame.outer.get(); at; at = at->outer.get())
    if (!at->body && !llvm::is_contained(at->nonlocal, name) &&
        (at->locals.contains(name) || (at->assigned && at->assigned->contains(name))))
      return at;
  return nullptr;
}

void Evaluator::setName(StringRef given, const AnyValue &value, Frame &frame) {
  const std::string name = frame.body ? mangled(given, frame) : given.str();
  if (frame.body)
    frame.body->attributes[name] = value;
  else if (&frame == frame.file->frame.get() || llvm::is_contained(frame.global, name))
    frame.file->globals[name] = value;
  else if (python::Frame *around = ownerOfNonlocal(frame, name))
    around->locals[name] = value;
  else
    frame.locals[name] = value;
}

bool Evaluator::assign(const Tree *target, const AnyValue &value, const FramePtr &frame, const Tree *annotation) {
  switch (target->kind()) {
  case TreeKind::Var: setName(llvm::cast<Var>(target)->name(), value, *frame); return true;
  case TreeKind::Select: {
    auto *select = llvm::cast<Select>(target);
    Result object = eval(select->value(), frame);
    return object && setAttribute(*object, mangled(select->name(), *frame), value, target->range(), annotation);
  }
  case TreeKind::Subscript: {
    auto *item = llvm::cast<Subscript>(target);
    Result object = eval(item->value(), frame);
    if (object && object->isTensor() && (value.isTensor() || value.isNumber())) {
      AnyValue selected;
      Result part = tensorSubscript(*object, *item, frame, &selected);
      return part && (selected.object ? putSelected(*part, selected, value, target->range())
                                      : setTensorPart(*part, value, target->range()));
    }
    Result index = object ? evalIndex(*item, frame) : std::nullopt;
    return index && setItem(*object, *index, value, target->range());
  }
  case TreeKind::TupleLiteral:
  case TreeKind::ListLiteral: return unpack(TreeList<Expr>(target), value, frame, target->range());
  default: refuse(target->range(), "assignments of this form"); return false;
  }
}

bool Evaluator::unpack(TreeList<Expr> targets, const AnyValue &value, const FramePtr &frame, SourceRange range) {
  std::vector<AnyValue> values;
  if (value.isNumber() || value.isNone()) {
    raise(range, "TypeError", "cannot unpack non-iterable " + typeName(value) + " object");
    return false;
  }
  if (!elements(value, range, values))
    return false;
  auto starred = llvm::find_if(targets, [](const Tree *target) { return llvm::isa<Starred>(target); });
  size_t before = starred - targets.begin(), after = starred == targets.end() ? 0 : targets.size() - before - 1;
  if (starred == targets.end() ? values.size() != targets.size() : values.size() < before + after) {
    const size_t wanted = starred == targets.end() ? targets.size() : before + after;
    if (values.size() > wanted)
      raise(range, "ValueError", "too many values to unpack (expected " + llvm::Twine(wanted) + ")");
    else
      raise(range, "ValueError",
            "not enough values to unpack (expected " + llvm::Twine(starred == targets.end() ? "" : "at least ") +
                llvm::Twine(wanted) + ", got " + llvm::Twine(values.size()) + ")");
    return false;
  }
  for (auto [i, target] : llvm::enumerate(targets)) {
    if (i < before) {
      if (!assign(target, values[i], frame))
        return false;
    } else if (i == before && llvm::isa<Starred>(target)) {
      auto *rest = make<ListObject>();
      rest->elements.assign(values.begin() + before, values.end() - after);
      if (!assign(llvm::cast<Starred>(target)->value(), rest, frame))
        return false;
    } else if (!assign(target, values[values.size() - (targets.size() - i)], frame)) {
      return false;
    }
  }
  return true;
}

/// The operator of torch's that writes to its first operand.
static StringRef writingMethod(TreeOp op) {
  switch (op) {
  case TreeOp::Add: return "add_";
  case TreeOp::Sub: return "sub_";
  case TreeOp::Mul: return "mul_";
  case TreeOp::Div: return "div_";
  case TreeOp::FloorDiv: return "floor_divide_";
  case TreeOp::Mod: return "remainder_";
  case TreeOp::Pow: return "pow_";
  case TreeOp::BitAnd: return "bitwise_and_";
  case TreeOp::BitOr: return "bitwise_or_";
  case TreeOp::BitXor: return "bitwise_xor_";
  case TreeOp::ShiftLeft: return "bitwise_left_shift_";
  case TreeOp::ShiftRight: return "bitwise_right_shift_";
  default: return "";
  }
}

/// `before op= by`: the same object where its type changes in place.
Result Evaluator::changed(TreeOp op, const AnyValue &before, const AnyValue &by, SourceRange range) {
  if (auto *list = before.as<ListObject>(); list && op == TreeOp::Add) {
    std::vector<AnyValue> more;
    if (!elements(by, range, more))
      return std::nullopt;
    list->elements.insert(list->elements.end(), more.begin(), more.end());
    ++changes;
    return before;
  }
  if (auto *dict = before.as<DictObject>(); dict && op == TreeOp::BitOr) {
    Arguments one;
    one.positional = {by};
    return update(*dict, one, range) ? Result(before) : std::nullopt;
  }
  if (before.isTensor() && !writingMethod(op).empty()) {
    Arguments one;
    one.positional = {by};
    return callTensorMethod(before, writingMethod(op), one, range) ? Result(before) : std::nullopt;
  }
  if (std::optional<Result> own = callOwn(inPlaceMethod(op), before, {by}, range))
    if (!*own || !isNotImplemented(**own))
      return *own;
  Result after = binary(op, before, by, range);
  auto *list = before.as<ListObject>();
  auto *set = before.as<SetObject>();
  if (after && list && after->as<ListObject>()) {
    list->elements = after->as<ListObject>()->elements;
    ++changes;
    return before;
  }
  if (after && set && after->as<SetObject>()) {
    set->elements = after->as<SetObject>()->elements;
    return before;
  }
  return after;
}

/// The object and the index of the target are evaluated once.
bool Evaluator::augmentedAssign(const AugAssign &tree, const FramePtr &frame) {
  const SourceRange range = tree.range();
  if (auto *select = llvm::dyn_cast<Select>(tree.target())) {
    const std::string name = mangled(select->name(), *frame);
    Result object = eval(select->value(), frame);
    Result before = object ? attribute(*object, name, tree.target()->range()) : std::nullopt;
    Result by = before ? eval(tree.value(), frame) : std::nullopt;
    Result after = by ? changed(tree.op(), *before, *by, range) : std::nullopt;
    return after && setAttribute(*object, name, *after, tree.target()->range());
  }
  if (auto *item = llvm::dyn_cast<Subscript>(tree.target())) {
    Result object = eval(item->value(), frame);
    if (!object)
      return false;
    if (object->isTensor()) {
      AnyValue selected;
      Result part = tensorSubscript(*object, *item, frame, &selected);
      Result before = part && selected.object ? callSelected(*part, selected, range) : part;
      Result by = before ? eval(tree.value(), frame) : std::nullopt;
      if (!by || !selected.object)
        return by && changed(tree.op(), *part, *by, range);
      Result after = changed(tree.op(), *before, *by, range);
      return after && putSelected(*part, selected, *after, range);
    }
    Result index = evalIndex(*item, frame);
    Result before = index ? subscript(*object, *index, tree.target()->range()) : std::nullopt;
    Result by = before ? eval(tree.value(), frame) : std::nullopt;
    Result after = by ? changed(tree.op(), *before, *by, range) : std::nullopt;
    return after && setItem(*object, *index, *after, tree.target()->range());
  }
  Result before = eval(tree.target(), frame), by = before ? eval(tree.value(), frame) : std::nullopt;
  Result after = by ? changed(tree.op(), *before, *by, range) : std::nullopt;
  return after && assign(tree.target(), *after, frame);
}

bool Evaluator::erase(const Tree *target, const FramePtr &frame) {
  ++changes;
  if (auto *var = llvm::dyn_cast<Var>(target)) {
    const bool isGlobal = frame == frame->file->frame || llvm::is_contained(frame->global, var->name());
    if (python::Frame *around = ownerOfNonlocal(*frame, var->name()); around && around->locals.erase(var->name().str()))
      return true;
    if (isGlobal ? frame->file->globals.erase(var->name()) : frame->locals.erase(var->name().str()) != 0)
      return true;
    lookUp(var->name(), frame, target->range()); // which says so
    return false;
  }
  if (auto *select = llvm::dyn_cast<Select>(target)) {
    Result object = eval(select->value(), frame);
    if (!object)
      return false;
    auto *instance = object->as<InstanceObject>();
    if (instance && instance->slots.erase(mangled(select->name(), *frame)))
      return true;
    if (!instance || instance->type->find(select->name())) {
      refuse(target->range(), "deletions of attributes of classes and libraries");
      return false;
    }
    noAttribute(*object, select->name(), target->range());
    return false;
  }
  auto *item = llvm::dyn_cast<Subscript>(target);
  Result object = item ? eval(item->value(), frame) : std::nullopt;
  Result index = object ? evalIndex(*item, frame) : std::nullopt;
  if (!index)
    return false;
  if (std::optional<Result> own = callOwn("__delitem__", *object, {*index}, target->range()))
    return own->has_value();
  if (auto *dict = object->as<DictObject>()) {
    auto at = llvm::find_if(dict->entries, [&](auto &entry) { return isSameKey(entry.first, *index); });
    if (at != dict->entries.end()) {
      dict->entries.erase(at);
      return true;
    }
    raiseKeyError(target->range(), *index);
    return false;
  }
  if (auto *list = object->as<ListObject>(); list && index->as<SliceObject>()) {
    auto taken = placesOf(*index->as<SliceObject>(), list->elements.size(), target->range());
    if (!taken)
      return false;
    llvm::sort(*taken);
    for (int64_t at : llvm::reverse(*taken))
      list->elements.erase(list->elements.begin() + at);
    return true;
  }
  if (auto *instance = object->as<InstanceObject>();
      instance && instance->type->derivesFrom("Sequential") && index->isInt())
    return eraseLayer(*instance, index->data.toInt(), target->range());
  if (auto *list = object->as<ListObject>(); list && index->isInt()) {
    if (std::optional<int64_t> at = elementPlace(index->data.toInt(), static_cast<int64_t>(list->elements.size()))) {
      list->elements.erase(list->elements.begin() + *at);
      return true;
    }
    raise(target->range(), "IndexError", "list assignment index out of range");
    return false;
  }
  refuse(target->range(), "deletions of elements of '" + typeName(*object) + "'");
  return false;
}

//===-- Definitions --------------------------------------------------------===//

Result Evaluator::define(const Def &def, const FramePtr &frame) {
  auto *function = make<FunctionObject>();
  function->tree = &def;
  function->file = frame->file;
  function->owner = frame->body ? frame->body : frame->owner;
  if (frame != frame->file->frame)
    function->closure = frame->body ? frame->outer : frame;
  for (const Param *param : def.params())
    if (const Tree *value = param->defaultValue()) {
      Result evaluated = eval(value, frame);
      if (!evaluated)
        return std::nullopt;
      function->defaults[param] = *evaluated;
    }
  AnyValue value(function);
  const std::vector<const Tree *> decorators(def.decorators().begin(), def.decorators().end());
  for (const Tree *decorator : llvm::reverse(decorators)) // the nearest one first
    if (!decorate(value, decorator, frame))
      return std::nullopt;
  return value;
}

/// What a decorator makes of a function: those of Python and of torch say how it is called; one of the file's own is
/// called. False after a report.
bool Evaluator::decorate(AnyValue &value, const Tree *decorator, const FramePtr &frame) {
  auto *function = value.as<FunctionObject>();
  const SourceRange range = decorator->range();
  if (auto *var = llvm::dyn_cast<Var>(decorator); var && function && !findName(var->name(), frame)) {
    using Binding = FunctionObject::Binding;
    std::optional<Binding> binding = llvm::StringSwitch<std::optional<Binding>>(var->name())
                                         .Case("staticmethod", Binding::Static)
                                         .Case("classmethod", Binding::Class)
                                         .Case("property", Binding::Property)
                                         .Default(std::nullopt);
    if (binding) {
      function->binding = *binding;
      return true;
    }
  }
  auto *select = llvm::dyn_cast<Select>(decorator);
  if (auto *of = select ? llvm::dyn_cast<Var>(select->value()) : nullptr;
      of && frame->body && select->name() == "setter") {
    AnyValue *known = frame->body->attributes.find(mangled(of->name(), *frame));
    auto *property = known ? known->as<FunctionObject>() : nullptr;
    if (property && function && property->binding == FunctionObject::Binding::Property) {
      property = make<FunctionObject>(*property);
      property->setter = function;
      value = AnyValue(property);
      return true;
    }
  }
  auto *apply = llvm::dyn_cast<Apply>(decorator);
  Result callee = eval(apply ? apply->callee() : decorator, frame);
  if (!callee)
    return false;
  if (auto *library = callee->as<LibraryObject>()) {
    const StringRef path = library->path;
    Result given = apply && apply->args().size() == 1 ? eval(apply->args()[0], frame) : Result(AnyValue());
    if (!given)
      return false;
    std::optional<bool> mode = apply || path.ends_with("no_grad") || path.ends_with("enable_grad")
                                   ? gradModeOf(*callee, apply && apply->args().size() == 1 ? &*given : nullptr)
                                   : std::nullopt;
    if (mode && function) {
      if (!function->gradMode) // the inner one decides
        function->gradMode = mode;
      return true;
    }
    if ((path == "functools.lru_cache" || path == "functools.cache") && function && !frame->body) {
      Arguments options;
      if (apply)
        for (const Tree *keyword : apply->keywords()) {
          auto *named = llvm::dyn_cast<Keyword>(keyword);
          Result option = named ? eval(named->value(), frame) : std::nullopt;
          if (!option)
            return named ? false : (refuse(range, "caches with '**'"), false);
          options.keywords.push_back({named->name().str(), *option});
        }
      if (apply && !apply->args().empty())
        options.positional = {*given};
      Result cached = makeCached(path, value, &options, range);
      if (cached)
        value = *cached;
      return cached.has_value();
    }
    if (path == "functools.wraps" && function) {
      Result wrapped = given->object ? attribute(*given, "__name__", range) : std::nullopt;
      if (wrapped && wrapped->isString())
        function->wrappedName = wrapped->data.toString();
      return wrapped.has_value();
    }
    if (path == "abc.abstractmethod" && function) {
      function->isAbstract = true;
      return true;
    }
    if (isTransparentDecorator(path))
      return true;
  }
  if (frame->file->isLibrary)
    return true;
  if (callee->as<FunctionObject>() && !(frame->body && frame->body->isModule)) { // applied as Python does
    Result made = apply ? eval(decorator, frame) : callee;
    Arguments one;
    one.positional = {value};
    Result replaced = made ? call(*made, one, range) : std::nullopt;
    if (!replaced)
      return false;
    // Compiled code calls what the text defines.
    if (replaced->object != value.object)
      decorated.insert(function ? function->tree : value.as<ClassObject>() ? value.as<ClassObject>()->tree : nullptr);
    value = *replaced;
    return true;
  }
  refuse(range, "decorators like '@" + (apply ? apply->callee()->range().text() : range.text()) + "'");
  return false;
}

/// The order of Python's C3: each class before its bases, these as they are written. False where there is none.
static bool linearize(ClassObject &type, const std::vector<ClassObject *> &bases) {
  std::vector<std::vector<ClassObject *>> lists;
  for (ClassObject *base : bases)
    lists.push_back(base->order);
  lists.push_back(bases);
  type.order = {&type};
  for (;;) {
    llvm::erase_if(lists, [](auto &list) { return list.empty(); });
    if (lists.empty())
      return true;
    auto isFree = [&](const std::vector<ClassObject *> &list) {
      return llvm::none_of(lists, [&](auto &other) { return llvm::is_contained(llvm::drop_begin(other), list[0]); });
    };
    auto next = llvm::find_if(lists, isFree);
    if (next == lists.end())
      return false;
    ClassObject *taken = (*next)[0];
    type.order.push_back(taken);
    for (auto &list : lists)
      if (list[0] == taken)
        list.erase(list.begin());
  }
}

bool Evaluator::setBases(ClassObject &type, const ClassDef &tree, const FramePtr &frame) {
  std::vector<ClassObject *> bases;
  for (const Tree *base : tree.bases()) {
    Result value = eval(base, frame);
    if (!value)
      return false;
    if (auto *known = value->as<ClassObject>())
      bases.push_back(known);
    else if (auto *named = value->as<LibraryObject>()) {
      StringRef path = named->path;
      static constexpr StringRef known[] = {"abc.ABC", "typing.Generic", "enum.Enum", "enum.IntEnum", "enum.StrEnum"};
      if (!frame->file->isLibrary && !path.starts_with("builtins.") && !path.ends_with("NamedTuple") &&
          !llvm::is_contained(known, path))
        return refuse(base->range(), "classes that derive from '" + path + "'"), false;
      type.isAbstract |= path == "abc.ABC";
      type.isNamedTuple |= path.ends_with("NamedTuple");
      if (path.consume_front("builtins."))
        type.exceptionBase = path.str();
      // Members are what they are in compiled code.
      if (path == "enum.Enum" || path == "enum.IntEnum" || path == "enum.StrEnum")
        type.members = llvm::dyn_cast_or_null<EnumType>(frame->file->resolver->classNamed(tree.name()));
    } else if (auto *native = value->as<NativeObject>(); !native || native->name != "object") {
      return refuse(base->range(), "classes that derive from '" + base->range().text() + "'"), false;
    }
  }
  if (!linearize(type, bases)) {
    std::string names;
    for (ClassObject *base : bases)
      names += (names.empty() ? "" : ", ") + base->name;
    raise(tree.point(), "TypeError", "Cannot create a consistent method resolution order (MRO) for bases " + names);
    return false;
  }
  for (ClassObject *base : bases) {
    type.isModule |= base->isModule;
    type.isAbstract |= base->isAbstract;
    type.isFrozen |= base->isFrozen;
    type.isDataclass |= base->isDataclass;
    type.isNamedTuple |= base->isNamedTuple;
    if (type.exceptionBase.empty())
      type.exceptionBase = base->exceptionBase;
  }
  type.isModule |= frame->file->isLibrary && type.name == "Module";
  return true;
}

/// Methods by which a class changes what Python itself does, and which nothing here asks.
static bool changesPython(StringRef name) {
  static constexpr StringRef names[] = {"__new__",
                                        "__setattr__",
                                        "__getattribute__",
                                        "__getattr__",
                                        "__delattr__",
                                        "__set_name__",
                                        "__get__",
                                        "__set__",
                                        "__delete__",
                                        "__class_getitem__",
                                        "__prepare__",
                                        "__instancecheck__",
                                        "__subclasscheck__",
                                        "__dir__",
                                        "__missing__",
                                        "__mro_entries__",
                                        "__torch_function__",
                                        "__copy__",
                                        "__length_hint__"};
  return llvm::is_contained(names, name);
}

Result Evaluator::defineClass(const ClassDef &tree, const FramePtr &frame) {
  auto *type = make<ClassObject>();
  type->name = tree.name().str();
  type->tree = &tree;
  type->file = frame->file;
  type->isLibrary = frame->file->isLibrary;
  if (!setBases(*type, tree, frame))
    return std::nullopt;
  if (type->isNamedTuple)
    namedTupleClasses.push_back(type);
  for (const Tree *decorator : tree.decorators()) {
    auto *apply = llvm::dyn_cast<Apply>(decorator);
    if (!StringRef(dottedName(apply ? apply->callee() : decorator)).ends_with("dataclass"))
      continue;
    type->isDataclass = true;
    for (const Tree *option : apply ? apply->keywords() : TreeList<Tree>()) {
      auto *keyword = llvm::dyn_cast<Keyword>(option);
      auto *flag = keyword ? llvm::dyn_cast<BoolLiteral>(keyword->value()) : nullptr;
      if (!flag ||
          (keyword->name() != "frozen" && keyword->name() != "order" &&
           flag->value() != (keyword->name() == "eq" || keyword->name() == "repr" || keyword->name() == "init")))
        return refuse(option->range(), "options of dataclasses like '" + option->range().text() + "'");
      type->isFrozen |= keyword->name() == "frozen" && flag->value();
      type->isOrdered |= keyword->name() == "order" && flag->value();
    }
  }
  if (!type->isLibrary && !tree.keywords().empty())
    return refuse(tree.point(), "classes with keywords");
  for (const Tree *statement : tree.body())
    if (auto *method = llvm::dyn_cast<Def>(statement); method && !type->isLibrary && changesPython(method->name()))
      return refuse(method->point(), "methods like '" + method->name() + "'");
  auto body = std::make_shared<Frame>();
  body->file = frame->file;
  body->outer = frame;
  body->body = type;
  for (const Tree *statement : tree.body()) {
    // What a member is was found out where the class was declared, for auto() counts there.
    auto *assignment = type->members ? llvm::dyn_cast<Assign>(statement) : nullptr;
    auto *member = assignment ? llvm::dyn_cast<Var>(assignment->targets().front()) : nullptr;
    if (const IValue *value = member ? type->members->find(member->name()) : nullptr) {
      type->attributes[member->name().str()] = AnyValue(*value);
      continue;
    }
    AnyValue returned;
    if (run(statement, body, returned) == Flow::Failed)
      return std::nullopt;
  }
  if (type->members)
    for (auto &[name, value] : type->members->members())
      type->attributes[name] = AnyValue(IValue(makeRef<EnumValue>(type->members, name, value)));
  AnyValue value(type);
  if (AnyValue *hook = type->find("__init_subclass__", type)) { // of a base
    auto *function = hook->as<FunctionObject>();
    if (!function)
      return refuse(tree.point(), "methods like '__init_subclass__' that are no functions");
    if (!callFunction(*function, {}, tree.point(), &value))
      return std::nullopt;
  }
  const std::vector<const Tree *> decorators(tree.decorators().begin(), tree.decorators().end());
  for (const Tree *decorator : llvm::reverse(decorators)) // the nearest one first
    if (!decorate(value, decorator, frame))
      return std::nullopt;
  return value;
}
