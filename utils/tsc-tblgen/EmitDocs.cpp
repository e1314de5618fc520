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
      StringRef spelling = op->field("spelling");
      if (!variants.empty() || !traits.empty() || !rules.empty() || !spelling.empty())
        os << "\n";
      if (!spelling.empty())
        os << "- in the text of the IR: `" << spelling << "[python=1]`\n";
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

//===----------------------------------------------------------------------===//
// Where gradients come from
//===----------------------------------------------------------------------===//

static bool isTensor(const SchemaArg &argument) { return StringRef(argument.type).starts_with("Tensor"); }

/// Whether a point-wise operator takes integers and bools alone.
static bool isOfIntegers(const OpDef &op) {
  return op.record->isSubClassOf("PointwiseOp") &&
         llvm::none_of(op.record->getValueAsListOfDefs("types"),
                       [](const Record *type) { return type->getName() == "Real" || type->getName() == "Cplx"; });
}

/// Whether it makes new tensors of tensors, whose elements are not all integers or bools.
static bool mayHaveGradients(const OpDef &op) {
  if (isOfIntegers(op) || llvm::any_of(op.schema.args, [](const SchemaArg &argument) { return argument.writes; }))
    return false;
  const StringRef dtype = op.field("dtype").trim();
  return llvm::any_of(op.schema.args, isTensor) && llvm::any_of(op.schema.returns, isTensor) &&
         !llvm::is_contained({"bool", "Bool", "Long", "Int", "Byte", "Byte if self:Byte,Bool"}, dtype) &&
         !op.hasTrait("Factory") && !op.hasTrait("Geometry");
}

/// The operands of `operand = formula` lines; `inert`: those whose gradient is None.
static std::string differentiated(const OpDef &op, bool inert) {
  SmallVector<StringRef> lines;
  op.field("derivative").split(lines, '\n');
  std::string out;
  for (StringRef line : lines) {
    auto [name, formula] = line.split('=');
    const bool isOperand = llvm::any_of(op.schema.args, [&](const SchemaArg &a) { return a.name == name.trim(); });
    if (isOperand && !formula.empty() && (formula.trim() == "None") == inert)
      out += (out.empty() ? "`" : ", `") + name.trim().str() + "`";
  }
  return out;
}

bool tsc::tblgen::emitDerivativeDocs(raw_ostream &os, const RecordKeeper &records) {
  OpModel model;
  if (!readOpModel(records, model))
    return true;
  std::vector<std::string> left;
  unsigned formulas = 0, composites = 0, detached = 0;
  std::string table;
  raw_string_ostream rows(table);
  for (const std::string &family : model.families) {
    bool isFirst = true;
    for (const auto &op : model.ops) {
      if (op->family != family || op->form != Form::Functional || !mayHaveGradients(*op))
        continue;
      const std::string name =
          "`" + op->schema.qualified() + (op->schema.overload.empty() ? "" : "." + op->schema.overload) + "`";
      std::string source;
      if (const std::string operands = differentiated(*op, /*inert=*/false); !operands.empty()) {
        const std::string inert = differentiated(*op, /*inert=*/true);
        source = "formula: " + operands + (inert.empty() ? "" : "; gradient zero: " + inert);
        ++formulas;
      } else if (!op->field("decomposition").trim().empty()) {
        source = "what it is made of";
        ++composites;
      } else if (op->hasTrait("Detached") || !op->field("derivative").trim().empty()) {
        source = "none: the result takes no part";
        ++detached;
      } else {
        left.push_back(name);
        continue;
      }
      if (std::exchange(isFirst, false))
        rows << "\n## " << family << "\n\n| operator | gradient |\n| --- | --- |\n";
      rows << "| " << name << " | " << source << " |\n";
    }
  }
  os << "# Where gradients come from\n\nGenerated from `include/tsc/IR/Ops/*.td` by `tsc-tblgen -gen-derivative-docs`; "
        "do "
        "not edit. In-place forms have the\ngradients of the functional ones; forms with `out=` have none.\n\n"
     << formulas << " overloads have a formula, " << composites
     << " are differentiated through what they are made of, the results of " << detached << " take no\npart, and "
     << left.size() << " have no gradient: who asks for one is told so, with the operator's name.\n"
     << table << "\n## Without a gradient\n\n";
  for (const std::string &name : left)
    os << "- " << name << "\n";
  return false;
}
