//===- EmitCudaKernels.cpp - The column cudaKernel ------------------------===//
//
// One row an operator that has a kernel for GPUs: CUDA_KERNEL(KIND, CALL), where CALL
// reads operands out of the boxed arguments `a`: `cuda::mm(tensor(*a[0]), tensor(*a[1]))`.
//
//===----------------------------------------------------------------------===//
#include "OpModel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace tsc::tblgen;

static constexpr StringLiteral inPlaceWord = "inPlace";

/// Splits `cuda::name(one, two)` into the name and the arguments; false where the text is no such call.
static bool parseCudaCall(StringRef text, StringRef &name, SmallVectorImpl<StringRef> &arguments) {
  auto [function, rest] = text.trim().split('(');
  if (!function.starts_with("cuda::") || !rest.consume_back(")"))
    return false;
  name = function;
  rest.split(arguments, ',');
  for (StringRef &argument : arguments)
    argument = argument.trim();
  return !is_contained(arguments, "");
}

/// Writes the C++ expression of one argument; false, with an error told, where it names no operand that can be read.
static bool emitCudaArgument(raw_ostream &os, const OpDef &op, StringRef argument) {
  if (all_of(argument, isDigit)) {
    os << argument;
    return true;
  }
  if (argument == inPlaceWord) {
    os << (op.schema.args.front().writes ? "true" : "false");
    return true;
  }
  auto found = find_if(op.schema.args, [&](const SchemaArg &operand) { return operand.name == argument; });
  if (found == op.schema.args.end()) {
    PrintError(op.record->getLoc(), "cudaKernel: '" + argument + "' is no operand of '" + op.schema.qualified() + "'");
    return false;
  }
  // A program gives a dtype as a number, which need not be one of a dtype: the kernel looks.
  const StringRef read = StringRef(found->type) == "ScalarType?" ? "optionalInteger" : readerOf(found->type);
  if (read.empty() || read == "drop") {
    PrintError(op.record->getLoc(), "cudaKernel: a kernel cannot take '" + found->type + "'");
    return false;
  }
  os << read << "(*a[" << found - op.schema.args.begin() << "])";
  return true;
}

bool tsc::tblgen::emitCudaKernels(raw_ostream &os, const RecordKeeper &records) {
  OpModel model;
  if (!readOpModel(records, model))
    return true;
  emitSourceFileHeader("Kernels for GPUs by OpKind: CUDA_KERNEL(KIND, CALL)", os, records);
  bool ok = true;
  for (const auto &op : model.ops) {
    if (op->field("cudaKernel").empty())
      continue;
    StringRef name;
    SmallVector<StringRef, 12> arguments;
    if (!parseCudaCall(op->field("cudaKernel"), name, arguments)) {
      PrintError(op->record->getLoc(),
                 "cudaKernel: '" + op->field("cudaKernel") + "' is not of the form cuda::name(arguments)");
      ok = false;
      continue;
    }
    if (op->form == Form::Out || (op->form == Form::InPlace && !is_contained(arguments, inPlaceWord)))
      continue;
    os << "CUDA_KERNEL(" << op->kind << ", " << name << "(";
    for (auto [i, argument] : enumerate(arguments)) {
      os << (i == 0 ? "" : ", ");
      ok &= emitCudaArgument(os, *op, argument);
    }
    os << "))\n";
  }
  os << "#undef CUDA_KERNEL\n";
  return !ok;
}
