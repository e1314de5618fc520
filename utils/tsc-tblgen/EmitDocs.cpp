//===- EmitDocs.cpp - The operator reference ------------------------------===//
#include "OpModel.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tsc::tblgen;

static std::string traitList(const RecordKeeper &records, const OpDef &op) {
  std::string out;
  for (const Record *trait : op.record->getValueAsListOfDefs("traits"))
    out += (out.empty() ? "" : ", ") + trait->getName().lower();
  return out;
}

/// The derived forms of a record, by name: "add_.Tensor, add.out".
static std::string variantList(const OpModel &model, const OpDef &base) {
  std::string out;
  for (const auto &op : model.ops)
    if (op->base == &base && op.get() != &base)
      out += (out.empty() ? "`" : ", `") + op->schema.name +
             (op->schema.overload.empty() ? "" : "." + op->schema.overload) + "`";
  return out;
}

/// What propagation knows: "shape: `self`, dtype: `promote`".
static std::string ruleList(const OpDef &op) {
  std::string out;
  for (StringRef column : {"shape", "dtype", "strides"})
    if (StringRef rule = op.field(column); !rule.empty())
      out += (out.empty() ? "" : ", ") + column.str() + ": `" + rule.str() + "`";
  return out;
}

bool tsc::tblgen::emitDocs(raw_ostream &os, const RecordKeeper &records) {
  OpModel model;
  if (!readOpModel(records, model))
    return true;
  os << "# Operators\n\nGenerated from `include/tsc/IR/Ops/*.td` by `tsc-tblgen -gen-docs`; do not edit. "
     << model.ops.size() << " overloads.\n";
  for (const std::string &family : model.families) {
    os << "\n## " << family << "\n";
    for (const auto &op : model.ops) {
      if (op->family != family || op->form != Form::Functional)
        continue;
      os << "\n### `" << op->schema.qualified() << (op->schema.overload.empty() ? "" : "." + op->schema.overload)
         << "`\n\n";
      if (!op->field("summary").empty())
        os << op->field("summary") << ".\n\n";
      os << "    " << op->field("schema") << "\n";
      std::string variants = variantList(model, *op), traits = traitList(records, *op);
      std::string rules = ruleList(*op);
      if (!variants.empty() || !traits.empty() || !rules.empty())
        os << "\n";
      if (!variants.empty())
        os << "- forms: " << variants << "\n";
      if (!traits.empty())
        os << "- traits: " << traits << "\n";
      if (!rules.empty())
        os << "- " << rules << "\n";
      if (op->isPointwise())
        os << "- element: `" << op->field("scalar").trim() << "`\n";
    }
  }
  return false;
}
