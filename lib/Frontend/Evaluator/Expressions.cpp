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
  Result lhs = eval(tree.lhs(), frame), rhs = lhs ? eval(tree.rhs(), frame) : std::nullopt;
  return rhs ? compare(tree.op(), *lhs, *rhs, tree.range()) : std::nullopt;
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
    std::optional<std::string> shown = formatOne(*value, field->spec(), field->range());
    if (!shown)
      return std::nullopt;
    text += *shown;
  }
  return AnyValue(IValue(text));
}

//===-- Subscripts ---------------------------------------------------------===//

/// Start and step of a slice over `size` elements, and how many it takes.
static std::optional<std::vector<int64_t>> sliced(std::optional<int64_t> start, std::optional<int64_t> stop,
                                                  int64_t step, int64_t size) {
  if (step == 0)
    return std::nullopt;
  auto place = [&](std::optional<int64_t> at, int64_t otherwise) {
    if (!at)
      return otherwise;
    return std::clamp(*at < 0 ? *at + size : *at, step > 0 ? int64_t{0} : int64_t{-1}, step > 0 ? size : size - 1);
  };
  std::vector<int64_t> taken;
  int64_t end = place(stop, step > 0 ? size : -1);
  for (int64_t i = place(start, step > 0 ? 0 : size - 1); step > 0 ? i < end : i > end; i += step)
    taken.push_back(i);
  return taken;
}

Result Evaluator::slice(const AnyValue &object, const Slice &tree, const FramePtr &frame, SourceRange range) {
  std::optional<int64_t> bounds[3];
  const Expr *parts[] = {tree.start(), tree.stop(), tree.step()};
  for (auto [i, part] : llvm::enumerate(parts)) {
    Result value = part ? eval(part, frame) : Result(AnyValue());
    if (!value)
      return std::nullopt;
    if (value->isInt())
      bounds[i] = value->data.toInt();
  }
  auto take = [&](size_t size) {
    return sliced(bounds[0], bounds[1], bounds[2].value_or(1), static_cast<int64_t>(size));
  };
  auto pick = [&](const std::vector<AnyValue> &from, std::vector<AnyValue> &to) {
    auto taken = take(from.size());
    for (int64_t i : taken ? *taken : std::vector<int64_t>())
      to.push_back(from[i]);
  };
  if (auto *list = object.as<ListObject>()) {
    auto *result = make<ListObject>();
    pick(list->elements, result->elements);
    return AnyValue(result);
  }
  if (auto *tuple = object.as<TupleObject>()) {
    auto *result = make<TupleObject>();
    pick(tuple->elements, result->elements);
    return AnyValue(result);
  }
  if (object.isString()) {
    std::string text;
    auto taken = take(object.data.toString().size());
    for (int64_t i : taken ? *taken : std::vector<int64_t>())
      text += object.data.toString()[i];
    return AnyValue(IValue(text));
  }
  if (object.isTensor()) {
    Arguments arguments;
    arguments.positional = {IValue(0)};
    for (auto &bound : bounds)
      arguments.positional.push_back(bound ? IValue(*bound) : IValue());
    if (!bounds[2])
      arguments.positional.back() = IValue(1);
    return callTensorMethod(object, "slice", arguments, range);
  }
  if (auto *instance = object.as<InstanceObject>(); instance && instance->type->isModule) {
    std::vector<AnyValue> all, some;
    if (!elements(object, range, all))
      return std::nullopt;
    pick(all, some);
    Arguments arguments;
    auto *list = make<ListObject>();
    list->elements = some;
    arguments.positional = instance->type->derivesFrom("Sequential") ? some : std::vector<AnyValue>{list};
    return construct(*instance->type, arguments, range);
  }
  return raise(range, "TypeError", "'" + typeName(object) + "' object cannot be sliced");
}

Result Evaluator::evalSubscript(const Subscript &tree, const FramePtr &frame) {
  Result object = eval(tree.value(), frame);
  if (!object)
    return std::nullopt;
  if (object->as<LibraryObject>() || object->as<ClassObject>() || object->as<NativeObject>())
    return object; // a type of something: List[int]
  if (tree.indices().size() == 1 && llvm::isa<Slice>(tree.indices()[0]))
    return slice(*object, *llvm::cast<Slice>(tree.indices()[0]), frame, tree.range());
  if (object->isTensor())
    return tensorSubscript(*object, tree, frame);
  std::vector<AnyValue> indices;
  if (!evalElements(tree.indices(), frame, indices))
    return std::nullopt;
  if (indices.size() == 1)
    return subscript(*object, indices[0], tree.range());
  auto *tuple = make<TupleObject>();
  tuple->elements = indices;
  return subscript(*object, tuple, tree.range());
}

/// Dimension by dimension: slices, numbers and None give views; tensors and lists of numbers select at the end.
Result Evaluator::tensorSubscript(const AnyValue &object, const Subscript &tree, const FramePtr &frame, bool asView) {
  AnyValue result = object;
  std::vector<const Tree *> parts(tree.indices().begin(), tree.indices().end());
  if (parts.size() == 1 && llvm::isa<TupleLiteral>(parts[0]))
    parts.assign(parts[0]->children().begin(), parts[0]->children().end());
  auto *selected = make<ListObject>();
  bool selects = false;
  int64_t dim = 0;
  for (auto [i, part] : llvm::enumerate(parts)) {
    Arguments arguments;
    StringRef method = "slice";
    if (llvm::isa<Dots>(part)) {
      int64_t behind =
          llvm::count_if(llvm::drop_begin(parts, i + 1), [](const Tree *t) { return !llvm::isa<NoneLiteral>(t); });
      int64_t rank = static_cast<int64_t>(result.data.toTensor().sizes().size());
      for (; dim < rank - behind; ++dim)
        selected->elements.push_back(AnyValue());
      continue;
    }
    arguments.positional.push_back(IValue(dim));
    if (auto *slice = llvm::dyn_cast<Slice>(part)) {
      for (const Tree *bound : {slice->start(), slice->stop(), slice->step()}) {
        Result value = bound ? eval(bound, frame) : Result(AnyValue());
        if (!value)
          return std::nullopt;
        arguments.positional.push_back(*value);
      }
      if (!slice->step())
        arguments.positional.back() = IValue(1);
    } else {
      Result value = eval(part, frame);
      if (!value)
        return std::nullopt;
      if (asView && (value->isTensor() || value->as<ListObject>()))
        return fail(part->range(), diag::UnsupportedWhileLoading,
                    "assignments to elements that a tensor or list selects");
      if (value->as<ListObject>()) {
        Arguments one;
        one.positional = {*value};
        LibraryObject tensor;
        tensor.path = "torch.tensor";
        value = callLibrary(tensor, one, part->range());
        if (!value)
          return std::nullopt;
      }
      if (value->isTensor()) {
        selects = true;
        selected->elements.push_back(*value);
        ++dim;
        continue;
      }
      method = value->isNone() ? "unsqueeze" : "select";
      if (!value->isNone())
        arguments.positional.push_back(*value);
    }
    Result next = callTensorMethod(result, method, arguments, tree.range());
    if (!next)
      return std::nullopt;
    result = *next;
    if (method != "select") {
      selected->elements.push_back(AnyValue());
      ++dim;
    }
  }
  if (!selects)
    return result;
  Arguments arguments;
  arguments.positional = {selected};
  return callTensorMethod(result, "index", arguments, tree.range());
}

Result Evaluator::subscript(const AnyValue &object, const AnyValue &index, SourceRange range) {
  if (auto *type = object.as<ClassObject>(); type && type->members && index.isString()) { // Color["RED"]
    AnyValue *member = type->members->find(index.data.toString()) ? type->find(index.data.toString()) : nullptr;
    return member ? Result(*member) : Result(raise(range, "KeyError", repr(index)));
  }
  const std::vector<AnyValue> *sequence = nullptr;
  if (auto *list = object.as<ListObject>())
    sequence = &list->elements;
  else if (auto *tuple = object.as<TupleObject>())
    sequence = &tuple->elements;
  std::vector<AnyValue> modules;
  auto *instance = object.as<InstanceObject>();
  if (instance && instance->type->isModule && index.isInt() && !instance->type->find("__getitem__")) {
    if (!elements(object, range, modules))
      return std::nullopt;
    sequence = &modules;
  }
  if (sequence && index.isInt()) {
    int64_t size = static_cast<int64_t>(sequence->size()), at = index.data.toInt();
    at += at < 0 ? size : 0;
    if (at < 0 || at >= size)
      return raise(range, "IndexError", typeName(object) + " index out of range");
    return (*sequence)[at];
  }
  if (auto *dict = object.as<DictObject>()) {
    for (auto &[key, value] : dict->entries)
      if (equal(key, index))
        return value;
    return raise(range, "KeyError", repr(index));
  }
  if (object.isString() && index.isInt()) {
    const std::string &text = object.data.toString();
    int64_t size = static_cast<int64_t>(text.size()), at = index.data.toInt();
    at += at < 0 ? size : 0;
    if (at < 0 || at >= size)
      return raise(range, "IndexError", "string index out of range");
    return AnyValue(IValue(std::string(1, text[at])));
  }
  if (instance) {
    if (instance->type->isModule && index.isString()) {
      if (Slot *slot = instance->slots.find(index.data.toString()))
        return slot->value;
      return raise(range, "KeyError", repr(index));
    }
    Arguments arguments;
    arguments.positional = {index};
    Result method = instanceAttribute(*instance, "__getitem__", range);
    return method ? call(*method, arguments, range) : std::nullopt;
  }
  if (object.isTensor() && index.isInt()) {
    Arguments arguments;
    arguments.positional = {IValue(0), index};
    return callTensorMethod(object, "select", arguments, range);
  }
  if (object.isTensor() && (index.isTensor() || index.as<ListObject>())) {
    Arguments arguments;
    auto *list = make<ListObject>();
    list->elements = {index};
    arguments.positional = {list};
    return callTensorMethod(object, "index", arguments, range);
  }
  return raise(range, "TypeError",
               "'" + typeName(object) + "' object is not subscriptable by '" + typeName(index) + "'");
}

/// Writes through a view.
bool Evaluator::setTensorPart(const AnyValue &part, const AnyValue &value, SourceRange range) {
  Arguments arguments;
  arguments.positional = {value};
  return callTensorMethod(part, value.isTensor() ? "copy_" : "fill_", arguments, range).has_value();
}

bool Evaluator::setItem(const AnyValue &object, const AnyValue &index, const AnyValue &value, SourceRange range) {
  ++changes;
  if (auto *dict = object.as<DictObject>()) {
    for (auto &[key, entry] : dict->entries)
      if (equal(key, index)) {
        entry = value;
        return true;
      }
    dict->entries.emplace_back(index, value);
    return true;
  }
  if (auto *list = object.as<ListObject>(); list && index.isInt()) {
    int64_t size = static_cast<int64_t>(list->elements.size()), at = index.data.toInt();
    at += at < 0 ? size : 0;
    if (at >= 0 && at < size) {
      list->elements[at] = value;
      return true;
    }
    raise(range, "IndexError", "list assignment index out of range");
    return false;
  }
  if (auto *instance = object.as<InstanceObject>(); instance && instance->type->isModule && !index.object) {
    std::string name = str(index);
    if (index.isInt() && index.data.toInt() < 0)
      name = std::to_string(index.data.toInt() + static_cast<int64_t>(instance->slots.size()) - 1); // but `training`
    return setAttribute(object, name, value, range);
  }
  if (object.isTensor() && (value.isTensor() || value.isNumber())) {
    Result part = subscript(object, index, range);
    return part && setTensorPart(*part, value, range);
  }
  raise(range, "TypeError", "'" + typeName(object) + "' object does not support item assignment");
  return false;
}
