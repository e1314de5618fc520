//===- Operands.cpp - Operands for any schema -----------------------------===//
#include "Operands.h"
#include "EdgeNumbers.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include <algorithm>
#include <random>
using namespace tsc;
using fuzz::limits;
using fuzz::OperandMaker;
using fuzz::specials;

static constexpr unsigned mostNested = 3;

OperandMaker::OperandMaker(Context &context, Choices &choices, llvm::ArrayRef<Tensor> others)
    : context(context), choices(choices), others(others) {}

/// Whether a name holds one of these words.
static bool holdsAny(llvm::StringRef name, std::initializer_list<llvm::StringRef> words) {
  return llvm::any_of(words, [&](llvm::StringRef word) { return name.contains(word); });
}

/// How many dimensions operators of such a name take.
static size_t usualRank(fuzz::Choices &choices, llvm::StringRef name) {
  if (choices.percent(25))
    return choices.pick({0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5});
  for (size_t spatial : {1, 2, 3})
    if (name.contains(std::to_string(spatial) + "d"))
      return spatial + (choices.percent(75) ? 2 : 1);
  if (holdsAny(name, {"roi_", "conv", "col", "grid_sampler", "pixel", "channel"}))
    return 4;
  if (holdsAny(name, {"linalg_", "lu_", "cholesky", "svd", "qr", "inverse", "eig", "triangular", "mm", "matrix"}))
    return choices.pick({2, 2, 2, 3, 3, 4});
  if (holdsAny(name, {"::dot", "vdot", "::outer", "::ger", "::inner", "bincount", "searchsorted.Scalar"}))
    return 1;
  if (holdsAny(name, {"embedding", "::mv", "addmv", "addr", "pdist", "cdist"}))
    return 2;
  if (holdsAny(name, {"bmm", "ctc_loss", "attention", "transformer", "packed"}))
    return 3;
  if (holdsAny(name, {"lstm", "gru", "rnn"}))
    return name.contains("cell") ? 2 : 3;
  return choices.pick({0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5});
}

void OperandMaker::chooseCommon(llvm::StringRef name) {
  facts.op = name.str();
  facts.fits = choices.percent(60);
  size_t rank = usualRank(choices, name);
  if (choices.below(128) == 0)
    rank = 6 + choices.below(64);
  // Where all sizes are one, shapes fit together in any operator.
  const bool isCube = choices.percent(facts.fits ? 60 : 30);
  const int64_t edge = choices.pick({1, 2, 2, 3, 3, 4, 8, 16, 17});
  int64_t count = 1;
  for (size_t i = 0; i != rank; ++i) {
    int64_t next = isCube ? edge : size();
    if (rank > 5 && next != 0)
      next = 1 + static_cast<int64_t>(i % 8 == 0);
    if (count * next > mostElements)
      next = 1;
    count *= next;
    facts.sizes.push_back(next);
  }
  if (facts.fits && rank > 1 && facts.names({"linalg_", "lu", "cholesky", "inverse", "eig", "solve", "triangular"}))
    facts.sizes[rank - 1] = facts.sizes[rank - 2];
  // Beside a size of 0 the others may be any, and their products no numbers.
  if (rank > 1 && choices.percent(2)) {
    facts.sizes[choices.below(rank)] = 0;
    for (int64_t &size : facts.sizes)
      if (size != 0 && choices.percent(50))
        size = choices.pick<int64_t>({int64_t{1} << 31, int64_t{1} << 32, int64_t{1} << 40, int64_t{1} << 60, 100000});
  }
  for (size_t d = 0; d + 2 < std::min<size_t>(rank, 5); ++d)
    facts.kernel.push_back(choices.pick({1, 1, 2, 3}));
  facts.outChannels = choices.pick({1, 2, 3, 4, 16});
  facts.gates = facts.names({"lstm"}) ? 4 : facts.names({"gru"}) ? 3 : 1;
  facts.hasBiases = choices.percent(60);
  const bool isOfIntegers = facts.names({"bitwise", "shift", "__and__", "__or__", "__xor__", "__iand__", "__ior__",
                                         "__ixor__", "gcd", "lcm", "bincount", "_make_per", "_int_mm"});
  if (isOfIntegers && choices.percent(80))
    facts.dtype =
        choices.pick({DType::Int64, DType::Int64, DType::Int32, DType::UInt8, DType::Int8, DType::Int16, DType::Bool});
  else
    facts.dtype = choices.percent(55)   ? DType::Float
                  : choices.percent(30) ? DType::Double
                  : choices.percent(20) ? DType::Int64
                                        : static_cast<DType>(choices.below(static_cast<uint64_t>(DType::Opaque)));
  facts.gradients = choices.percent(25);
  facts.extremes = choices.percent(facts.fits ? 10 : 35);
  const bool isOfSparse =
      facts.names({"sparse", "coalesce", "_indices", "_values", "_nnz", "_dimI", "_dimV", "dense_dim", "nested"});
  facts.isSparse = choices.percent(isOfSparse ? 70 : 4);
}

int64_t OperandMaker::size() {
  return choices.percent(70) ? choices.pick({1, 2, 2, 3, 3, 4, 5, 7}) : choices.pick({0, 1, 7, 15, 16, 17, 33, 64, 65});
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

const Type *OperandMaker::concrete(const Type *type) {
  switch (type->kind()) {
  case TypeKind::Var: {
    const Type *&bound = variables[llvm::cast<VarType>(type)->name()];
    if (!bound)
      bound = choices.pick({Type::intType(), Type::intType(), Type::floatType(), Type::stringType(), Type::boolType(),
                            Type::tensorType(), Type::complexType(), context.listOf(Type::intType()),
                            context.optionalOf(Type::floatType()),
                            static_cast<const Type *>(context.tupleOf({Type::intType(), Type::stringType()}))});
    return bound;
  }
  case TypeKind::AnyEnum: {
    EnumType *made = context.createEnum("__torch__.Color", Type::intType());
    if (made->members().empty()) {
      made->addMember("RED", IValue(1));
      made->addMember("GREEN", IValue(2));
    }
    return made;
  }
  case TypeKind::AnyClass: return context.classType("__torch__.Thing");
  case TypeKind::AnyList: return context.listOf(Type::intType());
  case TypeKind::AnyTuple: return context.tupleOf({Type::intType(), Type::tensorType()});
  case TypeKind::ScalarType:
  case TypeKind::Layout:
  case TypeKind::MemoryFormat:
  case TypeKind::QScheme: return type;
  case TypeKind::List: return context.listOf(concrete(llvm::cast<ListType>(type)->element()));
  case TypeKind::Optional: return context.optionalOf(concrete(llvm::cast<OptionalType>(type)->element()));
  case TypeKind::Future: return context.futureOf(concrete(llvm::cast<FutureType>(type)->element()));
  case TypeKind::Dict: {
    const auto *dict = llvm::cast<DictType>(type);
    const Type *key = concrete(dict->key());
    // The types that keys can have.
    if (!key->isString() && !key->isInt() && !key->isFloat() && !key->isBool() && !key->isComplex() && !key->isTensor())
      key = Type::intType();
    if (dict->key()->kind() == TypeKind::Var)
      variables[llvm::cast<VarType>(dict->key())->name()] = key;
    return context.dictOf(key, concrete(dict->value()));
  }
  case TypeKind::Tuple: {
    llvm::SmallVector<const Type *, 4> parts;
    for (const Type *part : llvm::cast<TupleType>(type)->elements())
      parts.push_back(concrete(part));
    return context.tupleOf(parts);
  }
  default: return type;
  }
}

std::vector<fuzz::Operand> OperandMaker::make(const FunctionSchema &schema) {
  chooseCommon(schema.name());
  std::vector<Operand> operands;
  // A key's type decides what the variable is, wherever else it stands.
  for (const Argument &argument : schema.arguments())
    if (argument.type->kind() == TypeKind::Dict)
      concrete(argument.type);
  for (const Argument &argument : schema.arguments()) {
    const Type *type = concrete(argument.type);
    const bool takesDefault = argument.defaultValue && choices.percent(40);
    operands.push_back(
        {type, takesDefault ? deepCopy(*argument.defaultValue) : value(type, argument.name, argument.fixedLength)});
  }
  if (schema.isVararg())
    for (uint64_t count = choices.below(5); count != 0; --count) {
      IValue any = value(Type::anyType(), "");
      operands.push_back({any.dynamicType(context), std::move(any)});
    }
  return operands;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

IValue OperandMaker::value(const Type *type, llvm::StringRef name, std::optional<int32_t> fixedLength, unsigned depth) {
  switch (type->kind()) {
  case TypeKind::Tensor: {
    Tensor made = tensor(name);
    earlier.push_back(made);
    return made;
  }
  case TypeKind::Int: return integer(name);
  case TypeKind::Float: return real(name);
  case TypeKind::Bool:
    if (name == "has_biases" && choices.percent(90))
      return facts.hasBiases;
    return choices.percent(facts.fits && name == "bidirectional" ? 15 : 50);
  case TypeKind::Complex: return std::complex<double>(real(name), real(name));
  case TypeKind::String: return text(name);
  case TypeKind::Number: {
    const Type *kinds[] = {Type::intType(),   Type::floatType(), Type::intType(),
                           Type::floatType(), Type::boolType(),  Type::complexType()};
    return value(choices.pickOf(kinds), name, {}, depth);
  }
  case TypeKind::Optional:
    return choices.percent(35) ? IValue() : value(llvm::cast<OptionalType>(type)->element(), name, fixedLength, depth);
  case TypeKind::List: return list(llvm::cast<ListType>(type)->element(), name, fixedLength, depth);
  case TypeKind::Dict: {
    const auto *dict = llvm::cast<DictType>(type);
    auto made = makeRef<DictValue>(dict->key(), dict->value());
    for (uint64_t count = choices.below(4); count != 0; --count)
      made->set(value(dict->key(), "", {}, depth + 1), value(dict->value(), "", {}, depth + 1));
    return made;
  }
  case TypeKind::Tuple: {
    std::vector<IValue> parts;
    for (const Type *part : llvm::cast<TupleType>(type)->elements())
      parts.push_back(value(part, name, {}, depth + 1));
    return makeTuple(std::move(parts));
  }
  case TypeKind::ScalarType:
    return choices.percent(5)    ? integer("")
           : choices.percent(40) ? static_cast<int64_t>(facts.dtype)
                                 : choices.between(0, 15);
  case TypeKind::Layout: return choices.percent(5) ? integer("") : choices.pick<int64_t>({0, 0, 0, 1, 2, 3});
  case TypeKind::MemoryFormat: return choices.percent(5) ? integer("") : choices.between(0, 3);
  case TypeKind::QScheme: return choices.between(0, 4);
  case TypeKind::Device:
    return choices.percent(90)
               ? Device()
               : choices.pick<Device>(
                     {{DeviceKind::CUDA, 0}, {DeviceKind::Meta, -1}, {DeviceKind::CUDA, -5}, {DeviceKind::CPU, 7}});
  case TypeKind::Generator: return makeRef<GeneratorValue>();
  case TypeKind::Future: {
    auto made = makeRef<FutureValue>();
    made->value = value(llvm::cast<FutureType>(type)->element(), name, {}, depth + 1);
    return made;
  }
  case TypeKind::Enum: {
    const auto *kind = llvm::cast<EnumType>(type);
    const auto &[member, number] = choices.pickOf(kind->members());
    return makeRef<EnumValue>(kind, member, number);
  }
  case TypeKind::Class: return makeRef<ObjectValue>(llvm::cast<ClassType>(type), 0);
  case TypeKind::Any: {
    if (depth == mostNested)
      return integer(name);
    const Type *kinds[] = {Type::intType(),
                           Type::floatType(),
                           Type::stringType(),
                           Type::tensorType(),
                           Type::boolType(),
                           Type::complexType(),
                           Type::noneType(),
                           Type::deviceType(),
                           context.listOf(Type::intType()),
                           context.listOf(Type::floatType()),
                           context.listOf(context.listOf(Type::floatType())),
                           context.tupleOf({Type::intType(), Type::stringType()}),
                           context.dictOf(Type::stringType(), Type::intType())};
    return value(choices.pickOf(kinds), name, {}, depth + 1);
  }
  default: return IValue();
  }
}

IValue OperandMaker::list(const Type *element, llvm::StringRef name, std::optional<int32_t> fixedLength,
                          unsigned depth) {
  if (element->isInt())
    return integers(name, fixedLength);
  IValue made = makeList(element);
  if (name == "params" && !facts.sizes.empty() && choices.percent(85)) { // two matrices and two biases for each layer
    const int64_t width = facts.sizes.back(), rows = facts.gates * width;
    for (uint64_t layers = facts.fits ? 1 : choices.pick({1, 1, 2}); layers != 0; --layers)
      for (const Dims &shape : {Dims{rows, width}, Dims{rows, width}, Dims{rows}, Dims{rows}})
        if (facts.hasBiases || shape.size() == 2)
          if (Tensor next = strided(shape, facts.dtype, std::nullopt))
            appendToList(made, IValue(next));
    return made;
  }
  const bool isPair = facts.fits && (name == "hx" || name.contains("tensor")) && choices.percent(85);
  const uint64_t length = fixedLength && choices.percent(85) ? static_cast<uint64_t>(*fixedLength)
                          : isPair                           ? 2
                                                             : choices.below(5);
  for (uint64_t i = 0; i != length; ++i)
    appendToList(made, value(element, name, {}, depth + 1));
  return made;
}

static bool namesDimension(llvm::StringRef name) {
  return name.contains("dim") || name.contains("axis") || name == "source" || name == "destination";
}
static bool namesSizes(llvm::StringRef name) {
  return name.contains("size") || name.contains("shape") || name == "s" || name == "n";
}

int64_t OperandMaker::integer(llvm::StringRef name) {
  if (facts.extremes && choices.percent(25))
    return choices.pickOf(limits);
  if (facts.fits && choices.percent(90))
    if (std::optional<int64_t> usual = usualInteger(facts, name))
      return *usual;
  const auto rank = static_cast<int64_t>(facts.sizes.size());
  if (namesDimension(name) && choices.percent(90))
    return choices.between(-rank, std::max<int64_t>(rank - 1, 0));
  if (name == "dtype" && choices.percent(90))
    return choices.between(0, 15);
  if (holdsAny(name, {"stride", "dilation", "kernel", "groups", "step"}) && choices.percent(85))
    return choices.pick({1, 1, 1, 1, 2, 2, 3});
  if (name.contains("padding") && choices.percent(85))
    return choices.pick({0, 0, 0, 1, 1, 2});
  if (namesSizes(name) && choices.percent(50) && rank)
    return choices.pickOf(facts.sizes);
  switch (choices.below(8)) {
  case 0: return rank ? choices.pickOf(facts.sizes) + choices.between(-1, 1) : 1;
  case 1: return choices.between(-70, 70);
  case 2: return choices.between(-4, 8);
  default: return choices.between(0, 3);
  }
}

std::vector<int64_t> OperandMaker::integers(llvm::StringRef name, std::optional<int32_t> fixedLength) {
  if (facts.fits && choices.percent(90))
    if (std::optional<std::vector<int64_t>> usual = usualIntegers(facts, name, fixedLength))
      return *usual;
  std::vector<int64_t> made;
  if (namesSizes(name) && choices.percent(70)) {
    made.assign(facts.sizes.begin(), facts.sizes.end());
    if (fixedLength && choices.percent(80))
      made.erase(made.begin(), made.end() - std::min<int64_t>(made.size(), *fixedLength));
    if (!made.empty() && choices.percent(40))
      choices.pickOf(made) = choices.percent(30) ? -1 : integer(name);
    if (choices.percent(20))
      std::shuffle(made.begin(), made.end(), std::minstd_rand(static_cast<unsigned>(choices.bits())));
    return made;
  }
  if (namesDimension(name) && !facts.sizes.empty() && choices.percent(60)) { // each at most once
    for (size_t d = 0; d != facts.sizes.size(); ++d)
      if (choices.percent(60))
        made.push_back(static_cast<int64_t>(d) - (choices.percent(20) ? static_cast<int64_t>(facts.sizes.size()) : 0));
    if (choices.percent(30))
      std::reverse(made.begin(), made.end());
    return made;
  }
  const uint64_t length = fixedLength && choices.percent(85) ? static_cast<uint64_t>(*fixedLength)
                          : choices.percent(50)              ? facts.sizes.size()
                          : choices.percent(98)              ? choices.below(7)
                                                             : choices.below(100);
  const bool isSame = choices.percent(40);
  const int64_t all = integer(name);
  for (uint64_t i = 0; i != length; ++i)
    made.push_back(isSame ? all : integer(name));
  return made;
}

double OperandMaker::real(llvm::StringRef name) {
  if (facts.extremes && choices.percent(30))
    return choices.pickOf(specials);
  if (name.contains("scale") && choices.percent(80))
    return choices.pick({1.0, 0.5, 0.1, 2.0});
  if (name.contains("eps"))
    return choices.pick({1e-5, 0.0, 1e-12});
  return choices.percent(50) ? choices.pick({0.0, 1.0, 0.5, 2.0, -1.0, 0.1})
                             : static_cast<double>(choices.between(-4000, 4000)) / 1000;
}

static const char *const texts[] = {"",
                                    "mean",
                                    "sum",
                                    "none",
                                    "constant",
                                    "reflect",
                                    "replicate",
                                    "circular",
                                    "bilinear",
                                    "nearest",
                                    "linear",
                                    "bicubic",
                                    "area",
                                    "trilinear",
                                    "ij",
                                    "xy",
                                    "fro",
                                    "nuc",
                                    "gelsy",
                                    "gels",
                                    "gelsd",
                                    "gelss",
                                    "L",
                                    "U",
                                    "lower",
                                    "higher",
                                    "midpoint",
                                    "floor",
                                    "trunc",
                                    "reduced",
                                    "complete",
                                    "r",
                                    "forward",
                                    "backward",
                                    "ortho",
                                    "amax",
                                    "amin",
                                    "prod",
                                    "multiply",
                                    "add",
                                    "tanh",
                                    "cpu",
                                    "cuda:0",
                                    "meta",
                                    "utf-8",
                                    "strict",
                                    "0",
                                    "1e400",
                                    "%s %d %f",
                                    "{} {0}",
                                    "a b,c",
                                    "left",
                                    "right",
                                    "a",
                                    "valid",
                                    "same",
                                    "ij,jk->ik",
                                    "i,i",
                                    "ii->i",
                                    "...ij->...ji",
                                    "->",
                                    "r\xc3\xa9sum\xc3\xa9",
                                    "\xe4\xbd\xa0\xe5\xa5\xbd",
                                    "\xf0\x9f\x98\x80",
                                    "\t\n",
                                    "max",
                                    "min",
                                    "nearest-exact",
                                    "{:>10.3f}",
                                    "%5.2f%%",
                                    "none\xff",
                                    "0x1F"};

std::string OperandMaker::text(llvm::StringRef name) {
  if (name.starts_with("reduce") && choices.percent(80))
    return choices.pick({"sum", "prod", "mean", "amax", "amin", "add", "multiply"});
  if (name == "mode" && choices.percent(60))
    return choices.pick({"nearest", "linear", "bilinear", "bicubic", "trilinear", "area", "constant", "reflect",
                         "replicate", "circular", "reduced", "complete", "r"});
  if (facts.fits && facts.names({"Float.str", "Int.str", "::int", "::float"}))
    return choices.pick({"1", "-12", "1e5", "0x1F", "nan", "1_000", "99999999999999999999"});
  if (name == "rounding_mode" && choices.percent(80))
    return choices.pick({"floor", "trunc"});
  if (name == "padding" && choices.percent(80))
    return choices.pick({"same", "valid"});
  if (name == "equation") {
    std::string made;
    for (uint64_t i = choices.below(12); i != 0; --i)
      made += choices.pick({"i", "j", "k", "b", "A", "i", "j", ",", ",", "->", "...", " "});
    return made;
  }
  if (choices.percent(95))
    return choices.pickOf(texts);
  return std::string(choices.below(300), static_cast<char>(choices.below(256)));
}
