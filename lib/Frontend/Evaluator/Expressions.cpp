//===- Expressions.cpp - Expressions that are evaluated while loading -----===//
#include "../Emitter/SourceResolver.h"
#include "../Emitter/TypeExpressions.h"
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "tsc/Frontend/CompileObserver.h"
#include "tsc/Frontend/Diagnostics.h"

using namespace tsc;
using namespace tsc::python;

//===-- Names --------------------------------------------------------------===//

AnyValue *Evaluator::findName(StringRef name, const FramePtr &frame) {
  for (Frame *at = frame.get(); at; at = at->outer.get()) {
    if (at->body)
      if (AnyValue *value = at == frame.get() ? at->body->attributes.find(name) : nullptr)
        return value;
    if (auto found = at->locals.find(name); found != at->locals.end())
      return &found->second;
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
  if (AnyValue *known = findName(name, frame))
    return *known;
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
  return raise(range, "NameError", "name '" + name + "' is not defined");
}

//===-- Expressions --------------------------------------------------------===//

Result Evaluator::eval(const Tree *tree, const FramePtr &frame) {
  Result value = evalUnobserved(tree, frame);
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
  case TreeKind::Select: {
    auto *select = llvm::cast<Select>(tree);
    Result object = eval(select->value(), frame);
    return object ? attribute(*object, select->name(), range) : std::nullopt;
  }
  case TreeKind::Apply: return evalApply(*llvm::cast<Apply>(tree), frame);
  case TreeKind::Subscript: return evalSubscript(*llvm::cast<Subscript>(tree), frame);
  case TreeKind::BinOp: {
    auto *operation = llvm::cast<BinOp>(tree);
    Result lhs = eval(operation->lhs(), frame), rhs = lhs ? eval(operation->rhs(), frame) : std::nullopt;
    return rhs ? binary(operation->op(), *lhs, *rhs, range) : std::nullopt;
  }
  case TreeKind::UnaryOp: return evalUnary(*llvm::cast<UnaryOp>(tree), frame);
  case TreeKind::BoolOp: {
    auto *logical = llvm::cast<BoolOp>(tree);
    Result left = eval(logical->lhs(), frame);
    std::optional<bool> holds = left ? truth(*left, logical->lhs()->range()) : std::nullopt;
    if (!holds)
      return std::nullopt;
    return *holds == (logical->op() == TreeOp::Or) ? left : eval(logical->rhs(), frame);
  }
  case TreeKind::Compare: return evalCompare(*llvm::cast<Compare>(tree), frame);
  case TreeKind::Ternary: {
    auto *choice = llvm::cast<Ternary>(tree);
    Result condition = eval(choice->condition(), frame);
    std::optional<bool> holds = condition ? truth(*condition, choice->condition()->range()) : std::nullopt;
    return holds ? eval(*holds ? choice->trueValue() : choice->falseValue(), frame) : std::nullopt;
  }
  case TreeKind::ListLiteral: {
    auto *list = make<ListObject>();
    return evalElements(TreeList<Expr>(tree), frame, list->elements) ? Result(list) : std::nullopt;
  }
  case TreeKind::TupleLiteral: {
    auto *tuple = make<TupleObject>();
    return evalElements(TreeList<Expr>(tree), frame, tuple->elements) ? Result(tuple) : std::nullopt;
  }
  case TreeKind::SetLiteral: {
    auto *set = make<SetObject>();
    std::vector<AnyValue> values;
    if (!evalElements(TreeList<Expr>(tree), frame, values))
      return std::nullopt;
    for (AnyValue &value : values)
      if (llvm::none_of(set->elements, [&](const AnyValue &known) { return equal(known, value); }))
        set->elements.push_back(value);
    return AnyValue(set);
  }
  case TreeKind::SetComp: {
    auto *set = make<SetObject>();
    bool ok = comprehend(llvm::cast<SetComp>(tree)->loops(), 0, frame, [&](const FramePtr &inner) {
      Result value = eval(llvm::cast<SetComp>(tree)->element(), inner);
      if (value && llvm::none_of(set->elements, [&](const AnyValue &known) { return equal(known, *value); }))
        set->elements.push_back(*value);
      return value.has_value();
    });
    return ok ? Result(set) : std::nullopt;
  }
  case TreeKind::DictLiteral: return evalDict(*llvm::cast<DictLiteral>(tree), frame);
  case TreeKind::ListComp:
  case TreeKind::GeneratorExpr: { // a generator is the list that it would give
    auto *list = make<ListObject>();
    bool ok = comprehend(TreeList<Comprehension>(tree->child(1)), 0, frame, [&](const FramePtr &inner) {
      Result value = eval(tree->child(0), inner);
      if (value)
        list->elements.push_back(*value);
      return value.has_value();
    });
    return ok ? Result(list) : std::nullopt;
  }
  case TreeKind::DictComp: {
    auto *comp = llvm::cast<DictComp>(tree);
    auto *dict = make<DictObject>();
    bool ok = comprehend(comp->loops(), 0, frame, [&](const FramePtr &inner) {
      Result key = eval(comp->key(), inner), value = key ? eval(comp->value(), inner) : std::nullopt;
      return value && setItem(dict, *key, *value, range);
    });
    return ok ? Result(dict) : std::nullopt;
  }
  case TreeKind::Lambda: {
    auto *function = make<FunctionObject>();
    function->tree = tree;
    function->file = frame->file;
    function->closure = frame;
    function->owner = frame->owner;
    for (const Param *param : llvm::cast<Lambda>(tree)->params())
      if (const Tree *value = param->defaultValue()) {
        Result evaluated = eval(value, frame);
        if (!evaluated)
          return std::nullopt;
        function->defaults[param] = *evaluated;
      }
    return AnyValue(function);
  }
  case TreeKind::NamedExpr: {
    Result value = eval(tree->child(1), frame);
    return value && assign(tree->child(0), *value, frame) ? value : std::nullopt;
  }
  default: {
    StringRef words = unsupportedWords(tree->kind());
    return fail(range, diag::UnsupportedWhileLoading, words.empty() ? treeKindName(tree->kind()) : words);
  }
  }
}

bool Evaluator::evalElements(TreeList<Expr> trees, const FramePtr &frame, std::vector<AnyValue> &values) {
  for (const Tree *tree : trees) {
    auto *starred = llvm::dyn_cast<Starred>(tree);
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
    return AnyValue(IValue(tree.op() == TreeOp::Neg      ? static_cast<int64_t>(0 - static_cast<uint64_t>(number))
                           : tree.op() == TreeOp::Invert ? ~number
                                                         : number));
  }
  if (operand->isNumber() && tree.op() != TreeOp::Invert)
    return AnyValue(IValue(tree.op() == TreeOp::Neg ? -operand->toDouble() : operand->toDouble()));
  if (operand->isTensor())
    return tree.op() == TreeOp::Neg      ? callTensorMethod(*operand, "neg", {}, tree.range())
           : tree.op() == TreeOp::Invert ? callTensorMethod(*operand, "bitwise_not", {}, tree.range())
                                         : operand;
  return raise(tree.range(), "TypeError",
               "bad operand type for unary " + treeOpSpelling(tree.op()) + ": '" + typeName(*operand) + "'");
}

Result Evaluator::evalCompare(const Compare &tree, const FramePtr &frame) {
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
  if (!callee || !evalElements(tree.args(), frame, arguments.positional))
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
    for (auto &[key, entry] : dict->entries)
      if (key.isString())
        arguments.keywords.push_back({key.data.toString(), entry});
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
  Result iterable = eval(loop.iterable(), frame);
  std::vector<AnyValue> values;
  if (!iterable || !elements(*iterable, loop.iterable()->range(), values))
    return false;
  auto inner = std::make_shared<Frame>();
  inner->file = frame->file;
  inner->outer = frame;
  for (const AnyValue &value : values) {
    if (!assign(loop.target(), value, inner))
      return false;
    bool wanted = true;
    for (const Tree *condition : loop.conditions()) {
      Result tested = eval(condition, inner);
      std::optional<bool> holds = tested ? truth(*tested, condition->range()) : std::nullopt;
      if (!holds)
        return false;
      wanted &= *holds;
    }
    if (wanted && !comprehend(loops, level + 1, inner, body))
      return false;
  }
  return true;
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
    if (field->conversion() == 'r' || field->conversion() == 'a')
      value = AnyValue(IValue(repr(*value)));
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
