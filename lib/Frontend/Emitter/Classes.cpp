//===- Classes.cpp - Classes, interfaces, enums, NamedTuples --------------===//
//
// A definition in an archive states all its attributes; one in source has those
// that its __init__ sets.
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "CompilerImpl.h"
#include "SourceResolver.h"
#include "TypeExpressions.h"

using namespace tsc;

namespace {

class ClassDeclarer {
public:
  ClassDeclarer(Compiler::Impl &compiler, const ClassDef &tree, StringRef name, Resolver &resolver)
      : compiler(compiler), context(compiler.context), tree(tree), name(name.str()), resolver(resolver) {}

  const Type *declare() {
    for (const Tree *decorator : tree.decorators()) {
      const Tree *callee = llvm::isa<Apply>(decorator) ? llvm::cast<Apply>(decorator)->callee() : decorator;
      if (resolver.canonicalName(dottedName(callee)) == "torch.jit.interface")
        return declareInterface(false);
    }
    bool module = false;
    for (const Tree *base : tree.bases()) {
      std::string path = resolver.canonicalName(dottedName(base));
      if (path == "NamedTuple" || path == "typing.NamedTuple")
        return declareNamedTuple();
      if (path == "Enum" || path == "enum.Enum" || path == "enum.IntEnum" || path == "IntEnum")
        return declareEnum();
      if (path == "Interface" || path == "ModuleInterface")
        return declareInterface(path == "ModuleInterface");
      if (path == "Module")
        module = true;
      else if (path != "object") {
        (void)compiler.diags.report(base->range(), diag::UnsupportedBase, tree.name(), path);
        return nullptr;
      }
    }
    return declareClass(module);
  }

private:
  const Type *typeOf(const Tree *annotation) {
    return typeFromExpression(context, compiler.diags, resolver, annotation);
  }

  const Type *declareNamedTuple() {
    std::vector<std::string> fields;
    std::vector<const Type *> types;
    NamedTupleInfo info;
    for (const Tree *statement : tree.body()) {
      auto *assign = llvm::dyn_cast<Assign>(statement);
      if (!assign)
        continue; // docstring, pass
      auto *field = llvm::dyn_cast<Var>(assign->targets().front());
      if (!field || !assign->type()) {
        (void)compiler.diags.report(statement->range(), diag::MissingAnnotation, statement->spelling());
        return nullptr;
      }
      const Type *type = typeOf(assign->type());
      if (!type)
        return nullptr;
      fields.push_back(field->name().str());
      types.push_back(type);
      info.defaults.push_back(assign->value() ? compiler.evaluateConstant(assign->value(), type, resolver)
                                              : std::nullopt);
    }
    const TupleType *type = context.namedTuple(name, fields, types);
    compiler.namedTuples[type] = std::move(info);
    return type;
  }

  const Type *declareEnum() {
    std::vector<std::pair<std::string, IValue>> members;
    const Type *valueType = nullptr;
    for (const Tree *statement : tree.body()) {
      auto *assign = llvm::dyn_cast<Assign>(statement);
      if (!assign || !assign->value())
        continue;
      auto *member = llvm::dyn_cast<Var>(assign->targets().front());
      std::optional<IValue> value =
          member ? compiler.evaluateConstant(assign->value(), nullptr, resolver) : std::nullopt;
      const Type *type = value ? value->dynamicType(context) : nullptr;
      if (!type || (valueType && type != valueType)) {
        (void)compiler.diags.report(statement->range(), diag::EnumValues, tree.name());
        return nullptr;
      }
      valueType = type;
      members.emplace_back(member->name().str(), *value);
    }
    if (!valueType) {
      (void)compiler.diags.report(tree.range(), diag::EnumValues, tree.name());
      return nullptr;
    }
    EnumType *type = context.findEnum(name);
    if (type)
      return type;
    type = context.createEnum(name, valueType);
    for (auto &[member, value] : members)
      type->addMember(member, value);
    return type;
  }

  const Type *declareInterface(bool module) {
    if (InterfaceType *known = context.findInterface(name))
      return known;
    InterfaceType *type = context.createInterface(name, module);
    for (const Tree *statement : tree.body()) {
      auto *def = llvm::dyn_cast<Def>(statement);
      if (!def)
        continue;
      std::vector<Argument> arguments, returns;
      for (const Param *param : def->params()) {
        Argument argument;
        argument.name = param->name().str();
        argument.type = arguments.empty() ? type : param->type() ? typeOf(param->type()) : Type::tensorType();
        if (!argument.type)
          return nullptr;
        arguments.push_back(argument);
      }
      Argument result;
      result.type = def->returnType() ? typeOf(def->returnType()) : Type::noneType();
      if (!result.type)
        return nullptr;
      returns.push_back(result);
      type->addMethod(FunctionSchema(def->name().str(), "", std::move(arguments), std::move(returns)));
    }
    return type;
  }

  static std::vector<std::string> strings(const Tree *tree) {
    std::vector<std::string> result;
    if (tree && (llvm::isa<ListLiteral>(tree) || llvm::isa<TupleLiteral>(tree)))
      for (const Tree *element : tree->children())
        if (auto *text = llvm::dyn_cast<StringLiteral>(element))
          result.push_back(text->value().str());
    return result;
  }

  /// `x : T`, `__parameters__ = […]`, `__annotations__["0"] = T`, `x : Final[T] = v`, `X = v`.
  bool declareAttribute(const Assign &assign) {
    const Tree *target = assign.targets().front();
    if (auto *subscript = llvm::dyn_cast<Subscript>(target)) {
      auto *key = subscript->indices().size() == 1 ? llvm::dyn_cast<StringLiteral>(subscript->indices()[0]) : nullptr;
      const Type *attributeType = key && assign.value() ? typeOf(assign.value()) : nullptr;
      return attributeType && addAttribute(key->value(), attributeType);
    }
    auto *var = llvm::dyn_cast<Var>(target);
    if (!var) {
      (void)compiler.diags.report(target->range(), diag::ClassBody);
      return false;
    }
    StringRef attribute = var->name();
    if (attribute == "__parameters__" || attribute == "__buffers__") {
      for (const std::string &entry : strings(assign.value()))
        (attribute == "__parameters__" ? parameters : buffers).push_back(entry);
      return true;
    }
    if (attribute == "__annotations__" || attribute == "__slots__" || attribute == "__constants__" ||
        attribute.starts_with("__jit_"))
      return true;
    if (attribute == "__forward_pre_hooks__" || attribute == "__forward_hooks__") {
      ForwardHooks &hooks = type->forwardHooks();
      (attribute == "__forward_hooks__" ? hooks.after : hooks.before) = strings(assign.value());
      return true;
    }
    const Tree *inner = nullptr;
    if (assign.type() && isFinalAnnotation(resolver, assign.type(), inner)) {
      const Type *constantType = inner ? typeOf(inner) : nullptr;
      if (inner && !constantType)
        return false;
      if (!assign.value())
        return !constantType || addAttribute(attribute, constantType);
      if (std::optional<IValue> value = compiler.evaluateConstant(assign.value(), constantType, resolver))
        compiler.classes[type].constants[attribute] = *value;
      return true;
    }
    if (assign.type()) {
      const Type *attributeType = typeOf(assign.type());
      return attributeType && addAttribute(attribute, attributeType);
    }
    if (assign.value())
      if (std::optional<IValue> value = compiler.evaluateConstant(assign.value(), nullptr, resolver))
        compiler.classes[type].constants[attribute] = *value;
    return true;
  }

  bool addAttribute(StringRef attribute, const Type *attributeType) {
    if (type->findAttribute(attribute))
      return true;
    AttributeKind kind = llvm::is_contained(parameters, attribute.str()) ? AttributeKind::Parameter
                         : llvm::is_contained(buffers, attribute.str())  ? AttributeKind::Buffer
                                                                         : AttributeKind::Regular;
    type->addAttribute(attribute, attributeType, kind);
    return true;
  }

  /// "property", "x.setter", "staticmethod", or empty.
  std::string decoratorOf(const Def &def) {
    for (const Tree *decorator : def.decorators()) {
      std::string path = resolver.canonicalName(dottedName(decorator));
      if (path == "property" || path == "staticmethod" || StringRef(path).ends_with(".setter"))
        return path;
    }
    return "";
  }

  bool declareMethod(const Def &def) {
    std::string decorator = decoratorOf(def);
    std::string method = def.name().str();
    std::string full = name + "." + method;
    if (StringRef(decorator).ends_with(".setter"))
      full += "_setter";
    else if (decorator == "property")
      full += "_getter";
    Function *function = compiler.declareFunction(def, full, decorator == "staticmethod" ? nullptr : type, resolver);
    if (!function)
      return false;
    if (decorator == "staticmethod") {
      compiler.classes[type].staticMethods[method] = function;
      return true;
    }
    type->addMethod(function); // getters and setters are called by name too
    if (decorator == "property")
      type->addProperty({method, function, nullptr});
    else if (!decorator.empty())
      if (auto *property = const_cast<ClassProperty *>(type->findProperty(method)))
        property->setter = function;
    return true;
  }

  const Type *declareClass(bool module) {
    type = context.classType(name);
    type->setIsModule(module);
    type->setDefined();
    ClassInfo &info = compiler.classes[type];
    info.tree = &tree;
    info.resolver = &resolver;
    for (const Tree *statement : tree.body())
      if (auto *assign = llvm::dyn_cast<Assign>(statement); assign && !declareAttribute(*assign))
        return nullptr;
    for (const Tree *statement : tree.body()) {
      if (llvm::isa<Assign, Pass>(statement))
        continue;
      if (auto *expr = llvm::dyn_cast<ExprStmt>(statement); expr && llvm::isa<StringLiteral, Dots>(expr->value()))
        continue;
      auto *def = llvm::dyn_cast<Def>(statement);
      if (!def) {
        (void)compiler.diags.report(statement->range(), diag::ClassBody);
        return nullptr;
      }
      if (!declareMethod(*def))
        return nullptr;
    }
    // What __init__ sets are the attributes of a class in source: they have to be known before anyone reads one.
    if (Function *init = type->findMethod("__init__");
        init && !module && !init->isBeingDefined() && type->numAttributes() == 0)
      if (failed(init->ensureDefined()))
        return nullptr;
    return type;
  }

  Compiler::Impl &compiler;
  Context &context;
  const ClassDef &tree;
  std::string name;
  Resolver &resolver;
  ClassType *type = nullptr;
  std::vector<std::string> parameters, buffers;
};

} // namespace

const Type *Compiler::Impl::declareClass(const ClassDef &tree, StringRef qualifiedName, Resolver &resolver) {
  return ClassDeclarer(*this, tree, qualifiedName, resolver).declare();
}
