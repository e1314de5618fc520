//===- NodeEquality.cpp - Nodes that compute the same ---------------------===//
#include "NodeEquality.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

static bool sameBits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// The bytes of a dense tensor on the CPU; empty for all others.
static llvm::ArrayRef<char> bytesOf(const Tensor &tensor) {
  if (tensor.device().kind != DeviceKind::CPU || !tensor.isContiguous())
    return {};
  return {static_cast<const char *>(tensor.data()), static_cast<size_t>(tensor.numel()) * itemSize(tensor.dtype())};
}

static bool sameTensor(const Tensor &a, const Tensor &b) {
  if (a.isSameAs(b))
    return true;
  if (!a.defined() || !b.defined() || a.dtype() != b.dtype() || a.device() != b.device() || a.sizes() != b.sizes() ||
      a.strides() != b.strides() || a.requiresGrad() || b.requiresGrad() || a.get()->conjugate != b.get()->conjugate ||
      a.get()->negative != b.get()->negative)
    return false;
  llvm::ArrayRef<char> x = bytesOf(a), y = bytesOf(b);
  return !x.empty() && x == y;
}

/// A constant's containers nest as deep as its text, which the parser bounds.
bool tsc::isSameConstant(const IValue &a, const IValue &b) {
  if (a.getTag() != b.getTag())
    return false;
  switch (a.getTag()) {
  case IValue::Tag::Double: return sameBits(a.toDouble(), b.toDouble()); // -0.0 is not 0.0
  case IValue::Tag::Int:
  case IValue::Tag::Bool: return a.toInt() == b.toInt();
  case IValue::Tag::String: return a.toString() == b.toString();
  case IValue::Tag::Tensor: return sameTensor(a.asTensor(), b.asTensor());
  case IValue::Tag::Complex:
    return sameBits(a.toComplex().real(), b.toComplex().real()) && sameBits(a.toComplex().imag(), b.toComplex().imag());
  case IValue::Tag::Tuple:
    return a.toTuple().type == b.toTuple().type &&
           llvm::equal(a.toTuple().elements, b.toTuple().elements, isSameConstant);
  case IValue::Tag::IntList: return a.toIntList().elements == b.toIntList().elements;
  case IValue::Tag::BoolList: return a.toBoolList().elements == b.toBoolList().elements;
  case IValue::Tag::DoubleList: return llvm::equal(a.toDoubleList().elements, b.toDoubleList().elements, sameBits);
  case IValue::Tag::TensorList: return llvm::equal(a.toTensorList().elements, b.toTensorList().elements, sameTensor);
  case IValue::Tag::GenericList:
    return a.toGenericList().elementType == b.toGenericList().elementType &&
           llvm::equal(a.toGenericList().elements, b.toGenericList().elements, isSameConstant);
  case IValue::Tag::Dict: {
    using Entries = std::vector<std::pair<IValue, IValue>>;
    auto entries = [](const IValue &dict) {
      Entries all;
      dict.toDict().forEach([&](const IValue &key, const IValue &value) { all.emplace_back(key, value); });
      return all;
    };
    return a.isSameAs(b) || llvm::equal(entries(a), entries(b), [](const auto &x, const auto &y) {
             return isSameConstant(x.first, y.first) && isSameConstant(x.second, y.second);
           });
  }
  default: return a.isSameAs(b);
  }
}

bool tsc::isOnlyRead(const Value *value) {
  return llvm::all_of(value->uses(), [](const Use &use) {
    const OpRecord *record = use.user()->record();
    return record && record->has(Trait::Pure) && !record->has(Trait::Aliases) && !record->has(Trait::View);
  });
}

namespace {

struct AttributesEqual {
  template <typename T> bool operator()(const T &a, const T &b) const { return a == b; }
  bool operator()(const Tensor &a, const Tensor &b) const { return sameTensor(a, b); }
  bool operator()(const IValue &a, const IValue &b) const { return isSameConstant(a, b); }
  bool operator()(double a, double b) const { return sameBits(a, b); }
  bool operator()(const std::vector<double> &a, const std::vector<double> &b) const {
    return llvm::equal(a, b, sameBits);
  }
  bool operator()(const std::vector<Tensor> &a, const std::vector<Tensor> &b) const {
    return llvm::equal(a, b, sameTensor);
  }
  template <typename T, typename U> bool operator()(const T &, const U &) const { return false; }
};

/// Spreads the constants that are frequent; the others of a kind share a bucket or two.
struct HashAttribute {
  llvm::hash_code operator()(int64_t v) const { return llvm::hash_value(v); }
  llvm::hash_code operator()(double v) const { return llvm::hash_value(std::bit_cast<uint64_t>(v)); }
  llvm::hash_code operator()(const std::string &v) const { return llvm::hash_value(v); }
  llvm::hash_code operator()(const Type *v) const { return llvm::hash_value(v); }
  llvm::hash_code operator()(const std::vector<int64_t> &v) const {
    return llvm::hash_combine_range(v.begin(), v.end());
  }
  llvm::hash_code operator()(const Tensor &v) const {
    if (!v.defined())
      return 0;
    llvm::ArrayRef<char> bytes = bytesOf(v).take_front(256);
    return llvm::hash_combine(static_cast<int>(v.dtype()), llvm::hash_combine_range(v.sizes().begin(), v.sizes().end()),
                              llvm::hash_combine_range(bytes.begin(), bytes.end()));
  }
  llvm::hash_code operator()(const IValue &v) const {
    if (v.isTensor())
      return (*this)(v.asTensor());
    if (v.isIntList())
      return (*this)(v.toIntList().elements);
    return v.isList() ? llvm::hash_value(v.listSize()) : llvm::hash_code(0);
  }
  template <typename T> llvm::hash_code operator()(const T &) const { return 0; }
};

} // namespace

static unsigned hashOf(const Node &node) {
  llvm::hash_code hash = llvm::hash_value(node.kind().get());
  for (const Value *input : node.inputs())
    hash = llvm::hash_combine(hash, input);
  for (const NamedAttribute &attribute : node.attributes())
    hash = llvm::hash_combine(hash, attribute.name.get(), attribute.value.index(),
                              std::visit(HashAttribute(), attribute.value));
  return static_cast<unsigned>(static_cast<size_t>(hash));
}

static bool computeTheSame(const Node &a, const Node &b) {
  return a.kind() == b.kind() && a.op() == b.op() && llvm::equal(a.inputs(), b.inputs()) &&
         llvm::equal(a.outputs(), b.outputs(), [](Value *x, Value *y) { return x->type() == y->type(); }) &&
         llvm::equal(a.attributes(), b.attributes(), [](const NamedAttribute &x, const NamedAttribute &y) {
           return x.name == y.name && std::visit(AttributesEqual(), x.value, y.value);
         });
}

namespace {

class GraphComparison {
public:
  bool areSame(const Block &a, const Block &b) {
    if (!areSameTypes(a.inputs(), b.inputs()))
      return false;
    match(a.inputs(), b.inputs());
    const Node *left = first(a), *right = first(b);
    for (; left && right; left = left->next(), right = right->next())
      if (!areSame(*left, *right))
        return false;
    return left == right && areSameOperands(a.returnNode(), b.returnNode());
  }

private:
  static const Node *first(const Block &block) { return block.empty() ? nullptr : &block.nodes().front(); }
  static bool areSameTypes(ArrayRef<Value *> a, ArrayRef<Value *> b) {
    return llvm::equal(a, b, [](Value *x, Value *y) { return x->type() == y->type(); });
  }
  /// Notes that the values of one list are those of the other, which is as long.
  void match(ArrayRef<Value *> a, ArrayRef<Value *> b) {
    for (auto [x, y] : llvm::zip_equal(a, b))
      same[x] = y;
  }
  bool areSameOperands(const Node &a, const Node &b) const {
    return llvm::equal(a.inputs(), b.inputs(), [&](const Value *x, const Value *y) { return same.lookup(x) == y; });
  }
  static bool areSameAttributes(const NamedAttribute &a, const NamedAttribute &b) {
    const auto *x = std::get_if<std::shared_ptr<Graph>>(&a.value), *y = std::get_if<std::shared_ptr<Graph>>(&b.value);
    if (a.name != b.name || !x != !y)
      return false;
    if (a.name == attr::scope) // a name
      return true;
    return x ? areSameGraph(**x, **y) : std::visit(AttributesEqual(), a.value, b.value);
  }
  bool areSame(const Node &a, const Node &b) {
    if (a.kind() != b.kind() || a.op() != b.op() || !areSameOperands(a, b) || !areSameTypes(a.outputs(), b.outputs()) ||
        !llvm::equal(a.attributes(), b.attributes(), areSameAttributes) ||
        !llvm::equal(a.blocks(), b.blocks(), [&](Block &x, Block &y) { return areSame(x, y); }))
      return false;
    match(a.outputs(), b.outputs());
    return true;
  }
  llvm::DenseMap<const Value *, const Value *> same;
};

} // namespace

bool tsc::areSameGraph(const Graph &a, const Graph &b) { return GraphComparison().areSame(a.block(), b.block()); }

bool tsc::isComparedByIdentity(const Value &value) {
  return value.type()->isMutable() && llvm::any_of(value.uses(), [](const Use &use) {
           const Symbol user = use.user()->kind();
           return user == aten::__is__ || user == aten::__isnot__;
         });
}

Expression::Expression(Node &node) : theNode(&node), hash(hashOf(node)) {}

bool ExpressionInfo::isEqual(const Expression &a, const Expression &b) {
  if (a.theNode == b.theNode || a.hash != b.hash)
    return a.theNode == b.theNode;
  auto isMarker = [](const Expression &e) {
    return e.theNode == getEmptyKey().theNode || e.theNode == getTombstoneKey().theNode;
  };
  return !isMarker(a) && !isMarker(b) && computeTheSame(a.node(), b.node());
}
