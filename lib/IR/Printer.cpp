//===- Printer.cpp - Graphs as PyTorch prints them ------------------------===//
//
// Values as `%name : type`, nodes one a line, blocks indented, and the subgraphs
// of a graph after it as `with kind_i = graph(…)`. Literals print so that the
// parser reads the same values back; tensors with more than ten elements do not
// show theirs.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/GraphView.h"
#include "tsc/IR/PythonMeaning.h"
#include "tsc/IR/Type.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/SourceOrigins.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
using namespace tsc;

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

/// `2.` for what is whole and not large; else as many digits as it takes to read the same number back.
static void printDouble(llvm::raw_ostream &os, double value) {
  if (std::isfinite(value) && std::abs(value) < 1e10 && value == std::trunc(value)) {
    os << (std::signbit(value) ? "-" : "") << int64_t(std::abs(value)) << '.';
    return;
  }
  if (std::isnan(value))
    os << "nan"; // printf writes the sign of a nan
  else
    os << llvm::format("%.17g", value);
}

static void printComplex(llvm::raw_ostream &os, std::complex<double> value) {
  printDouble(os, value.real());
  os << (value.imag() >= 0 ? '+' : '-');
  printDouble(os, std::abs(value.imag()));
  os << 'j';
}

static void printQuoted(llvm::raw_ostream &os, StringRef text) {
  static constexpr StringRef special = "\\'\"\a\b\f\n\r\t\v", letters = "\\'\"abfnrtv";
  os << '"';
  for (unsigned char c : text) {
    if (size_t at = special.find(char(c)); at != StringRef::npos)
      os << '\\' << letters[at];
    else if (llvm::isPrint(char(c)))
      os << char(c);
    else
      os << llvm::format("\\%03o", unsigned(c));
  }
  os << '"';
}

/// A tensor of one element in braces, a small one with its elements on one line, any other, and a sparse or nested one
/// of one element, as <Tensor>.
static void printTensor(llvm::raw_ostream &os, const Tensor &tensor) {
  const bool isNumber = tensor.defined() && tensor.numel() == 1;
  const StatusOr<Scalar> number = isNumber ? tensor.item() : StatusOr<Scalar>(Scalar());
  if (!tensor.defined() || tensor.numel() > 10 || !number.ok()) {
    os << "<Tensor>";
  } else if (isNumber) {
    const Scalar element = *number;
    os << '{';
    if (isFloating(tensor.dtype()))
      os << shortString(element.toDouble());
    else if (isComplex(tensor.dtype()))
      printComplex(os, element.toComplex());
    else
      os << element.toInt();
    os << '}';
  } else {
    std::string text = toCppString(tensor);
    std::replace(text.begin(), text.end(), '\n', ' ');
    os << text;
  }
}

/// Whether the elements of a container show what it is a container of.
static bool showsElementType(const Type *type) {
  return type->kind() != TypeKind::Union && type->kind() != TypeKind::Optional && !type->isNumber() && !type->isAny();
}

namespace {
/// What is between brackets: the elements, separated by commas.
class CommaSeparated {
public:
  explicit CommaSeparated(llvm::raw_ostream &os) : os(os) {}
  llvm::raw_ostream &next() { return os << (std::exchange(first, false) ? "" : ", "); }

private:
  llvm::raw_ostream &os;
  bool first = true;
};
} // namespace

static void printLiteral(llvm::raw_ostream &os, const IValue &value, unsigned depth = 0);

static void printElements(llvm::raw_ostream &os, const IValue &list, unsigned depth) {
  os << '[';
  CommaSeparated commas(os);
  for (size_t i = 0; i != list.listSize(); ++i)
    printLiteral(commas.next(), list.listElement(i), depth + 1);
  os << ']';
}

/// A list; annotated when it is empty or its elements do not show its type.
static void printList(llvm::raw_ostream &os, const IValue &list, const Type *elementType, unsigned depth) {
  bool annotate = list.listSize() == 0 || !showsElementType(elementType);
  if (annotate)
    os << "annotate(List[" << elementType->annotation() << "], ";
  printElements(os, list, depth);
  if (annotate)
    os << ')';
}

static void printDict(llvm::raw_ostream &os, const DictValue &dict, unsigned depth) {
  bool annotate = dict.size() == 0 || !showsElementType(dict.valueType);
  if (annotate)
    os << "annotate(Dict[" << dict.keyType->annotation() << ", " << dict.valueType->annotation() << "],";
  os << '{';
  CommaSeparated commas(os);
  dict.forEach([&](const IValue &key, const IValue &value) {
    printLiteral(commas.next(), key, depth + 1);
    os << ": ";
    printLiteral(os, value, depth + 1);
  });
  os << (annotate ? "})" : "}");
}

static void printTuple(llvm::raw_ostream &os, ArrayRef<IValue> elements, unsigned depth) {
  os << '(';
  CommaSeparated commas(os);
  for (const IValue &element : elements)
    printLiteral(commas.next(), element, depth + 1);
  os << (elements.size() == 1 ? ",)" : ")");
}

static void printLiteral(llvm::raw_ostream &os, const IValue &value, unsigned depth) {
  if (depth > 200) {
    os << "..."; // a list may hold itself
    return;
  }
  switch (value.getTag()) {
  case IValue::Tag::None: os << "None"; return;
  case IValue::Tag::Bool: os << (value.toBool() ? "True" : "False"); return;
  case IValue::Tag::Int: os << value.toInt(); return;
  case IValue::Tag::Double: return printDouble(os, value.toDouble());
  case IValue::Tag::Complex: return printComplex(os, value.toComplex());
  case IValue::Tag::String: return printQuoted(os, value.toString());
  case IValue::Tag::Device: os << "torch.device(\"" << value.toDevice().str() << "\")"; return;
  case IValue::Tag::Tensor: return printTensor(os, value.asTensor());
  case IValue::Tag::TensorList: os << "[<Tensors>]"; return;
  case IValue::Tag::IntList: return printList(os, value, Type::intType(), depth);
  case IValue::Tag::DoubleList: return printList(os, value, Type::floatType(), depth);
  case IValue::Tag::BoolList: return printList(os, value, Type::boolType(), depth);
  case IValue::Tag::GenericList: return printList(os, value, value.toGenericList().elementType, depth);
  case IValue::Tag::Tuple: return printTuple(os, value.toTuple().elements, depth);
  case IValue::Tag::Dict: return printDict(os, value.toDict(), depth);
  case IValue::Tag::Enum: os << value.toEnum().type->name() << '.' << value.toEnum().name; return;
  case IValue::Tag::Object: os << "object(" << value.toObject().type->name() << ')'; return;
  case IValue::Tag::Function:
  case IValue::Tag::Future:
  case IValue::Tag::Generator:
  case IValue::Tag::Capsule: printValue(os, value); return;
  }
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {
/// One overload for each kind of attribute.
struct AttributePrinter {
  llvm::raw_ostream &os;

  void operator()(int64_t value) const { os << value; }
  void operator()(double value) const { printDouble(os, value); }
  void operator()(std::complex<double> value) const { printComplex(os, value); }
  void operator()(const std::string &value) const { printQuoted(os, value); }
  void operator()(const Tensor &value) const { printTensor(os, value); }
  void operator()(const std::shared_ptr<Graph> &) const { os << "<Graph>"; }
  void operator()(const Type *value) const { value->print(os); }
  void operator()(const IValue &value) const { printLiteral(os, value); }
  void operator()(const std::vector<Tensor> &) const { os << "[<Tensors>]"; }
  template <typename T> void operator()(const std::vector<T> &values) const {
    os << '[';
    CommaSeparated commas(os);
    for (const T &value : values) {
      commas.next();
      (*this)(value);
    }
    os << ']';
  }
};
} // namespace

/// `[k=v, …]`, or nothing. A subgraph is told by the node's name instead. That the node means what Python means is told
/// as an attribute, which it does not have.
static void printAttributes(llvm::raw_ostream &os, const Node &node) {
  bool any = false;
  for (const NamedAttribute &attribute : node.attributes()) {
    if (attribute.name == attr::Subgraph)
      continue;
    os << (any ? ", " : "[") << attribute.name.name() << '=';
    std::visit(AttributePrinter{os}, attribute.value);
    any = true;
  }
  if (meansPython(node)) {
    os << (any ? ", " : "[") << attr::python.name() << "=1";
    any = true;
  }
  if (any)
    os << ']';
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

namespace {
/// Prints one graph; collects the nodes whose subgraphs come after it.
class GraphPrinter {
public:
  GraphPrinter(llvm::raw_ostream &os, bool withRanges)
      : os(os), withRanges(withRanges), withTypes(typeVerbosity() > 0) {}

  void print(const Graph &graph) {
    os << "graph" << (graph.name().empty() ? "" : " @") << graph.name() << '(';
    printDefinitions(graph.inputs(), ",\n      ");
    os << "):\n";
    for (const Node &node : graph.block().nodes())
      printNode(node, 1);
    os << "  return (";
    printUses(graph.block().returnNode());
    os << ")\n";
    for (size_t i = 0; i != withSubgraph.size(); ++i) {
      os << "with " << withSubgraph[i]->kind().qualified() << '_' << i << " = ";
      GraphPrinter(os, withRanges).print(*withSubgraph[i]->get<std::shared_ptr<Graph>>(attr::Subgraph));
    }
  }

private:
  void printDefinitions(ArrayRef<Value *> values, StringRef separator) {
    for (size_t i = 0; i != values.size(); ++i) {
      os << (i ? separator : "") << '%' << values[i]->displayName();
      if (withTypes) {
        os << " : ";
        values[i]->type()->print(os);
      }
    }
  }

  void printUses(const Node &node) {
    CommaSeparated commas(os);
    for (const Value *input : node.inputs())
      commas.next() << '%' << input->displayName();
  }

public:
  void printNode(const Node &node, unsigned level) {
    os.indent(2 * level);
    printDefinitions(node.outputs(), ", ");
    os << " = " << node.kindName();
    if (node.hasAttribute(attr::Subgraph) &&
        std::holds_alternative<std::shared_ptr<Graph>>(*node.attribute(attr::Subgraph))) {
      os << '_' << withSubgraph.size();
      withSubgraph.push_back(&node);
    }
    if (node.kind() != prim::DifferentiableGraph)
      printAttributes(os, node);
    os << '(';
    printUses(node);
    os << ')';
    if (node.scope())
      os << ", scope: " << node.scope()->path();
    printRange(node.range());
    os << '\n';
    for (unsigned i = 0; i != node.numBlocks(); ++i)
      printBlock(node.block(i), i, level + 1);
  }

private:
  void printBlock(const Block &block, unsigned index, unsigned level) {
    os.indent(2 * level) << "block" << index << '(';
    printDefinitions(block.inputs(), ", ");
    os << "):\n";
    for (const Node &node : block.nodes())
      printNode(node, level + 1);
    os.indent(2 * level + 2) << "-> (";
    printUses(block.returnNode());
    os << ")\n";
  }

  void printRange(SourceRange range) {
    if (!withRanges || !range.isValid())
      return;
    range = originOrSelf(range);
    LineColumn at = range.lineColumn();
    os << " # " << range.buffer()->name() << ':' << at.line << ':' << at.column;
  }

  llvm::raw_ostream &os;
  bool withRanges, withTypes;
  std::vector<const Node *> withSubgraph;
};
} // namespace

void Graph::print(llvm::raw_ostream &os, bool withRanges) const { GraphPrinter(os, withRanges).print(*this); }

void tsc::printNode(llvm::raw_ostream &os, const Node &node, bool withRanges) {
  GraphPrinter(os, withRanges).printNode(node, 0);
}
