//===- Expressions.cpp - Expressions that are evaluated while loading -----===//
#include "../Emitter/SourceResolver.h"
#include "../Emitter/TypeExpressions.h"
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "tsc/Frontend/CompileObserver.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Python/Numbers.h"
#include "tsc/Python/Repr.h"

using namespace tsc;
using namespace tsc::python;

//===-- Names --------------------------------------------------------------===//

AnyValue *Evaluator::findName(StringRef name, const FramePtr &frame, bool *isUnbound) {
  for (Frame *at = frame.get(); at; at = at->outer.get()) {
    if (llvm::is_contained(at->global, name))
      break;
    if (at->body)
      if (AnyValue *value = at == frame.get() ? at->body->attributes.find(name) : nullptr)
        return value;
    if (auto found = at->locals.find(name); found != at->locals.end())
      return &found->second;
    if (at->assigned && at->assigned->contains(name)) { // local, and not assigned yet
      if (isUnbound)
        *isUnbound = true;
      return nullptr;
    }
  }
  return frame->file->globals.find(name);
}

/// A name of a library's file, defined now.
Result Evaluator::global(FileScope &file, StringRef name, SourceRange range) {
  if (AnyValue *known = file.globals.find(name))
    return *known;
  const Tree *definition = file.resolver->definition(name);
  if (!definition)
    return std::nullopt;
  auto frame = std::make_shared<Frame>();
  frame->file = &file;
  Result value = llvm::isa<ClassDef>(definition) ? defineClass(*llvm::cast<ClassDef>(definition), frame)
                 : llvm::isa<Def>(definition)    ? define(*llvm::cast<Def>(definition), frame)
                                                 : eval(llvm::cast<Assign>(definition)->value(), frame);
  if (value)
    file.globals[name] = *value;
  return value;
}

Result Evaluator::lookUp(StringRef name, const FramePtr &frame, SourceRange range) {
  bool isUnbound = false;
  if (AnyValue *known = findName(name, frame, &isUnbound))
    return *known;
  if (isUnbound)
    return raise(range, "UnboundLocalError",
                 "cannot access local variable '" + name + "' where it is not associated with a value");
  if (name == "__name__")
    return AnyValue(IValue(frame->file->name));
  if (frame->file->isLibrary) {
    if (Result value = global(*frame->file, name, range))
      return value;
    if (StringRef path = frame->file->resolver->imported(name); !path.empty())
      return library(path, range);
  }
  if (isNative(name))
    return native(name);
  if (isBuiltinException(name))
    return library(("builtins." + name).str(), range);
  if (isMissingNative(name) || (name.starts_with("__") && name.ends_with("__")))
    return refuse(range, "names like '" + name + "'");
  return raise(range, "NameError", "name '" + name + "' is not defined");
}

//===-- Expressions --------------------------------------------------------===//

Result Evaluator::eval(const Tree *tree, const FramePtr &frame) {
  Result value = evalUnobserved(tree, frame);
  if (isRefused || std::exchange(isRaisedInside, false)) // a report that had no result of its own
    return std::nullopt;
  if (value && compiler.observer)
    compiler.observer->evaluated(tree->range(), typeName(*value));
  return value;
}

Result Evaluator::evalUnobserved(const Tree *tree, const FramePtr &frame) {
  if (!countStep(tree->range()))
    return std::nullopt;
  SourceRange range = tree->range();
  switch (tree->kind()) {
  case TreeKind::IntLiteral: return AnyValue(IValue(llvm::cast<IntLiteral>(tree)->value()));
  case TreeKind::FloatLiteral: return AnyValue(IValue(llvm::cast<FloatLiteral>(tree)->value()));
  case TreeKind::ComplexLiteral:
    return AnyValue(IValue(std::complex<double>(0, llvm::cast<ComplexLiteral>(tree)->imaginary())));
  case TreeKind::StringLiteral: return AnyValue(IValue(llvm::cast<StringLiteral>(tree)->value()));
  case TreeKind::BoolLiteral: return AnyValue(IValue(llvm::cast<BoolLiteral>(tree)->value()));
  case TreeKind::NoneLiteral: return AnyValue();
  case TreeKind::Dots: return AnyValue(IValue("..."));
  case TreeKind::FormatString: return evalFormat(*llvm::cast<FormatString>(tree), frame);
  case TreeKind::Var: return lookUp(llvm::cast<Var>(tree)->name(), frame, range);
  case TreeKind::Select: return evalSelect(*llvm::cast<Select>(tree), frame);
  case TreeKind::Apply: return evalApply(*llvm::cast<Apply>(tree), frame);
  case TreeKind::Subscript: return evalSubscript(*llvm::cast<Subscript>(tree), frame);
  case TreeKind::BinOp: return evalBinary(*llvm::cast<BinOp>(tree), frame);
  case TreeKind::UnaryOp: return evalUnary(*llvm::cast<UnaryOp>(tree), frame);
  case TreeKind::BoolOp: return evalLogical(*llvm::cast<BoolOp>(tree), frame);
  case TreeKind::Compare: return evalCompare(*llvm::cast<Compare>(tree), frame);
  case TreeKind::Ternary: return evalTernary(*llvm::cast<Ternary>(tree), frame);
  case TreeKind::ListLiteral: {
    auto *list = make<ListObject>();
    return evalElements(TreeList<Expr>(tree), frame, list->elements) ? Result(list) : std::nullopt;
  }
  case TreeKind::TupleLiteral: {
    auto *tuple = make<TupleObject>();
    return evalElements(TreeList<Expr>(tree), frame, tuple->elements) ? Result(tuple) : std::nullopt;
  }
  case TreeKind::SetLiteral: {
    std::vector<AnyValue> values;
    return evalElements(TreeList<Expr>(tree), frame, values) ? makeSet(values, range) : std::nullopt;
  }
  case TreeKind::SetComp:
  case TreeKind::ListComp:
  case TreeKind::DictComp: return evalComprehension(tree, frame);
  case TreeKind::DictLiteral: return evalDict(*llvm::cast<DictLiteral>(tree), frame);
  case TreeKind::GeneratorExpr: return refuse(range, "generator expressions that something keeps");
  case TreeKind::Lambda: return evalLambda(*llvm::cast<Lambda>(tree), frame);
  case TreeKind::NamedExpr: return evalNamed(*llvm::cast<NamedExpr>(tree), frame);
  default: {
    StringRef words = unsupportedWords(tree->kind());
    return refuse(range, words.empty() ? treeKindName(tree->kind()) : words);
  }
  }
}

Result Evaluator::evalSelect(const Select &tree, const FramePtr &frame) {
  Result object = eval(tree.value(), frame);
  return object ? attribute(*object, mangled(tree.name(), *frame), tree.range()) : std::nullopt;
}

Result Evaluator::evalBinary(const BinOp &tree, const FramePtr &frame) {
  Result lhs = eval(tree.lhs(), frame), rhs = lhs ? eval(tree.rhs(), frame) : std::nullopt;
  return rhs ? binary(tree.op(), *lhs, *rhs, tree.range()) : std::nullopt;
}

Result Evaluator::evalLogical(const BoolOp &tree, const FramePtr &frame) {
  Result left = eval(tree.lhs(), frame);
  std::optional<bool> holds = left ? truth(*left, tree.lhs()->range()) : std::nullopt;
  if (!holds)
    return std::nullopt;
  return *holds == (tree.op() == TreeOp::Or) ? left : eval(tree.rhs(), frame);
}

Result Evaluator::evalTernary(const Ternary &tree, const FramePtr &frame) {
  Result condition = eval(tree.condition(), frame);
  std::optional<bool> holds = condition ? truth(*condition, tree.condition()->range()) : std::nullopt;
  return holds ? eval(*holds ? tree.trueValue() : tree.falseValue(), frame) : std::nullopt;
}

Result Evaluator::evalComprehension(const Tree *tree, const FramePtr &frame) {
  if (auto *comp = llvm::dyn_cast<DictComp>(tree)) {
    auto *dict = make<DictObject>();
    bool ok = comprehend(comp->loops(), 0, frame, [&](const FramePtr &inner) {
      Result key = eval(comp->key(), inner), value = key ? eval(comp->value(), inner) : std::nullopt;
      return value && setItem(dict, *key, *value, tree->range());
    });
    return ok ? Result(dict) : std::nullopt;
  }
  std::vector<AnyValue> values; // of a list or a set
  bool ok = comprehend(TreeList<Comprehension>(tree->child(1)), 0, frame, [&](const FramePtr &inner) {
    Result value = eval(tree->child(0), inner);
    if (value)
      values.push_back(*value);
    return value.has_value();
  });
  if (!ok)
    return std::nullopt;
  if (llvm::isa<SetComp>(tree))
    return makeSet(values, tree->range());
  auto *list = make<ListObject>();
  list->elements = std::move(values);
  return Result(list);
}

Result Evaluator::evalLambda(const Lambda &tree, const FramePtr &frame) {
  auto *function = make<FunctionObject>();
  function->tree = &tree;
  function->file = frame->file;
  function->closure = frame;
  function->owner = frame->owner;
  for (const Param *param : tree.params())
    if (const Tree *value = param->defaultValue()) {
      Result evaluated = eval(value, frame);
      if (!evaluated)
        return std::nullopt;
      function->defaults[param] = *evaluated;
    }
  return AnyValue(function);
}

Result Evaluator::evalNamed(const NamedExpr &tree, const FramePtr &frame) {
  FramePtr around = frame;
  while (around->isComprehension)
    around = around->outer;
  Result value = eval(tree.child(1), frame);
  return value && assign(tree.child(0), *value, around) ? value : std::nullopt;
}

bool Evaluator::evalElements(TreeList<Expr> trees, const FramePtr &frame, std::vector<AnyValue> &values, size_t first) {
  for (const Tree *tree : llvm::drop_begin(trees, first)) {
    auto *starred = llvm::dyn_cast<Starred>(tree);
    if (auto *generator = starred ? llvm::dyn_cast<GeneratorExpr>(starred->value()) : nullptr) { // taken at once
      if (!generate(*generator, frame, [&](const AnyValue &value) { return values.push_back(value), true; }))
        return false;
      continue;
    }
    Result value = eval(starred ? starred->value() : tree, frame);
    if (!value)
      return false;
    if (!starred)
      values.push_back(std::move(*value));
    else if (!elements(*value, tree->range(), values))
      return false;
  }
  return true;
}

/// Gives the elements of a generator expression one after the other to `take`, as long as that says true.
bool Evaluator::generate(const GeneratorExpr &tree, const FramePtr &frame,
                         llvm::function_ref<bool(const AnyValue &)> take) {
  bool isStopped = false;
  return comprehend(TreeList<Comprehension>(tree.child(1)), 0, frame,
                    [&](const FramePtr &inner) {
                      Result value = eval(tree.child(0), inner);
                      isStopped = value && !take(*value);
                      return value && !isStopped;
                    }) ||
         isStopped;
}

/// Calls that take a generator expression: those that ask it for elements at once, and keep nothing of it. Nothing for
/// others.
std::optional<Result> Evaluator::callOnGenerator(const AnyValue &callee, const Apply &tree, const FramePtr &frame,
                                                 Arguments &arguments) {
  auto *generator = tree.args().empty() ? nullptr : llvm::dyn_cast<GeneratorExpr>(tree.args()[0]);
  if (!generator)
    return std::nullopt;
  auto *native = callee.as<NativeObject>();
  auto *type = callee.as<ClassObject>();
  const StringRef name = native ? StringRef(native->name) : "";
  std::optional<AnyValue> first;
  if (name == "any" || name == "all" || name == "next") {
    std::optional<bool> holds = name != "any";
    const bool ok = generate(*generator, frame, [&](const AnyValue &value) {
      first = value;
      if (name == "next")
        return false;
      holds = truth(value, tree.range());
      return holds && *holds == (name == "all");
    });
    if (!ok || !holds)
      return Result();
    if (name != "next")
      return Result(IValue(*holds));
    if (first)
      return first;
    return tree.args().size() == 2 ? eval(tree.args()[1], frame) : Result(raiseArgs(tree.range(), "StopIteration", {}));
  }
  static constexpr StringRef taking[] = {"list",       "tuple",       "set",       "dict",      "sum",
                                         "min",        "max",         "sorted",    "str.join",  "list.extend",
                                         "set.update", "dict.update", "set.union", "frozenset", "deque.extend"};
  if (!llvm::is_contained(taking, name) && !(type && (type->isLibrary || type->isNamedTuple)) &&
      !(callee.as<LibraryObject>() && StringRef(callee.as<LibraryObject>()->path).starts_with("collections.")))
    return std::nullopt;
  auto *list = make<ListObject>();
  if (!generate(*generator, frame, [&](const AnyValue &value) { return list->elements.push_back(value), true; }))
    return Result();
  arguments.positional.push_back(AnyValue(list));
  return std::nullopt;
}

Result Evaluator::evalUnary(const UnaryOp &tree, const FramePtr &frame) {
  Result operand = eval(tree.operand(), frame);
  if (!operand)
    return std::nullopt;
  if (std::optional<Result> own = callOwn(treeOpMethod(tree.op()), *operand, {}, tree.range()))
    return *own;
  if (tree.op() == TreeOp::Not) {
    std::optional<bool> holds = truth(*operand, tree.range());
    return holds ? Result(IValue(!*holds)) : std::nullopt;
  }
  if (operand->isInt()) {
    int64_t number = operand->data.toInt();
    if (tree.op() == TreeOp::Neg)
      return valueOf(negate(number), tree.range());
    return AnyValue(IValue(tree.op() == TreeOp::Invert ? ~number : number));
  }
  if (operand->isNumber() && tree.op() != TreeOp::Invert)
    return AnyValue(IValue(tree.op() == TreeOp::Neg ? -operand->toDouble() : operand->toDouble()));
  if (!operand->object && operand->data.isComplex() && tree.op() != TreeOp::Invert)
    return tree.op() == TreeOp::Neg ? Result(IValue(-operand->data.toComplex())) : operand;
  if (operand->isTensor() && tree.op() == TreeOp::Invert &&
      !isIntegral(operand->data.toTensor().dtype(), /*includeBool=*/true))
    return raise(tree.range(), "TypeError",
                 "~ (operator.invert) is only implemented on integer and Boolean-type tensors");
  if (operand->isTensor())
    return tree.op() == TreeOp::Neg      ? callTensorMethod(*operand, "neg", {}, tree.range())
           : tree.op() == TreeOp::Invert ? callTensorMethod(*operand, "bitwise_not", {}, tree.range())
                                         : operand;
  return raise(tree.range(), "TypeError",
               "bad operand type for unary " + treeOpSpelling(tree.op()) + ": '" + typeName(*operand) + "'");
}

Result Evaluator::evalCompare(const Compare &tree, const FramePtr &frame) {
  const bool isIdentity = tree.op() == TreeOp::Is || tree.op() == TreeOp::IsNot;
  if (isIdentity && llvm::isa<TupleLiteral>(tree.lhs()) && llvm::isa<TupleLiteral>(tree.rhs()))
    return refuse(tree.range(), "identities of tuples that are written out");
  Result lhs = tree.lhs() == lastCompared.first ? Result(lastCompared.second) : eval(tree.lhs(), frame);
  lastCompared = {};
  Result rhs = lhs ? eval(tree.rhs(), frame) : std::nullopt;
  Result result = rhs ? compare(tree.op(), *lhs, *rhs, tree.range()) : std::nullopt;
  if (result)
    lastCompared = {tree.rhs(), *rhs};
  return result;
}

Result Evaluator::evalApply(const Apply &tree, const FramePtr &frame) {
  if (auto *var = llvm::dyn_cast<Var>(tree.callee()); var && var->name() == "super" && !findName("super", frame)) {
    auto *super = make<SuperObject>();
    Frame *method = frame.get();
    while (method && !method->owner)
      method = method->outer.get();
    super->self = method ? method->self.as<InstanceObject>() : nullptr;
    super->after = method ? method->owner : nullptr;
    if (!tree.args().empty()) {
      Result type = eval(tree.args()[0], frame);
      if (!type)
        return std::nullopt;
      super->after = type->as<ClassObject>();
    }
    if (super->self && super->after)
      return AnyValue(super);
    return raise(tree.range(), "RuntimeError", "super() is for methods of classes");
  }
  Result callee = eval(tree.callee(), frame);
  Arguments arguments;
  if (!callee)
    return std::nullopt;
  if (std::optional<Result> taken = callOnGenerator(*callee, tree, frame, arguments))
    return *taken;
  if (arguments.positional.empty() ? !evalElements(tree.args(), frame, arguments.positional)
                                   : !evalElements(tree.args(), frame, arguments.positional, /*first=*/1))
    return std::nullopt;
  for (const Tree *keyword : tree.keywords()) {
    auto *named = llvm::dyn_cast<Keyword>(keyword);
    Result value = eval(named ? named->value() : keyword->child(0), frame);
    if (!value)
      return std::nullopt;
    if (named) {
      arguments.keywords.push_back({named->name().str(), std::move(*value)});
      continue;
    }
    auto *dict = value->as<DictObject>();
    if (!dict)
      return raise(keyword->range(), "TypeError", "argument after ** must be a dict, not '" + typeName(*value) + "'");
    for (auto &[key, entry] : dict->entries) {
      if (!key.isString())
        return raise(keyword->range(), "TypeError", "keywords must be strings");
      arguments.keywords.push_back({key.data.toString(), entry});
    }
  }
  calls.push_back(tree.range());
  Result result = call(*callee, arguments, tree.range());
  calls.pop_back();
  return result;
}

bool Evaluator::comprehend(TreeList<Comprehension> loops, size_t level, const FramePtr &frame,
                           llvm::function_ref<bool(const FramePtr &)> body) {
  if (level == loops.size())
    return body(frame);
  const Comprehension &loop = *loops[level];
  auto inner = std::make_shared<Frame>();
  inner->file = frame->file;
  inner->owner = frame->owner;
  inner->outer = frame;
  inner->isComprehension = true;
  auto each = [&](const AnyValue &value) {
    if (!assign(loop.target(), value, inner))
      return false;
    for (const Tree *condition : loop.conditions()) {
      Result tested = eval(condition, inner);
      std::optional<bool> holds = tested ? truth(*tested, condition->range()) : std::nullopt;
      if (!holds || !*holds)
        return holds.has_value();
    }
    return comprehend(loops, level + 1, inner, body);
  };
  const SourceRange range = loop.iterable()->range();
  if (auto *generator = llvm::dyn_cast<GeneratorExpr>(loop.iterable())) {
    bool ok = true;
    return generate(*generator, frame, [&](const AnyValue &value) { return ok = each(value); }) && ok;
  }
  Result iterable = eval(loop.iterable(), frame);
  IteratorObject *iterator = iterable ? iterate(*iterable, range) : nullptr;
  for (std::optional<AnyValue> next; iterator;) {
    if (!advance(*iterator, range, next))
      return false;
    if (!next)
      return true;
    if (!countStep(range) || !each(*next))
      return false;
  }
  return false;
}

Result Evaluator::evalDict(const DictLiteral &tree, const FramePtr &frame) {
  auto *dict = make<DictObject>();
  for (auto [key, value] : llvm::zip(tree.keys(), tree.values())) {
    if (llvm::isa<DoubleStarred>(key)) {
      Result other = eval(key->child(0), frame);
      auto *entries = other ? other->as<DictObject>() : nullptr;
      if (!entries)
        return other ? raise(key->range(), "TypeError", "'" + typeName(*other) + "' object is not a mapping")
                     : std::nullopt;
      for (auto &[name, entry] : entries->entries)
        if (!setItem(dict, name, entry, key->range()))
          return std::nullopt;
      continue;
    }
    Result name = eval(key, frame), entry = name ? eval(value, frame) : std::nullopt;
    if (!entry || !setItem(dict, *name, *entry, key->range()))
      return std::nullopt;
  }
  return AnyValue(dict);
}

Result Evaluator::evalFormat(const FormatString &tree, const FramePtr &frame) {
  std::string text;
  for (const Tree *part : tree.parts()) {
    if (auto *literal = llvm::dyn_cast<StringLiteral>(part)) {
      text += literal->value();
      continue;
    }
    auto *field = llvm::cast<FormatValue>(part);
    Result value = eval(field->value(), frame);
    if (!value)
      return std::nullopt;
    if (field->conversion() == 'a')
      value = AnyValue(IValue(asciiOf(repr(*value))));
    if (field->conversion() == 'r')
      value = AnyValue(IValue(repr(*value)));
    if (field->conversion() == 's')
      value = AnyValue(IValue(str(*value)));
    std::string spec;
    StringRef rest = field->spec();
    for (const Tree *inner : field->children().drop_front()) { // the fields within the specification
      spec += rest.take_until([](char c) { return c == '{'; });
      size_t end = rest.find('{');
      for (int nested = 0; end < rest.size(); ++end)
        if (nested += rest[end] == '{' ? 1 : rest[end] == '}' ? -1 : 0; nested == 0)
          break;
      rest = rest.drop_front(std::min(end + 1, rest.size()));
      Result part = eval(inner, frame);
      if (!part)
        return std::nullopt;
      spec += str(*part);
    }
    std::optional<std::string> shown = formatOne(*value, spec + rest.str(), field->range());
    if (!shown)
      return std::nullopt;
    text += *shown;
  }
  return AnyValue(IValue(text));
}
