//===- EmitShapes.cpp - The shape, dtype and strides columns --------------===//
//
// One row an overload, in the order of OpKind. A derived in-place form gives back
// its operand; an out= form has the shapes of its record and the dtypes of its
// out arguments.
//
//===----------------------------------------------------------------------===//
#include "OpModel.h"
#include "Texts.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace tsc::tblgen;

namespace {
struct Columns {
  std::string shape, dtype, strides;
};
} // namespace

static Columns columnsOf(const OpDef &op) {
  switch (op.form) {
  case Form::Functional: return {op.field("shape").str(), op.field("dtype").str(), op.field("strides").str()};
  case Form::InPlace: {
    const std::string &self = op.schema.args.front().name;
    return {self, self, self + ".strides"};
  }
  case Form::Out: {
    auto outs = ArrayRef(op.schema.args).take_back(op.numOutArgs());
    return {op.field("shape").str(), join(map_range(outs, [](const SchemaArg &arg) { return arg.name; }), "; "), ""};
  }
  }
  llvm_unreachable("every form is handled");
}

/// Bits of the arguments that take part in `promote`: the tensors; of a point-wise operator its numbers too.
static uint32_t promotingArguments(const OpDef &op) {
  std::vector<StringRef> excluded;
  if (op.isPointwise())
    excluded = op.record->getValueAsListOfStrings("noPromote");
  uint32_t bits = 0;
  for (auto [i, arg] : enumerate(ArrayRef(op.schema.args).drop_back(op.numOutArgs()))) {
    StringRef type = arg.type;
    type.consume_back("?");
    bool takesPart = type == "Tensor" || type == "Tensor[]" || (op.isPointwise() && type == "Scalar");
    if (takesPart && i < 32 && !is_contained(excluded, arg.name))
      bits |= uint32_t{1} << i;
  }
  return bits;
}

/// ShapeColumns::computeTypes.
static unsigned unconditionalTypes(const OpDef &op) {
  if (!op.isPointwise() || op.form != Form::Functional || !op.field("check").empty())
    return 0;
  unsigned bits = 0;
  for (const Record *type : op.record->getValueAsListOfDefs("types"))
    bits |= StringSwitch<unsigned>(type->getName())
                .Case("Real", 1)
                .Case("Int", 2)
                .Case("Bool", 4)
                .Case("Cplx", 8)
                .Default(0);
  return bits;
}

bool tsc::tblgen::emitShapeColumns(raw_ostream &os, const RecordKeeper &records) {
  OpModel model;
  if (!readOpModel(records, model))
    return true;
  emitSourceFileHeader("Columns for propagation: shape, dtype, strides, promoting arguments, types", os, records);
  Texts texts;
  os << "#ifdef TSC_SHAPE_ROWS\n";
  for (const auto &op : model.ops) {
    Columns columns = columnsOf(*op);
    os << "{";
    for (StringRef text : {columns.shape, columns.dtype, columns.strides})
      os << texts.offsetOf(text) << ", ";
    os << unconditionalTypes(*op) << ", 0x" << utohexstr(promotingArguments(*op)) << "}, // " << op->kind << "\n";
  }
  os << "#endif\n";
  texts.write(os, "TSC_SHAPE_TEXTS");
  return false;
}
