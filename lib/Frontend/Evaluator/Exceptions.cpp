//===- Exceptions.cpp - try, raise and match while loading ----------------===//
//
// An exception is a report that a `try` may keep to itself: what went wrong with a
// place, a class and a message. Refusals of the evaluator (too many steps, syntax
// that it lacks, code that does not compile) are none, and pass every handler.
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Python/Errors.h"
#include "llvm/ADT/StringExtras.h"

using namespace tsc;
using namespace tsc::python;

//===-- Exceptions ----------------------------------------------------------===//

/// `__torch__.errors.Late`: a class of the user's, as compiled code names it.
static constexpr StringRef userPrefix = "__torch__.";

/// The class and the message of what compiled code raised: the last line that begins with a class of exceptions.
static std::pair<std::string, std::string> readFailure(StringRef text) {
  StringRef type = "RuntimeError", message = text;
  for (size_t begin = 0;;) {
    StringRef line = text.substr(begin);
    StringRef name = line.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    StringRef plain = name;
    plain.consume_front("builtins.");
    if ((isBuiltinException(plain) || name.starts_with(userPrefix)) && line.substr(name.size()).starts_with(": ")) {
      type = plain;
      message = line.substr(name.size() + 2);
    }
    size_t next = text.find('\n', begin);
    if (next == StringRef::npos)
      break;
    begin = next + 1;
  }
  if (type == "RuntimeError") { // an operator's, which names its class itself
    if (auto [name, rest] = message.split(": "); !rest.empty() && isBuiltinException(name))
      return {name.str(), rest.str()};
    // What PyTorch raises as an IndexError; all else that operators say is a RuntimeError there, too.
    if (message.starts_with("Dimension out of range") || message.starts_with("too many indices for tensor") ||
        message.contains("(): Expected reduction dim ") ||
        (message.starts_with("index ") && message.contains("is out of bounds for dimension")))
      type = "IndexError";
  }
  return {type.str(), message.rtrim('\n').str()};
}

std::nullopt_t Evaluator::raiseStatus(SourceRange range, const Status &status) {
  if (status.code() == StatusCode::Cancelled) // was reported where it happened
    return std::nullopt;
  if (needsLargerInt(status))
    return refuse(range, "ints of more than 64 bits");
  if (status.code() == StatusCode::Unimplemented)
    return refuse(range, messageOf(status));
  if (status.code() == StatusCode::ResourceExhausted)
    return refuse(range, "texts of such a length");
  auto [type, text] = exceptionParts(status);
  if (text == powerTooLargeText)
    return raiseArgs(range, type, {IValue(34), IValue("Numerical result out of range")});
  return raise(range, type, text);
}

bool Evaluator::keepForHandlers(Diagnostic &diagnostic, const DiagnosticKind &kind, StringRef text) {
  if (!numTries || (&kind != &diag::PythonError && &kind != &diag::FailedWhileLoading))
    return false;
  Thrown thrown;
  if (&kind == &diag::PythonError) {
    auto [type, message] = text.split(": ");
    thrown.type = type.str();
    thrown.message = message.str();
  } else {
    std::tie(thrown.type, thrown.message) = readFailure(text);
  }
  thrown.value = std::exchange(raised, AnyValue());
  if (!thrown.value.object && userException(thrown.type)) {
    Arguments arguments;
    arguments.positional = {AnyValue(IValue(thrown.message))};
    thrown.value = makeException(thrown.type, arguments);
  }
  thrown.diagnostic = std::move(diagnostic);
  pending = std::move(thrown);
  return true;
}

void Evaluator::throwAgain(Thrown thrown) {
  if (numTries)
    pending = std::move(thrown);
  else
    compiler.diags.emit(std::move(thrown.diagnostic));
}

std::string Evaluator::exceptionText(const InstanceObject &exception) {
  Slot *slot = const_cast<InstanceObject &>(exception).slots.find("args");
  auto *args = slot ? slot->value.as<TupleObject>() : nullptr;
  if (!args || args->elements.empty())
    return "";
  if (args->elements.size() != 1)
    return repr(slot->value);
  return exception.type->exceptionBase == "KeyError" ? repr(args->elements[0]) : str(args->elements[0]);
}

/// The class of the user's that compiled code names so; null for another.
ClassObject *Evaluator::userException(StringRef fullName) {
  if (!fullName.consume_front(userPrefix))
    return nullptr;
  auto [module, name] = fullName.contains('.') ? fullName.rsplit('.') : std::pair("__main__", fullName);
  for (FileScope &file : files)
    if (AnyValue *value = !file.isLibrary && module == file.name ? file.globals.find(name) : nullptr)
      return value->as<ClassObject>();
  return nullptr;
}

/// dataclasses.FrozenInstanceError, which is an AttributeError.
std::nullopt_t Evaluator::raiseFrozen(SourceRange range, const llvm::Twine &message) {
  ClassObject *&known = exceptionClasses["FrozenInstanceError"];
  if (!known) {
    known = make<ClassObject>();
    known->name = "FrozenInstanceError";
    known->order = {known};
    known->exceptionBase = "AttributeError";
  }
  return raiseArgs(range, "FrozenInstanceError", {AnyValue(IValue(message.str()))});
}

InstanceObject *Evaluator::makeException(StringRef type, const Arguments &arguments) {
  ClassObject *&known = exceptionClasses[type];
  if (!known)
    known = userException(type);
  if (!known) {
    known = make<ClassObject>();
    known->name = type.str();
    known->order = {known};
    known->exceptionBase = type.str();
  }
  auto *instance = make<InstanceObject>();
  instance->type = known;
  auto *args = make<TupleObject>();
  args->elements = arguments.positional;
  instance->slots["args"].value = args;
  return instance;
}

AnyValue Evaluator::classOf(const InstanceObject &instance) {
  const bool isPythons = !instance.type->tree && instance.type->name == instance.type->exceptionBase;
  if (!isPythons)
    return AnyValue(instance.type);
  auto *type = make<LibraryObject>();
  type->path = "builtins." + instance.type->name;
  return AnyValue(type);
}

std::optional<bool> Evaluator::isCaughtBy(const Thrown &thrown, const AnyValue &handler, SourceRange range) {
  if (auto *tuple = handler.as<TupleObject>()) {
    for (const AnyValue &one : tuple->elements) {
      std::optional<bool> caught = isCaughtBy(thrown, one, range);
      if (!caught || *caught)
        return caught;
    }
    return false;
  }
  auto *instance = thrown.value.as<InstanceObject>();
  if (auto *type = handler.as<ClassObject>(); type && !type->exceptionBase.empty())
    return instance ? instance->type->derivesFrom(type) : thrown.type == type->name;
  auto *library = handler.as<LibraryObject>();
  StringRef name = library ? StringRef(library->path) : StringRef();
  if (!name.consume_front("builtins."))
    return raise(range, "TypeError", "catching classes that do not inherit from BaseException is not allowed");
  return isExceptionBelow(instance ? StringRef(instance->type->exceptionBase) : StringRef(thrown.type), name);
}

/// The object of an exception, made where nothing but its text is known.
AnyValue Evaluator::objectOf(Thrown &thrown) {
  if (!thrown.value.object) {
    Arguments arguments;
    StringRef message = thrown.message;
    if (thrown.type == "KeyError" && message.size() > 1 && message.consume_front("'")) // the key as it is written
      message.consume_back("'");
    arguments.positional = {AnyValue(IValue(message.str()))};
    thrown.value = makeException(thrown.type, arguments);
  }
  return thrown.value;
}

Evaluator::Flow Evaluator::handle(const Try &tree, Thrown &thrown, const FramePtr &frame, AnyValue &returned,
                                  bool &isHandled) {
  for (const ExceptHandler *handler : tree.handlers()) {
    if (handler->type()) {
      Result type = eval(handler->type(), frame);
      std::optional<bool> caught = type ? isCaughtBy(thrown, *type, handler->point()) : std::nullopt;
      if (!caught) {
        isHandled = true; // another error takes its place
        return Flow::Failed;
      }
      if (!*caught)
        continue;
    }
    isHandled = true;
    objectOf(thrown);
    if (!handler->name().empty())
      setName(handler->name(), thrown.value, *frame);
    handled.push_back(thrown);
    Flow flow = run(handler->body(), frame, returned);
    handled.pop_back();
    return flow;
  }
  return Flow::Failed;
}

Evaluator::Flow Evaluator::runTry(const Try &tree, const FramePtr &frame, AnyValue &returned) {
  ++numTries;
  Flow flow = run(tree.body(), frame, returned);
  isRaisedInside = false;
  std::optional<Thrown> thrown = std::exchange(pending, std::nullopt);
  // Handlers and `else` fail to what stands around, behind `finally`.
  const bool isKept = tree.hasFinally();
  if (!isKept)
    --numTries;
  if (flow == Flow::Failed && thrown) {
    bool isHandled = false;
    flow = handle(tree, *thrown, frame, returned, isHandled);
    if (isHandled)
      thrown = std::exchange(pending, std::nullopt);
  } else if (flow == Flow::Next) {
    flow = run(tree.elseBody(), frame, returned);
    thrown = std::exchange(pending, std::nullopt);
  }
  if (isKept) {
    --numTries;
    if (flow == Flow::Failed && !thrown)
      return flow; // a refusal, which ends the program
    if (Flow last = run(tree.finalBody(), frame, returned); last != Flow::Next)
      return last;
  }
  if (thrown)
    throwAgain(std::move(*thrown));
  return flow;
}

Evaluator::Flow Evaluator::runRaise(const Raise &tree, const FramePtr &frame) {
  if (!tree.value()) {
    if (handled.empty())
      raise(tree.range(), "RuntimeError", "No active exception to reraise");
    else
      throwAgain(handled.back());
    return Flow::Failed;
  }
  Result value = eval(tree.value(), frame);
  if (!value)
    return Flow::Failed;
  if (auto *type = value->as<ClassObject>(); type && !type->exceptionBase.empty())
    value = construct(*type, {}, tree.range());
  else if (auto *library = value->as<LibraryObject>(); library && StringRef(library->path).starts_with("builtins."))
    value = AnyValue(makeException(StringRef(library->path).drop_front(9), {}));
  auto *exception = value ? value->as<InstanceObject>() : nullptr;
  if (!exception || exception->type->exceptionBase.empty()) {
    if (value)
      raise(tree.range(), "TypeError", "exceptions must derive from BaseException");
    return Flow::Failed;
  }
  if (tree.cause()) {
    Result cause = eval(tree.cause(), frame);
    if (!cause)
      return Flow::Failed;
    if (auto *library = cause->as<LibraryObject>(); library && StringRef(library->path).starts_with("builtins."))
      cause = AnyValue(makeException(StringRef(library->path).drop_front(9), {}));
    exception->slots["__cause__"].value = *cause;
  }
  raised = *value;
  raise(tree.range(), exception->type->name, exceptionText(*exception));
  raised = AnyValue();
  return Flow::Failed;
}

//===-- match -----------------------------------------------------------------===//

/// `[a, *rest, b]`
std::optional<bool> Evaluator::matchesSequence(const Tree *pattern, const AnyValue &value, const FramePtr &frame,
                                               Captures &captures) {
  if (!value.as<ListObject>() && !value.as<TupleObject>())
    return false;
  std::vector<AnyValue> values;
  if (!elements(value, pattern->range(), values))
    return std::nullopt;
  auto parts = TreeList<Expr>(pattern);
  auto star = llvm::find_if(parts, [](const Tree *part) { return llvm::isa<Starred>(part); });
  const bool hasStar = star != parts.end();
  if (hasStar ? values.size() + 1 < parts.size() : values.size() != parts.size())
    return false;
  const size_t before = star - parts.begin(), extra = values.size() - parts.size();
  for (auto [i, part] : llvm::enumerate(parts)) {
    if (i == before && hasStar) {
      auto *rest = make<ListObject>();
      rest->elements.assign(values.begin() + before, values.begin() + before + extra + 1);
      if (auto *name = llvm::dyn_cast<Var>(llvm::cast<Starred>(part)->value()))
        captures.emplace_back(name->name(), AnyValue(rest));
      continue;
    }
    std::optional<bool> fits = matches(part, values[i > before && hasStar ? i + extra : i], frame, captures);
    if (!fits || !*fits)
      return fits;
  }
  return true;
}

/// `Point(x=0)`, `int()`, `str(text)`
std::optional<bool> Evaluator::matchesClass(const Apply &pattern, const AnyValue &value, const FramePtr &frame,
                                            Captures &captures) {
  Result type = eval(pattern.callee(), frame);
  Result fits = type ? isInstance(value, *type, pattern.range()) : std::nullopt;
  if (!fits)
    return std::nullopt;
  if (!fits->data.toBool())
    return false;
  // Python's own types match the value itself; a class says what attributes the places stand for.
  auto *instance = value.as<InstanceObject>();
  auto *tuple = value.as<TupleObject>();
  ClassObject *object = instance ? instance->type : tuple ? tuple->type : nullptr;
  if (!object && pattern.args().size() == 1 && pattern.keywords().empty())
    return matches(pattern.args()[0], value, frame, captures);
  std::vector<std::string> order;
  if (AnyValue *names = object ? object->find("__match_args__") : nullptr; names && names->as<TupleObject>())
    for (const AnyValue &name : names->as<TupleObject>()->elements)
      order.push_back(str(name));
  else if (object && (object->isDataclass || object->isNamedTuple))
    order = fieldsOf(*object);
  if (order.size() < pattern.args().size()) {
    refuse(pattern.range(), "patterns of attributes that __match_args__ doesn't name");
    return std::nullopt;
  }
  auto matchAttribute = [&](StringRef name, const Tree *wanted) -> std::optional<bool> {
    const bool has = tuple ? llvm::is_contained(fieldsOf(*object), name) : instance && instance->slots.find(name);
    Result part = has ? attribute(value, name, pattern.range()) : std::nullopt;
    return part ? matches(wanted, *part, frame, captures) : has ? std::nullopt : std::optional(false);
  };
  for (auto [i, tree] : llvm::enumerate(pattern.args()))
    if (std::optional<bool> part = matchAttribute(order[i], tree); !part || !*part)
      return part;
  for (const Tree *keyword : pattern.keywords()) {
    auto *named = llvm::dyn_cast<Keyword>(keyword);
    std::optional<bool> part = named && object ? matchAttribute(named->name(), named->value()) : std::optional(false);
    if (!part || !*part)
      return part;
  }
  return true;
}

std::optional<bool> Evaluator::matches(const Tree *pattern, const AnyValue &value, const FramePtr &frame,
                                       Captures &captures) {
  if (!countStep(pattern->range()))
    return std::nullopt;
  switch (pattern->kind()) {
  case TreeKind::Var:
    if (StringRef name = llvm::cast<Var>(pattern)->name(); name != "_")
      captures.emplace_back(name, value);
    return true;
  case TreeKind::NoneLiteral: return value.isNone();
  case TreeKind::BoolLiteral: // as `is` compares
    return !value.object && value.data.isBool() && value.data.toBool() == llvm::cast<BoolLiteral>(pattern)->value();
  case TreeKind::IntLiteral:
  case TreeKind::FloatLiteral:
  case TreeKind::StringLiteral:
  case TreeKind::UnaryOp:
  case TreeKind::Select: {
    Result wanted = eval(pattern, frame);
    return wanted ? std::optional(equal(value, *wanted)) : std::nullopt;
  }
  case TreeKind::BinOp: {
    auto *either = llvm::cast<BinOp>(pattern);
    if (either->op() != TreeOp::BitOr)
      break;
    const size_t known = captures.size();
    std::optional<bool> left = matches(either->lhs(), value, frame, captures);
    if (!left || *left)
      return left;
    captures.resize(known);
    return matches(either->rhs(), value, frame, captures);
  }
  case TreeKind::Apply: return matchesClass(*llvm::cast<Apply>(pattern), value, frame, captures);
  case TreeKind::TupleLiteral:
  case TreeKind::ListLiteral: return matchesSequence(pattern, value, frame, captures);
  case TreeKind::DictLiteral: {
    auto *wanted = llvm::cast<DictLiteral>(pattern);
    auto *dict = value.as<DictObject>();
    if (!dict)
      return false;
    std::vector<const void *> matched;
    for (auto [keyTree, part] : llvm::zip_equal(wanted->keys(), wanted->values())) {
      if (auto *others = llvm::dyn_cast<DoubleStarred>(keyTree)) {
        auto *rest = make<DictObject>();
        for (auto &entry : dict->entries)
          if (!llvm::is_contained(matched, &entry))
            rest->entries.push_back(entry);
        if (auto *name = llvm::dyn_cast<Var>(others->child(0)))
          captures.emplace_back(name->name(), AnyValue(rest));
        break;
      }
      Result key = eval(keyTree, frame);
      if (!key)
        return std::nullopt;
      auto entry = llvm::find_if(dict->entries, [&](auto &one) { return equal(one.first, *key); });
      std::optional<bool> fits =
          entry == dict->entries.end() ? std::optional(false) : matches(part, entry->second, frame, captures);
      if (!fits || !*fits)
        return fits;
      matched.push_back(&*entry);
    }
    return true;
  }
  default: break;
  }
  refuse(pattern->range(), "patterns of this kind");
  return std::nullopt;
}

Evaluator::Flow Evaluator::runMatch(const Match &tree, const FramePtr &frame, AnyValue &returned) {
  Result subject = eval(tree.subject(), frame);
  if (!subject)
    return Flow::Failed;
  for (const MatchCase *one : tree.cases()) {
    Captures captures;
    std::optional<bool> fits = matches(one->pattern(), *subject, frame, captures);
    if (!fits)
      return Flow::Failed;
    if (!*fits)
      continue;
    if (!one->name().empty())
      captures.emplace_back(one->name(), *subject);
    for (auto &[name, value] : captures)
      setName(name, value, *frame);
    if (one->guard()) {
      Result condition = eval(one->guard(), frame);
      std::optional<bool> holds = condition ? truth(*condition, one->guard()->range()) : std::nullopt;
      if (!holds)
        return Flow::Failed;
      if (!*holds)
        continue;
    }
    return run(one->body(), frame, returned);
  }
  return Flow::Next;
}
