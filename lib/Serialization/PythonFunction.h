//===- PythonFunction.h - One body as Python statements ---------*- C++ -*-===//
//
// A value that is used once, by a node that follows with nothing in between, is
// written where it is used; every other one gets a variable. So what runs, runs in
// the graph's order.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_SERIALIZATION_PYTHONFUNCTION_H
#define TSC_LIB_SERIALIZATION_PYTHONFUNCTION_H

#include "tsc/IR/Graph.h"
#include "tsc/Serialization/PythonPrinter.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"

namespace tsc {

/// What a body refers to outside of itself.
class PythonReferences {
public:
  virtual ~PythonReferences() = default;
  /// Called for a type or function whose definition is needed, too.
  virtual void needs(const Type *type) = 0;
  virtual void needs(Function *function) = 0;
  /// The number of CONSTANTS.cN.
  virtual unsigned constant(const IValue &value) = 0;
  /// An operator means what Python means (docs/Python.md).
  virtual void needsPythonMeaning() = 0;
  /// The archive must be of this version at least.
  virtual void needsVersion(int64_t version) = 0;
  /// The number under which marks name a place in the author's source.
  virtual unsigned place(SourceRange range) = 0;
};

/// Prints a function or a method as Python, which compiles to the same graph. Appends to a text that it borrows.
class PythonFunction {
public:
  PythonFunction(PythonReferences &references, std::string &out, unsigned indent)
      : references(references), out(out), level(indent) {}
  /// `def name(...) -> T:` and its body.
  Status print(StringRef name, const Function &function, bool isMethod);
  /// A value as it would stand in code.
  std::string literal(const IValue &value);

private:
  //===-- Statements (PythonFunction.cpp) -----------------------------------===//
  void printBlock(Block &block);
  void printNodes(Block &block);
  void printNode(Node &node);
  void printIf(Node &node);
  void printLoop(Node &node);
  void printWith(Node &node);
  void printFork(Node &node);
  void printUnpack(Node &node);
  //===-- What is written (PythonLiveness.cpp) ------------------------------===//
  /// Whether anything that is written uses the value.
  bool isLive(const Value *value);
  bool isLive(const Use &use);
  bool isWritten(const Node &node);
  Node *previousWritten(Node *node);
  /// Whether a node's text may stand inside of another's.
  bool canBeInlined(const Node &node);
  /// Which nodes of a block are written where their value is used.
  void chooseInlined(Block &block);
  Node *inlineOperands(Node &node, Node *before);
  /// `targets = values`; a type that the value does not show is stated.
  void assign(ArrayRef<Value *> targets, ArrayRef<Value *> values);
  void assignText(Value *target, const std::string &text);
  void line(const llvm::Twine &text);
  /// Inlined values that wait for their use get variables.
  void flush(size_t keep = 0);
  Status fail(const Node &node, const llvm::Twine &why);
  /// The text with marks around it that say where the node came from.
  std::string marked(const Node &node, std::string text);

  //===-- Expressions (PythonExpressions.cpp) -------------------------------===//
  std::string expression(Node &node);
  std::string call(Node &node);
  std::string list(Node &node);
  std::string dict(Node &node);
  std::string arguments(const Node &node, unsigned first);
  std::string operatorArguments(const Node &node);
  std::string functionArguments(const Node &node);
  std::string attributeOf(Value *object, StringRef name);
  std::string text(Value *value);
  /// The operand of `.name` and `[i]`.
  std::string primary(Value *value);
  std::string annotation(const Type *type);
  std::string constantText(const Value *value);

  //===-- Names -------------------------------------------------------------===//
  std::string freshName(StringRef wanted);
  void nameValue(Value *value);
  /// Sees to it that as many new names sort as they are numbered: what reads the text sorts the variables of a branch
  /// or a loop by their names.
  void keepOrder(size_t count);

  PythonReferences &references;
  std::string &out;
  unsigned level;
  Status failure;
  llvm::StringSet<> taken;
  llvm::StringMap<unsigned> nextNumber;
  llvm::DenseMap<const Value *, std::string> texts;
  llvm::DenseMap<const Node *, const Node *> exits; ///< prim::Enter -> the prim::Exit that ends its `with`.
  llvm::SmallVector<size_t, 4> withBodies;          ///< Where the text of each open `with` begins.
  llvm::SmallPtrSet<const Node *, 16> inlined;
  llvm::DenseMap<const Value *, bool>
      liveness;                          ///< Whether a value is used after this place; for values that were asked for.
  llvm::SmallVector<Value *, 8> pending; ///< Inlined and not written yet, in the order of the graph.
};

/// Whether the text may be a name in Python; keywords may not.
bool isPythonIdentifier(StringRef name);

//===-- Marks ---------------------------------------------------------------===//
// While text is made, what came from a place in the author's source stands between beginMark, the number of the place,
// middleMark, and endMark, bytes that no text has. Offsets are known when all is put together: then they go.
inline constexpr char beginMark = '\1', middleMark = '\2', endMark = '\3';
/// How long a text is without its marks.
size_t visibleSize(StringRef text);
/// The text without marks; `origins`, when given, hears where they stood, by the places' ranges.
std::string withoutMarks(StringRef text, ArrayRef<SourceRange> places, std::vector<CodeOrigin> *origins = nullptr);
/// Whether a prim::unchecked_cast tells more than its operand's type does.
bool changesType(const Node &cast);
/// The archive version that today's meaning of an operator needs, 3 for most.
int64_t versionOf(const Node &node);

} // namespace tsc

#endif
