//===- ModuleTypes.cpp - From modules to classes of compiled code ---------===//
//
// Each module that was made gets a class of its own structure: attributes typed
// from their values, the types of its children among them. Modules of equal
// structure share their class, and with it the code of their methods. What no
// code writes after construction is a constant of the class, so that branches on
// it are decided while compiling.
//
//===----------------------------------------------------------------------===//
#include "../Emitter/SourceResolver.h"
#include "../Emitter/TypeExpressions.h"
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;
using namespace tsc::python;

namespace tsc::python {
/// Finds the types of one module's attributes, then its class and its object.
class ModuleCompiler {
public:
  ModuleCompiler(Evaluator &evaluator, InstanceObject &instance, SourceRange range)
      : evaluator(evaluator), compiler(evaluator.compiler), instance(instance), range(range) {}

  ObjectValue *compile() {
    key = qualifiedName();
    for (auto &[name, slot] : instance.slots)
      if (!addSlot(name, slot))
        return nullptr;
    for (ClassObject *type : llvm::reverse(instance.type->order))
      for (auto &[name, value] : type->attributes)
        if (!instance.slots.find(name))
          addClassAttribute(name, value);
    for (const std::vector<FunctionObject *> *hooks : {&instance.preHooks, &instance.hooks}) {
      key += "\n^";
      for (const FunctionObject *hook : *hooks)
        key += std::to_string(reinterpret_cast<uintptr_t>(hook->tree)) + ",";
    }
    ClassType *type = findType();
    if (!type)
      return nullptr;
    if (!instance.compiled || instance.compiled->type != type)
      instance.compiled = makeRef<ObjectValue>(type, type->numAttributes());
    for (auto [i, attribute] : llvm::enumerate(attributes))
      instance.compiled->slots[i] = attribute.value;
    return instance.compiled.get();
  }

private:
  struct Attribute {
    std::string name;
    const Type *type;
    AttributeKind kind;
    IValue value;
  };

  std::string qualifiedName() const {
    StringRef path = instance.type->isLibrary ? "torch.nn" : instance.type->file->resolver->modulePath();
    return "__torch__." + (path.empty() ? "" : path.str() + ".") + instance.type->name;
  }

  /// What the class bodies say about the attribute; null for nothing.
  const Tree *annotationOf(StringRef name, Resolver *&resolver) {
    for (ClassObject *type : instance.type->order)
      for (const Tree *statement : type->tree->body())
        if (auto *assign = llvm::dyn_cast<Assign>(statement); assign && assign->type())
          if (auto *var = llvm::dyn_cast<Var>(assign->targets()[0]); var && var->name() == name) {
            resolver = type->file->resolver;
            return assign->type();
          }
    return nullptr;
  }

  void addAttribute(StringRef name, const Type *type, AttributeKind kind, IValue value) {
    key += "\n" + name.str() + ":" + type->annotation() + ":" + std::to_string(static_cast<int>(kind));
    attributes.push_back({name.str(), type, kind, std::move(value)});
  }

  void addConstant(StringRef name, const IValue &value) {
    llvm::raw_string_ostream os(key);
    os << '\n' << name << '=' << static_cast<int>(value.getTag());
    reprValue(os, value);
    constants[name] = value;
  }

  void addUntyped(StringRef name, std::string why) {
    key += "\n" + name.str() + "?" + why;
    untyped[name] = std::move(why);
  }

  static bool isPlain(const IValue &value) {
    if (value.isTuple())
      return llvm::all_of(value.toTuple().elements, isPlain);
    return value.isScalar() || value.isString() || value.isNone() || value.isDevice() || value.isEnum();
  }

  /// Whether a method of the module, other than its constructor, reads an attribute of the name.
  bool isRead(StringRef name) const {
    auto reads = [&](auto &&self, const Tree *tree) -> bool {
      auto *select = llvm::dyn_cast_or_null<Select>(tree);
      if (select && select->name() == name)
        return true;
      return tree && llvm::any_of(tree->children(), [&](const Tree *child) { return self(self, child); });
    };
    return llvm::any_of(instance.type->order, [&](const ClassObject *type) {
      return llvm::any_of(type->tree->body(), [&](const Tree *statement) {
        auto *def = llvm::dyn_cast<Def>(statement);
        return def && def->name() != "__init__" && reads(reads, def);
      });
    });
  }

  /// The class of a plain object in compiled code; null where there is none.
  const ClassType *classOf(const AnyValue &value) {
    auto *object = value.as<InstanceObject>();
    if (!object || object->type->isModule || object->type->isLibrary || !object->type->exceptionBase.empty())
      return nullptr;
    return llvm::dyn_cast_or_null<ClassType>(object->type->file->resolver->classNamed(object->type->name));
  }

  /// The type of a NamedTuple of the user's in compiled code; null where it has none.
  const TupleType *namedTupleOf(const AnyValue &value) {
    auto *tuple = value.as<TupleObject>();
    return tuple && tuple->type ? evaluator.compiledNamedTuple(*tuple->type) : nullptr;
  }

  /// An object of a class of the user's, one in compiled code however many attributes hold it. Nothing where an
  /// attribute is not of the type that the class gives it.
  std::optional<IValue> fitObject(InstanceObject &object, const ClassType *type) {
    if (object.isBeingCompiled)
      return std::nullopt;
    // Looked at once for each module: objects that others hold twice would double the work with every level.
    if (fittedObjects.contains(&object) && object.compiled && object.compiled->type == type)
      return IValue(Ref<ObjectValue>::share(object.compiled.get()));
    object.isBeingCompiled = true;
    auto leave = llvm::make_scope_exit([&] { object.isBeingCompiled = false; });
    if (object.compiled && object.compiled->type == type) {
      evaluator.takeOverContainers(object); // what compiled code wrote counts
      for (auto &[name, slot] : object.slots)
        (void)evaluator.instanceAttribute(object, name, range);
    } else {
      object.compiled = makeRef<ObjectValue>(const_cast<ClassType *>(type), type->numAttributes());
    }
    for (auto [i, attribute] : llvm::enumerate(type->attributes())) {
      Slot *slot = object.slots.find(attribute.name);
      std::optional<IValue> fitted = slot ? fit(slot->value, attribute.type) : std::nullopt;
      if (!fitted)
        return object.compiled = nullptr, std::nullopt;
      object.compiled->slots[i] = std::move(*fitted);
    }
    fittedObjects.insert(&object);
    return IValue(Ref<ObjectValue>::share(object.compiled.get()));
  }

  /// A value as the type wants it: numbers and None inside containers; nothing where it does not fit.
  std::optional<IValue> fit(const AnyValue &value, const Type *type) {
    if (auto *optional = llvm::dyn_cast<OptionalType>(type))
      return value.isNone() ? IValue() : fit(value, optional->element());
    if (type->isFloat() && value.isInt())
      return IValue(value.toDouble());
    if (auto *list = llvm::dyn_cast<ListType>(type)) {
      auto *elements = value.as<ListObject>();
      if (!elements)
        return std::nullopt;
      IValue result = makeList(list->element());
      for (const AnyValue &element : elements->elements) {
        std::optional<IValue> fitted = fit(element, list->element());
        if (!fitted)
          return std::nullopt;
        appendToList(result, std::move(*fitted));
      }
      return result;
    }
    if (auto *dict = llvm::dyn_cast<DictType>(type)) {
      auto *entries = value.as<DictObject>();
      if (!entries)
        return std::nullopt;
      auto result = makeRef<DictValue>(dict->key(), dict->value());
      for (auto &[name, entry] : entries->entries) {
        std::optional<IValue> first = fit(name, dict->key()), second = fit(entry, dict->value());
        if (!first || !second)
          return std::nullopt;
        result->set(std::move(*first), std::move(*second));
      }
      return IValue(std::move(result));
    }
    if (auto *tuple = llvm::dyn_cast<TupleType>(type); tuple && value.as<TupleObject>()) {
      auto &elements = value.as<TupleObject>()->elements;
      std::vector<IValue> parts;
      if (elements.size() != tuple->elements().size())
        return std::nullopt;
      for (size_t i = 0; i != elements.size(); ++i)
        if (std::optional<IValue> part = fit(elements[i], tuple->elements()[i]))
          parts.push_back(std::move(*part));
      if (parts.size() == elements.size() && (!tuple->isNamed() || namedTupleOf(value) == tuple))
        return makeTuple(std::move(parts), tuple->isNamed() ? tuple : nullptr);
      if (tuple->isNamed())
        return std::nullopt;
    }
    if (auto *object = value.as<InstanceObject>(); object && classOf(value) == type)
      return fitObject(*object, llvm::cast<ClassType>(type));
    if (value.object) {
      std::optional<IValue> data = isData(value) ? evaluator.toData(value, range) : std::nullopt;
      return data && isInstanceOf(*data, type) ? data : std::nullopt;
    }
    return isInstanceOf(value.data, type) ? std::optional(value.data) : std::nullopt;
  }

  /// Whether compiled code has a type for the value.
  bool isData(const AnyValue &value) {
    if (!value.object)
      return true;
    Evaluator::Nesting nesting(evaluator);
    if (!nesting.isAllowed())
      return false;
    auto all = [&](const std::vector<AnyValue> &values) {
      return llvm::all_of(values, [&](auto &v) { return isData(v); });
    };
    if (auto *tuple = value.as<TupleObject>())
      return all(tuple->elements);
    if (auto *list = value.as<ListObject>())
      return !list->elements.empty() && all(list->elements) && llvm::all_of(list->elements, [&](const AnyValue &v) {
        return evaluator.typeName(v) == evaluator.typeName(list->elements[0]) || (v.isNumber() && !v.data.isBool());
      });
    if (auto *dict = value.as<DictObject>())
      return !dict->entries.empty() && llvm::all_of(dict->entries, [&](auto &entry) {
        return isData(entry.first) && isData(entry.second) &&
               evaluator.typeName(entry.first) == evaluator.typeName(dict->entries[0].first) &&
               evaluator.typeName(entry.second) == evaluator.typeName(dict->entries[0].second);
      });
    return false;
  }

  /// One list or dict that several attributes hold stays one.
  void shareContainer(const AnyValue &value, IValue &data) {
    const Type *type = value.as<ListObject>() || value.as<DictObject>() ? data.dynamicType(compiler.context) : nullptr;
    if (type)
      data = evaluator.sharedContainers.try_emplace({value.object, type->annotation()}, data).first->second;
  }

  bool addSlot(StringRef name, Slot &slot) {
    const AnyValue &value = slot.value;
    auto *child = value.as<InstanceObject>();
    if (slot.kind == SlotKind::Module && child) {
      ObjectValue *object = evaluator.compiledModule(*child, range);
      if (!object)
        return false;
      children.push_back(name.str());
      addAttribute(name, object->type, AttributeKind::Regular, IValue(Ref<ObjectValue>::share(object)));
      return true;
    }
    if (slot.kind == SlotKind::Parameter || slot.kind == SlotKind::Buffer) {
      if (slot.kind == SlotKind::Parameter)
        children.push_back(name.str());
      AttributeKind kind = slot.kind == SlotKind::Parameter ? AttributeKind::Parameter : AttributeKind::Buffer;
      bool isNone = value.isNone();
      addAttribute(name, isNone ? Type::noneType() : Type::tensorType(), isNone ? AttributeKind::Regular : kind,
                   value.data);
      return true;
    }
    Resolver *resolver = instance.type->file->resolver;
    const Tree *annotation = slot.annotation ? slot.annotation : annotationOf(name, resolver), *inner = nullptr;
    bool isFinal = annotation && isFinalAnnotation(*resolver, annotation, inner);
    if (isFinal)
      annotation = inner;
    if (annotation && value.isNone() && namesModule(*resolver, annotation)) // Optional[nn.Linear]
      annotation = nullptr;
    if (annotation) {
      const Type *type = typeFromExpression(compiler.context, compiler.diags, *resolver, annotation);
      std::optional<IValue> fitted = type ? fit(value, type) : std::nullopt;
      if (!type)
        return false;
      if (!fitted) {
        (void)compiler.diags.report(annotation->range(), diag::AnnotatedAttribute, name, type->annotation(),
                                    evaluator.typeName(value));
        return false;
      }
      shareContainer(value, *fitted);
      if (isPlain(*fitted) && (isFinal || isConstantName(name)) && !llvm::isa<OptionalType>(type))
        addConstant(name, *fitted);
      else
        addAttribute(name, type, AttributeKind::Regular, std::move(*fitted));
      return true;
    }
    return addInferred(name, value);
  }

  /// Whether an annotation speaks of modules, which have no type of their own.
  bool namesModule(Resolver &resolver, const Tree *annotation) {
    const std::string path = resolver.canonicalName(dottedName(annotation));
    auto *file = dynamic_cast<SourceResolver *>(&resolver);
    if (!path.empty() && (path == "torch.nn.Module" || isLibraryModule(compiler, path) ||
                          (file && file->isModuleClass(dottedName(annotation)))))
      return true;
    return !llvm::isa<Select, Var>(annotation) &&
           llvm::any_of(annotation->children(), [&](const Tree *part) { return part && namesModule(resolver, part); });
  }

  bool isConstantName(StringRef name) const { return name != "training" && !evaluator.assignedNames.contains(name); }

  bool addInferred(StringRef name, const AnyValue &value) {
    if (SugaredValue *function = functionOf(value)) {
      sugared[name] = function;
      return true;
    }
    if (const TupleType *type = value.as<TupleObject>() && isRead(name) ? namedTupleOf(value) : nullptr)
      if (std::optional<IValue> tuple = fit(value, type)) {
        addAttribute(name, type, AttributeKind::Regular, std::move(*tuple));
        return true;
      }
    if (auto *tuple = value.as<TupleObject>(); tuple && tuple->type) {
      addUntyped(name, "a value of type '" + evaluator.typeName(value) + "'");
      return true;
    }
    if (const ClassType *type = value.as<InstanceObject>() && isRead(name) ? classOf(value) : nullptr)
      if (std::optional<IValue> object = fitObject(*value.as<InstanceObject>(), type)) {
        addAttribute(name, type, AttributeKind::Regular, std::move(*object));
        return true;
      }
    if (!isData(value)) {
      if (evaluator.isRefused)
        return false;
      auto *list = value.as<ListObject>();
      auto *dict = value.as<DictObject>();
      bool isEmpty = (list && list->elements.empty()) || (dict && dict->entries.empty());
      auto isModule = [](const AnyValue &element) {
        auto *one = element.as<InstanceObject>();
        return one && one->type->isModule;
      };
      if (list && llvm::any_of(list->elements, isModule)) {
        addUntyped(name,
                   "a plain list of modules; nn.ModuleList(...) around it registers them, so that code can use them");
        return true;
      }
      addUntyped(name, isEmpty ? "an empty " + evaluator.typeName(value) +
                                     ", whose type is known only from an annotation in the class"
                               : "a value of type '" + evaluator.typeName(value) + "'");
      return true;
    }
    std::optional<IValue> data = evaluator.toData(value, range);
    if (!data)
      return false;
    shareContainer(value, *data);
    if (isPlain(*data) && (isConstantName(name) || data->isNone()) && !(data->isNone() && !isConstantName(name)))
      addConstant(name, *data);
    else if (const Type *type = data->dynamicType(compiler.context))
      addAttribute(name, type, AttributeKind::Regular, std::move(*data));
    return true;
  }

  /// A function of the file or of a library, held by an attribute.
  SugaredValue *functionOf(const AnyValue &value) {
    if (auto *library = value.as<LibraryObject>()) {
      SugaredValue *known = libraryValue(compiler, compiler.arena, library->path);
      if (known && !llvm::isa<NamespaceSugar>(known)) {
        key += "\n@" + library->path;
        return known;
      }
    }
    if (auto *partial = value.as<PartialObject>())
      return partialOf(*partial);
    auto *function = value.as<FunctionObject>();
    auto *def = function && !function->owner ? llvm::dyn_cast<Def>(function->tree) : nullptr;
    if (!def || function->closure || function->file->resolver->definition(def->name()) != def)
      return nullptr;
    key += "\n@" + def->name().str();
    return function->file->resolver->resolveValue(def->name(), def->range());
  }

  /// The same of a function that has some of its arguments already, where those are plain values.
  SugaredValue *partialOf(const PartialObject &partial) {
    SugaredValue *callee = functionOf(partial.function);
    std::vector<SugaredArgument> given;
    auto add = [&](const AnyValue &value, const std::string &name) {
      std::optional<IValue> data = isData(value) ? evaluator.toData(value, range) : std::nullopt;
      if (!data || !isPlain(*data))
        return false;
      llvm::raw_string_ostream os(key);
      os << "\n(" << name << '=' << static_cast<int>(data->getTag());
      reprValue(os, *data);
      given.push_back({compiler.arena.make<ConstantSugar>(*data), range, name});
      return true;
    };
    bool ok = callee != nullptr;
    for (const AnyValue &value : partial.given.positional)
      ok = ok && add(value, "");
    for (const KeywordValue &keyword : partial.given.keywords)
      ok = ok && add(keyword.value, keyword.name);
    return ok ? compiler.arena.make<PartialSugar>(callee, std::move(given)) : nullptr;
  }

  void addClassAttribute(StringRef name, const AnyValue &value) {
    if (name.starts_with("__") || value.as<FunctionObject>())
      return;
    if (SugaredValue *function = functionOf(value)) {
      sugared[name] = function;
      return;
    }
    std::optional<IValue> data = isData(value) ? evaluator.toData(value, range) : std::nullopt;
    if (data && isPlain(*data))
      addConstant(name, *data);
    else if (data && !data->isTensor())
      addAttribute(name, data->dynamicType(compiler.context), AttributeKind::Regular, std::move(*data));
    else
      addUntyped(name, "a value of type '" + evaluator.typeName(value) + "'");
  }

  /// Parameters of a hook that have no annotation are of the types that calls of `forward` give them.
  void giveTypesOfForward(const Def &def, Function &hook, const ClassType &type) {
    auto params = def.params();
    auto isOpen = [&](size_t i) { return i < params.size() && !params[i]->type(); };
    Function *forward = isOpen(1) || isOpen(2) ? compiler.moduleMethod(&type, "forward") : nullptr;
    if (!forward || !forward->hasSchema())
      return;
    std::vector<Argument> arguments = hook.schema().arguments().vec();
    std::vector<const Type *> inputs;
    for (const Argument &argument : forward->schema().arguments().drop_front())
      inputs.push_back(argument.type);
    if (isOpen(1))
      arguments[1].type = compiler.context.tupleOf(inputs);
    if (isOpen(2) && !forward->schema().returns().empty())
      arguments[2].type = forward->schema().returns()[0].type;
    hook.setSchema(FunctionSchema(hook.schema().name().str(), "", std::move(arguments), hook.schema().returns().vec()));
  }

  /// Hooks are methods, which calls of the module call around `forward`.
  bool addHooks(ClassType &type) {
    for (bool isBefore : {true, false})
      for (const FunctionObject *hook : isBefore ? instance.preHooks : instance.hooks) {
        auto *def = llvm::cast<Def>(hook->tree);
        Function *declared = type.findMethod(def->name());
        if (!declared) {
          declared =
              compiler.declareFunction(*def, (type.name() + "." + def->name()).str(), &type, *hook->file->resolver);
          if (!declared)
            return false;
          giveTypesOfForward(*def, *declared, type);
          type.addMethod(declared);
        }
        (isBefore ? type.forwardHooks().before : type.forwardHooks().after).push_back(def->name().str());
      }
    return true;
  }

  ClassType *findType() {
    // Classes of one name that are several are told apart by their address.
    key += "\n#" + std::to_string(reinterpret_cast<uintptr_t>(instance.type));
    for (const std::string &child : children)
      key += "\n/" + child;
    ClassType *&type = evaluator.moduleTypes[key];
    if (type)
      return type;
    std::string name = qualifiedName();
    if (!evaluator.namesOfTypes.insert(name).second)
      name = mangledName(compiler.context, name);
    type = compiler.context.classType(name);
    type->setIsModule(true);
    type->setDefined();
    for (const Attribute &attribute : attributes)
      type->addAttribute(attribute.name, attribute.type, attribute.kind);
    ClassInfo &info = compiler.classes[type];
    info.constants = std::move(constants);
    info.module = std::make_unique<ModuleInfo>();
    ModuleInfo &module = *info.module;
    module.type = instance.type;
    module.madeAt = instance.madeAt;
    module.children = std::move(children);
    module.sugared = std::move(sugared);
    module.untyped = std::move(untyped);
    std::vector<StringRef> unresolved(module.untyped.keys().begin(), module.untyped.keys().end());
    llvm::sort(unresolved); // tables have no order
    for (StringRef attribute : unresolved)
      type->addUnresolvedAttribute(attribute.str());
    compiler.noteOnType(*type, instance.type->tree);
    module.isDict = instance.type->derivesFrom("ModuleDict") || instance.type->derivesFrom("ParameterDict");
    module.isList = instance.type->derivesFrom("ModuleList") || instance.type->derivesFrom("Sequential") ||
                    instance.type->derivesFrom("ParameterList");
    return addHooks(*type) ? type : nullptr;
  }

  Evaluator &evaluator;
  Compiler::Impl &compiler;
  InstanceObject &instance;
  SourceRange range;
  std::string key; ///< Equal for modules that share a class.
  std::vector<Attribute> attributes;
  std::vector<std::string> children;
  llvm::DenseSet<const InstanceObject *> fittedObjects;
  llvm::StringMap<IValue> constants;
  llvm::StringMap<SugaredValue *> sugared;
  llvm::StringMap<std::string> untyped;
};
} // namespace tsc::python

ObjectValue *Evaluator::compiledModule(InstanceObject &instance, SourceRange range) {
  if (instance.compiled && instance.compiledAt == changes)
    return instance.compiled.get();
  if (instance.isBeingCompiled) {
    raise(range, "RecursionError", "module '" + instance.type->name + "' holds itself");
    return nullptr;
  }
  instance.isBeingCompiled = true;
  const bool isOutermost = numBeingCompiled++ == 0;
  auto leave = llvm::make_scope_exit([&] {
    instance.isBeingCompiled = false;
    --numBeingCompiled;
    if (isOutermost)
      sharedContainers.clear();
  });
  for (auto &[name, slot] : instance.slots) // what compiled code wrote counts
    if (instance.compiled && slot.kind != SlotKind::Module)
      (void)instanceAttribute(instance, name, range);
  ObjectValue *object = ModuleCompiler(*this, instance, range).compile();
  if (object)
    instance.compiledAt = changes;
  return object;
}

void Evaluator::takeOverContainers(InstanceObject &module) {
  llvm::DenseSet<InstanceObject *> seen;
  takeOverContainers(module, seen);
}

void Evaluator::takeOverContainers(InstanceObject &module, llvm::DenseSet<InstanceObject *> &seen) {
  if (!seen.insert(&module).second) // objects may hold each other
    return;
  for (auto &[name, slot] : module.slots) {
    if (auto *child = slot.value.as<InstanceObject>()) {
      takeOverContainers(*child, seen);
      continue;
    }
    auto *list = slot.value.as<ListObject>();
    auto *dict = slot.value.as<DictObject>();
    auto at = (list || dict) && module.compiled ? module.compiled->type->findAttribute(name) : std::nullopt;
    if (!at)
      continue;
    AnyValue now = fromData(module.compiled->slots[*at]);
    if (auto *elements = now.as<ListObject>(); elements && list)
      list->elements = elements->elements;
    if (auto *entries = now.as<DictObject>(); entries && dict)
      dict->entries = entries->entries;
  }
}

//===-- Methods ------------------------------------------------------------===//

ModuleMethod ClassObject::methodOf(const AnyValue &value) const {
  ModuleMethod method;
  method.owner = this;
  auto *function = value.as<FunctionObject>();
  method.tree = function ? llvm::dyn_cast<Def>(function->tree) : nullptr;
  if (method.tree) {
    method.resolver = function->file->resolver;
    method.binding = function->binding;
  }
  return method;
}

std::optional<ModuleMethod> ClassObject::findMethod(StringRef name, const ModuleClass *after) const {
  for (ClassObject *one : order) {
    if (after) {
      after = one == after ? nullptr : after;
      continue;
    }
    AnyValue *value = one->attributes.find(name);
    if (!value)
      continue;
    ModuleMethod method = one->methodOf(*value);
    return method.tree ? std::optional(method) : std::nullopt;
  }
  return std::nullopt;
}

void ClassObject::forEachAttribute(llvm::function_ref<void(StringRef name, const ModuleMethod &method)> visit) const {
  for (ClassObject *one : order)
    for (auto &[name, value] : one->attributes)
      visit(name, one->methodOf(value));
}

/// Whether a class is one of those that a value stands for; nothing for a value that is no class.
static std::optional<bool> isOneOfValue(const ClassObject &type, const AnyValue &of, bool isExact) {
  if (auto *tuple = of.as<TupleObject>()) {
    for (const AnyValue &element : tuple->elements)
      if (std::optional<bool> one = isOneOfValue(type, element, isExact); !one || *one)
        return one;
    return false;
  }
  auto *other = of.as<ClassObject>();
  if (!other)
    return std::nullopt;
  if (isExact)
    return &type == other;
  return (other->isLibrary && other->name == "Module") || &type == other || type.derivesFrom(other);
}

std::optional<bool> Evaluator::isOneOf(const ModuleClass &type, const Tree *named, const Resolver &file, bool isExact) {
  const AnyValue *value = globalOf(named, file);
  return value ? isOneOfValue(static_cast<const ClassObject &>(type), *value, isExact) : std::nullopt;
}
