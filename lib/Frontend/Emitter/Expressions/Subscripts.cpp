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
#include "Subscripts.h"
#include "../../SugaredValues/Slices.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Calls/FunctionCalls.h"
#include "../Calls/Instances.h"
#include "../Conversions.h"
#include "../Expressions.h"
#include "../FunctionContext.h"
#include "../Statements/Assignments.h"
#include "Names.h"
#include "Operations.h"
#include "tsc/Python/Slices.h"

using namespace tsc;

namespace {
/// What subscripts say of a tensor: the view that ints, slices and None give, and how tensors index it.
struct TensorIndexing {
  Value *values = nullptr;
  Value *indices = nullptr; ///< What aten::index takes; null where no tensor is among the subscripts.
  Value *item = nullptr;    ///< The only index, at `itemDim`, where at run time it may select as an int does.
  int64_t itemDim = 0;
  Value *hasItems = nullptr; ///< Whether one of several indices does so; null where none can.
};
} // namespace

static Value *emitSubscriptTuple(FunctionContext &fn, const Subscript &tree);

std::optional<int64_t> tsc::constantIndex(const FunctionContext &fn, Value *index) {
  if (index->node()->kind() == aten::neg && index->node()->numInputs() == 1) {
    auto inner = constantIndex(fn, index->node()->input());
    return inner && *inner != INT64_MIN ? std::optional<int64_t>(-*inner) : std::nullopt;
  }
  auto value = constantValue(index);
  return value && value->isInt() ? std::optional<int64_t>(value->toInt()) : std::nullopt;
}

/// Returns what a name of the text stands for that is no value of the graph; null for a value, for a name that stands
/// for nothing, and for other expressions.
static SugaredValue *sugarOfName(FunctionContext &fn, const Tree *tree) {
  auto *name = llvm::dyn_cast<Var>(tree);
  if (!name || (fn.env.hasFrames() && fn.env.typeOf(fn.env.nameHere(name->name()))))
    return nullptr;
  SugaredValue *found = lookUp(fn, name->name(), name->range(), /*required=*/false);
  return llvm::isa_and_nonnull<SimpleValue>(found) ? nullptr : found;
}

/// Whether a subscript is an ellipsis, by its sign or its name.
static bool isEllipsis(FunctionContext &fn, const Tree *tree) {
  return llvm::isa<Dots>(tree) || dynamic_cast<EllipsisSugar *>(sugarOfName(fn, tree));
}

bool tsc::isSlice(FunctionContext &fn, const Tree *tree) {
  if (llvm::isa<Slice>(tree))
    return true;
  if (auto *call = llvm::dyn_cast<Apply>(tree))
    return dynamic_cast<SliceFunction *>(sugarOfName(fn, call->callee()));
  return dynamic_cast<SliceSugar *>(sugarOfName(fn, tree));
}

bool tsc::emitSliceParts(FunctionContext &fn, const Tree *tree, llvm::function_ref<bool(const Tree *, Value *)> use) {
  if (auto *slice = llvm::dyn_cast<Slice>(tree)) {
    const Tree *parts[] = {slice->start(), slice->stop(), slice->step()};
    return llvm::all_of(parts, [&](const Tree *part) {
      Value *value = part ? emitExpr(fn, part) : nullptr;
      return (!part || value) && use(part, value);
    });
  }
  auto *made = dynamic_cast<SliceSugar *>(emitSugared(fn, tree));
  return made &&
         llvm::all_of(made->bounds, [&](Value *bound) { return use(tree, bound->type()->isNone() ? nullptr : bound); });
}

static Value *emitSlice(FunctionContext &fn, SourceRange range, Value *self, Value *dim, const Tree *slice) {
  std::optional<std::array<Value *, 3>> bounds = emitSliceBounds(fn, slice, range, /*areOptional=*/false);
  if (!bounds)
    return nullptr;
  auto [start, stop, step] = *bounds;
  std::vector<NamedValue> args{self};
  if (dim)
    args.push_back(dim);
  args.insert(args.end(), {start, stop, step});
  return callBuiltin(fn, range, aten::slice, args);
}

static Value *emitTupleSlice(FunctionContext &fn, SourceRange range, Value *self, const Tree *slice) {
  auto *tuple = llvm::cast<TupleType>(self->type());
  int64_t size = static_cast<int64_t>(tuple->elements().size());
  llvm::SmallVector<std::optional<int64_t>, 3> bounds;
  const bool ok = emitSliceParts(fn, slice, [&](const Tree *tree, Value *value) {
    bounds.push_back(value ? constantIndex(fn, value) : std::nullopt);
    return !value || value->type()->isNone() || bounds.back() || fn.error(tree->range(), diag::TupleIndexNotConstant);
  });
  if (!ok)
    return nullptr;
  const int64_t step = bounds[2].value_or(1);
  if (step == 0)
    return fn.error(range, diag::ZeroSliceStep);
  const python::SliceElements taken = python::sliceElements(bounds[0], bounds[1], step, size);
  llvm::SmallVector<Value *, 4> parts;
  for (int64_t i = 0; i != taken.count; ++i)
    parts.push_back(tupleIndex(fn, self, tuple->elements()[taken[i]], taken[i], range));
  return fn.makeTuple(parts, range);
}

static Value *emitTensorIndex(FunctionContext &fn, const Tree *tree) {
  Value *index = emitExpr(fn, tree);
  if (!index)
    return nullptr;
  // A list of numbers selects as the tensor of these numbers would; a list of bools masks.
  if (auto *list = llvm::dyn_cast<ListType>(index->type())) {
    DType dtype = list->element()->isBool() ? DType::Bool : DType::Int64;
    return callBuiltin(fn, tree->range(), aten::tensor, {index}, {NamedValue("dtype", static_cast<int64_t>(dtype))});
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

static Value *indexList(FunctionContext &fn, ArrayRef<Value *> indices, SourceRange range) {
  llvm::SmallVector<Value *, 4> list;
  for (Value *index : indices)
    list.push_back(index ? index : fn.none(range));
  return fn.makeList(fn.context().optionalOf(Type::tensorType()), list, range);
}

namespace {
/// Emits the selects, slices and unsqueezes among the subscripts of a tensor, and finds out how tensors among them
/// index what these give.
class BasicIndexing {
public:
  BasicIndexing(FunctionContext &fn, SourceRange range, Value *self, TreeList<Expr> subscripts)
      : fn(fn), range(range), self(self) {
    for (const Tree *tree : subscripts)
      items.push_back({tree, isEllipsis(fn, tree), isSlice(fn, tree)});
  }

  /// Nothing after a report.
  std::optional<TensorIndexing> emit() {
    if (!evaluate() || !emitViews())
      return std::nullopt;
    result.values = self;
    if (!hasFront && !hasBack)
      return result;
    if (!emitIndices())
      return std::nullopt;
    if (fn.resolver.followsPython() && !fn.resolver.isPrinted())
      findItems();
    return result;
  }

private:
  /// A subscript, and the dimension that it is about: counted from the end, and negative, behind an ellipsis.
  struct Item {
    const Tree *tree;
    bool isEllipsis, isSlice;
    int64_t dim = 0;
    Value *index = nullptr;
  };

  /// Evaluates the subscripts in the order in which their dimensions can be counted. False after a report.
  bool evaluate() {
    size_t at = 0;
    for (; at != items.size() && !items[at].isEllipsis; ++at)
      if (!evaluate(items[at], numFront, /*isBack=*/false))
        return false;
    int64_t fromEnd = -1;
    for (size_t i = items.size(); i > at + 1; --i) {
      if (items[i - 1].isEllipsis)
        return fn.error(items[i - 1].tree->range(), diag::SeveralEllipses);
      if (!evaluate(items[i - 1], fromEnd, /*isBack=*/true))
        return false;
    }
    return true;
  }

  /// Evaluates one subscript at `dim`, which becomes the dimension of the next one. False after a report.
  bool evaluate(Item &item, int64_t &dim, bool isBack) {
    item.dim = dim;
    bool isKept = true; // whether the result has a dimension for it
    if (!item.isSlice) {
      item.index = emitTensorIndex(fn, item.tree);
      if (!item.index)
        return false;
      const Type *type = item.index->type();
      if (type->isNone())
        isKept = !isBack;
      else if (type->isInt())
        isKept = isBack;
      else if (!type->isSubtypeOf(fn.context().optionalOf(Type::tensorType())))
        return fn.error(item.tree->range(), diag::UnsupportedIndexType, type->annotation());
    }
    if (isKept)
      dim += isBack ? -1 : 1;
    return true;
  }

  /// Emits what ints, slices and None do, and puts tensors where they index. False after a report.
  bool emitViews() {
    front.assign(numFront, nullptr);
    for (Item &item : items) {
      if (!self)
        return false;
      if (item.isEllipsis)
        continue;
      const bool isBack = item.dim < 0;
      if (item.isSlice) {
        self = emitSlice(fn, range, self, fn.constant(item.dim, range), item.tree);
      } else if (item.index->type()->isNone()) {
        self = callBuiltin(fn, range, aten::unsqueeze, {self, fn.constant(item.dim, range)});
      } else if (item.index->type()->isInt()) {
        self = callBuiltin(fn, range, aten::select, {self, fn.constant(item.dim, range), item.index});
        continue;
      } else {
        (isBack ? hasBack : hasFront) = true;
        if (!isBack)
          front[item.dim] = item.index;
      }
      if (isBack)
        back.push_back(item.index && !item.index->type()->isNone() ? item.index : nullptr);
    }
    return self;
  }

  /// Makes the list that aten::index takes. False after a report.
  bool emitIndices() {
    if (!hasBack)
      while (!front.back())
        front.pop_back();
    result.indices = indexList(fn, front, range);
    if (hasBack)
      result.indices = callTemplate(fn, range, "around_ellipsis", {self, result.indices, indexList(fn, back, range)});
    return result.indices;
  }

  /// Finds out which tensors may be integers when the program runs, and select then.
  void findItems() {
    front.append(back);
    llvm::SmallVector<Value *, 4> tensors;
    llvm::copy_if(front, std::back_inserter(tensors), mayBeInteger);
    // One tensor that stands at a known dimension is selected there; several are looked at in turn.
    if (tensors.size() == 1 && !hasBack && llvm::count_if(front, [](Value *index) { return index; }) == 1) {
      result.item = tensors.front();
      result.itemDim = static_cast<int64_t>(front.size()) - 1;
      return;
    }
    for (Value *tensor : tensors) {
      Value *selects = callTemplate(fn, range, "selects", {tensor});
      result.hasItems = result.hasItems ? callBuiltin(fn, range, aten::__or__, {result.hasItems, selects}) : selects;
    }
  }

  FunctionContext &fn;
  SourceRange range;
  Value *self; ///< The tensor, and what the views so far have made of it.
  llvm::SmallVector<Item, 4> items;
  int64_t numFront = 0;                      ///< Dimensions that the subscripts before an ellipsis leave.
  llvm::SmallVector<Value *, 4> front, back; ///< Tensors by dimension, before and behind an ellipsis.
  bool hasFront = false, hasBack = false;
  TensorIndexing result;
};
} // namespace

static Value *readIndexed(FunctionContext &fn, SourceRange range, const TensorIndexing &place) {
  if (!place.indices)
    return place.values;
  if (place.item)
    return callTemplate(fn, range, "item_or_index",
                        {place.values, fn.constant(place.itemDim, range), place.item, place.indices});
  if (place.hasItems)
    return callTemplate(fn, range, "items_or_index", {place.values, place.indices, place.hasItems});
  return callBuiltin(fn, range, aten::index, {place.values, place.indices});
}

/// A number that is to be written into a tensor, as a tensor of its dtype.
static Value *toTensorLike(FunctionContext &fn, Value *value, Value *like, SourceRange range) {
  if (value->type()->isTensor())
    return value;
  Value *dtype = fn.insertValue(prim::dtype, {like}, Type::intType(), range);
  Value *device = fn.insertValue(prim::device, {like}, Type::deviceType(), range);
  NamedValue options[] = {NamedValue("dtype", dtype), NamedValue("device", device)};
  if (value->type()->isBool() && fn.resolver.followsPython())
    value = callBuiltin(fn, range, aten::Int, {value});
  if (fn.resolver.followsPython()) // which refuses a number that the dtype cannot hold
    return callBuiltin(fn, range, fn.context().symbol("aten::full"), {fn.makeList(Type::intType(), {}, range), value},
                       options);
  return callBuiltin(fn, range, aten::tensor, {value}, options);
}

static bool writeIndexed(FunctionContext &fn, SourceRange range, const TensorIndexing &place, Value *given) {
  Value *fresh = toTensorLike(fn, given, place.values, range);
  if (!fresh)
    return false;
  if (place.item)
    return callTemplate(fn, range, "set_item_or_index",
                        {place.values, fn.constant(place.itemDim, range), place.item, place.indices, fresh});
  if (place.hasItems)
    return callTemplate(fn, range, "set_items_or_index", {place.values, place.indices, place.hasItems, fresh});
  // Numbers have no dimensions that an assignment could ignore, and TorchScript ignores none.
  const bool isPlain = fresh != given || !fn.resolver.followsPython() || fn.resolver.isPrinted();
  if (!place.indices)
    return isPlain ? callBuiltin(fn, range, aten::copy_, {place.values, fresh})
                   : callTemplate(fn, range, "set_part", {place.values, fresh});
  return isPlain ? callBuiltin(fn, range, aten::index_put_, {place.values, place.indices, fresh})
                 : callTemplate(fn, range, "set_index", {place.values, place.indices, fresh});
}

/// The subscripts of a tensor: `x[(i, j)]` is `x[i, j]`.
static TreeList<Expr> tensorSubscripts(const Subscript &tree) {
  if (tree.indices().size() == 1)
    if (auto *tuple = llvm::dyn_cast<TupleLiteral>(tree.indices()[0]))
      return tuple->elements();
  return tree.indices();
}

static Value *emitTensorSubscript(FunctionContext &fn, const Subscript &tree, Value *self) {
  auto place = BasicIndexing(fn, tree.range(), self, tensorSubscripts(tree)).emit();
  if (!place)
    return nullptr;
  Value *read = readIndexed(fn, tree.range(), *place);
  return read == self ? callBuiltin(fn, tree.range(), fn.context().symbol("aten::alias"), {self}) : read;
}

SugaredValue *tsc::emitSubscript(FunctionContext &fn, const Subscript &tree, const Type *hint) {
  SugaredValue *object = emitSugared(fn, tree.value());
  if (!object)
    return nullptr;
  SourceRange range = tree.range();
  bool isFirstClass = llvm::isa<SimpleValue, ConstantSugar, TupleSugar>(object);
  const bool takesSlice = tree.indices().size() == 1 && isSlice(fn, tree.indices()[0]);
  if (!isFirstClass) {
    if (tree.indices().size() != 1 || takesSlice)
      return fn.error(range, diag::UnsupportedSubscript, object->describe());
    Value *index = emitExpr(fn, tree.indices()[0]);
    return index ? object->element(fn, range, index, hint) : nullptr;
  }
  Value *self = object->asValue(fn, range);
  if (!self)
    return nullptr;
  auto simpleOrNull = [&](Value *value) -> SugaredValue * { return value ? fn.simple(value) : nullptr; };
  const Type *type = self->type();
  if (type->isTensor())
    return simpleOrNull(emitTensorSubscript(fn, tree, self));
  if (fn.compiler.moduleInfo(type))
    return moduleSubscript(fn, tree, self);
  if (!llvm::isa<ListType, DictType, TupleType, ClassType>(type) && !type->isString())
    return fn.error(range, diag::UnsupportedSubscript, "'" + type->annotation() + "'");
  auto *dict = llvm::dyn_cast<DictType>(type);
  if (tree.indices().size() != 1 && // `grid[1, 2]` is given a tuple
      (llvm::isa<ClassType>(type) || (dict && llvm::isa<TupleType>(dict->key())))) {
    Value *index = emitSubscriptTuple(fn, tree);
    return index ? simpleOrNull(callMagic(fn, range, "__getitem__", aten::__getitem__, {self, index})) : nullptr;
  }
  if (tree.indices().size() != 1)
    return fn.error(range, diag::MultipleSubscripts, type->annotation());
  if (takesSlice) {
    const Tree *slice = tree.indices()[0];
    if (llvm::isa<TupleType>(type))
      return simpleOrNull(emitTupleSlice(fn, range, self, slice));
    return simpleOrNull(emitSlice(fn, range, self, nullptr, slice));
  }
  Value *index = emitExpr(fn, tree.indices()[0]);
  if (index && llvm::isa<ListType, TupleType>(type))
    index = convertTo(fn, index, Type::intType(), range, /*allowConversions=*/false);
  if (!index)
    return nullptr;
  if (auto *tuple = llvm::dyn_cast<TupleType>(type)) {
    auto at = constantIndex(fn, index);
    int64_t size = static_cast<int64_t>(tuple->elements().size());
    if (!at) {
      // Any index will do when all elements are of one type.
      const Type *common = size ? tuple->elements().front() : nullptr;
      if (!index->type()->isInt())
        return fn.error(tree.indices()[0]->range(), diag::TupleIndexNotInteger, index->type()->annotation());
      if (!common || !llvm::all_of(tuple->elements(), [&](const Type *t) { return t == common; }))
        return fn.error(tree.indices()[0]->range(), diag::TupleIndexNotConstant);
      return fn.simple(fn.insertValue(prim::TupleIndex, {self, index}, common, range));
    }
    const std::optional<int64_t> place = python::elementPlace(*at, size);
    if (!place)
      return fn.error(tree.indices()[0]->range(), diag::TupleIndexRange, *at, size);
    return fn.simple(fn.insertValue(prim::TupleIndex, {self, index}, tuple->elements()[*place], range));
  }
  return simpleOrNull(callMagic(fn, range, "__getitem__", aten::__getitem__, {self, index}));
}

/// The subscripts of an object, as its class is given them.
static Value *emitSubscriptTuple(FunctionContext &fn, const Subscript &tree) {
  if (tree.indices().size() == 1)
    return emitExpr(fn, tree.indices()[0]);
  llvm::SmallVector<Value *, 4> values;
  for (const Tree *index : tree.indices()) {
    values.push_back(emitExpr(fn, index));
    if (!values.back())
      return nullptr;
  }
  return fn.makeTuple(values, tree.range());
}

std::optional<std::array<Value *, 3>> tsc::emitSliceBounds(FunctionContext &fn, const Tree *slice, SourceRange range,
                                                           bool areOptional) {
  std::array<Value *, 3> bounds{};
  size_t at = 0;
  const Type *optional = fn.context().optionalOf(Type::intType());
  const bool ok = emitSliceParts(fn, slice, [&](const Tree *, Value *given) {
    const bool isStep = at == 2;
    if (!given || (isStep && given->type()->isNone()))
      given = isStep ? fn.constant(int64_t{1}, range) : fn.none(range);
    bounds[at++] = areOptional && !isStep && given->type() != optional ? fn.castTo(given, optional, range) : given;
    return true;
  });
  return ok ? std::optional(bounds) : std::nullopt;
}

/// `list[a:b:c] = values`
static bool emitSliceAssign(FunctionContext &fn, const Tree *slice, Value *self, Value *value, SourceRange range) {
  auto bounds = emitSliceBounds(fn, slice, range, /*areOptional=*/true);
  if (!bounds)
    return false;
  auto [start, stop, step] = *bounds;
  value = convertTo(fn, value, self->type(), range, /*allowConversions=*/true);
  if (constantIndex(fn, step) == 1)
    return callTemplate(fn, range, "set_slice", {self, start, stop, value});
  return callTemplate(fn, range, "set_steps", {self, start, stop, step, value});
}

bool tsc::emitSubscriptAssign(FunctionContext &fn, const Subscript &target, Value *value, SourceRange range) {
  Value *self = emitExpr(fn, target.value());
  if (!self)
    return false;
  if (self->type()->isTensor()) {
    auto place = BasicIndexing(fn, target.range(), self, tensorSubscripts(target)).emit();
    return place && writeIndexed(fn, range, *place, value);
  }
  const bool takesSlice = target.indices().size() == 1 && isSlice(fn, target.indices()[0]);
  if (takesSlice && llvm::isa<ListType>(self->type()))
    return emitSliceAssign(fn, target.indices()[0], self, value, range);
  if ((target.indices().size() != 1 && !llvm::isa<ClassType, DictType>(self->type())) || takesSlice)
    return fn.error(target.range(), diag::UnsupportedSubscriptAssign);
  if (llvm::isa<TupleType>(self->type()) || self->type()->isString())
    return fn.error(target.range(), diag::ImmutableElements, self->type()->annotation(), "subscripted assignment");
  Value *index = emitSubscriptTuple(fn, target);
  if (!index)
    return false;
  const Type *element = nullptr;
  if (auto *list = llvm::dyn_cast<ListType>(self->type()))
    element = list->element();
  else if (auto *dict = llvm::dyn_cast<DictType>(self->type()))
    element = dict->value();
  if (element)
    value = convertTo(fn, value, element, range, /*allowConversions=*/true);
  return callMagic(fn, range, "__setitem__", aten::_set_item, {self, index, value});
}

bool tsc::emitSubscriptAugAssign(FunctionContext &fn, const AugAssign &tree, const Subscript &target) {
  Value *self = emitExpr(fn, target.value());
  if (!self)
    return false;
  SourceRange range = tree.range();
  if (self->type()->isTensor()) {
    auto place = BasicIndexing(fn, target.range(), self, tensorSubscripts(target)).emit();
    Value *rhs = place ? emitExpr(fn, tree.value()) : nullptr;
    if (!rhs)
      return false;
    Symbol op = inPlaceOperator(fn, tree.op(), place->values, range);
    Value *old = readIndexed(fn, range, *place);
    Value *changed = old ? callBuiltin(fn, range, op, {old, rhs}) : nullptr;
    return changed && (!place->indices || writeIndexed(fn, range, *place, changed));
  }
  if ((target.indices().size() != 1 && !llvm::isa<ClassType>(self->type())) || isSlice(fn, target.indices()[0]))
    return fn.error(target.range(), diag::UnsupportedSubscriptAssign);
  if (llvm::isa<TupleType>(self->type()) || self->type()->isString())
    return fn.error(target.range(), diag::ImmutableElements, self->type()->annotation(), "augmented assignment");
  Value *index = emitSubscriptTuple(fn, target);
  Value *old = index ? callMagic(fn, range, "__getitem__", aten::__getitem__, {self, index}) : nullptr;
  const Type *hint = old && llvm::isa<ListType>(old->type()) && tree.op() == TreeOp::Add ? old->type() : nullptr;
  Value *rhs = old ? emitExpr(fn, tree.value(), hint) : nullptr;
  if (!rhs)
    return false;
  // What the container holds is changed itself where it can be, and stays there.
  bool inPlace = fn.resolver.followsPython() && (old->type()->isTensor() || llvm::isa<ListType>(old->type()));
  Value *changed = inPlace ? callBuiltin(fn, range, inPlaceOperator(fn, tree.op(), old, range), {old, rhs})
                           : emitBinaryOn(fn, tree.op(), old, rhs, range);
  return changed && callMagic(fn, range, "__setitem__", aten::_set_item, {self, index, changed});
}
