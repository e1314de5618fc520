//===- PythonPrinter.cpp - Graphs back to TorchScript source --------------===//
#include "tsc/Serialization/PythonPrinter.h"
#include "PythonFunction.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "llvm/ADT/SetVector.h"

using namespace tsc;

struct PythonPrinter::Impl final : PythonReferences {
  void needs(const Type *type) override;
  void needs(Function *function) override { definitions.insert({nullptr, function}); }
  unsigned constant(const IValue &value) override;
  void needsPythonMeaning() override { code.pythonModules.insert(currentModule); }
  void needsVersion(int64_t version) override { code.version = std::max(code.version, version); }
  unsigned place(SourceRange range) override {
    places.push_back(range);
    return places.size() - 1;
  }

  Status printAll();
  unsigned numMethods() const;
  Status print(const Type *type);
  Status printClass(const ClassType &type);
  std::string constantsOf(const ClassType &type);
  std::string typeOfConstant(const IValue &value);
  void printInterface(const InterfaceType &type);
  Status printEnum(const EnumType &type);
  void printNamedTuple(const TupleType &type);
  Status printFunction(Function &function, StringRef name, bool isMethod, unsigned indent, std::string &out);
  /// The text of the module that a qualified name is in, and the rest of the name.
  std::pair<std::string &, StringRef> placeOf(StringRef qualified);
  std::string annotation(const Type *type) {
    needs(type);
    return type->isTensor() ? "Tensor" : type->annotation();
  }

  PythonCode code;
  std::string currentModule; ///< Of the definition that is being printed.
  /// In the order in which they were met; it grows while they are printed.
  llvm::SetVector<std::pair<const Type *, Function *>> definitions; // one of the two
  llvm::DenseMap<const RefCounted *, unsigned> constantNumbers;
  std::vector<SourceRange> places; ///< That marks number.
  unsigned numPrinted = 0;         ///< Methods that were known when the last printing ended.
};

PythonPrinter::PythonPrinter() : impl(std::make_unique<Impl>()) {}
PythonPrinter::~PythonPrinter() = default;

//===----------------------------------------------------------------------===//
// What a program consists of
//===----------------------------------------------------------------------===//

void PythonPrinter::Impl::needs(const Type *type) {
  auto *tuple = dyn_cast<TupleType>(type);
  auto *named = dyn_cast<NamedType>(type);
  if ((named && !named->name().starts_with(nativeClasses)) || (tuple && tuple->isNamed()))
    definitions.insert({type, nullptr});
  for (const Type *inner : type->contained())
    needs(inner);
}

unsigned PythonPrinter::Impl::constant(const IValue &value) {
  // A dtype, a number: these have no identity.
  if (!value.counted()) {
    code.constants.push_back(value);
    return code.constants.size() - 1;
  }
  auto [entry, isNew] = constantNumbers.try_emplace(value.counted(), code.constants.size());
  if (isNew)
    code.constants.push_back(value);
  return entry->second;
}

std::pair<std::string &, StringRef> PythonPrinter::Impl::placeOf(StringRef qualified) {
  auto [module, name] = qualified.rsplit('.');
  return {code.modules[module.str()], name};
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

Status PythonPrinter::Impl::printFunction(Function &function, StringRef name, bool isMethod, unsigned indent,
                                          std::string &out) {
  if (failed(function.ensureDefined()) || !function.graph())
    return invalidArgument("'" + function.qualifiedName() + "' does not compile");
  PythonFunction printer(*this, out, indent);
  return withContext(printer.print(name, function, isMethod),
                     "'" + function.qualifiedName().str() + "' cannot be written as source: ");
}

static std::string listOfNames(ArrayRef<std::string> names) {
  std::string text = "[";
  for (const std::string &name : names)
    text += pythonLiteral(StringRef(name)) + ", ";
  return text + "]";
}

static std::string namesOfKind(const ClassType &type, AttributeKind kind) {
  std::vector<std::string> names;
  for (const ClassAttribute &attribute : type.attributes())
    if (attribute.kind == kind)
      names.push_back(attribute.name);
  return listOfNames(names);
}

/// Returns the type of a class's constant, or "" where its value has no literal.
std::string PythonPrinter::Impl::typeOfConstant(const IValue &value) {
  switch (value.getTag()) {
  case IValue::Tag::None: return annotation(Type::noneType());
  case IValue::Tag::Bool: return annotation(Type::boolType());
  case IValue::Tag::Int: return annotation(Type::intType());
  case IValue::Tag::Double: return annotation(Type::floatType());
  case IValue::Tag::Complex: return annotation(Type::complexType());
  case IValue::Tag::String: return annotation(Type::stringType());
  case IValue::Tag::Device: return annotation(Type::deviceType());
  case IValue::Tag::Enum: return annotation(value.toEnum().type);
  case IValue::Tag::IntList: return "List[int]";
  case IValue::Tag::DoubleList: return "List[float]";
  case IValue::Tag::BoolList: return "List[bool]";
  case IValue::Tag::Tuple: {
    const TupleValue &tuple = value.toTuple();
    std::string types;
    for (const IValue &element : tuple.elements) {
      const std::string type = typeOfConstant(element);
      if (type.empty())
        return "";
      types += (types.empty() ? "" : ", ") + type;
    }
    return tuple.type || types.empty() ? "" : "Tuple[" + types + "]";
  }
  default: return "";
  }
}

/// Returns the lines of a class's constants that have literals. No code of the archive reads them: it holds their
/// values.
std::string PythonPrinter::Impl::constantsOf(const ClassType &type) {
  std::string text, ignored;
  PythonFunction literals(*this, ignored, 0);
  for (const auto &[name, value] : type.constants()) {
    if (!isPythonIdentifier(name) || type.hasAttribute(name) || type.findMethod(name))
      continue;
    if (const std::string valueType = typeOfConstant(value); !valueType.empty())
      text += "  " + name + " : Final[" + valueType + "] = " + literals.literal(value) + "\n";
  }
  return text;
}

Status PythonPrinter::Impl::printClass(const ClassType &type) {
  if (!type.isDefined())
    return unimplemented("the class '" + type.name() + "' is not defined");
  auto [module, name] = placeOf(type.name());
  std::string text = ("class " + name + (type.isModule() ? "(Module):\n" : ":\n")).str();
  if (type.isModule()) {
    text += "  __parameters__ = " + namesOfKind(type, AttributeKind::Parameter) + "\n";
    text += "  __buffers__ = " + namesOfKind(type, AttributeKind::Buffer) + "\n";
    if (!type.forwardHooks().before.empty())
      text += "  __forward_pre_hooks__ = " + listOfNames(type.forwardHooks().before) + "\n";
    if (!type.forwardHooks().after.empty())
      text += "  __forward_hooks__ = " + listOfNames(type.forwardHooks().after) + "\n";
  }
  bool hasAnnotations = false;
  for (const ClassAttribute &attribute : type.attributes()) {
    std::string annotated = annotation(attribute.type);
    if (isPythonIdentifier(attribute.name)) {
      text += "  " + attribute.name + " : " + annotated + "\n";
      continue;
    }
    if (!hasAnnotations)
      text += "  __annotations__ = []\n";
    hasAnnotations = true;
    text += "  __annotations__[" + pythonLiteral(StringRef(attribute.name)) + "] = " + annotated + "\n";
  }
  const std::string constants = constantsOf(type);
  text += constants;
  for (size_t i = 0; i != type.methods().size(); ++i) { // one that is compiled now may declare others
    Function *method = type.methods()[i];
    TSC_RETURN_IF_ERROR(printFunction(*method, method->name(), /*isMethod=*/true, 1, text));
  }
  if (!type.isModule() && type.attributes().empty() && constants.empty() && type.methods().empty())
    text += "  pass\n";
  module += text;
  return okStatus();
}

void PythonPrinter::Impl::printInterface(const InterfaceType &type) {
  std::string text = ("class " + type.name().rsplit('.').second + "(").str();
  text += type.isModule() ? "ModuleInterface):\n" : "Interface):\n";
  for (const FunctionSchema &method : type.methods()) {
    text += ("  def " + method.name() + "(self").str();
    for (const Argument &argument : method.arguments().drop_front())
      text += ",\n      " + argument.name + ": " + annotation(argument.type);
    const Type *result = method.returns().empty() ? Type::noneType() : method.returns()[0].type;
    text += ") -> " + annotation(result) + ":\n    pass\n";
  }
  placeOf(type.name()).first += text;
}

Status PythonPrinter::Impl::printEnum(const EnumType &type) {
  auto [module, name] = placeOf(type.name());
  std::string ignored;
  PythonFunction literals(*this, ignored, 0);
  std::string text = ("class " + name + "(Enum):\n").str();
  for (const auto &[member, value] : type.members())
    text += "  " + member + " = " + literals.literal(value) + "\n";
  module += text;
  return okStatus();
}

void PythonPrinter::Impl::printNamedTuple(const TupleType &type) {
  std::string text = ("class " + type.name().rsplit('.').second + "(NamedTuple):\n").str();
  for (auto [field, element] : llvm::zip_equal(type.fieldNames(), type.elements()))
    text += "  " + field + " : " + annotation(element) + "\n";
  if (type.elements().empty())
    text += "  pass\n";
  placeOf(type.name()).first += text;
}

Status PythonPrinter::Impl::print(const Type *type) {
  if (auto *classType = dyn_cast<ClassType>(type))
    return printClass(*classType);
  if (auto *interface = dyn_cast<InterfaceType>(type))
    printInterface(*interface);
  else if (auto *enumType = dyn_cast<EnumType>(type))
    return printEnum(*enumType);
  else
    printNamedTuple(*cast<TupleType>(type));
  return okStatus();
}

Status PythonPrinter::Impl::printAll() {
  code = {};
  constantNumbers.clear();
  places.clear();
  for (size_t i = 0; i != definitions.size(); ++i) {
    auto [type, function] = definitions[i];
    StringRef name = function               ? function->qualifiedName()
                     : isa<NamedType>(type) ? cast<NamedType>(type)->name()
                                            : cast<TupleType>(type)->name();
    currentModule = name.rsplit('.').first.str();
    if (type) {
      TSC_RETURN_IF_ERROR(print(type));
      continue;
    }
    std::string text;
    TSC_RETURN_IF_ERROR(printFunction(*function, function->name(), /*isMethod=*/false, 0, text));
    placeOf(function->qualifiedName()).first += text;
  }
  for (auto &[module, text] : code.modules)
    text = withoutMarks(text, places, &code.origins[module]);
  return okStatus();
}

unsigned PythonPrinter::Impl::numMethods() const {
  unsigned count = 0;
  for (auto [type, function] : definitions)
    if (auto *classType = llvm::dyn_cast_or_null<ClassType>(type))
      count += classType->methods().size();
  return count;
}

void PythonPrinter::add(const Type *type) {
  assert(type && "a type is printed");
  impl->needs(type);
}
void PythonPrinter::add(Function &function) { impl->needs(&function); }

StatusOr<PythonCode> PythonPrinter::finish() {
  // A body may declare methods of a class that is written already: those of modules from source come to be known as
  // they are called.
  for (;;) {
    TSC_RETURN_IF_ERROR(impl->printAll());
    const unsigned known = impl->numMethods();
    if (known == impl->numPrinted)
      return std::move(impl->code);
    impl->numPrinted = known;
  }
}

namespace {
/// References of which nobody collects more than the constants.
struct IgnoredReferences final : PythonReferences {
  void needs(const Type *type) override {}
  void needs(Function *function) override {}
  unsigned constant(const IValue &value) override {
    constants.push_back(value);
    return constants.size() - 1;
  }
  void needsPythonMeaning() override {}
  void needsVersion(int64_t version) override {}
  unsigned place(SourceRange range) override { return 0; }
  std::vector<IValue> constants;
};
} // namespace

std::string tsc::pythonSource(Function &function, bool isMethod, std::vector<IValue> *constants) {
  std::string text;
  IgnoredReferences references;
  if (failed(function.ensureDefined()) || !function.graph() ||
      !PythonFunction(references, text, 0).print(function.name(), function, isMethod).ok())
    return "";
  if (constants)
    *constants = std::move(references.constants);
  return withoutMarks(text, {});
}
