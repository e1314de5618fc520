//===- PythonExpressions.cpp - Nodes as Python expressions ----------------===//
#include "PythonFunction.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/Operator.h"
#include "tsc/IR/PythonMeaning.h"
#include "tsc/Serialization/PythonPrinter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <charconv>
#include <cmath>

using namespace tsc;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

std::string tsc::pythonLiteral(StringRef text) {
  std::string result = "\"";
  for (unsigned char c : text) {
    switch (c) {
    case '\n': result += "\\n"; break;
    case '\t': result += "\\t"; break;
    case '\r': result += "\\r"; break;
    case '\\': result += "\\\\"; break;
    case '"': result += "\\\""; break;
    default:
      if (c >= 0x20 && c < 0x7f) {
        result += static_cast<char>(c);
        break;
      }
      // An octal escape is a byte to every reader of archives.
      result += '\\';
      for (int shift : {6, 3, 0})
        result += static_cast<char>('0' + ((c >> shift) & 7));
    }
  }
  return result + '"';
}

std::string tsc::pythonLiteral(double number) {
  if (std::isnan(number))
    return "nan";
  if (std::isinf(number))
    return number < 0 ? "-inf" : "inf";
  char buffer[64];
  std::string digits(buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr);
  if (digits.find_first_of(".e") == std::string::npos)
    digits += '.';
  return digits;
}

static std::string intLiteral(int64_t value) {
  // The digits alone are one more than an int holds.
  return value == INT64_MIN ? "torch.sub(-9223372036854775807, 1)" : std::to_string(value);
}

/// What archives call a function that belongs to PyTorch's C++ classes; empty for others. An overload of ours,
/// `_name_of_packed`, has the name that its operator has in PyTorch.
static std::string nativeOperator(StringRef qualified) {
  if (!qualified.consume_front(nativeClasses))
    return "";
  auto [space, name] = qualified.split('.');
  if (size_t end = name.find("_of_"); space == "quantized" && name.starts_with("_") && end != StringRef::npos)
    name = name.slice(1, end);
  if (name == "quantized_lstm" || name == "quantized_gru") // operators of aten
    return ("torch." + name).str();
  return ("ops." + (space == "xnnpack" ? "prepacked" : space) + "." + name).str();
}

std::string PythonFunction::literal(const IValue &value) {
  switch (value.getTag()) {
  case IValue::Tag::None: return "None";
  case IValue::Tag::Bool: return value.toBool() ? "True" : "False";
  case IValue::Tag::Int: return intLiteral(value.toInt());
  case IValue::Tag::Double: return pythonLiteral(value.toDouble());
  case IValue::Tag::Complex:
    return "torch.Complex(" + pythonLiteral(value.toComplex().real()) + ", " + pythonLiteral(value.toComplex().imag()) +
           ")";
  case IValue::Tag::String: return pythonLiteral(value.toString());
  case IValue::Tag::Device: return "torch.device(" + pythonLiteral(value.toDevice().str()) + ")";
  case IValue::Tag::Function:
    if (std::string op = nativeOperator(value.toFunction()->qualifiedName()); !op.empty())
      return op;
    references.needs(value.toFunction());
    return value.toFunction()->qualifiedName().str();
  case IValue::Tag::Enum:
    references.needs(value.toEnum().type);
    return (value.toEnum().type->name() + "." + value.toEnum().name).str();
  case IValue::Tag::IntList:
  case IValue::Tag::DoubleList:
  case IValue::Tag::BoolList: {
    const char *element = value.isIntList() ? "int" : value.isDoubleList() ? "float" : "bool";
    std::string items;
    for (size_t i = 0, n = value.listSize(); i != n; ++i)
      items += (i ? ", " : "") + literal(value.listElement(i));
    return value.listSize() ? "[" + items + "]" : "annotate(List[" + std::string(element) + "], [])";
  }
  case IValue::Tag::Tuple:
    if (!value.toTuple().type && !value.toTuple().elements.empty()) {
      std::string items;
      for (const IValue &element : value.toTuple().elements)
        items += (items.empty() ? "" : ", ") + literal(element);
      return "(" + items + (value.toTuple().elements.size() == 1 ? ",)" : ")");
    }
    [[fallthrough]];
  default: return "CONSTANTS.c" + std::to_string(references.constant(value));
  }
}

std::string PythonFunction::constantText(const Value *value) {
  std::optional<IValue> constant = constantValue(value);
  if (!constant) {
    (void)fail(*value->node(), "a constant without a value");
    return "None";
  }
  if (constant->isNone() && !value->type()->isNone())
    return "annotate(" + annotation(value->type()) + ", None)";
  if (constant->isString() && !value->type()->isString())
    return "annotate(" + annotation(value->type()) + ", " + literal(*constant) + ")";
  return literal(*constant);
}

bool tsc::changesType(const Node &cast) {
  const Type *before = cast.input()->type(), *after = cast.output()->type();
  return before != after && !(before->isTensor() && after->isTensor());
}

std::string PythonFunction::annotation(const Type *type) {
  references.needs(type);
  return type->isTensor() ? "Tensor" : type->annotation();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

std::string PythonFunction::text(Value *value) {
  if (auto known = texts.find(value); known != texts.end()) {
    llvm::erase(pending, value);
    return known->second;
  }
  if (isConstant(value))
    return constantText(value);
  (void)fail(*value->node(), "a value that is used before it is made");
  return "None";
}

std::string PythonFunction::primary(Value *value) {
  std::string operand = text(value);
  StringRef visible = operand;
  while (visible.front() == beginMark)
    visible = visible.drop_front(visible.find(middleMark) + 1);
  const char first = visible.front();
  return llvm::isAlpha(first) || first == '_' ? operand : "(" + operand + ")";
}

std::string PythonFunction::arguments(const Node &node, unsigned first) {
  std::string result;
  for (unsigned i = first; i < node.numInputs(); ++i)
    result += (i == first ? "" : ", ") + text(node.input(i));
  return result;
}

static bool isDefault(const Argument &argument, const Value *given) {
  if (!argument.defaultValue || !isConstant(given))
    return false;
  std::optional<IValue> value = constantValue(given);
  const IValue &usual = *argument.defaultValue;
  if (!value || value->getTag() != usual.getTag())
    return false;
  switch (usual.getTag()) {
  case IValue::Tag::None: return true;
  case IValue::Tag::Bool: return value->toBool() == usual.toBool();
  case IValue::Tag::Int: return value->toInt() == usual.toInt();
  case IValue::Tag::Double: return value->toDouble() == usual.toDouble();
  case IValue::Tag::String: return value->toString() == usual.toString();
  default: return false;
  }
}

/// Arguments by position, those that must be by keyword, and neither where the default says the same: releases of
/// PyTorch that do not know a parameter yet read the call, too.
std::string PythonFunction::operatorArguments(const Node &node) {
  const FunctionSchema *schema = node.schema();
  if (!schema || schema->isVararg() || schema->arguments().size() != node.numInputs())
    return arguments(node, 0);
  unsigned needed = 0;
  for (auto [i, argument] : llvm::enumerate(schema->arguments()))
    if (!argument.keywordOnly && !isDefault(argument, node.input(i)))
      needed = i + 1;
  std::string result;
  auto append = [&](const std::string &item) { result += (result.empty() ? "" : ", ") + item; };
  for (auto [i, argument] : llvm::enumerate(schema->arguments())) {
    if (!argument.keywordOnly && i < needed) // x.view(5) would be taken for a size
      append((node.opKind() == OpKind::Aten_view_dtype && i == 1 ? "dtype=" : "") + text(node.input(i)));
    else if (argument.keywordOnly && !isDefault(argument, node.input(i)))
      append(argument.name + "=" + text(node.input(i)));
  }
  return result;
}

/// A function of ours that stands for an operator of PyTorch's takes by keyword what that does; the archive's own
/// functions are written without keyword-only parameters.
std::string PythonFunction::functionArguments(const Node &node) {
  std::optional<IValue> callee = constantValue(node.input(0));
  if (!callee || callee->getTag() != IValue::Tag::Function ||
      nativeOperator(callee->toFunction()->qualifiedName()).empty())
    return arguments(node, 1);
  std::string result;
  for (auto [i, argument] : llvm::enumerate(callee->toFunction()->schema().arguments())) {
    Value *given = node.input(i + 1);
    if (argument.keywordOnly && isDefault(argument, given))
      continue;
    result += (result.empty() ? "" : ", ") + (argument.keywordOnly ? argument.name + "=" : "") + text(given);
  }
  return result;
}

std::string PythonFunction::attributeOf(Value *object, StringRef name) {
  if (isPythonIdentifier(name))
    return (primary(object) + "." + name).str();
  return "getattr(" + text(object) + ", " + pythonLiteral(name) + ")";
}

//===----------------------------------------------------------------------===//
// Containers
//===----------------------------------------------------------------------===//

/// Whether values show the type that a container of them is to have.
static bool showElements(const Node &node, unsigned first, unsigned step, const Type *wanted) {
  for (unsigned i = first; i < node.numInputs(); i += step)
    if (node.input(i)->type() != wanted && !(wanted->isTensor() && node.input(i)->type()->isTensor()))
      return false;
  return node.numInputs() > first;
}

std::string PythonFunction::list(Node &node) {
  const Type *element = cast<ListType>(node.output()->type())->element();
  const bool isShown = showElements(node, 0, 1, element);
  std::string items = "[" + arguments(node, 0) + "]";
  return isShown ? items : "annotate(" + annotation(node.output()->type()) + ", " + items + ")";
}

std::string PythonFunction::dict(Node &node) {
  auto *type = cast<DictType>(node.output()->type());
  const bool isShown = showElements(node, 0, 2, type->key()) && showElements(node, 1, 2, type->value());
  std::string items;
  for (unsigned i = 0; i + 1 < node.numInputs(); i += 2) {
    std::string key = text(node.input(i));
    items += (i ? ", " : "") + key + ": " + text(node.input(i + 1));
  }
  items = "{" + items + "}";
  return isShown ? items : "annotate(" + annotation(type) + ", " + items + ")";
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Returns the kind under whose name an archive calls what the node does. The archive says for each of its files
/// whether they mean what Python means.
static Symbol writtenKind(const Node &node) {
  return meansPython(node) ? node.graph().context().symbol(node.kindName()) : node.kind();
}

std::string PythonFunction::call(Node &node) {
  if (conversionKind(node.opKind()) == ConversionKind::Explicit)
    return node.output()->type()->annotation() + "(" + text(node.input()) + ")";
  const Symbol kind = writtenKind(node);
  if (!node.schema() && kind.ns() != "aten") {
    (void)fail(node, "TorchScript has no operator '" + kind.qualified() + "'");
    return "None";
  }
  if (node.op() && node.op()->kernelMaker() && !node.attributes().empty()) {
    (void)fail(node, "TorchScript cannot write the attributes of operator '" + kind.qualified() + "'");
    return "None";
  }
  references.needsVersion(versionOf(node));
  const bool isAutograd = kind.qualified() == "aten::grad" || kind.qualified() == "aten::backward";
  std::string callee = isAutograd            ? "torch.autograd." + kind.name().str()
                       : kind.ns() == "aten" ? "torch." + kind.name().str()
                                             : "ops." + kind.ns().str() + "." + kind.name().str();
  return callee + "(" + operatorArguments(node) + ")";
}

std::string PythonFunction::expression(Node &node) {
  auto typed = [&](StringRef form, unsigned input = 0) {
    return (form + "(" + annotation(node.output()->type()) + ", " + text(node.input(input)) + ")").str();
  };
  auto namedType = [&] { return annotation(node.output()->type()); };
  if (conversionKind(node.opKind()) == ConversionKind::Implicit)
    return typed("annotate");
  switch (writtenKind(node).id()) {
  case SymbolId::prim_Constant: return constantText(node.output());
  case SymbolId::prim_Uninitialized: return "uninitialized(" + namedType() + ")";
  case SymbolId::prim_GetAttr: return attributeOf(node.input(), node.get<std::string>(attr::name));
  case SymbolId::prim_HasAttr:
    return "hasattr(" + text(node.input()) + ", " + pythonLiteral(StringRef(node.get<std::string>(attr::name))) + ")";
  case SymbolId::prim_CreateObject: {
    std::string name = namedType();
    return name + ".__new__(" + name + ")";
  }
  case SymbolId::prim_CallFunction: {
    std::string callee = text(node.input(0));
    return callee + "(" + functionArguments(node) + ")";
  }
  case SymbolId::prim_CallMethod: {
    std::string callee = attributeOf(node.input(0), node.get<std::string>(attr::name));
    return callee + "(" + arguments(node, 1) + ")";
  }
  // As attributes: their type is the enumeration's, which no overload of the operators tells.
  case SymbolId::prim_EnumValue: return attributeOf(node.input(), "value");
  case SymbolId::prim_EnumName: return attributeOf(node.input(), "name");
  case SymbolId::prim_ListConstruct: return list(node);
  case SymbolId::prim_DictConstruct: return dict(node);
  case SymbolId::prim_TupleConstruct: {
    auto *type = dyn_cast<TupleType>(node.output()->type());
    if (type && type->isNamed())
      return namedType() + "(" + arguments(node, 0) + ")";
    return "(" + arguments(node, 0) + (node.numInputs() == 1 ? ",)" : ")");
  }
  case SymbolId::prim_TupleIndex:
    if (node.numInputs() == 2)
      return "(" + text(node.input(0)) + ")[" + text(node.input(1)) + "]";
    break;
  case SymbolId::prim_TupleSlice:
    return "(" + text(node.input()) + ")[" + std::to_string(node.get<int64_t>(attr::beg)) + ":" +
           std::to_string(node.get<int64_t>(attr::end)) + "]";
  case SymbolId::aten___getitem__:
    if (node.numInputs() == 2) {
      std::string object = primary(node.input(0));
      return object + "[" + text(node.input(1)) + "]";
    }
    break;
  case SymbolId::prim_unchecked_cast: return changesType(node) ? typed("unchecked_cast") : text(node.input());
  case SymbolId::prim_unchecked_unwrap_optional: return "unchecked_unwrap_optional(" + text(node.input()) + ")";
  case SymbolId::prim_annotate: return typed("annotate");
  case SymbolId::prim_tolist: return "annotate(" + namedType() + ", " + primary(node.input(0)) + ".tolist())";
  case SymbolId::prim_Print: return "print(" + arguments(node, 0) + ")";
  case SymbolId::prim_isinstance: {
    const auto &types = node.get<std::vector<const Type *>>(attr::types);
    std::string names;
    for (const Type *type : types)
      names += (names.empty() ? "" : ", ") + annotation(type);
    return "isinstance(" + text(node.input()) + ", " + (types.size() == 1 ? names : "(" + names + ")") + ")";
  }
  case SymbolId::prim_RaiseException: {
    const bool hasClass = node.numInputs() > 1 && !node.input(1)->type()->isNone();
    std::string message = text(node.input(0));
    return "ops.prim.RaiseException(" + message + (hasClass ? ", " + text(node.input(1)) : "") + ")";
  }
  case SymbolId::prim_Enter: return attributeOf(node.input(), "__enter__") + "()";
  case SymbolId::prim_Exit: return attributeOf(node.input(), "__exit__") + "(None, None, None)";
  default: break;
  }
  return call(node);
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

int64_t tsc::versionOf(const Node &node) {
  if (node.kind().ns() != "aten")
    return 3;
  const bool isNumber = node.numInputs() && !node.input(0)->type()->isTensor();
  const StringRef name = node.kind().name();
  if (name == "div" || name == "div_")
    return isNumber ? 3 : 4;
  return llvm::StringSwitch<int64_t>(name)
      .Case("full", 5)
      .Case("linspace", 8)
      .Case("logspace", 9)
      .Case("gelu", 10)
      .Default(3);
}
