//===- Statements.cpp - Statements that run while loading -----------------===//
#include "../Emitter/SourceResolver.h"
#include "../Emitter/TypeExpressions.h"
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
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

bool Evaluator::mayNest() {
  constexpr unsigned maxNesting = 200;
  if (nesting <= maxNesting && ++steps <= maxSteps)
    return true;
  if (!std::exchange(isNestingReported, true))
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
  if (isNestingReported)
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
  if (!countStep(tree->range()))
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
    for (const Tree *name : tree->children())
      frame->global.push_back(name->spelling());
    return Flow::Next;
  default: {
    StringRef words = unsupportedWords(tree->kind());
    if (words.empty())
      words = treeKindName(tree->kind());
    fail(tree->range(), diag::UnsupportedWhileLoading, words);
    return Flow::Failed;
  }
  }
}

Evaluator::Flow Evaluator::runFor(const For &tree, const FramePtr &frame, AnyValue &returned) {
  Result iterable = eval(tree.iterable(), frame);
  std::vector<AnyValue> values;
  if (!iterable || !elements(*iterable, tree.iterable()->range(), values))
    return Flow::Failed;
  for (const AnyValue &value : values) {
    if (!countStep(tree.range()) || !assign(tree.target(), value, frame))
      return Flow::Failed;
    Flow flow = run(tree.body(), frame, returned);
    if (flow == Flow::Break)
      return Flow::Next;
    if (flow == Flow::Return || flow == Flow::Failed)
      return flow;
  }
  return run(tree.elseBody(), frame, returned);
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

/// Contexts that change nothing here: there is no tape while a program is loaded.
/// The grad mode of `with torch.no_grad():` and its kin; nothing for other contexts.
static std::optional<bool> gradModeOf(const AnyValue &callee, const AnyValue *given) {
  auto *library = callee.as<LibraryObject>();
  if (!library)
    return std::nullopt;
  if (library->path == "torch.set_grad_enabled" && given && given->data.isBool())
    return given->data.toBool();
  return llvm::StringSwitch<std::optional<bool>>(library->path)
      .Cases("torch.no_grad", "torch.inference_mode", "torch.autograd.no_grad", false)
      .Cases("torch.enable_grad", "torch.autograd.enable_grad", true)
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
  std::optional<Result> entered = callOwn("__enter__", *context, {}, range);
  if (!entered) {
    fail(range, diag::UnsupportedWhileLoading, "contexts without '__enter__'");
    return Flow::Failed;
  }
  if (!*entered || (item->target() && !assign(item->target(), **entered, frame)))
    return Flow::Failed;
  Flow flow = runWith(tree, first + 1, frame, returned);
  std::optional<Thrown> thrown = std::exchange(pending, std::nullopt);
  const bool isRefused = flow == Flow::Failed && !thrown && numTries;
  std::optional<Result> left =
      isRefused ? std::nullopt : callOwn("__exit__", *context, {AnyValue(), AnyValue(), AnyValue()}, range);
  if (thrown && !pending)
    pending = std::move(thrown);
  return left && !*left ? Flow::Failed : flow;
}

//===-- Assignments --------------------------------------------------------===//

void Evaluator::setName(StringRef name, const AnyValue &value, Frame &frame) {
  if (frame.body)
    frame.body->attributes[name] = value;
  else if (&frame == frame.file->frame.get() || llvm::is_contained(frame.global, name))
    frame.file->globals[name] = value;
  else
    frame.locals[name.str()] = value;
}

bool Evaluator::assign(const Tree *target, const AnyValue &value, const FramePtr &frame, const Tree *annotation) {
  switch (target->kind()) {
  case TreeKind::Var: setName(llvm::cast<Var>(target)->name(), value, *frame); return true;
  case TreeKind::Select: {
    auto *select = llvm::cast<Select>(target);
    Result object = eval(select->value(), frame);
    return object && setAttribute(*object, select->name(), value, target->range(), annotation);
  }
  case TreeKind::Subscript: {
    auto *item = llvm::cast<Subscript>(target);
    Result object = eval(item->value(), frame);
    if (object && object->isTensor() && (value.isTensor() || value.isNumber())) {
      Result part = tensorSubscript(*object, *item, frame, /*asView=*/true);
      return part && setTensorPart(*part, value, target->range());
    }
    if (!object || item->indices().size() != 1 || llvm::isa<Slice>(item->indices()[0])) {
      if (object)
        fail(target->range(), diag::UnsupportedWhileLoading, "assignments to slices");
      return false;
    }
    Result index = eval(item->indices()[0], frame);
    return index && setItem(*object, *index, value, target->range());
  }
  case TreeKind::TupleLiteral:
  case TreeKind::ListLiteral: return unpack(TreeList<Expr>(target), value, frame, target->range());
  default: fail(target->range(), diag::UnsupportedWhileLoading, "assignments of this form"); return false;
  }
}

bool Evaluator::unpack(TreeList<Expr> targets, const AnyValue &value, const FramePtr &frame, SourceRange range) {
  std::vector<AnyValue> values;
  if (!elements(value, range, values))
    return false;
  auto starred = llvm::find_if(targets, [](const Tree *target) { return llvm::isa<Starred>(target); });
  size_t before = starred - targets.begin(), after = starred == targets.end() ? 0 : targets.size() - before - 1;
  if (starred == targets.end() ? values.size() != targets.size() : values.size() < before + after) {
    raise(range, "ValueError",
          "cannot unpack " + llvm::Twine(values.size()) + " values into " + llvm::Twine(targets.size()) + " names");
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

bool Evaluator::augmentedAssign(const AugAssign &tree, const FramePtr &frame) {
  Result before = eval(tree.target(), frame), by = before ? eval(tree.value(), frame) : std::nullopt;
  if (!by)
    return false;
  if (auto *list = before->as<ListObject>(); list && tree.op() == TreeOp::Add) { // in place, as lists do
    std::vector<AnyValue> more;
    if (!elements(*by, tree.value()->range(), more))
      return false;
    list->elements.insert(list->elements.end(), more.begin(), more.end());
    ++changes;
    return assign(tree.target(), *before, frame);
  }
  std::optional<Result> own = callOwn(inPlaceMethod(tree.op()), *before, {*by}, tree.range());
  Result after = own ? *own : binary(tree.op(), *before, *by, tree.range());
  return after && assign(tree.target(), *after, frame);
}

bool Evaluator::erase(const Tree *target, const FramePtr &frame) {
  ++changes;
  if (auto *var = llvm::dyn_cast<Var>(target)) {
    if (frame->locals.erase(var->name().str()) || frame->file->globals.erase(var->name()))
      return true;
    raise(target->range(), "NameError", "name '" + var->name() + "' is not defined");
    return false;
  }
  if (auto *select = llvm::dyn_cast<Select>(target)) {
    Result object = eval(select->value(), frame);
    if (!object)
      return false;
    auto *instance = object->as<InstanceObject>();
    if (instance && instance->slots.erase(select->name()))
      return true;
    noAttribute(*object, select->name(), target->range());
    return false;
  }
  auto *item = llvm::dyn_cast<Subscript>(target);
  Result object = item ? eval(item->value(), frame) : std::nullopt;
  Result index = object && item->indices().size() == 1 ? eval(item->indices()[0], frame) : std::nullopt;
  if (!index)
    return false;
  if (std::optional<Result> own = callOwn("__delitem__", *object, {*index}, target->range()))
    return own->has_value();
  if (auto *dict = object->as<DictObject>()) {
    auto at = llvm::find_if(dict->entries, [&](auto &entry) { return equal(entry.first, *index); });
    if (at != dict->entries.end()) {
      dict->entries.erase(at);
      return true;
    }
    raise(target->range(), "KeyError", repr(*index));
    return false;
  }
  if (auto *list = object->as<ListObject>(); list && index->isInt()) {
    int64_t size = static_cast<int64_t>(list->elements.size()), at = index->data.toInt();
    at += at < 0 ? size : 0;
    if (at >= 0 && at < size) {
      list->elements.erase(list->elements.begin() + at);
      return true;
    }
    raise(target->range(), "IndexError", "list assignment index out of range");
    return false;
  }
  raise(target->range(), "TypeError", "'" + typeName(*object) + "' object doesn't support item deletion here");
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
  for (const Tree *decorator : def.decorators()) {
    StringRef name = decorator->spelling();
    function->binding = name == "staticmethod"  ? FunctionObject::Binding::Static
                        : name == "classmethod" ? FunctionObject::Binding::Class
                        : name == "property"    ? FunctionObject::Binding::Property
                                                : function->binding;
  }
  return AnyValue(function);
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
      type.isNamedTuple |= path.ends_with("NamedTuple");
      if (path.consume_front("builtins."))
        type.exceptionBase = path.str();
      // Members are what they are in compiled code.
      if (path == "enum.Enum" || path == "enum.IntEnum" || path == "enum.StrEnum")
        type.members = llvm::dyn_cast_or_null<EnumType>(frame->file->resolver->classNamed(tree.name()));
    }
  }
  // Depth first, each class behind those that derive from it.
  type.order = {&type};
  for (ClassObject *base : bases)
    for (ClassObject *ancestor : base->order) {
      llvm::erase(type.order, ancestor);
      type.order.push_back(ancestor);
    }
  for (ClassObject *base : bases) {
    type.isModule |= base->isModule;
    type.isDataclass |= base->isDataclass;
    type.isNamedTuple |= base->isNamedTuple;
    if (type.exceptionBase.empty())
      type.exceptionBase = base->exceptionBase;
  }
  type.isModule |= frame->file->isLibrary && type.name == "Module";
  return true;
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
    const Tree *callee = llvm::isa<Apply>(decorator) ? llvm::cast<Apply>(decorator)->callee() : decorator;
    type->isDataclass |= dottedName(callee).ends_with("dataclass");
  }
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
  return AnyValue(type);
}
