//===- Declarations.cpp - Functions as they are declared ------------------===//
#include "../SugaredValues/Values.h"
#include "ArchiveResolver.h"
#include "CompilerImpl.h"
#include "FunctionContext.h"
#include "Functions.h"
#include "Lowering.h"
#include "SourceResolver.h"
#include "TypeExpressions.h"
#include "Upgraders.h"
#include "tsc/Frontend/CompileObserver.h"
#include "tsc/IR/SchemaMatching.h"
#include "tsc/Python/Numbers.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

void tsc::lowerBody(Graph &body, const Type *result) {
  convertToSSA(body);
  transformExits(body, result);
  cleanUp(body);
}

//===-- Constants ----------------------------------------------------------===//

/// A number as the type of the parameter wants it: 1 for a float is 1.0.
static IValue fitConstant(IValue value, const Type *type) {
  if (!type)
    return value;
  if (auto *optional = llvm::dyn_cast<OptionalType>(type))
    type = optional->element();
  if (type->isFloat() && value.isInt())
    return IValue(static_cast<double>(value.toInt()));
  return value;
}

/// Of a number that Python computes; nothing where it raises.
template <typename T> static std::optional<IValue> known(const StatusOr<T> &number) {
  return number.ok() ? std::optional(IValue(*number)) : std::nullopt;
}

static std::optional<IValue> negated(const IValue &value) {
  if (value.isInt())
    return known(python::negate(value.toInt()));
  if (value.isDouble())
    return IValue(-value.toDouble());
  return std::nullopt;
}

static std::optional<IValue> computed(TreeOp op, const IValue &a, const IValue &b) {
  auto number = [](const IValue &v) { return v.isInt() ? static_cast<double>(v.toInt()) : v.toDouble(); };
  if (!(a.isInt() || a.isDouble()) || !(b.isInt() || b.isDouble()))
    return std::nullopt;
  const bool areInts = a.isInt() && b.isInt();
  const double x = number(a), y = number(b);
  switch (op) {
  case TreeOp::Add: return areInts ? known(python::add(a.toInt(), b.toInt())) : IValue(x + y);
  case TreeOp::Sub: return areInts ? known(python::subtract(a.toInt(), b.toInt())) : IValue(x - y);
  case TreeOp::Mul: return areInts ? known(python::multiply(a.toInt(), b.toInt())) : IValue(x * y);
  case TreeOp::Div: return areInts ? known(python::divide(a.toInt(), b.toInt())) : known(python::divide(x, y));
  case TreeOp::Pow: return areInts ? std::nullopt : known(python::power(x, y));
  default: return std::nullopt;
  }
}

namespace {
/// Evaluates the literal expressions of one scope.
class ConstantEvaluator {
public:
  ConstantEvaluator(Compiler::Impl &compiler, Resolver &resolver) : compiler(compiler), resolver(resolver) {}

  std::optional<IValue> evaluate(const Tree *tree, const Type *type) {
    switch (tree->kind()) {
    case TreeKind::IntLiteral: return fitConstant(llvm::cast<IntLiteral>(tree)->value(), type);
    case TreeKind::FloatLiteral: return IValue(llvm::cast<FloatLiteral>(tree)->value());
    case TreeKind::ComplexLiteral:
      return IValue(std::complex<double>(0, llvm::cast<ComplexLiteral>(tree)->imaginary()));
    case TreeKind::StringLiteral: return string(*llvm::cast<StringLiteral>(tree));
    case TreeKind::BoolLiteral: return IValue(llvm::cast<BoolLiteral>(tree)->value());
    case TreeKind::NoneLiteral: return IValue();
    case TreeKind::UnaryOp: return unary(*llvm::cast<UnaryOp>(tree), type);
    case TreeKind::BinOp: return binary(*llvm::cast<BinOp>(tree));
    case TreeKind::TupleLiteral:
    case TreeKind::ListLiteral: return sequence(tree, type);
    case TreeKind::DictLiteral: return dictionary(*llvm::cast<DictLiteral>(tree), type);
    case TreeKind::Apply: return call(*llvm::cast<Apply>(tree));
    case TreeKind::Var:
    case TreeKind::Select: return named(tree, type);
    default: return std::nullopt;
    }
  }

private:
  std::optional<IValue> string(const StringLiteral &tree) {
    return tree.isBytes() ? std::nullopt : std::optional(IValue(tree.value()));
  }

  std::optional<IValue> unary(const UnaryOp &tree, const Type *type) {
    std::optional<IValue> value = tree.op() == TreeOp::Neg ? evaluate(tree.operand(), type) : std::nullopt;
    return value ? negated(*value) : std::nullopt;
  }

  std::optional<IValue> binary(const BinOp &tree) {
    std::optional<IValue> lhs = evaluate(tree.lhs(), nullptr);
    std::optional<IValue> rhs = lhs ? evaluate(tree.rhs(), nullptr) : std::nullopt;
    return rhs ? computed(tree.op(), *lhs, *rhs) : std::nullopt;
  }

  /// A tuple or a list literal; either is a list where the type says so.
  std::optional<IValue> sequence(const Tree *tree, const Type *type) {
    if (auto *optional = llvm::dyn_cast_or_null<OptionalType>(type))
      type = optional->element();
    auto *list = llvm::dyn_cast_or_null<ListType>(type);
    auto *tuple = llvm::dyn_cast_or_null<TupleType>(type);
    std::vector<IValue> elements;
    for (auto [i, child] : llvm::enumerate(tree->children())) {
      const Type *expected = list                                    ? list->element()
                             : tuple && i < tuple->elements().size() ? tuple->elements()[i]
                                                                     : nullptr;
      std::optional<IValue> element = evaluate(child, expected);
      if (!element)
        return std::nullopt;
      elements.push_back(*element);
    }
    if (llvm::isa<TupleLiteral>(tree) && !list)
      return makeTuple(std::move(elements), tuple && tuple->isNamed() ? tuple : nullptr);
    const Type *element = list               ? list->element()
                          : elements.empty() ? Type::tensorType()
                                             : elements[0].dynamicType(compiler.context);
    IValue result = tsc::makeList(element);
    for (IValue &e : elements) {
      if (!isInstanceOf(e, element))
        return std::nullopt;
      appendToList(result, std::move(e));
    }
    return result;
  }

  std::optional<IValue> dictionary(const DictLiteral &tree, const Type *type) {
    auto *known = llvm::dyn_cast_or_null<DictType>(type);
    std::vector<std::pair<IValue, IValue>> entries;
    for (size_t i = 0; i != tree.keys().size(); ++i) {
      if (llvm::isa<DoubleStarred>(tree.keys()[i]))
        return std::nullopt;
      std::optional<IValue> key = evaluate(tree.keys()[i], known ? known->key() : nullptr);
      std::optional<IValue> value = key ? evaluate(tree.values()[i], known ? known->value() : nullptr) : std::nullopt;
      if (!value)
        return std::nullopt;
      entries.emplace_back(*key, *value);
    }
    const Type *keyType = known             ? known->key()
                          : entries.empty() ? Type::stringType()
                                            : entries[0].first.dynamicType(compiler.context);
    const Type *valueType = known             ? known->value()
                            : entries.empty() ? Type::tensorType()
                                              : entries[0].second.dynamicType(compiler.context);
    auto dict = makeRef<DictValue>(keyType, valueType);
    for (auto &[key, value] : entries) {
      if (!isInstanceOf(key, keyType) || !isInstanceOf(value, valueType))
        return std::nullopt;
      dict->set(key, value);
    }
    return IValue(std::move(dict));
  }

  /// float("inf"), as the printer writes it.
  static std::optional<IValue> floatOf(StringRef text) {
    double value = 0;
    if (text == "nan")
      return IValue(std::numeric_limits<double>::quiet_NaN());
    if (text == "inf" || text == "-inf")
      return IValue(text[0] == '-' ? -HUGE_VAL : HUGE_VAL);
    return text.getAsDouble(value) ? std::nullopt : std::optional(IValue(value));
  }

  /// float("inf"), annotate(T, v), torch.device("cpu"), an archive's torch.Complex(1., 2.).
  std::optional<IValue> call(const Apply &tree) {
    std::string callee = resolver.canonicalName(dottedName(tree.callee()));
    auto args = tree.args();
    if (callee == "torch.Complex" && args.size() == 2 && !resolver.followsPython()) {
      std::optional<IValue> real = evaluate(args[0], Type::floatType());
      std::optional<IValue> imaginary = real ? evaluate(args[1], Type::floatType()) : std::nullopt;
      return imaginary && real->isDouble() && imaginary->isDouble()
                 ? std::optional(IValue(std::complex<double>(real->toDouble(), imaginary->toDouble())))
                 : std::nullopt;
    }
    if ((callee == "annotate" || callee == "torch.jit.annotate") && args.size() == 2)
      return evaluate(args[1], tryTypeFromExpression(compiler.context, resolver, args[0]));
    auto *text = args.size() == 1 ? llvm::dyn_cast<StringLiteral>(args[0]) : nullptr;
    if (text && callee == "float")
      return floatOf(text->value());
    if (text && callee == "torch.device")
      if (auto device = Device::parse(text->value()))
        return IValue(*device);
    return std::nullopt;
  }

  /// `value.name`, of a module, an archive or an enum.
  SugaredValue *member(SugaredValue *value, StringRef name, SourceRange range) {
    if (auto *module = llvm::dyn_cast<NamespaceSugar>(value)) {
      std::string full = module->path + "." + name.str();
      if (!StringRef(full).starts_with("CONSTANTS.") && !module->archive)
        return libraryValue(compiler, compiler.arena, full);
      Graph scratch(compiler.context);
      FunctionContext emitter(compiler, resolver, scratch);
      return module->attribute(emitter, range, name);
    }
    if (auto *file = llvm::dyn_cast<FileSugar>(value))
      return file->file.member(name, range);
    auto *enumClass = llvm::dyn_cast<EnumSugar>(value);
    const IValue *found = enumClass ? enumClass->type->find(name) : nullptr;
    if (!found)
      return nullptr;
    return compiler.arena.make<ConstantSugar>(IValue(makeRef<EnumValue>(enumClass->type, name.str(), *found)));
  }

  std::optional<IValue> named(const Tree *tree, const Type *type) {
    std::string path = dottedName(tree);
    if (path.empty())
      return std::nullopt;
    auto [head, rest] = StringRef(path).split('.');
    SugaredValue *value = resolver.resolveValue(head, tree->range());
    while (value && !rest.empty()) {
      auto [name, after] = rest.split('.');
      rest = after;
      value = member(value, name, tree->range());
    }
    auto *constant = llvm::dyn_cast_or_null<ConstantSugar>(value);
    return constant ? std::optional(fitConstant(constant->value, type)) : std::nullopt;
  }

  Compiler::Impl &compiler;
  Resolver &resolver;
};
} // namespace

std::optional<IValue> Compiler::Impl::evaluateConstant(const Tree *tree, const Type *type, Resolver &resolver) {
  std::optional<IValue> value = ConstantEvaluator(*this, resolver).evaluate(tree, type);
  return value ? std::optional(fitConstant(std::move(*value), type)) : std::nullopt;
}

//===-- Functions ----------------------------------------------------------===//

/// Why a function cannot be compiled, from its decorators: "unused", "ignore"; empty when it can.
static std::string notCompiled(Resolver &resolver, const Def &def) {
  for (const Tree *decorator : def.decorators()) {
    const Tree *name = llvm::isa<Apply>(decorator) ? llvm::cast<Apply>(decorator)->callee() : decorator;
    std::string path = resolver.canonicalName(dottedName(name));
    if (path == "torch.jit.unused" || path == "torch.jit.ignore" || path == "torch._jit_internal.unused" ||
        path == "torch._jit_internal.ignore")
      return path;
  }
  return "";
}

/// The default of a BroadcastingListN: one number stands for N of them.
static IValue broadcastDefault(IValue value, const Type *type, int32_t length) {
  auto *list = llvm::dyn_cast<ListType>(type);
  if (!list || !value.isScalar())
    return value;
  value = fitConstant(std::move(value), list->element());
  if (!isInstanceOf(value, list->element()))
    return value;
  IValue elements = makeList(list->element(), static_cast<size_t>(length));
  for (int32_t i = 0; i != length; ++i)
    appendToList(elements, value);
  return elements;
}

/// Whether a method returns the object that it is called for.
static bool givesItself(const Def &def) {
  if (def.params().empty())
    return false;
  StringRef self = def.params()[0]->name();
  auto gives = [&](auto &&recurse, const Tree *tree) -> bool {
    if (!tree || llvm::isa<Def, Lambda>(tree))
      return false;
    if (auto *result = llvm::dyn_cast<Return>(tree))
      if (auto *var = llvm::dyn_cast_or_null<Var>(result->value()))
        return var->name() == self;
    return llvm::any_of(tree->children(), [&](const Tree *child) { return recurse(recurse, child); });
  };
  return llvm::any_of(def.body(), [&](const Tree *statement) { return gives(gives, statement); });
}

/// Whether a class of the source derives from another one.
static bool derivesFrom(Compiler::Impl &compiler, const Type *type, const Type *base) {
  if (!llvm::isa<ClassType>(type) || !llvm::isa<ClassType>(base) || type == base)
    return false;
  auto own = compiler.classes.find(llvm::cast<ClassType>(type)),
       other = compiler.classes.find(llvm::cast<ClassType>(base));
  return own != compiler.classes.end() && other != compiler.classes.end() && other->second.tree &&
         llvm::is_contained(own->second.order, other->second.tree);
}

/// Of a parameter without an annotation; null where it is a tensor.
static const Type *typeOfDefault(Compiler::Impl &compiler, const Tree *value, Resolver &resolver) {
  std::optional<IValue> known = compiler.evaluateConstant(value, nullptr, resolver);
  if (!known)
    return nullptr;
  if (known->isNone())
    return compiler.context.optionalOf(Type::tensorType());
  const bool isPlain = known->isInt() || known->isDouble() || known->isBool() || known->isString();
  return isPlain ? known->dynamicType(compiler.context) : nullptr;
}

/// The parameters and the annotated result; nothing after a report.
static std::optional<FunctionSchema> schemaOf(Compiler::Impl &compiler, const Def &def, StringRef qualifiedName,
                                              const Type *self, Resolver &resolver) {
  std::vector<Argument> arguments, returns;
  const bool isDropped = !notCompiled(resolver, def).empty(); // calls raise, whatever they give
  for (const Param *param : def.params()) {
    if (isDropped && (param->isVarArgs() || param->isVarKeywords()))
      continue;
    Argument argument;
    argument.name = param->name().str();
    argument.keywordOnly = param->isKeywordOnly();
    if (self && arguments.empty())
      argument.type = self;
    else if (isDropped)
      argument.type = Type::anyType();
    else
      argument.type = param->type() ? typeFromExpression(compiler.context, compiler.diags, resolver, param->type())
                                    : Type::inferredTensorType();
    if (!argument.type)
      return std::nullopt;
    if (param->isVarArgs()) {
      argument.type = compiler.context.listOf(argument.type);
      argument.keywordOnly = false;
      argument.defaultValue = makeList(llvm::cast<ListType>(argument.type)->element(), 0);
    } else if (param->isVarKeywords()) {
      argument.type = compiler.context.dictOf(Type::stringType(), argument.type);
      argument.keywordOnly = true;
    }
    if (!isDropped)
      argument.fixedLength = broadcastLength(resolver, param->type());
    if (const Tree *value = param->defaultValue()) {
      // Without an annotation the default says what is meant, None that a tensor may be left out.
      if (const Type *type = isDropped || param->type() || (self && arguments.empty()) || !resolver.followsPython()
                                 ? nullptr
                                 : typeOfDefault(compiler, value, resolver))
        argument.type = type;
      argument.defaultValue = compiler.evaluateConstant(value, argument.type, resolver);
      if (argument.defaultValue && argument.defaultValue->isDict()) // no schema holds one
        argument.defaultValue.reset();
      if (argument.defaultValue && argument.fixedLength)
        argument.defaultValue =
            broadcastDefault(std::move(*argument.defaultValue), argument.type, *argument.fixedLength);
      if (argument.defaultValue && !param->type() && !isInstanceOf(*argument.defaultValue, argument.type) &&
          !(self && arguments.empty())) {
        // Like PyTorch: without an annotation it is a Tensor, and None makes it no Optional.
        argument.defaultValue.reset();
      }
      if (!argument.defaultValue || !isInstanceOf(*argument.defaultValue, argument.type)) {
        (void)compiler.diags.report(value->range(), diag::DefaultNotConstant, param->name(),
                                    argument.type->annotation());
        return std::nullopt;
      }
    }
    arguments.push_back(std::move(argument));
  }
  if (self && arguments.empty()) {
    (void)compiler.diags.report(def.range(), diag::MethodWithoutSelf, def.name());
    return std::nullopt;
  }
  if (def.returnType()) {
    Argument result;
    result.type = typeFromExpression(compiler.context, compiler.diags, resolver, def.returnType());
    if (!result.type)
      return std::nullopt;
    if (self && givesItself(def) && derivesFrom(compiler, self, result.type))
      result.type = self; // as an inherited method the same object, of the class that inherits it
    returns.push_back(result);
  }
  return FunctionSchema(def.name().str(), "", std::move(arguments), std::move(returns));
}

/// A body that only raises: of a function that the program says is not to be compiled.
static void emitRaisingBody(Graph &graph, const FunctionSchema &schema, const std::string &why, SourceRange range) {
  for (const Argument &argument : schema.arguments())
    graph.addInput(argument.name, argument.type);
  graph.setInsertPoint(graph.block());
  Value *message = graph.insertConstant(
      IValue("this function is marked " + why + ": it is annotated to be ignored and cannot be run"), range);
  Node *raise = graph.create(prim::RaiseException,
                             {message, graph.insertConstant(IValue("builtins.NotImplementedError"), range)}, 0);
  graph.insertNodeHere(raise);
}

/// Follows the errors of a body by notes that say which function called it, and who called that one: its author may
/// only know the first.
static void reportCallers(Compiler::Impl &compiler, const Function &failed, size_t numBefore) {
  const size_t count = compiler.diags.all().size();
  if (count <= std::max(numBefore, compiler.numExplained))
    return; // the error is in what it calls, and has its notes
  llvm::SmallPtrSet<const Function *, 8> seen;
  for (const Function *callee = &failed; seen.insert(callee).second;) {
    auto found = compiler.firstCalls.find(callee);
    if (found == compiler.firstCalls.end())
      break;
    auto [caller, range] = found->second;
    (void)compiler.diags.report(range, diag::CompiledSinceCalled, callee->name(), caller->name());
    callee = caller;
  }
  compiler.numExplained = compiler.diags.all().size();
}

static llvm::LogicalResult compileBody(Compiler::Impl &compiler, const Def &def, Function &function, Resolver &resolver,
                                       const Type *self) {
  auto graph = std::make_unique<Graph>(compiler.context);
  const Type *result = nullptr;
  llvm::SaveAndRestore<unsigned> inside(compiler.bodyDepth, compiler.bodyDepth + 1);
  llvm::SaveAndRestore<const Function *> current(compiler.body, &function);
  const size_t numBefore = compiler.diags.all().size();
  const ModuleInfo *module = self ? compiler.moduleInfo(self) : nullptr;
  const ModuleClass *owner = compiler.owners.lookup(&function);
  const bool isLayers = module && owner && owner->isLibrary;
  ContextNote context(compiler.diags, isLayers ? module->madeAt : SourceRange(), diag::LayerMadeHere);
  if (std::string why = notCompiled(resolver, def); !why.empty()) {
    emitRaisingBody(*graph, function.schema(), why, def.range());
    FunctionSchema schema = function.schema();
    if (schema.returns().empty()) {
      Argument none;
      none.type = Type::noneType();
      schema.mutableReturns().push_back(none);
      function.setSchema(schema);
    }
    result = schema.returns()[0].type;
  } else {
    Widening widening;
    llvm::SaveAndRestore saved(compiler.widening, &widening);
    bool isRefused = false;
    do {
      if (std::exchange(widening.isWanted, false))
        graph = std::make_unique<Graph>(compiler.context);
      FunctionContext emitter(compiler, resolver, *graph);
      emitter.method.owner = compiler.owners.lookup(&function);
      emitter.method.textOwner = compiler.textOwners.lookup(&function);
      if (def.name() == "__init__" || def.name() == "__post_init__")
        emitter.method.initializing = llvm::dyn_cast_or_null<ClassType>(self);
      if (emitFunction(emitter, def, function))
        result = emitter.returns.type;
      isRefused = emitter.recovery.numRefused != 0;
    } while (widening.isWanted && !isRefused);
  }
  if (!result) {
    reportCallers(compiler, function, numBefore);
    return llvm::failure();
  }
  if (SourceRange deep = findDeepExit(*graph); deep.isValid())
    return compiler.diags.report(deep, diag::NestedTooDeeply, maxExitDepth);
  lowerBody(*graph, result);
  if (ArchiveResolver *archive = ArchiveResolver::of(resolver)) {
    upgradeOperators(compiler, *graph, archive->formatVersion());
    if (archive->bodyPass)
      archive->bodyPass(*graph);
  }
  function.setGraph(std::move(graph));
  if (compiler.observer)
    compiler.observer->compiled(def.point(), function);
  return llvm::success();
}

/// Decorators that compiled code follows: what is bound, or nothing.
static bool isFollowed(StringRef decorator) {
  static constexpr StringRef names[] = {"property", "staticmethod", "classmethod", "abc.abstractmethod",
                                        "functools.wraps"};
  return llvm::is_contained(names, decorator) || isTransparentDecorator(decorator);
}

/// Whether compiled code may run the text of a function in spite of its decorators: these are known, and replace
/// nothing. False after a report.
static bool knowsDecorators(Compiler::Impl &compiler, const Def &def, Resolver &resolver) {
  for (const Tree *decorator : def.decorators()) {
    auto *call = llvm::dyn_cast<Apply>(decorator);
    const std::string dotted = dottedName(call ? call->callee() : decorator);
    auto [root, member] = StringRef(dotted).split('.');
    if (root.empty() || member == "setter" || member == "getter" || member == "deleter") // of a property
      continue;
    const std::string path = resolver.canonicalName(dotted);
    const bool isOwn = resolver.defines(root);
    if ((isOwn || path != dotted || isLibrary(root)) && !isFollowed(path) && !resolver.unknownImport(root).isValid()) {
      (void)compiler.diags.report(decorator->range(), diag::UnsupportedSyntax,
                                  "decorators of compiled functions like '@" + dotted + "'");
      return false;
    }
    const bool isOfPython = root == "property" || root == "staticmethod" || root == "classmethod" || isLibrary(root);
    if (isOfPython || resolver.canonicalName(root) != root || resolver.defines(root) ||
        resolver.unknownImport(root).isValid() || resolver.classDefinition(root) ||
        resolver.resolveValue(root, decorator->range()))
      continue;
    (void)compiler.diags.report(decorator->range(), diag::UndefinedValue, root);
    return false;
  }
  return true;
}

Function *Compiler::Impl::declareFunction(const Def &def, StringRef qualifiedName, const Type *self,
                                          Resolver &resolver) {
  if (resolver.followsPython() && !knowsDecorators(*this, def, resolver))
    return nullptr;
  std::optional<FunctionSchema> schema = schemaOf(*this, def, qualifiedName, self, resolver);
  if (!schema)
    return nullptr;
  Function *function = unit.find(qualifiedName);
  if (function) {
    (void)diags.report(def.range(), diag::DuplicateDefinition, def.name());
    return nullptr;
  }
  // What takes memory comes first: a function that is known has all that it takes to define it.
  Function::Creator creator = [this, &def, self, &resolver](Function &f) {
    return compileBody(*this, def, f, resolver, self);
  };
  pending.push_back(nullptr);
  auto undone = llvm::make_scope_exit([&] { pending.pop_back(); });
  function = pending.back() = unit.create(qualifiedName);
  undone.release();
  function->setSchema(std::move(*schema));
  if (size_t count = llvm::count_if(def.params(), [](const Param *param) { return param->isPositionalOnly(); }))
    positionalOnly[function] = count;
  for (auto [i, param] : llvm::enumerate(def.params())) {
    if (!notCompiled(resolver, def).empty())
      continue;
    if (param->isVarArgs())
      variadics[function].list = i;
    if (param->isVarKeywords())
      variadics[function].dict = true;
  }
  function->setCreator(std::move(creator));
  return function;
}
