//===- Classes.cpp - Classes, interfaces, enums, NamedTuples --------------===//
//
// A definition in an archive states all its attributes; one in source has those
// that its __init__ sets.
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "CompilerImpl.h"
#include "SizeLimits.h"
#include "SourceResolver.h"
#include "TypeExpressions.h"
#include "tsc/Python/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SaveAndRestore.h"
#include <map>
#include <set>

using namespace tsc;

namespace {

class ClassDeclarer {
public:
  ClassDeclarer(Compiler::Impl &compiler, const ClassDef &tree, StringRef name, Resolver &resolver)
      : compiler(compiler), context(compiler.context), tree(tree), name(name.str()), resolver(&resolver) {}

  const Type *declare() {
    for (const Tree *decorator : tree.decorators()) {
      const Tree *callee = llvm::isa<Apply>(decorator) ? llvm::cast<Apply>(decorator)->callee() : decorator;
      if (resolver->canonicalName(dottedName(callee)) == "torch.jit.interface")
        return declareInterface(llvm::any_of(tree.bases(), [&](const Tree *base) {
          return resolver->canonicalName(dottedName(base)) == "torch.nn.Module";
        }));
    }
    bool module = false;
    auto isEnum = [&](const Tree *base) {
      std::string path = resolver->canonicalName(dottedName(base));
      return path == "Enum" || path == "enum.Enum";
    };
    for (const Tree *base : tree.bases()) {
      std::string path = resolver->canonicalName(dottedName(base));
      if (path == "enum.StrEnum" || ((path == "str" || path == "int") && llvm::any_of(tree.bases(), isEnum))) {
        const Type *type = declareEnum(path == "enum.StrEnum"); // its members are their values
        if (type)
          compiler.intEnums.insert(llvm::cast<EnumType>(type));
        if (type && path == "enum.StrEnum")
          compiler.shownAsValues.insert(llvm::cast<EnumType>(type));
        return type;
      }
      if (path == "abc.ABC" || path == "ABC" || path == "typing.Protocol" || path == "Protocol")
        continue;
      if (path == "NamedTuple" || path == "typing.NamedTuple")
        return declareNamedTuple();
      if (path == "Enum" || path == "enum.Enum")
        return declareEnum();
      if (path == "enum.IntEnum" || path == "IntEnum") {
        const Type *type = declareEnum();
        if (type) {
          compiler.intEnums.insert(llvm::cast<EnumType>(type));
          compiler.shownAsValues.insert(llvm::cast<EnumType>(type));
        }
        return type;
      }
      if (path == "Interface" || path == "ModuleInterface")
        return declareInterface(path == "ModuleInterface");
      if (path == "Module")
        module = true;
      else if (const ClassDef *known = resolver->classDefinition(path); known && known != &tree)
        direct.emplace_back(known, &resolver->definer(path));
      else if (path != "object" && path != "typing.Generic" && path != "Generic") {
        (void)compiler.diags.report(base->range(), diag::UnsupportedBase, tree.name(), path);
        return nullptr;
      }
    }
    for (auto [base, home] : llvm::reverse(direct))
      inherit(*base, *home, 0);
    std::reverse(order.begin(), order.end());
    return declareClass(module);
  }

private:
  const Type *typeOf(const Tree *annotation) {
    return typeFromExpression(context, compiler.diags, *resolver, annotation);
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
      info.defaults.push_back(assign->value() ? compiler.evaluateConstant(assign->value(), type, *resolver)
                                              : std::nullopt);
    }
    const TupleType *type = context.namedTuple(name, fields, types);
    if (isTooLarge(type)) {
      (void)compiler.diags.report(tree.range(), diag::TypeTooLarge, tree.name());
      return nullptr;
    }
    compiler.namedTuples[type] = std::move(info);
    compiler.memberTexts[type] = {&tree, resolver};
    return type;
  }

  const Type *declareEnum(bool isStrEnum = false) {
    std::vector<std::pair<std::string, IValue>> members;
    const Type *valueType = nullptr;
    for (const Tree *statement : tree.body()) {
      auto *assign = llvm::dyn_cast<Assign>(statement);
      if (!assign || !assign->value())
        continue;
      auto *member = llvm::dyn_cast<Var>(assign->targets().front());
      std::optional<IValue> value =
          member ? compiler.evaluateConstant(assign->value(), nullptr, *resolver) : std::nullopt;
      if (auto *call = llvm::dyn_cast<Apply>(assign->value());
          member && call && resolver->canonicalName(dottedName(call->callee())) == "enum.auto")
        value = isStrEnum                       ? std::optional(IValue(python::lower(member->name())))
                : members.empty()               ? std::optional(IValue(int64_t{1}))
                : members.back().second.isInt() ? std::optional(IValue(members.back().second.toInt() + 1))
                                                : std::nullopt;
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
    compiler.memberTexts[type] = {&tree, resolver};
    return type;
  }

  /// Whether a method of an interface is `pass`, or a text about it, and says what it returns; false after a report.
  bool holdsNothing(const Def &def) {
    for (const Tree *statement : def.body()) {
      auto *expression = llvm::dyn_cast<ExprStmt>(statement);
      if (llvm::isa<Pass>(statement) || (expression && llvm::isa<StringLiteral, Dots>(expression->value())))
        continue;
      (void)compiler.diags.report(statement->range(), diag::InterfaceBody);
      return false;
    }
    if (!def.returnType())
      (void)compiler.diags.report(def.range(), diag::InterfaceReturn, def.name());
    return def.returnType() != nullptr;
  }

  const Type *declareInterface(bool module) {
    if (InterfaceType *known = context.findInterface(name))
      return known;
    InterfaceType *type = context.createInterface(name, module);
    for (const Tree *statement : tree.body()) {
      auto *def = llvm::dyn_cast<Def>(statement);
      if (!def)
        continue;
      if (!holdsNothing(*def))
        return nullptr;
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
      result.type = typeOf(def->returnType());
      if (!result.type)
        return nullptr;
      returns.push_back(result);
      type->addMethod(FunctionSchema(def->name().str(), "", std::move(arguments), std::move(returns)));
    }
    return type;
  }

  /// Appends the bases of a base class, and then itself, to the order, the last one first: a class that comes twice
  /// stands where it comes last. Each is visited once, however many ways lead to it.
  void inherit(const ClassDef &base, Resolver &home, unsigned depth) {
    if (depth > 50 || &base == &tree || !homes.try_emplace(&base, &home).second)
      return;
    for (const Tree *next : llvm::reverse(base.bases())) {
      std::string path = home.canonicalName(dottedName(next));
      if (const ClassDef *known = home.classDefinition(path))
        inherit(*known, home.definer(path), depth + 1);
    }
    order.push_back(&base);
  }

  static bool definesMethod(const ClassDef &classDef, StringRef method) {
    return llvm::any_of(classDef.body(), [&](const Tree *statement) {
      auto *def = llvm::dyn_cast<Def>(statement);
      return def && def->name() == method;
    });
  }

  /// The fields of a dataclass: those of the dataclasses that it derives from, then its own; one that is defined anew
  /// stays where it was.
  std::vector<const Assign *> dataclassFields(const ClassDef &classDef) {
    std::vector<const Assign *> fields;
    auto begin = llvm::find(order, &classDef);
    for (const ClassDef *each : llvm::reverse(llvm::make_range(begin, order.end()))) {
      llvm::SaveAndRestore inTextOf(resolver, homes.at(each));
      if (!dataclassOrder(*each))
        continue;
      for (const Tree *statement : each->body()) {
        auto *assign = llvm::dyn_cast<Assign>(statement);
        auto *field = assign && assign->type() ? llvm::dyn_cast<Var>(assign->targets().front()) : nullptr;
        const Tree *inner = nullptr;
        if (!field || isFinalAnnotation(*resolver, assign->type(), inner))
          continue;
        auto isSame = [&](const Assign *one) {
          return llvm::cast<Var>(one->targets().front())->name() == field->name();
        };
        if (auto known = llvm::find_if(fields, isSame); known != fields.end())
          *known = assign;
        else
          fields.push_back(assign);
      }
    }
    return fields;
  }

  /// Returns `T` of a field `x: InitVar[T]`, or null.
  const Tree *initVariable(const Assign &assign) {
    auto *generic = llvm::dyn_cast_or_null<Subscript>(assign.type());
    if (!generic || generic->indices().size() != 1 ||
        resolver->canonicalName(dottedName(generic->value())) != "dataclasses.InitVar")
      return nullptr;
    return generic->indices()[0];
  }

  /// Returns the statements by which the methods of a dataclass compare a field that may be None: those of `__eq__`,
  /// and those of an order, with @ in the place of the operator.
  static std::pair<std::string, std::string> comparisonOf(const std::string &field, const std::string &owner) {
    const std::string ours = "ours_" + field, others = "others_" + field;
    const std::string both = "        " + ours + ", " + others + " = self." + field + ", other." + field +
                             "\n        if " + ours + " is not None and " + others +
                             " is not None:\n            if not (" + ours + " == " + others +
                             "):\n                return ";
    const std::string oneIsNone = "        elif (" + ours + " is None) != (" + others + " is None):\n            ";
    return {both + "False\n" + oneIsNone + "return False\n", both + "bool(" + ours + " @ " + others + ")\n" +
                                                                 oneIsNone + "raise TypeError('Cannot compare " +
                                                                 owner + " with None')\n"};
  }

  static std::string withOperator(StringRef order, StringRef op) {
    llvm::SmallVector<StringRef, 8> parts;
    order.split(parts, " @ ");
    return llvm::join(parts, (" " + op + " ").str());
  }

  /// `@dataclass`: the methods that Python makes, as their text.
  bool declareDataclass(const ClassDef &classDef, bool isOrdered) {
    std::string parameters, body, shown, same = "True", less = "(", other, equal, ordering, forPostInit;
    bool hasOptional = false;
    std::string name = classDef.name().str();
    std::vector<std::string> &places = compiler.classes[type].matchNames;
    const bool hasPlaces = !places.empty(); // a class that derives from this one says more
    for (const Assign *assign : dataclassFields(classDef)) {
      auto *field = llvm::cast<Var>(assign->targets().front());
      const Tree *inner = nullptr;
      std::string fieldName = field->name().str(), type = assign->type()->spelling().str();
      if (!hasPlaces)
        places.push_back(fieldName);
      auto *call = llvm::dyn_cast_or_null<Apply>(assign->value());
      const Tree *value = assign->value(), *factory = nullptr;
      if (call && resolver->canonicalName(dottedName(call->callee())) == "dataclasses.field") {
        value = nullptr;
        for (const Tree *keyword : call->keywords())
          if (auto *named = llvm::dyn_cast<Keyword>(keyword))
            (named->name() == "default"           ? value
             : named->name() == "default_factory" ? factory
                                                  : inner) = named->value();
      }
      const Tree *argument = initVariable(*assign); // for `__post_init__` alone: the object has no such attribute
      if (argument)
        type = argument->spelling().str();
      parameters += ", " + fieldName + ": " + (factory ? "Optional[" + type + "] = None" : type);
      if (value)
        parameters += " = " + value->spelling().str();
      if (argument) {
        forPostInit += (forPostInit.empty() ? "" : ", ") + fieldName;
        continue;
      }
      std::string start = factory && factory->spelling() == "list"   ? "[]"
                          : factory && factory->spelling() == "dict" ? "{}"
                          : factory                                  ? "(" + factory->spelling().str() + ")()"
                                                                     : "";
      if (factory)
        body += "        if " + fieldName + " is not None:\n            self." + fieldName + ": " + type + " = " +
                fieldName + "\n        else:\n            self." + fieldName + ": " + type + " = " + start + "\n";
      else
        body += "        self." + fieldName + ": " + type + " = " + fieldName + "\n";
      shown += (shown.empty() ? "" : ", ") + fieldName + "={self." + fieldName + "!r}";
      hasOptional |= llvm::isa_and_nonnull<OptionalType>(tryTypeFromExpression(context, *resolver, assign->type()));
      auto [equals, precedes] = comparisonOf(fieldName, name);
      equal += equals;
      ordering += precedes;
      same += " and self." + fieldName + " == other." + fieldName;
      less += "self." + fieldName + ", ";
      other += "other." + fieldName + ", ";
    }
    if (llvm::any_of(order, [&](const ClassDef *each) { return definesMethod(*each, "__post_init__"); }))
      body += "        self.__post_init__(" + forPostInit + ")\n";
    std::string text = "class Made:\n";
    auto add = [&](StringRef method, const std::string &definition) {
      if (!definesMethod(classDef, method))
        text += definition;
    };
    add("__init__", "    def __init__(self" + parameters + "):\n" + (body.empty() ? "        pass\n" : body));
    add("__repr__", "    def __repr__(self) -> str:\n        return f\"" + name + "(" + shown + ")\"\n");
    add("__eq__", "    def __eq__(self, other: '" + name + "') -> bool:\n" +
                      (hasOptional ? equal + "        return True\n" : "        return " + same + "\n"));
    for (auto [method, op] : {std::pair("__lt__", "<"), {"__le__", "<="}, {"__gt__", ">"}, {"__ge__", ">="}})
      if (isOrdered)
        add(method, std::string("    def ") + method + "(self, other: '" + name + "') -> bool:\n" +
                        (hasOptional ? withOperator(ordering, op) + "        return " +
                                           (StringRef(op).ends_with("=") ? "True\n" : "False\n")
                                     : "        return " + less + ") " + op + " (" + other + ")\n"));
    text += "    def _made(self) -> None:\n        pass\n";
    const SyntaxTree *made = compiler.parse(context.sources().add("<dataclass " + name + ">", text));
    if (!made)
      return false;
    for (const Tree *statement : llvm::cast<ClassDef>(made->statements().front())->body())
      if (auto *def = llvm::cast<Def>(statement); def->name() != "_made" && !declareMethod(*def, classDef))
        return false;
    return true;
  }

  /// Whether a class is a dataclass, and whether its objects have an order.
  std::optional<bool> dataclassOrder(const ClassDef &classDef) {
    for (const Tree *decorator : classDef.decorators()) {
      auto *call = llvm::dyn_cast<Apply>(decorator);
      if (resolver->canonicalName(dottedName(call ? call->callee() : decorator)) != "dataclasses.dataclass")
        continue;
      bool isOrdered = false;
      if (call)
        for (const Tree *keyword : call->keywords())
          if (auto *named = llvm::dyn_cast<Keyword>(keyword); named && named->name() == "order")
            if (auto *value = llvm::dyn_cast<BoolLiteral>(named->value()))
              isOrdered = value->value();
      return isOrdered;
    }
    return std::nullopt;
  }

  static std::vector<std::string> strings(const Tree *tree) {
    std::vector<std::string> result;
    if (tree && (llvm::isa<ListLiteral>(tree) || llvm::isa<TupleLiteral>(tree)))
      for (const Tree *element : tree->children())
        if (auto *text = llvm::dyn_cast<StringLiteral>(element))
          result.push_back(text->value().str());
    return result;
  }

  /// What an object has until it is given another: the last of a body counts, and a class before its bases.
  void addDefault(StringRef attribute, IValue value) {
    auto &defaults = compiler.classes[type].constants;
    if (defaults.try_emplace(attribute, value).second)
      defaultsOfBody.insert(attribute);
    else if (defaultsOfBody.contains(attribute))
      defaults.insert_or_assign(attribute, std::move(value));
  }

  /// `x : T`, `__parameters__ = […]`, `__annotations__["0"] = T`, `x : Final[T] = v`, `X = v`.
  bool declareAttribute(const Assign &assign) {
    return llvm::all_of(assign.targets(), [&](const Tree *target) { return declareAttribute(assign, target); });
  }
  bool declareAttribute(const Assign &assign, const Tree *target) {
    if (auto *subscript = llvm::dyn_cast<Subscript>(target)) {
      auto *key = subscript->indices().size() == 1 ? llvm::dyn_cast<StringLiteral>(subscript->indices()[0]) : nullptr;
      if (auto *table = llvm::dyn_cast<Var>(subscript->value());
          !key || !assign.value() || !table || table->name() != "__annotations__") {
        (void)compiler.diags.report(target->range(), diag::ClassBody);
        return false;
      }
      const Type *attributeType = typeOf(assign.value());
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
        (attribute == "__parameters__" ? parameters : buffers).insert(entry);
      return true;
    }
    if (attribute == "__match_args__") {
      if (std::vector<std::string> &places = compiler.classes[type].matchNames; places.empty())
        places = strings(assign.value());
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
    if (initVariable(assign))
      return true;
    const Tree *inner = nullptr;
    if (assign.type() && isFinalAnnotation(*resolver, assign.type(), inner)) {
      const Type *constantType = inner ? typeOf(inner) : nullptr;
      if (inner && !constantType)
        return false;
      if (!assign.value())
        return !constantType || addAttribute(attribute, constantType);
      if (std::optional<IValue> value = compiler.evaluateConstant(assign.value(), constantType, *resolver))
        addDefault(attribute, *value);
      return true;
    }
    if (assign.type()) {
      const Type *attributeType = typeOf(assign.type());
      if (!attributeType || !addAttribute(attribute, attributeType))
        return false;
      if (!assign.value())
        return true;
      std::optional<IValue> value = compiler.evaluateConstant(assign.value(), attributeType, *resolver);
      if (value && isInstanceOf(*value, attributeType)) {
        addDefault(attribute, *value);
        return true;
      }
      if (!resolver->followsPython() || resolver->isPrinted())
        return true;
      (void)compiler.diags.report(assign.value()->range(), diag::AttributeDefault, attribute, attributeType->str());
      return false;
    }
    if (assign.value())
      if (std::optional<IValue> value = compiler.evaluateConstant(assign.value(), nullptr, *resolver))
        addDefault(attribute, *value);
    return true;
  }

  bool addAttribute(StringRef attribute, const Type *attributeType) {
    if (type->findAttribute(attribute))
      return true;
    AttributeKind kind = parameters.contains(attribute) ? AttributeKind::Parameter
                         : buffers.contains(attribute)  ? AttributeKind::Buffer
                                                        : AttributeKind::Regular;
    type->addAttribute(attribute, attributeType, kind);
    return true;
  }

  /// "property", "x.setter", "staticmethod", or empty.
  std::string decoratorOf(const Def &def) {
    for (const Tree *decorator : def.decorators()) {
      std::string path = resolver->canonicalName(dottedName(decorator));
      if (path == "property" || path == "staticmethod" || path == "classmethod" || StringRef(path).ends_with(".setter"))
        return path;
    }
    return "";
  }

  /// `text` is the class whose text the method is: this one, or one that it derives from.
  bool declareMethod(const Def &def, const ClassDef &text) {
    // What every class that can be made defines anew: there is nothing to compile.
    for (const Tree *each : def.decorators())
      if (std::string path = resolver->canonicalName(dottedName(each)); path == "abc.abstractmethod")
        return true;
    std::string decorator = decoratorOf(def);
    std::string method = def.name().str();
    if (decorator == "classmethod") {
      compiler.classes[type].classMethods.try_emplace(method, &def);
      return true;
    }
    const bool isSetter = StringRef(decorator).ends_with(".setter");
    std::string known = isSetter ? method + "_setter" : decorator == "property" ? method + "_getter" : method;
    bool isOverridden = false;
    if (!declared.insert(known).second) { // overridden: what super() finds
      if (&text == &tree && !isSetter) {
        (void)compiler.diags.report(def.range(), diag::DuplicateDefinition, method);
        return false;
      }
      if (!decorator.empty())
        return true;
      const std::string stem = known = "__super_" + text.name().str() + "_" + method;
      for (unsigned i = 1; !declared.insert(known).second; ++i) // bases of one name, from several files
        known = stem + "_" + std::to_string(i);
      isOverridden = true;
    }
    // A static method is a function beside the class: archives hold no others in classes than methods.
    const bool isStatic = decorator == "staticmethod";
    Function *function =
        compiler.declareFunction(def, name + (isStatic ? "__" : ".") + known, isStatic ? nullptr : type, *resolver);
    if (!function)
      return false;
    if (decorator == "staticmethod") {
      if (!type->findStaticMethod(method))
        type->addStaticMethod(method, function);
      return true;
    }
    compiler.textOwners[function] = &text;
    if (isOverridden)
      compiler.classes[type].overridden[{&text, method}] = function;
    type->addMethod(function); // getters and setters are called by name too
    if (decorator == "property")
      type->addProperty({method, function, nullptr});
    else if (isSetter)
      if (auto *property = const_cast<ClassProperty *>(type->findProperty(method)))
        property->setter = function;
    return true;
  }

  bool declareBody(const ClassDef &classDef) {
    defaultsOfBody.clear();
    llvm::SaveAndRestore inTextOf(resolver, homes.at(&classDef)); // its names are those of its file
    std::optional<bool> isOrdered = dataclassOrder(classDef);
    for (const Tree *statement : classDef.body())
      if (auto *assign = llvm::dyn_cast<Assign>(statement);
          assign && !(isOrdered && assign->type()) && !declareAttribute(*assign))
        return false;
    for (const Tree *statement : classDef.body()) {
      if (llvm::isa<Assign, Pass>(statement))
        continue;
      if (auto *expr = llvm::dyn_cast<ExprStmt>(statement); expr && llvm::isa<StringLiteral, Dots>(expr->value()))
        continue;
      auto *def = llvm::dyn_cast<Def>(statement);
      if (StringRef words = unsupportedWords(statement->kind()); !def && !words.empty()) {
        (void)compiler.diags.report(statement->range(), diag::UnsupportedSyntax, words);
        return false;
      }
      if (!def) {
        (void)compiler.diags.report(statement->range(), diag::ClassBody);
        return false;
      }
      if (!declareMethod(*def, classDef))
        return false;
    }
    return !isOrdered || declareDataclass(classDef, *isOrdered);
  }

  const Type *declareClass(bool module) {
    type = context.classType(name);
    type->setIsModule(module);
    type->setDefined();
    ClassInfo &info = compiler.classes[type];
    info.tree = &tree;
    info.resolver = resolver;
    order.insert(order.begin(), &tree);
    homes[&tree] = resolver;
    info.order.assign(order.begin(), order.end());
    for (const ClassDef *each : order)
      if (!declareBody(*each))
        return nullptr;
    // What __init__ sets are the attributes of a class in source: they have to be known before anyone reads one.
    if (Function *init = type->findMethod("__init__");
        init && !module && !init->isBeingDefined() && (type->numAttributes() == 0 || !info.constants.empty()))
      if (failed(init->ensureDefined()))
        return nullptr;
    if (Function *after = type->findMethod("__post_init__"); after && !module && !after->isBeingDefined())
      if (failed(after->ensureDefined()))
        return nullptr;
    compiler.noteOnType(*type, &tree);
    return type;
  }

  Compiler::Impl &compiler;
  Context &context;
  const ClassDef &tree;
  std::string name;
  Resolver *resolver; ///< Of the text that is being read: of the class, or of one that it derives from.
  std::vector<std::pair<const ClassDef *, Resolver *>> direct; ///< The bases that the class names.
  std::map<const ClassDef *, Resolver *> homes;
  ClassType *type = nullptr;
  llvm::StringSet<> parameters, buffers;
  llvm::StringSet<> defaultsOfBody;    ///< Those that the body being declared has added.
  std::vector<const ClassDef *> order; ///< The class and its bases, in the order in which methods are looked up.
  std::set<std::string> declared;
};

} // namespace

const Type *Compiler::Impl::declareClass(const ClassDef &tree, StringRef qualifiedName, Resolver &resolver) {
  return ClassDeclarer(*this, tree, qualifiedName, resolver).declare();
}

void Compiler::Impl::noteOnType(ClassType &type, const ClassDef *tree) {
  if (tree && !tree->body().empty())
    if (auto *first = llvm::dyn_cast<ExprStmt>(tree->body().front()))
      if (auto *text = llvm::dyn_cast<StringLiteral>(first->value()))
        type.setDocString(StringRef(text->value()).str());
  const llvm::StringMap<IValue> &constants = classes[&type].constants;
  std::vector<StringRef> names(constants.keys().begin(), constants.keys().end());
  llvm::sort(names); // tables have no order
  for (StringRef name : names)
    if (!type.hasAttribute(name) && !type.hasConstant(name))
      type.addConstant(name, constants.lookup(name));
}
