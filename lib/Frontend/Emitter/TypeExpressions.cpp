//===- TypeExpressions.cpp - Annotations to types -------------------------===//
#include "TypeExpressions.h"
#include "../SugaredValues/Values.h"
#include "FunctionContext.h"
#include "SizeLimits.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Frontend/Parser.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/Support/Stack.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tsc;

std::string tsc::dottedName(const Tree *tree) {
  if (auto *var = llvm::dyn_cast<Var>(tree))
    return var->name().str();
  auto *select = llvm::dyn_cast<Select>(tree);
  std::string inner = select ? dottedName(select->value()) : "";
  return inner.empty() ? "" : inner + "." + select->name().str();
}

static StringRef withoutModule(StringRef name) {
  for (StringRef prefix :
       {"typing.", "torch.jit.", "torch._jit_internal.", "torch.", "typing_extensions.", "builtins."})
    if (name.consume_front(prefix))
      break;
  return name;
}

/// The length that torch's names for sizes say, the 2 of `torch.nn.common_types._size_2_t`; 0 for other names.
static int32_t sizesAlias(StringRef canonical) {
  StringRef name = canonical.substr(canonical.rfind('.') + 1);
  int32_t length = 0;
  if (!name.consume_front("_size_") || !name.consume_back("_t") || name.getAsInteger(10, length) || length < 1 ||
      length > 6)
    return 0;
  return length;
}

static const Type *simpleType(Context &context, StringRef canonical) {
  StringRef name = withoutModule(canonical);
  if (legacyDType(name))
    return Type::tensorType();
  return llvm::StringSwitch<const Type *>(name)
      .Case("Tensor", Type::tensorType())
      .Case("int", Type::intType())
      .Case("float", Type::floatType())
      .Case("complex", Type::complexType())
      .Case("bool", Type::boolType())
      .Case("str", Type::stringType())
      .Cases("None", "NoneType", Type::noneType())
      .Cases("Device", "device", Type::deviceType())
      .Case("Stream", Type::streamType())
      .Cases("Generator", "_C.Generator", Type::generatorType())
      .Cases("number", "Scalar", "Number", "numbers.Number", Type::numberType())
      .Cases("Any", "NotSupportedAny", "object", Type::anyType())
      .Case("Capsule", Type::capsuleType())
      .Case("dtype", Type::intType())
      .Case("layout", Type::intType())
      .Case("memory_format", Type::intType())
      .Case("qscheme", Type::qschemeType())
      .Case("Size", context.listOf(Type::intType()))
      .Case("list", Type::anyListType())
      .Case("tuple", Type::anyTupleType())
      .Case("AnyClassType", Type::anyClassType())
      .Case("AnyEnumType", Type::anyEnumType())
      .Case("Storage", Type::storageType())
      .Cases("Quantizer", "QuantizerType", Type::quantizerType())
      .Default(nullptr);
}

namespace {

class TypeReader {
public:
  TypeReader(Context &context, DiagnosticEngine *diags, Resolver &resolver)
      : context(context), diags(diags), resolver(resolver) {}

  const Type *read(const Tree *tree) {
    if (!mayRecurse()) {
      if (diags)
        (void)diags->report(tree->range(), diag::NestedForStack);
      return nullptr;
    }
    switch (tree->kind()) {
    case TreeKind::NoneLiteral: return Type::noneType();
    case TreeKind::Var:
    case TreeKind::Select: return named(tree);
    case TreeKind::StringLiteral: return quoted(llvm::cast<StringLiteral>(tree));
    case TreeKind::Subscript: {
      const Type *type = generic(*llvm::cast<Subscript>(tree));
      return type && isTooLarge(type) ? fail(tree, "the type is too large") : type;
    }
    case TreeKind::BinOp: // int | None
      if (auto *op = llvm::cast<BinOp>(tree); op->op() == TreeOp::BitOr) {
        const Type *a = read(op->lhs()), *b = a ? read(op->rhs()) : nullptr;
        return b ? makeUnion({a, b}) : nullptr;
      }
      [[fallthrough]];
    default:
      auto *binary = llvm::dyn_cast<BinOp>(tree);
      return fail(tree, ("Expression of type " + (binary ? treeOpSpelling(binary->op()) : treeKindName(tree->kind())) +
                         " cannot be used in a type expression")
                            .str());
    }
  }

private:
  const Type *fail(const Tree *tree, std::string message) {
    if (diags)
      (void)diags->report(tree->range(), diag::BadType, message);
    return nullptr;
  }

  const Type *named(const Tree *tree) {
    std::string dotted = dottedName(tree);
    if (dotted.empty())
      return fail(tree, "Unknown type name '" + tree->spelling().str() + "'");
    std::string canonical = resolver.canonicalName(dotted);
    const Type *known = simpleType(context, canonical);
    if (known && !(resolver.followsPython() && resolver.classDefinition(dotted))) // the program's own `class Size`
      return known;
    if (sizesAlias(canonical) != 0)
      return context.listOf(Type::intType());
    if (const char *missing = missingTypes(withoutModule(canonical)); missing && !resolver.classDefinition(dotted))
      return fail(tree, missing);
    if (const Type *type = resolver.resolveType(dotted, tree->range()))
      return type;
    return fail(tree, "Unknown type name '" + dotted + "'");
  }

  /// Returns what is said of a container's name without the types that belong behind it, or null for other names.
  static const char *missingTypes(StringRef name) {
    return llvm::StringSwitch<const char *>(name)
        .Case("List", "Attempted to use List without a contained type. Please add a contained type, e.g. List[int]")
        .Case("Tuple", "Attempted to use Tuple without a contained type. Please add a contained type, e.g. Tuple[int]")
        .Case("Optional", "Attempted to use Optional without a contained type. Please add a contained type, e.g. "
                          "Optional[int]")
        .Case("Dict", "Attempted to use Dict without contained types. Please add contained type, e.g. Dict[int, int]")
        .Cases("Future", "jit.Future",
               "Attempted to use Future without a contained type. Please add a contained type, e.g. Future[int]")
        .Default(nullptr);
  }

  const Type *quoted(const StringLiteral *tree) {
    if (++quotes > 8)
      return fail(tree, "nested type strings");
    std::string text = tree->value().str();
    const SourceBuffer &buffer = context.sources().add("<annotation>", text);
    DiagnosticEngine silent;
    llvm::FailureOr<SyntaxTree> inner = parseExpression(buffer, silent);
    if (failed(inner))
      return fail(tree, "Unknown type name '" + text + "'");
    // Names are what is looked up; the tree is not kept.
    DiagnosticEngine *saved = std::exchange(diags, nullptr);
    const Type *type = read(inner->expression());
    diags = saved;
    return type ? type : fail(tree, "Unknown type name '" + text + "'");
  }

  const Type *makeUnion(ArrayRef<const Type *> members) {
    if (members.size() == 2 && (members[0]->isNone() != members[1]->isNone()))
      return context.optionalOf(members[0]->isNone() ? members[1] : members[0]);
    return members.size() == 1 ? members[0] : context.unionOf(members);
  }

  /// `Literal["a", "b"]`: the type of the values.
  const Type *literal(const Subscript &tree, ArrayRef<const Tree *> values) {
    const Type *common = nullptr;
    for (const Tree *value : values) {
      const Type *type = llvm::isa<StringLiteral>(value)         ? Type::stringType()
                         : llvm::isa<BoolLiteral>(value)         ? Type::boolType()
                         : llvm::isa<NoneLiteral>(value)         ? Type::noneType()
                         : llvm::isa<IntLiteral, UnaryOp>(value) ? Type::intType()
                                                                 : nullptr;
      if (!type)
        return fail(value, "Literal takes strings, numbers and None");
      common = !common || common == type ? type : makeUnion({common, type});
    }
    return common ? common : fail(&tree, "Literal type must have at least 1 value");
  }

  const Type *generic(const Subscript &tree) {
    if (dottedName(tree.value()).empty())
      return fail(tree.value(), "Subscripted type must be a type identifier");
    std::string canonical = resolver.canonicalName(dottedName(tree.value()));
    StringRef name = withoutModule(canonical);
    if (const Type *plain = simpleType(context, canonical);
        plain && !plain->isAnyList() && !plain->isAnyTuple() && plain->kind() != TypeKind::Any)
      return fail(tree.value(), ("Unknown type constructor " + tree.value()->spelling()).str());
    std::vector<const Tree *> parts;
    for (const Tree *index : tree.indices()) {
      auto *tuple = llvm::dyn_cast<TupleLiteral>(index);
      if (tuple && !tuple->children().empty() && name == "Tuple" && tuple->range().text().starts_with("("))
        return fail(tuple, "Tuple literal in Tuple type annotation must not have any elements");
      if (tuple && tree.indices().size() == 1)
        parts.insert(parts.end(), tuple->children().begin(), tuple->children().end());
      else
        parts.push_back(index);
    }
    if (name == "Literal")
      return literal(tree, parts);
    std::vector<const Type *> types;
    if (!(name.starts_with("BroadcastingList") || name == "Tuple" || name == "tuple")) {
      for (const Tree *part : parts)
        if (const Type *type = read(part))
          types.push_back(type);
        else
          return nullptr;
    } else {
      for (const Tree *part : parts) {
        if (llvm::isa<TupleLiteral>(part) && part->children().empty())
          continue; // Tuple[()]
        if (llvm::isa<Dots>(part))
          return fail(part, "Tuple of unknown length is not supported; use List");
        const Type *type = read(part);
        if (!type)
          return nullptr;
        types.push_back(type);
      }
    }
    auto needs = [&](size_t count) { return types.size() == count; };
    auto arity = [&](size_t count) {
      return fail(&tree, (name + " type must have exactly " + llvm::Twine(count) +
                          (count == 1 ? " element type" : " element types"))
                             .str());
    };
    int length = 0;
    if (StringRef rest = name; rest.consume_front("BroadcastingList") && (rest.getAsInteger(10, length) || length < 1))
      return fail(&tree, "the number behind BroadcastingList must be a positive integer");
    if (name == "List" || name == "list" || name == "Sequence" || name == "Iterable" || name == "Iterator" ||
        name == "Collection" || name == "MutableSequence" || length > 0)
      return needs(1) ? context.listOf(types[0]) : arity(1);
    const bool isCounter = name == "Counter" || name == "collections.Counter";
    if (isCounter || name == "Set" || name == "set" || name == "FrozenSet" || name == "frozenset") {
      if (!needs(1))
        return arity(1);
      const Type *type = resolver.containerOf(isCounter ? ContainerKind::Counter : ContainerKind::Set, types[0]);
      return type ? type
                  : fail(parts[0], (isCounter ? "no counter can count elements of type '"
                                              : "no set can hold elements of type '") +
                                       types[0]->annotation() + "'");
    }
    if (name == "Optional")
      return needs(1) ? context.optionalOf(types[0]) : arity(1);
    if (name == "Dict" || name == "dict" || name == "OrderedDict" || name == "collections.OrderedDict" ||
        name == "Mapping" || name == "MutableMapping") {
      if (!needs(2))
        return arity(2);
      const Type *key = types[0];
      if (!(key->isInt() || key->isBool() || key->isFloat() || key->isComplex() || key->isString() || key->isTensor() ||
            key->isDevice() || llvm::isa<EnumType>(key) || llvm::isa<TupleType>(key) || key->isAny()))
        return fail(parts[0], "Cannot create dict for key type '" + key->annotation() +
                                  "', only int, float, complex, Tensor, device and string keys are supported");
      return context.dictOf(types[0], types[1]);
    }
    if (name == "Tuple" || name == "tuple")
      return context.tupleOf(types);
    if (name == "Union")
      return types.empty() ? arity(1) : makeUnion(types);
    if (name == "Future" || name == "futures.Future" || name == "_Await" || name == "Await")
      return needs(1) ? context.futureOf(types[0]) : arity(1);
    if (name == "Await" || name == "_Await")
      return needs(1) ? context.awaitOf(types[0]) : arity(1);
    if (name == "RRef" || name == "distributed.rpc.RRef")
      return needs(1) ? context.rrefOf(types[0]) : arity(1);
    if (name == "Final" || name == "Annotated" || name == "ClassVar")
      return types.empty() ? arity(1) : types[0];
    return fail(tree.value(), ("Unknown type constructor " + tree.value()->spelling()).str());
  }

  Context &context;
  DiagnosticEngine *diags;
  Resolver &resolver;
  unsigned quotes = 0;
};

} // namespace

const Type *tsc::typeFromExpression(Context &context, DiagnosticEngine &diags, Resolver &resolver, const Tree *tree) {
  return TypeReader(context, &diags, resolver).read(tree);
}

const Type *tsc::tryTypeFromExpression(Context &context, Resolver &resolver, const Tree *tree) {
  return TypeReader(context, nullptr, resolver).read(tree);
}

std::optional<int32_t> tsc::broadcastLength(Resolver &resolver, const Tree *tree) {
  if (llvm::isa_and_nonnull<Var, Select>(tree))
    if (int32_t length = sizesAlias(resolver.canonicalName(dottedName(tree))))
      return length;
  auto *subscript = llvm::dyn_cast_or_null<Subscript>(tree);
  if (!subscript || subscript->indices().size() != 1)
    return std::nullopt;
  std::string canonical = resolver.canonicalName(dottedName(subscript->value()));
  StringRef name = withoutModule(canonical);
  if (name == "Optional" && llvm::isa<Subscript>(subscript->indices()[0]))
    return broadcastLength(resolver, subscript->indices()[0]);
  int32_t length = 0;
  if (!name.consume_front("BroadcastingList") || name.getAsInteger(10, length) || length < 1 || length > 6)
    return std::nullopt;
  return length;
}

bool tsc::isFinalAnnotation(Resolver &resolver, const Tree *tree, const Tree *&inner) {
  inner = nullptr;
  const Tree *head = tree;
  if (auto *subscript = llvm::dyn_cast<Subscript>(tree)) {
    head = subscript->value();
    if (subscript->indices().size() == 1)
      inner = subscript->indices()[0];
  }
  std::string name = resolver.canonicalName(dottedName(head));
  return withoutModule(name) == "Final";
}

bool tsc::isCallableType(Resolver &resolver, const Tree *annotation) {
  auto *subscript = llvm::dyn_cast<Subscript>(annotation);
  const std::string path = resolver.canonicalName(dottedName(subscript ? subscript->value() : annotation));
  return path == "typing.Callable" || path == "collections.abc.Callable" || path == "Callable";
}

const Type *tsc::annotationType(FunctionContext &fn, const Tree *tree) {
  return typeFromExpression(fn.context(), fn.diagnostics(), fn.resolver, tree);
}
