//===- Operator.h - Overloads and their table -------------------*- C++ -*-===//
#ifndef TSC_IR_OPERATOR_H
#define TSC_IR_OPERATOR_H

#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Symbol.h"
#include "tsc/Support/Status.h"
#include <functional>
#include <mutex>
#include <vector>

namespace tsc {

struct OpRecord; // tsc/IR/OpRecord.h
class CallContext;
class Node;

/// The function that runs an operator registered at run time. It reads one value for each argument of the schema from
/// `args`, which it borrows, and writes one for each result to `results`.
using CustomKernel = std::function<Status(CallContext &, const IValue *const *args, IValue *results)>;

/// Makes the kernel of one node that calls an operator registered at run time. It is called when code is made of the
/// node, perhaps several times and by several threads, and reads the node's attributes; the kernel does not keep the
/// node. Its failure becomes that of each call of the node.
using CustomKernelMaker = std::function<StatusOr<CustomKernel>(const Node &node)>;

/// One overload of an operator, made from a record (constant data) or registered at run time.
///
/// Ownership:  the Context's OperatorTable owns it as long as the Context lives.
/// Threads:    may be used from many threads at once.
class Operator {
public:
  Operator(Context &context, Symbol symbol, const OpRecord *record); ///< `record` is not null.
  /// Either `kernel` or `maker` is empty.
  Operator(Context &context, Symbol symbol, FunctionSchema schema, CustomKernel kernel, CustomKernelMaker maker);
  /// Returns the operator's name, such as aten::add, which all its overloads share.
  Symbol symbol() const { return name; }
  /// Returns the record, or null for an operator registered at run time.
  const OpRecord *record() const { return opRecord; }
  /// Returns the kernel it was registered with; empty for an operator with a record or a kernelMaker().
  const CustomKernel &customKernel() const { return custom; }
  /// Returns what makes a kernel for each node; empty for other operators.
  const CustomKernelMaker &kernelMaker() const { return maker; }
  /// Returns the schema. That of a record is parsed when it is first asked for.
  const FunctionSchema &schema() const;

private:
  Context &context;
  Symbol name;
  const OpRecord *opRecord;
  CustomKernel custom;
  CustomKernelMaker maker;
  mutable std::once_flag once;
  mutable FunctionSchema parsed;
};

/// The operators of a Context: those that have records, and those registered at run time. May be used from many threads
/// at once; the operators and lists it returns live as long as the table.
class OperatorTable {
public:
  explicit OperatorTable(Context &context);
  ~OperatorTable();
  /// Returns every overload of `name` in the order in which PyTorch tries them; empty for an unknown name. An operator
  /// registered later does not appear in a list that was returned before.
  ArrayRef<const Operator *> overloads(Symbol name);
  /// Returns the operator called `name` with overload `overload`, e.g. find("aten::add", "Tensor"), or null. `name` has
  /// the form `ns::name`.
  const Operator *find(StringRef name, StringRef overload);
  /// Registers the operator that the text `schema` declares. InvalidArgument where the text does not parse, or the name
  /// has that overload already.
  Status registerOperator(StringRef schema, CustomKernel kernel);
  /// Registers an operator in the same way whose kernel is made for each node, so that it may depend on attributes that
  /// the node has beside its operands: `%y : Tensor = mine::magic[multiplier=2.](%x)`. Source code cannot set these,
  /// and callOperator() by name, which has no node, finds no kernel.
  Status registerNodeOperator(StringRef schema, CustomKernelMaker maker);
  /// Returns up to `limit` names of operators with records that resemble the misspelt `name`, the nearest first.
  std::vector<std::string> similarNames(StringRef name, unsigned limit = 3);

private:
  Status add(StringRef schema, CustomKernel kernel, CustomKernelMaker maker);
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
