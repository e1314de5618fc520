//===- Libraries.cpp - torch and other libraries, while loading -----------===//
//
// Classes of torch.nn are the library's Python (Prelude/nn). What computes is
// compiled as a function of one call, and run by the host.
//
//===----------------------------------------------------------------------===//
#include "../Emitter/Lowering.h"
#include "../Emitter/SourceResolver.h"
#include "../SugaredValues/LibraryTable.h"
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "NativeTable.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Support/NearestName.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;
using namespace tsc::python;

FileScope &Evaluator::libraryScope() {
  if (!nn) {
    nn = &files.emplace_back();
    nn->resolver = compiler.prelude(nnPrelude);
    nn->isLibrary = true;
    nn->name = "torch.nn";
  }
  return *nn;
}

Result Evaluator::library(StringRef path, SourceRange range) {
  if (path == "torch.jit.ScriptModule")
    path = "torch.nn.Module";
  if (std::optional<IValue> constant = pythonConstant(path))
    return AnyValue(*constant);
  auto [module, name] = path.rsplit('.');
  if (module == "math" && !name.empty()) {
    std::optional<double> number = library::mathConstant(name);
    return number ? Result(IValue(*number)) : Result(native(path));
  }
  if (module == "torch" && !name.empty()) {
    if (auto constant = torchConstant(name)) {
      AnyValue value(constant->first);
      value.isDType = dtypeFromPythonName(name).has_value();
      if (!value.isDType && value.data.isInt())
        value.constantName = compiler.context.symbol("torch", name).name();
      return value;
    }
    if (std::optional<double> number = library::torchNumber(name))
      return AnyValue(IValue(*number));
  }
  if ((module == "torch.nn" || module.starts_with("torch.nn.modules")) && name != "Parameter" &&
      libraryScope().resolver->definition(name) && !name.starts_with("_"))
    return global(libraryScope(), name, range);
  if (module == "torch.nn" && !name.empty() && llvm::isUpper(name[0]) && name != "Parameter") {
    NearestName nearest(name);
    for (StringRef known : libraryScope().resolver->definedNames())
      nearest.consider(known);
    return raise(range, "AttributeError", "module 'torch.nn' has no attribute '" + name + "'" + nearest.hint());
  }
  if (path == "dataclasses.field")
    return native("field");
  auto *object = make<LibraryObject>();
  object->path = path.str();
  return AnyValue(object);
}

//===-- Values across the border -------------------------------------------===//

std::optional<IValue> Evaluator::toData(const AnyValue &value, SourceRange range) {
  if (!value.object)
    return value.data;
  Nesting nesting(*this);
  if (!nesting.isAllowed())
    return std::nullopt;
  if (auto *state = value.as<StateObject>())
    return state->data;
  if (auto *tuple = value.as<TupleObject>(); tuple && tuple->type)
    if (const TupleType *type = compiledNamedTuple(*tuple->type))
      return toDataOf(value, type, range);
  const std::vector<AnyValue> *sequence = nullptr;
  std::vector<AnyValue> numbers;
  if (auto *list = value.as<ListObject>())
    sequence = &list->elements;
  else if (auto *tuple = value.as<TupleObject>())
    sequence = &tuple->elements;
  else if (value.as<RangeObject>() || value.as<ViewObject>() || value.as<IteratorObject>()) {
    if (!elements(value, range, numbers))
      return std::nullopt;
    sequence = &numbers;
  }
  if (sequence) {
    std::vector<IValue> parts;
    for (const AnyValue &element : *sequence) {
      std::optional<IValue> part = toData(element, range);
      if (!part)
        return std::nullopt;
      parts.push_back(std::move(*part));
    }
    if (auto *tuple = value.as<TupleObject>())
      return makeTuple(std::move(parts), tuple->compiledType);
    const Type *type = parts.empty() ? Type::intType() : parts[0].dynamicType(compiler.context);
    for (const IValue &part : parts)
      if (type)
        type = compiler.context.unify(type, part.dynamicType(compiler.context));
    bool areNumbers = llvm::all_of(parts, [](const IValue &part) { return part.isInt() || part.isDouble(); });
    if (!type && areNumbers)
      type = Type::floatType();
    if (type) {
      IValue list = makeList(type);
      for (IValue &part : parts)
        appendToList(list,
                     type->isFloat() && part.isInt() ? IValue(static_cast<double>(part.toInt())) : std::move(part));
      return list;
    }
    raise(range, "TypeError", "a list of values of several types cannot go to compiled code: " + repr(value));
    return std::nullopt;
  }
  if (auto *dict = value.as<DictObject>(); dict && !dict->entries.empty()) {
    std::vector<std::pair<IValue, IValue>> entries;
    const Type *key = nullptr, *element = nullptr;
    for (auto &[name, entry] : dict->entries) {
      std::optional<IValue> first = toData(name, range), second = first ? toData(entry, range) : std::nullopt;
      if (!second)
        return std::nullopt;
      const Type *firstType = first->dynamicType(compiler.context), *secondType = second->dynamicType(compiler.context);
      key = entries.empty() ? firstType : key && firstType ? compiler.context.unify(key, firstType) : nullptr;
      element = entries.empty()         ? secondType
                : element && secondType ? compiler.context.unify(element, secondType)
                                        : nullptr;
      entries.emplace_back(std::move(*first), std::move(*second));
    }
    if (key && element) {
      auto result = makeRef<DictValue>(key, element);
      for (auto &[name, entry] : entries)
        result->set(std::move(name), std::move(entry));
      return IValue(std::move(result));
    }
  }
  if (auto *instance = value.as<InstanceObject>(); instance && instance->type->isModule) {
    ObjectValue *object = compiledModule(*instance, range);
    return object ? std::optional(IValue(Ref<ObjectValue>::share(object))) : std::nullopt;
  }
  raise(range, "TypeError", "a value of type '" + typeName(value) + "' cannot go to compiled code");
  return std::nullopt;
}

AnyValue Evaluator::fromData(const IValue &data) {
  if (data.isTuple()) {
    auto *tuple = make<TupleObject>();
    for (const IValue &element : data.toTuple().elements)
      tuple->elements.push_back(fromData(element));
    if (const TupleType *type = data.toTuple().type; type && type->isNamed())
      tuple->type = classOfNamedTuple(*type);
    return tuple;
  }
  if (data.isList()) {
    auto *list = make<ListObject>();
    for (size_t i = 0; i != data.listSize(); ++i)
      list->elements.push_back(fromData(data.listElement(i)));
    return list;
  }
  if (data.isDict()) {
    auto *dict = make<DictObject>();
    data.toDict().forEach(
        [&](const IValue &key, const IValue &value) { dict->entries.emplace_back(fromData(key), fromData(value)); });
    return dict;
  }
  return AnyValue(data);
}

//===-- Calls --------------------------------------------------------------===//

/// Values that are written into the code of a call, so that overloads and flags see them.
static bool isWrittenIn(const IValue &data) {
  return data.isNone() || data.isBool() || data.isInt() || data.isDouble() || data.isString() || data.isDevice();
}

/// What a function returns that ends with an operator of several results, which have names then, or with a NamedTuple.
static AnyValue withResultNames(const AnyValue &value, Function &function) {
  auto *tuple = value.as<TupleObject>();
  const auto *type = llvm::dyn_cast<TupleType>(function.schema().returns()[0].type);
  if (!tuple || !type || type->fieldNames().empty() || type->fieldNames().size() != tuple->elements.size())
    return value;
  if (type->isNamed()) {
    tuple->resultNames = type->fieldNames().vec();
    tuple->compiledType = type;
    return value;
  }
  const Node *packing = (*function.graph()->outputs().begin())->definingNode();
  const Node *operation = packing && packing->numInputs() ? packing->input(0)->definingNode() : nullptr;
  if (!operation || !operation->op())
    return value;
  tuple->resultNames = type->fieldNames().vec();
  tuple->operatorName = operation->kind().name().str();
  return value;
}

Result Evaluator::runCompiled(StringRef key, const Arguments &arguments, SourceRange range, Emit emit) {
  struct Operand {
    std::string name;
    IValue data;
  };
  std::vector<Operand> operands;
  std::string signature = key.str();
  llvm::raw_string_ostream os(signature);
  auto add = [&](std::string name, const AnyValue &value) {
    std::optional<IValue> data = toData(value, range);
    if (!data)
      return false;
    os << '\0' << name << '=';
    if (isWrittenIn(*data))
      os << static_cast<int>(data->getTag()), reprValue(os, *data);
    else
      os << data->dynamicType(compiler.context)->annotation();
    operands.push_back({std::move(name), std::move(*data)});
    return true;
  };
  for (const AnyValue &value : arguments.positional)
    if (!add("", value))
      return std::nullopt;
  for (const KeywordValue &keyword : arguments.keywords)
    if (!add(keyword.name, keyword.value))
      return std::nullopt;

  Function *&function = compiledCalls[signature];
  if (!function) {
    Resolver &resolver = user && user->resolver ? *user->resolver : *libraryScope().resolver;
    auto graph = std::make_unique<Graph>(compiler.context);
    FunctionContext e(compiler, resolver, *graph);
    e.env.push(graph->block());
    graph->setInsertPoint(graph->block());
    std::vector<NamedValue> args, keywords;
    std::vector<Argument> parameters;
    for (const Operand &operand : operands) {
      tsc::Value *value = nullptr;
      if (isWrittenIn(operand.data)) {
        value = e.constant(operand.data, range);
      } else {
        Argument parameter;
        parameter.name = "arg" + std::to_string(parameters.size());
        parameter.type = operand.data.dynamicType(compiler.context);
        value = graph->addInput(parameter.name, parameter.type);
        parameters.push_back(std::move(parameter));
      }
      NamedValue named(value);
      named.range = range;
      if (operand.name.empty())
        args.push_back(named);
      else
        keywords.emplace_back(operand.name, named);
    }
    const size_t before = compiler.diags.all().size();
    SugaredValue *result = emit(e, args, keywords);
    tsc::Value *value = result ? result->asValue(e, range) : nullptr;
    if (!value || compiler.diags.all().size() != before) {
      compiledCalls.erase(signature);
      return std::nullopt;
    }
    e.insertNode(prim::ReturnStmt, {value}, 0, range);
    lowerBody(*graph, value->type());
    function = compiler.unit.create("__torch__.__loading_" + std::to_string(numCompiled++));
    Argument returned;
    returned.type = value->type();
    function->setSchema(FunctionSchema(function->name().str(), "", std::move(parameters), {returned}));
    function->setGraph(std::move(graph));
  }
  std::vector<IValue> inputs;
  for (Operand &operand : operands)
    if (!isWrittenIn(operand.data))
      inputs.push_back(std::move(operand.data));
  StatusOr<IValue> result = outside([&] { return host.run(*function, std::move(inputs), {}); });
  if (!result.ok())
    return fail(range, diag::FailedWhileLoading, StringRef(messageOf(result.status())).trim());
  return withResultNames(fromData(*result), *function);
}

Result Evaluator::tensorAttribute(const AnyValue &tensor, StringRef name, SourceRange range) {
  if (!tensor.isTensor() || attributeOperator(Type::tensorType(), name).empty()) {
    const library::TensorRow *row = library::findTensorName(name);
    const bool isKnown = !tensor.isTensor() || (row && (row->uses & library::Walked)) ||
                         isNamedOperator(compiler, compiler.context.symbol("aten", name)) ||
                         isNamedOperator(compiler, compiler.context.symbol("prim", name));
    if (!isKnown)
      return refuse(range, "attributes of tensors like '" + name + "'");
    auto *method = make<TensorMethodObject>();
    method->self = tensor;
    method->name = name.str();
    return AnyValue(method);
  }
  Arguments arguments;
  arguments.positional = {tensor};
  Result value = runCompiled(("." + name).str(), arguments, range,
                             [&](FunctionContext &e, ArrayRef<NamedValue> args, ArrayRef<NamedValue>) {
                               return SimpleValue(args[0].value).attribute(e, range, name);
                             });
  if (value && name == "dtype")
    value->isDType = true;
  if (auto *sizes = value && name == "shape" ? value->as<ListObject>() : nullptr) {
    auto *tuple = make<TupleObject>();
    tuple->elements = sizes->elements;
    tuple->isSize = true;
    return AnyValue(tuple);
  }
  return value;
}

bool python::isOfOptim(const AnyValue &object) {
  return !object.object && object.data.isObject() &&
         object.data.toObject().type->name().starts_with("__torch__.torch.optim.");
}

Result Evaluator::compiledAttribute(const AnyValue &object, StringRef name, SourceRange range) {
  const ClassType &type = *object.data.toObject().type;
  // Schedulers keep what PyTorch's do under the same names, but for the counts of milestones. Other slots, and helpers,
  // are named as suits the prelude.
  const bool isOfScheduler = type.findAttribute("base_lrs") && type.findAttribute(name) && name != "milestones";
  const bool isPublic = !name.starts_with("_") && (isOfScheduler || type.findMethod(name));
  if (isOfOptim(object) && !isPublic && name != "__class__")
    return refuse(range, "attributes like '" + name + "' of optimizers and schedulers");
  if (auto slot = type.findAttribute(name))
    return fromData(object.data.toObject().slots[*slot]);
  if (!type.findMethod(name))
    return noAttribute(object, name, range);
  auto *method = make<TensorMethodObject>();
  method->self = object;
  method->name = name.str();
  return AnyValue(method);
}

Result Evaluator::callTensorMethod(const AnyValue &self, StringRef name, const Arguments &arguments,
                                   SourceRange range) {
  if (name == "tolist" && self.isTensor()) {
    if (self.data.toTensor().sizes().empty())
      return callTensorMethod(self, "item", {}, range);
    std::vector<AnyValue> rows;
    if (!elements(self, range, rows))
      return std::nullopt;
    auto *list = make<ListObject>();
    for (const AnyValue &row : rows) {
      Result part = callTensorMethod(row, "tolist", {}, range);
      if (!part)
        return std::nullopt;
      list->elements.push_back(*part);
    }
    return AnyValue(list);
  }
  if (name == "cuda" && !host.hasDevice({DeviceKind::CUDA, -1}))
    return self;
  if (name == "size" && self.isTensor() && arguments.positional.empty() && arguments.keywords.empty())
    return tensorAttribute(self, "shape", range);
  if (name == "stride" && self.isTensor() && arguments.positional.empty() && arguments.keywords.empty()) {
    auto *strides = make<TupleObject>();
    for (int64_t stride : self.data.toTensor().strides())
      strides->elements.push_back(IValue(stride));
    return AnyValue(strides);
  }
  Arguments all;
  all.positional = {self};
  all.positional.insert(all.positional.end(), arguments.positional.begin(), arguments.positional.end());
  all.keywords = arguments.keywords;
  if (self.isTensor() &&
      (name == "unique" || name == "unique_consecutive")) // which give as many results as are asked for
    return callLibrary(*library(("torch." + name).str(), range)->as<LibraryObject>(), all, range);
  if (name == "view" && self.isTensor() && all.positional.size() == 2 && all.positional[1].isDType) {
    all.keywords.push_back({"dtype", all.positional[1]}); // an int to compiled code
    all.positional.pop_back();
  }
  Result result =
      runCompiled(("." + name + "()").str(), all, range,
                  [&](FunctionContext &e, ArrayRef<NamedValue> args, ArrayRef<NamedValue> keywords) -> SugaredValue * {
                    SimpleValue object(args[0].value);
                    SugaredValue *method = object.attribute(e, range, name);
                    return method ? method->call(e, range, args.drop_front(), keywords) : nullptr;
                  });
  auto *entries = result && name == "state_dict" && isOfOptim(self) ? result->as<DictObject>() : nullptr;
  if (!entries)
    return result;
  auto *state = make<StateObject>();
  std::optional<IValue> data =
      toDataOf(*result, compiler.context.dictOf(Type::stringType(), Type::tensorType()), range);
  if (!data)
    return std::nullopt;
  state->data = std::move(*data);
  return AnyValue(state);
}

Result Evaluator::makeParameter(const Arguments &arguments, SourceRange range) {
  AnyValue data, requiresGrad = IValue(true);
  if (!arguments.positional.empty())
    data = arguments.positional[0];
  if (arguments.positional.size() > 1)
    requiresGrad = arguments.positional[1];
  for (const KeywordValue &keyword : arguments.keywords)
    (keyword.name == "requires_grad" ? requiresGrad : data) = keyword.value;
  if (!data.isTensor())
    return raise(range, "TypeError", "torch.nn.Parameter takes a tensor, not '" + typeName(data) + "'");
  Result detached = callTensorMethod(data, "detach", {}, range);
  Arguments flag;
  flag.positional = {requiresGrad};
  Result parameter = detached ? callTensorMethod(*detached, "requires_grad_", flag, range) : std::nullopt;
  if (parameter)
    parameter->isParameter = true;
  return parameter;
}

/// `torch.autograd.grad(outputs, inputs, …)`, where one tensor may stand for a sequence of one. The result is a tuple.
Result Evaluator::callAutogradGrad(Arguments arguments, SourceRange range) {
  auto asList = [&](AnyValue &value) {
    if (!value.isTensor())
      return;
    auto *list = make<ListObject>();
    list->elements = {value};
    value = AnyValue(list);
  };
  for (AnyValue &value : arguments.positional)
    asList(value);
  for (KeywordValue &keyword : arguments.keywords)
    asList(keyword.value);
  SugaredValue *function = libraryValue(compiler, compiler.arena, "torch.autograd.grad");
  Result result = runCompiled("torch.autograd.grad", arguments, range,
                              [&](FunctionContext &e, ArrayRef<NamedValue> given, ArrayRef<NamedValue> keywords) {
                                return function->call(e, range, given, keywords);
                              });
  auto *list = result ? result->as<ListObject>() : nullptr;
  if (!list)
    return result;
  auto *tuple = make<TupleObject>();
  tuple->elements = list->elements;
  return AnyValue(tuple);
}

/// `[]`, `[[], []]`
static bool isListOfNothing(const AnyValue &value) {
  auto *list = value.as<ListObject>();
  return list && llvm::all_of(list->elements, isListOfNothing);
}

/// Functions of libraries that the evaluator has itself. A call that no row is for is compiled.
struct Evaluator::LibraryFunctions {
  using Answer = std::optional<Result>; ///< Nothing for arguments with which the call is compiled.
  struct Row {
    llvm::StringLiteral path;
    Answer (*run)(Evaluator &, const NativeCall &);
    size_t least = 0, most = NativeFunction::any; ///< How many arguments by position the row is for.
  };

  static Answer parameter(Evaluator &e, const NativeCall &call) { return e.makeParameter(call.arguments, call.range); }
  static Answer deepCopy(Evaluator &e, const NativeCall &call) { return e.deepCopy(call.args[0], call.range); }
  static Answer partial(Evaluator &e, const NativeCall &call);
  static Answer defaultDType(Evaluator &e, const NativeCall &call);
  static Answer namedTuple(Evaluator &e, const NativeCall &call) {
    return e.makeNamedTupleClass(call.arguments, call.range);
  }
  static Answer replace(Evaluator &e, const NativeCall &call) {
    return e.replaceFields(call.args[0], call.arguments, call.range);
  }
  static Answer asPlain(Evaluator &e, const NativeCall &call) {
    return e.asPlain(call.args[0], call.name == "dataclasses.astuple", call.range);
  }
  static Answer firstArgument(Evaluator &, const NativeCall &call) { return Result(call.args.front()); }
  static Answer lastArgument(Evaluator &, const NativeCall &call) { return Result(call.args.back()); }
  static Answer size(Evaluator &e, const NativeCall &call);
  static Answer gradients(Evaluator &e, const NativeCall &call) {
    return e.callAutogradGrad(call.arguments, call.range);
  }
  static Answer load(Evaluator &e, const NativeCall &call);
  static Answer chain(Evaluator &e, const NativeCall &call);
  static Answer setGradEnabled(Evaluator &e, const NativeCall &call);
  static Answer nothing(Evaluator &, const NativeCall &) { return Result(AnyValue()); }
  static Answer save(Evaluator &e, const NativeCall &call);
  static Answer isTensor(Evaluator &, const NativeCall &call) { return Result(IValue(call.args[0].isTensor())); }
  static Answer device(Evaluator &e, const NativeCall &call);
  static Answer tensor(Evaluator &e, const NativeCall &call);
  static Answer legacyTensor(Evaluator &e, const NativeCall &call);

  static llvm::ArrayRef<Row> table();
};

/// `functools.partial(f, …)`
std::optional<Result> Evaluator::LibraryFunctions::partial(Evaluator &e, const NativeCall &call) {
  auto *partial = e.make<PartialObject>();
  partial->function = call.args[0];
  partial->given = call.arguments;
  partial->given.positional.erase(partial->given.positional.begin());
  return Result(partial);
}

std::optional<Result> Evaluator::LibraryFunctions::defaultDType(Evaluator &, const NativeCall &) {
  AnyValue type = IValue(DType::Float);
  type.isDType = true;
  return Result(type);
}

/// `torch.Size(…)`
std::optional<Result> Evaluator::LibraryFunctions::size(Evaluator &e, const NativeCall &call) {
  NativeObject type;
  type.name = "tuple";
  Result tuple = e.callNative(type, call.arguments, call.range);
  if (tuple)
    tuple->as<TupleObject>()->isSize = true;
  return tuple;
}

/// `torch.load(…)` with keywords: there is one device, and no code in the file.
std::optional<Result> Evaluator::LibraryFunctions::load(Evaluator &e, const NativeCall &call) {
  for (const KeywordValue &keyword : call.arguments.keywords) {
    const bool isProcessor = keyword.value.isNone() || (keyword.value.isString() && e.str(keyword.value) == "cpu") ||
                             (!keyword.value.object && keyword.value.data.isDevice() &&
                              keyword.value.data.toDevice().kind == DeviceKind::CPU);
    if (keyword.name != "weights_only" && (keyword.name != "map_location" || !isProcessor))
      return Result(e.refuse(call.range, "calls of 'torch.load' with '" + keyword.name + "='"));
  }
  Arguments plain;
  plain.positional = call.args;
  return e.callCompiled(call.name, plain, call.range);
}

/// `itertools.chain(…)`
std::optional<Result> Evaluator::LibraryFunctions::chain(Evaluator &e, const NativeCall &call) {
  auto *chain = e.make<IteratorObject>();
  chain->name = "itertools.chain";
  for (const AnyValue &part : call.args)
    if (!e.elements(part, call.range, chain->elements))
      return Result();
  return Result(chain);
}

std::optional<Result> Evaluator::LibraryFunctions::setGradEnabled(Evaluator &e, const NativeCall &call) {
  std::optional<bool> enabled = e.truth(call.args[0], call.range);
  if (enabled)
    e.host.setGradMode(*enabled);
  return enabled ? Result(AnyValue()) : Result();
}

/// `torch.jit.save(module, path)`
std::optional<Result> Evaluator::LibraryFunctions::save(Evaluator &e, const NativeCall &call) {
  auto *module = call.args[0].as<InstanceObject>();
  if (!module || !module->type->isModule)
    return std::nullopt;
  return e.saveModule(*module, call.args[1], call.range);
}

std::optional<Result> Evaluator::LibraryFunctions::device(Evaluator &, const NativeCall &call) {
  auto device = call.args[0].isString() ? Device::parse(call.args[0].data.toString()) : std::nullopt;
  return device ? std::optional(Result(IValue(*device))) : std::nullopt;
}

/// `torch.tensor([])` and its kin: such a list is one of ints where it goes to compiled code, and makes a tensor of
/// floats.
std::optional<Result> Evaluator::LibraryFunctions::tensor(Evaluator &e, const NativeCall &call) {
  if (!isListOfNothing(call.args[0]) || call.keyword("dtype"))
    return std::nullopt;
  Arguments ofFloats = call.arguments;
  ofFloats.keywords.push_back({"dtype", IValue(DType::Float)});
  return e.callCompiled(call.name, ofFloats, call.range);
}

/// `torch.Tensor(…)`, of elements or of sizes.
std::optional<Result> Evaluator::LibraryFunctions::legacyTensor(Evaluator &e, const NativeCall &call) {
  const bool isData = call.args.size() == 1 && (call.args[0].as<ListObject>() || call.args[0].as<TupleObject>());
  if (!isData)
    return e.callCompiled("torch.empty", call.arguments, call.range);
  Arguments converted = call.arguments;
  converted.keywords.push_back({"dtype", IValue(DType::Float)});
  return e.callCompiled("torch.tensor", converted, call.range);
}

llvm::ArrayRef<Evaluator::LibraryFunctions::Row> Evaluator::LibraryFunctions::table() {
  static constexpr size_t any = NativeFunction::any;
  static constexpr Row rows[] = {
      {"collections.namedtuple", namedTuple},
      {"copy.deepcopy", deepCopy, 1, 1},
      {"dataclasses.asdict", asPlain, 1, 1},
      {"dataclasses.astuple", asPlain, 1, 1},
      {"dataclasses.replace", replace, 1, 1},
      {"functools.partial", partial, 1, any},
      {"itertools.chain", chain},
      {"torch.Size", size},
      {"torch.Tensor", legacyTensor},
      {"torch.as_tensor", tensor, 1, 1},
      {"torch.autograd.grad", gradients},
      {"torch.device", device, 1, any},
      {"torch.get_default_dtype", defaultDType, 0, 0},
      {"torch.is_tensor", isTensor, 1, 1},
      {"torch.jit.Attribute", firstArgument, 2, 2},
      {"torch.jit.annotate", lastArgument, 2, 2},
      {"torch.jit.save", save, 2, 2},
      {"torch.jit.script", lastArgument, 1, any},
      {"torch.load", load},
      {"torch.nn.Parameter", parameter},
      {"torch.nn.parameter.Parameter", parameter},
      {"torch.set_grad_enabled", setGradEnabled, 1, 1},
      {"torch.tensor", tensor, 1, 1},
      {"typing.cast", lastArgument, 1, any},
      {"warnings.warn", nothing},
  };
  return rows;
}

/// Calls a function or a class of a library that compiled code knows; others are refused.
Result Evaluator::callCompiled(StringRef path, const Arguments &arguments, SourceRange range) {
  SugaredValue *value = libraryValue(compiler, compiler.arena, path);
  const Type *type = value && !llvm::isa<NamespaceSugar>(value) ? nullptr : libraryClass(compiler, path);
  if (type)
    value = sugarForType(compiler.arena, type);
  if (!value || llvm::isa<NamespaceSugar>(value))
    return refuse(range, "calls of '" + path + "'");
  return runCompiled(path, arguments, range,
                     [&](FunctionContext &e, ArrayRef<NamedValue> given, ArrayRef<NamedValue> keywords) {
                       return value->call(e, range, given, keywords);
                     });
}

/// Ints among arguments as floats, where Python takes either and compiled code does not.
static Arguments withFloats(Arguments arguments) {
  auto convert = [](AnyValue &value) {
    if (!value.object && value.data.isInt())
      value.data = IValue(value.toDouble());
  };
  for (AnyValue &value : arguments.positional)
    convert(value);
  for (KeywordValue &keyword : arguments.keywords)
    convert(keyword.value);
  return arguments;
}

Result Evaluator::callLibrary(const LibraryObject &callee, const Arguments &arguments, SourceRange range) {
  const StringRef path = callee.path;
  if (path.starts_with("builtins."))
    return AnyValue(makeException(path.drop_front(9), arguments));
  const AnyValue none;
  const NativeCall call{path, path, none, arguments, range};
  for (const LibraryFunctions::Row &row : LibraryFunctions::table())
    if (row.path == path && call.args.size() >= row.least && call.args.size() <= row.most)
      if (std::optional<Result> result = row.run(*this, call))
        return *result;
  if (std::optional<Result> result = callPythonLibrary(path, arguments, range))
    return *result;
  const bool takesFloats = path.starts_with("torch.nn.init.") && path != "torch.nn.init.dirac_";
  return takesFloats ? callCompiled(path, withFloats(arguments), range) : callCompiled(path, arguments, range);
}
