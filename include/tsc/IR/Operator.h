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

/// What runs an operator registered at run time: reads `args`, writes `results`.
using CustomKernel = std::function<Status(CallContext &, const IValue *const *args, IValue *results)>;

/// One overload: from a record (constant data) or registered at run time. Owned by the Context's OperatorTable.
class Operator {
public:
  Operator(Context &context, Symbol symbol, const OpRecord *record);
  Operator(Context &context, Symbol symbol, FunctionSchema schema, CustomKernel kernel);
  Symbol symbol() const { return name; }
  /// Null for an operator registered at run time.
  const OpRecord *record() const { return opRecord; }
  const CustomKernel &customKernel() const { return custom; }
  /// Parsed on first use; thread-safe.
  const FunctionSchema &schema() const;

private:
  Context &context;
  Symbol name;
  const OpRecord *opRecord;
  CustomKernel custom;
  mutable std::once_flag once;
  mutable FunctionSchema parsed;
};

class OperatorTable {
public:
  explicit OperatorTable(Context &context);
  ~OperatorTable();
  /// Every overload of a name, in the order PyTorch tries them.
  ArrayRef<const Operator *> overloads(Symbol name);
  /// By full name: find("aten::add", "Tensor"); null when there is none.
  const Operator *find(StringRef name, StringRef overload);
  /// Registers an operator at run time from its schema text.
  Status registerOperator(StringRef schema, CustomKernel kernel);
  /// Names near a misspelt one, nearest first.
  std::vector<std::string> similarNames(StringRef name, unsigned limit = 3);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
