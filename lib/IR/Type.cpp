//===- Type.cpp - Types and how they print --------------------------------===//
#include "tsc/IR/Type.h"
#include "tsc/Support/Logging.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

namespace {
struct SimpleType final : Type {
  constexpr SimpleType(TypeKind kind) : Type(kind) {}
};
} // namespace

#define TSC_SIMPLE_TYPE(FUNCTION, KIND)                                                                                \
  const Type *Type::FUNCTION() {                                                                                       \
    static constexpr SimpleType type(TypeKind::KIND);                                                                  \
    return &type;                                                                                                      \
  }
TSC_SIMPLE_TYPE(anyType, Any)
TSC_SIMPLE_TYPE(numberType, Number)
TSC_SIMPLE_TYPE(intType, Int)
TSC_SIMPLE_TYPE(floatType, Float)
TSC_SIMPLE_TYPE(complexType, Complex)
TSC_SIMPLE_TYPE(boolType, Bool)
TSC_SIMPLE_TYPE(stringType, String)
TSC_SIMPLE_TYPE(noneType, None)
TSC_SIMPLE_TYPE(deviceType, Device)
TSC_SIMPLE_TYPE(streamType, Stream)
TSC_SIMPLE_TYPE(generatorType, Generator)
TSC_SIMPLE_TYPE(storageType, Storage)
TSC_SIMPLE_TYPE(quantizerType, Quantizer)
TSC_SIMPLE_TYPE(qschemeType, QScheme)
TSC_SIMPLE_TYPE(layoutType, Layout)
TSC_SIMPLE_TYPE(scalarTypeType, ScalarType)
TSC_SIMPLE_TYPE(memoryFormatType, MemoryFormat)
TSC_SIMPLE_TYPE(capsuleType, Capsule)
TSC_SIMPLE_TYPE(pyObjectType, PyObject)
TSC_SIMPLE_TYPE(anyListType, AnyList)
TSC_SIMPLE_TYPE(anyTupleType, AnyTuple)
TSC_SIMPLE_TYPE(anyClassType, AnyClass)
TSC_SIMPLE_TYPE(anyEnumType, AnyEnum)
TSC_SIMPLE_TYPE(symIntType, SymInt)
#undef TSC_SIMPLE_TYPE

const Type *Type::tensorType() {
  static const TensorType type{TensorFacts()};
  return &type;
}

const Type *Type::inferredTensorType() {
  static const TensorType type = [] {
    TensorFacts facts;
    facts.inferred = true;
    return TensorType(facts);
  }();
  return &type;
}

static bool anyFree(ArrayRef<const Type *> types) {
  return llvm::any_of(types, [](const Type *t) { return t->hasFreeVariables(); });
}

TupleType::TupleType(llvm::SmallVector<const Type *, 4> elements, std::string name, std::vector<std::string> fields)
    : Type(TypeKind::Tuple, anyFree(elements)), parts(std::move(elements)), qualifiedName(std::move(name)),
      fields(std::move(fields)) {
  assert((this->fields.empty() || this->fields.size() == parts.size()) && "a name for each element, or none");
  assert(llvm::all_of(parts, [](const Type *part) { return part; }) && "elements have types");
}

UnionType::UnionType(llvm::SmallVector<const Type *, 4> members)
    : Type(TypeKind::Union, anyFree(members)), parts(std::move(members)) {}

ArrayRef<const Type *> Type::contained() const {
  if (auto *t = dyn_cast<ElementType>(this))
    return ArrayRef<const Type *>(&t->inner, 1);
  if (auto *t = dyn_cast<DictType>(this))
    return t->both();
  if (auto *t = dyn_cast<TupleType>(this))
    return t->elements();
  if (auto *t = dyn_cast<UnionType>(this))
    return t->members();
  return {};
}

bool Type::isMutable() const {
  switch (typeKind) {
  case TypeKind::Tensor:
  case TypeKind::List:
  case TypeKind::Dict:
  case TypeKind::Class:
  case TypeKind::Interface:
  case TypeKind::Future:
  case TypeKind::Await:
  case TypeKind::RRef:
  case TypeKind::Any:
  case TypeKind::AnyList:
  case TypeKind::AnyTuple:
  case TypeKind::AnyClass:
  case TypeKind::Var:
  case TypeKind::Generator:
  case TypeKind::Storage:
  case TypeKind::Capsule:
  case TypeKind::PyObject:
  case TypeKind::Stream:
  case TypeKind::Quantizer: return true;
  case TypeKind::Tuple:
  case TypeKind::Optional:
  case TypeKind::Union: return llvm::any_of(contained(), [](const Type *t) { return t->isMutable(); });
  default: return false;
  }
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static StringRef simpleName(TypeKind kind) {
  switch (kind) {
  case TypeKind::Any: return "Any";
  case TypeKind::Number: return "Scalar";
  case TypeKind::Int: return "int";
  case TypeKind::Float: return "float";
  case TypeKind::Complex: return "complex";
  case TypeKind::Bool: return "bool";
  case TypeKind::String: return "str";
  case TypeKind::None: return "NoneType";
  case TypeKind::Device: return "Device";
  case TypeKind::Stream: return "Stream";
  case TypeKind::Generator: return "Generator";
  case TypeKind::Storage: return "Storage";
  case TypeKind::Quantizer: return "Quantizer";
  case TypeKind::QScheme: return "QScheme";
  case TypeKind::Layout: return "Layout";
  case TypeKind::ScalarType: return "ScalarType";
  case TypeKind::MemoryFormat: return "MemoryFormat";
  case TypeKind::Capsule: return "Capsule";
  case TypeKind::PyObject: return "PyObject";
  case TypeKind::AnyList: return "list";
  case TypeKind::AnyTuple: return "tuple";
  case TypeKind::AnyClass: return "AnyClassType";
  case TypeKind::AnyEnum: return "AnyEnumType";
  case TypeKind::SymInt: return "SymInt";
  case TypeKind::Function: return "Function";
  default: return "";
  }
}

namespace {
/// The spellings of one type. Inside Dict, Union and other parameters PyTorch leaves tensor facts out.
enum class Style { IR, Plain, Annotation };
} // namespace

static void printDimensions(llvm::raw_ostream &os, ArrayRef<Dimension> dims) {
  llvm::interleaveComma(dims, os, [&](Dimension d) {
    if (d.isKnown())
      os << d.value();
    else if (d.isSymbolic())
      os << "SS(" << d.value() << ')';
    else
      os << '*';
  });
}

static void printTensor(llvm::raw_ostream &os, const TensorFacts &facts) {
  os << (facts.dtype ? irName(*facts.dtype) : StringRef("Tensor"));
  if (facts.dtype && !facts.sizes)
    os << "Tensor";
  bool showsStrides = typeVerbosity() >= 2, showsRest = typeVerbosity() >= 3;
  if (!facts.sizes && (!showsRest || (!facts.requiresGrad && !facts.device)))
    return;
  os << '(';
  llvm::ListSeparator comma;
  if (facts.sizes && !facts.sizes->empty()) {
    os << comma;
    printDimensions(os, *facts.sizes);
  }
  bool stridesKnown = facts.strides && facts.sizes && !facts.sizes->empty() &&
                      llvm::all_of(*facts.strides, [](Dimension d) { return d.isKnown(); });
  if (stridesKnown && showsStrides) {
    os << comma << "strides=[";
    printDimensions(os, *facts.strides);
    os << ']';
  }
  if (facts.requiresGrad && showsRest)
    os << comma << "requires_grad=" << int(*facts.requiresGrad);
  if (facts.device && showsRest)
    os << comma << "device=" << facts.device->str();
  os << ')';
}

static void printType(llvm::raw_ostream &os, const Type *type, Style style) {
  auto list = [&](StringRef open, ArrayRef<const Type *> types, StringRef close, Style inner) {
    os << open;
    llvm::interleaveComma(types, os, [&](const Type *t) { printType(os, t, inner); });
    os << close;
  };
  bool python = style == Style::Annotation;
  switch (type->kind()) {
  case TypeKind::Tensor:
    if (style == Style::IR)
      printTensor(os, cast<TensorType>(type)->facts());
    else
      os << "Tensor";
    return;
  case TypeKind::List:
    if (python)
      return list("List[", type->contained(), "]", style);
    return list("", type->contained(), "[]", style);
  case TypeKind::Optional:
    if (python)
      return list("Optional[", type->contained(), "]", style);
    return list("", type->contained(), "?", style);
  case TypeKind::Future:
    return style == Style::Plain ? list("Future(", type->contained(), ")", style)
                                 : list("Future[", type->contained(), "]", style);
  case TypeKind::Await:
    return style == Style::Plain ? list("Await(", type->contained(), ")", style)
                                 : list("Await[", type->contained(), "]", style);
  case TypeKind::RRef:
    return style == Style::Plain ? list("RRef(", type->contained(), ")", style)
                                 : list("RRef[", type->contained(), "]", style);
  case TypeKind::Dict:
    return python ? list("Dict[", type->contained(), "]", style) : list("Dict(", type->contained(), ")", Style::Plain);
  case TypeKind::Union:
    return python ? list("Union[", type->contained(), "]", style)
                  : list("Union(", type->contained(), ")", Style::Plain);
  case TypeKind::Tuple: {
    auto *tuple = cast<TupleType>(type);
    if (tuple->isNamed() && style != Style::IR) {
      os << tuple->name();
      return;
    }
    if (python)
      return tuple->elements().empty() ? void(os << "Tuple[()]") : list("Tuple[", tuple->elements(), "]", style);
    if (!tuple->isNamed())
      return list("(", tuple->elements(), ")", style);
    os << "NamedTuple(";
    for (auto [i, element] : llvm::enumerate(tuple->elements())) {
      os << (i ? ", " : "") << tuple->fieldNames()[i] << " : ";
      printType(os, element, style);
    }
    os << ')';
    return;
  }
  case TypeKind::Var: os << cast<VarType>(type)->name(); return;
  case TypeKind::Class: os << cast<NamedType>(type)->name(); return;
  case TypeKind::Interface:
    python ? os << cast<NamedType>(type)->name() : os << "InterfaceType<" << cast<NamedType>(type)->name() << '>';
    return;
  case TypeKind::Enum:
    python ? os << cast<NamedType>(type)->name() : os << "Enum<" << cast<NamedType>(type)->name() << '>';
    return;
  case TypeKind::Number: os << (python ? "number" : "Scalar"); return;
  default: os << simpleName(type->kind());
  }
}

void Type::print(llvm::raw_ostream &os) const { printType(os, this, Style::IR); }

std::string Type::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

std::string Type::annotation() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  printType(os, this, Style::Annotation);
  return text;
}
