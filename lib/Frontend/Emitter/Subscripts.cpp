//===- Subscripts.cpp - x[i], x[a:b], x[i, None, ..., t] ------------------===//
//
// A tensor's subscripts become select, slice and unsqueeze, dimension by
// dimension, and one aten::index with what tensors are among them. Dimensions
// behind an ellipsis are counted from the end.
//
// In Python an integer tensor without dimensions selects as its number does, and
// what it selects is a view; TorchScript, and with it archives, gives it to
// aten::index as any other tensor. A program as people write it asks for the rank
// at run time, in functions of the prelude: where ranks are known, passes leave
// one select or one aten::index of them.
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "tsc/Python/Slices.h"

using namespace tsc;

std::optional<int64_t> FunctionEmitter::constantIndex(Value *index) const {
  if (index->node()->kind() == aten::neg && index->node()->numInputs() == 1) {
    auto inner = constantIndex(index->node()->input());
    return inner && *inner != INT64_MIN ? std::optional<int64_t>(-*inner) : std::nullopt;
  }
  auto value = constantValue(index);
  return value && value->isInt() ? std::optional<int64_t>(value->toInt()) : std::nullopt;
}

Value *FunctionEmitter::emitSlice(SourceRange range, Value *self, Value *dim, const Slice &slice) {
  auto bound = [&](const Tree *tree) { return tree ? emitExpr(tree) : none(range); };
  Value *start = bound(slice.start()), *stop = start ? bound(slice.stop()) : nullptr;
  Value *step = !stop ? nullptr : slice.step() ? emitExpr(slice.step()) : constant(int64_t{1}, range);
  if (!step)
    return nullptr;
  std::vector<NamedValue> args{self};
  if (dim)
    args.push_back(dim);
  args.insert(args.end(), {start, stop, step});
  return callBuiltin(range, aten::slice, args);
}

Value *FunctionEmitter::emitTupleSlice(SourceRange range, Value *self, const Slice &slice) {
  auto *tuple = llvm::cast<TupleType>(self->type());
  int64_t size = static_cast<int64_t>(tuple->elements().size()), step = 1;
  std::optional<int64_t> start, stop;
  bool ok = true;
  auto read = [&](const Tree *tree, auto &&assign) {
    if (!tree || !ok)
      return;
    Value *value = emitExpr(tree);
    ok = value;
    if (!value || value->type()->isNone())
      return;
    auto number = constantIndex(value);
    if (!number)
      ok = error(tree->range(), diag::TupleIndexNotConstant);
    else
      assign(*number);
  };
  read(slice.start(), [&](int64_t n) { start = n; });
  read(slice.stop(), [&](int64_t n) { stop = n; });
  read(slice.step(), [&](int64_t n) { step = n; });
  if (!ok)
    return nullptr;
  if (step == 0)
    return error(range, diag::ZeroSliceStep);
  const python::SliceElements taken = python::sliceElements(start, stop, step, size);
  llvm::SmallVector<Value *, 4> parts;
  for (int64_t i = 0; i != taken.count; ++i)
    parts.push_back(tupleIndex(self, tuple->elements()[taken[i]], taken[i], range));
  return makeTuple(parts, range);
}

Value *FunctionEmitter::emitTensorIndex(const Tree *tree) {
  Value *index = emitExpr(tree);
  if (!index)
    return nullptr;
  // A list of numbers selects as the tensor of these numbers would; a list of bools masks.
  if (auto *list = llvm::dyn_cast<ListType>(index->type())) {
    DType dtype = list->element()->isBool() ? DType::Bool : DType::Int64;
    return callBuiltin(tree->range(), aten::tensor, {index}, {NamedValue("dtype", static_cast<int64_t>(dtype))});
  }
  return index;
}

/// Whether an index may turn out to be an integer tensor without dimensions. (What is made of a list has some.)
static bool mayBeInteger(const Value *index) {
  if (!index || !index->type()->isTensor())
    return false;
  const Node &node = *index->node();
  return node.kind() != aten::tensor || !llvm::isa<ListType>(node.input(0)->type());
}

std::optional<FunctionEmitter::TensorIndexing> FunctionEmitter::emitBasicIndexing(SourceRange range, Value *self,
                                                                                  TreeList<Expr> subscripts) {
  const bool isPython = resolver.followsPython() && !resolver.isPrinted();
  struct Item {
    const Tree *tree;
    int64_t dim = 0;
    Value *index = nullptr;
  };
  llvm::SmallVector<Item, 4> items;
  for (const Tree *tree : subscripts)
    items.push_back({tree});
  /// Evaluates one subscript at `dim`; gives the dimension of the next one, or nothing after a report.
  auto place = [&](Item &item, int64_t dim, bool reverse) -> std::optional<int64_t> {
    item.dim = dim;
    if (llvm::isa<Slice>(item.tree))
      return reverse ? dim - 1 : dim + 1;
    item.index = emitTensorIndex(item.tree);
    if (!item.index)
      return std::nullopt;
    const Type *type = item.index->type();
    if (type->isNone())
      return reverse ? dim : dim + 1;
    if (type->isInt())
      return reverse ? dim - 1 : dim;
    if (type->isSubtypeOf(context.optionalOf(Type::tensorType()))) {
      return reverse ? dim - 1 : dim + 1;
    }
    error(item.tree->range(), diag::UnsupportedIndexType, type->annotation());
    return std::nullopt;
  };
  size_t at = 0;
  int64_t dim = 0;
  for (; at != items.size() && !llvm::isa<Dots>(items[at].tree); ++at) {
    auto next = place(items[at], dim, /*reverse=*/false);
    if (!next)
      return std::nullopt;
    dim = *next;
  }
  int64_t fromEnd = -1;
  for (size_t i = items.size(); i > at + 1; --i) {
    if (llvm::isa<Dots>(items[i - 1].tree)) {
      error(items[i - 1].tree->range(), diag::SeveralEllipses);
      return std::nullopt;
    }
    auto next = place(items[i - 1], fromEnd, /*reverse=*/true);
    if (!next)
      return std::nullopt;
    fromEnd = *next;
  }
  TensorIndexing result;
  llvm::SmallVector<Value *, 4> front(dim, nullptr), back;
  bool hasFront = false, hasBack = false;
  for (Item &item : items) {
    if (!self)
      return std::nullopt;
    if (llvm::isa<Dots>(item.tree))
      continue;
    const bool isBack = item.dim < 0;
    if (auto *slice = llvm::dyn_cast<Slice>(item.tree)) {
      self = emitSlice(range, self, constant(item.dim, range), *slice);
    } else if (item.index->type()->isNone()) {
      self = callBuiltin(range, aten::unsqueeze, {self, constant(item.dim, range)});
    } else if (item.index->type()->isInt()) {
      self = callBuiltin(range, aten::select, {self, constant(item.dim, range), item.index});
      continue;
    } else {
      (isBack ? hasBack : hasFront) = true;
      if (!isBack)
        front[item.dim] = item.index;
    }
    if (isBack)
      back.push_back(item.index && !item.index->type()->isNone() ? item.index : nullptr);
  }
  result.values = self;
  if (!self || (!hasFront && !hasBack))
    return self ? std::optional(result) : std::nullopt;
  if (!hasBack)
    while (!front.back())
      front.pop_back();
  result.indices = indexList(front, range);
  if (hasBack)
    result.indices = callTemplate(range, "around_ellipsis", {self, result.indices, indexList(back, range)});
  front.append(back);
  llvm::SmallVector<Value *, 4> tensors;
  for (Value *index : front)
    if (isPython && mayBeInteger(index))
      tensors.push_back(index);
  if (tensors.empty() || !result.indices)
    return result.indices ? std::optional(result) : std::nullopt;
  // One tensor that stands at a known dimension is selected there; several are looked at in turn.
  if (tensors.size() == 1 && !hasBack && llvm::count_if(front, [](Value *index) { return index; }) == 1) {
    result.item = tensors.front();
    result.itemDim = static_cast<int64_t>(front.size()) - 1;
    return result;
  }
  for (Value *tensor : tensors) {
    Value *selects = callTemplate(range, "selects", {tensor});
    result.hasItems = result.hasItems ? callBuiltin(range, aten::__or__, {result.hasItems, selects}) : selects;
  }
  return result;
}

Value *FunctionEmitter::indexList(ArrayRef<Value *> indices, SourceRange range) {
  llvm::SmallVector<Value *, 4> list;
  for (Value *index : indices)
    list.push_back(index ? index : none(range));
  return makeList(context.optionalOf(Type::tensorType()), list, range);
}

Value *FunctionEmitter::readIndexed(SourceRange range, const TensorIndexing &place) {
  if (!place.indices)
    return place.values;
  if (place.item)
    return callTemplate(range, "item_or_index",
                        {place.values, constant(place.itemDim, range), place.item, place.indices});
  if (place.hasItems)
    return callTemplate(range, "items_or_index", {place.values, place.indices, place.hasItems});
  return callBuiltin(range, aten::index, {place.values, place.indices});
}

/// A number that is to be written into a tensor, as a tensor of its dtype.
static Value *toTensorLike(FunctionEmitter &e, Value *value, Value *like, SourceRange range) {
  if (value->type()->isTensor())
    return value;
  Value *dtype = e.insertValue(prim::dtype, {like}, Type::intType(), range);
  Value *device = e.insertValue(prim::device, {like}, Type::deviceType(), range);
  NamedValue options[] = {NamedValue("dtype", dtype), NamedValue("device", device)};
  if (value->type()->isBool() && e.resolver.followsPython())
    value = e.callBuiltin(range, aten::Int, {value});
  if (e.resolver.followsPython()) // which refuses a number that the dtype cannot hold
    return e.callBuiltin(range, e.context.symbol("aten::full"), {e.makeList(Type::intType(), {}, range), value},
                         options);
  return e.callBuiltin(range, aten::tensor, {value}, options);
}

bool FunctionEmitter::writeIndexed(SourceRange range, const TensorIndexing &place, Value *given) {
  Value *fresh = toTensorLike(*this, given, place.values, range);
  if (!fresh)
    return false;
  if (place.item)
    return callTemplate(range, "set_item_or_index",
                        {place.values, constant(place.itemDim, range), place.item, place.indices, fresh});
  if (place.hasItems)
    return callTemplate(range, "set_items_or_index", {place.values, place.indices, place.hasItems, fresh});
  // Numbers have no dimensions that an assignment could ignore, and TorchScript ignores none.
  const bool isPlain = fresh != given || !resolver.followsPython() || resolver.isPrinted();
  if (!place.indices)
    return isPlain ? callBuiltin(range, aten::copy_, {place.values, fresh})
                   : callTemplate(range, "set_part", {place.values, fresh});
  return isPlain ? callBuiltin(range, aten::index_put_, {place.values, place.indices, fresh})
                 : callTemplate(range, "set_index", {place.values, place.indices, fresh});
}

/// The subscripts of a tensor: `x[(i, j)]` is `x[i, j]`.
static TreeList<Expr> tensorSubscripts(const Subscript &tree) {
  if (tree.indices().size() == 1)
    if (auto *tuple = llvm::dyn_cast<TupleLiteral>(tree.indices()[0]))
      return tuple->elements();
  return tree.indices();
}

Value *FunctionEmitter::emitTensorSubscript(const Subscript &tree, Value *self) {
  auto place = emitBasicIndexing(tree.range(), self, tensorSubscripts(tree));
  if (!place)
    return nullptr;
  Value *read = readIndexed(tree.range(), *place);
  return read == self ? callBuiltin(tree.range(), context.symbol("aten::alias"), {self}) : read;
}

SugaredValue *FunctionEmitter::emitSubscript(const Subscript &tree, const Type *hint) {
  SugaredValue *object = emitSugared(tree.value());
  if (!object)
    return nullptr;
  SourceRange range = tree.range();
  bool isFirstClass = llvm::isa<SimpleValue, ConstantSugar, TupleSugar>(object);
  bool isSlice = tree.indices().size() == 1 && llvm::isa<Slice>(tree.indices()[0]);
  if (!isFirstClass) {
    if (tree.indices().size() != 1 || isSlice)
      return error(range, diag::UnsupportedSubscript, object->describe());
    Value *index = emitExpr(tree.indices()[0]);
    return index ? object->element(*this, range, index, hint) : nullptr;
  }
  Value *self = object->asValue(*this, range);
  if (!self)
    return nullptr;
  auto simpleOrNull = [&](Value *value) -> SugaredValue * { return value ? simple(value) : nullptr; };
  const Type *type = self->type();
  if (type->isTensor())
    return simpleOrNull(emitTensorSubscript(tree, self));
  if (compiler.moduleInfo(type))
    return moduleSubscript(*this, tree, self);
  if (!llvm::isa<ListType, DictType, TupleType, ClassType>(type) && !type->isString())
    return error(range, diag::UnsupportedSubscript, "'" + type->annotation() + "'");
  auto *dict = llvm::dyn_cast<DictType>(type);
  if (tree.indices().size() != 1 && // `grid[1, 2]` is given a tuple
      (llvm::isa<ClassType>(type) || (dict && llvm::isa<TupleType>(dict->key())))) {
    Value *index = emitSubscriptTuple(tree);
    return index ? simpleOrNull(callMagic(range, "__getitem__", aten::__getitem__, {self, index})) : nullptr;
  }
  if (tree.indices().size() != 1)
    return error(range, diag::MultipleSubscripts, type->annotation());
  if (isSlice) {
    auto *slice = llvm::cast<Slice>(tree.indices()[0]);
    if (llvm::isa<TupleType>(type))
      return simpleOrNull(emitTupleSlice(range, self, *slice));
    return simpleOrNull(emitSlice(range, self, nullptr, *slice));
  }
  Value *index = emitExpr(tree.indices()[0]);
  if (index && llvm::isa<ListType, TupleType>(type))
    index = convertTo(index, Type::intType(), range, /*allowConversions=*/false);
  if (!index)
    return nullptr;
  if (auto *tuple = llvm::dyn_cast<TupleType>(type)) {
    auto at = constantIndex(index);
    int64_t size = static_cast<int64_t>(tuple->elements().size());
    if (!at) {
      // Any index will do when all elements are of one type.
      const Type *common = size ? tuple->elements().front() : nullptr;
      if (!index->type()->isInt() || !common ||
          !llvm::all_of(tuple->elements(), [&](const Type *t) { return t == common; }))
        return error(tree.indices()[0]->range(), diag::TupleIndexNotConstant);
      return simple(insertValue(prim::TupleIndex, {self, index}, common, range));
    }
    const std::optional<int64_t> place = python::elementPlace(*at, size);
    if (!place)
      return error(tree.indices()[0]->range(), diag::TupleIndexRange, *at, size);
    return simple(insertValue(prim::TupleIndex, {self, index}, tuple->elements()[*place], range));
  }
  return simpleOrNull(callMagic(range, "__getitem__", aten::__getitem__, {self, index}));
}

/// The subscripts of an object, as its class is given them.
Value *FunctionEmitter::emitSubscriptTuple(const Subscript &tree) {
  if (tree.indices().size() == 1)
    return emitExpr(tree.indices()[0]);
  llvm::SmallVector<Value *, 4> values;
  for (const Tree *index : tree.indices()) {
    values.push_back(emitExpr(index));
    if (!values.back())
      return nullptr;
  }
  return makeTuple(values, tree.range());
}

std::optional<std::array<Value *, 3>> FunctionEmitter::emitSliceBounds(const Slice &slice, SourceRange range) {
  auto bound = [&](const Tree *tree) {
    Value *given = tree ? emitExpr(tree) : none(range);
    const Type *type = context.optionalOf(Type::intType());
    return given && given->type() != type ? castTo(given, type, range) : given;
  };
  Value *start = bound(slice.start()), *stop = start ? bound(slice.stop()) : nullptr;
  Value *step = !stop ? nullptr : slice.step() ? emitExpr(slice.step()) : constant(int64_t{1}, range);
  if (!step)
    return std::nullopt;
  return std::array<Value *, 3>{start, stop, step};
}

/// `list[a:b:c] = values`
bool FunctionEmitter::emitSliceAssign(const Slice &slice, Value *self, Value *value, SourceRange range) {
  auto bounds = emitSliceBounds(slice, range);
  if (!bounds)
    return false;
  auto [start, stop, step] = *bounds;
  value = convertTo(value, self->type(), range, /*allowConversions=*/true);
  if (!slice.step())
    return callTemplate(range, "set_slice", {self, start, stop, value});
  return callTemplate(range, "set_steps", {self, start, stop, step, value});
}

bool FunctionEmitter::emitSubscriptAssign(const Subscript &target, Value *value, SourceRange range) {
  Value *self = emitExpr(target.value());
  if (!self)
    return false;
  if (self->type()->isTensor()) {
    auto place = emitBasicIndexing(target.range(), self, tensorSubscripts(target));
    return place && writeIndexed(range, *place, value);
  }
  auto *slice = target.indices().size() == 1 ? llvm::dyn_cast<Slice>(target.indices()[0]) : nullptr;
  if (slice && llvm::isa<ListType>(self->type()))
    return emitSliceAssign(*slice, self, value, range);
  if ((target.indices().size() != 1 && !llvm::isa<ClassType, DictType>(self->type())) || slice)
    return error(target.range(), diag::UnsupportedSubscriptAssign);
  if (llvm::isa<TupleType>(self->type()) || self->type()->isString())
    return error(target.range(), diag::ImmutableElements, self->type()->annotation());
  Value *index = emitSubscriptTuple(target);
  if (!index)
    return false;
  const Type *element = nullptr;
  if (auto *list = llvm::dyn_cast<ListType>(self->type()))
    element = list->element();
  else if (auto *dict = llvm::dyn_cast<DictType>(self->type()))
    element = dict->value();
  if (element)
    value = convertTo(value, element, range, /*allowConversions=*/true);
  return callMagic(range, "__setitem__", aten::_set_item, {self, index, value});
}

bool FunctionEmitter::emitSubscriptAugAssign(const AugAssign &tree, const Subscript &target) {
  Value *self = emitExpr(target.value());
  if (!self)
    return false;
  SourceRange range = tree.range();
  if (self->type()->isTensor()) {
    auto place = emitBasicIndexing(target.range(), self, tensorSubscripts(target));
    Value *rhs = place ? emitExpr(tree.value()) : nullptr;
    if (!rhs)
      return false;
    Symbol op = inPlaceOperator(tree.op(), place->values, range);
    Value *old = readIndexed(range, *place);
    Value *changed = old ? callBuiltin(range, op, {old, rhs}) : nullptr;
    return changed && (!place->indices || writeIndexed(range, *place, changed));
  }
  if ((target.indices().size() != 1 && !llvm::isa<ClassType>(self->type())) || llvm::isa<Slice>(target.indices()[0]))
    return error(target.range(), diag::UnsupportedSubscriptAssign);
  if (llvm::isa<TupleType>(self->type()) || self->type()->isString())
    return error(target.range(), diag::ImmutableElements, self->type()->annotation());
  Value *index = emitSubscriptTuple(target);
  Value *old = index ? callMagic(range, "__getitem__", aten::__getitem__, {self, index}) : nullptr;
  const Type *hint = old && llvm::isa<ListType>(old->type()) && tree.op() == TreeOp::Add ? old->type() : nullptr;
  Value *rhs = old ? emitExpr(tree.value(), hint) : nullptr;
  if (!rhs)
    return false;
  // What the container holds is changed itself where it can be, and stays there.
  bool inPlace = resolver.followsPython() && (old->type()->isTensor() || llvm::isa<ListType>(old->type()));
  Value *changed = inPlace ? callBuiltin(range, inPlaceOperator(tree.op(), old, range), {old, rhs})
                           : emitBinaryOn(tree.op(), old, rhs, range);
  return changed && callMagic(range, "__setitem__", aten::_set_item, {self, index, changed});
}
