//===- GradientFlow.cpp - Where requires_grad comes from ------------------===//
#include "tsc/Analysis/GradientFlow.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Operator.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

/// Operands beyond these are not looked at; no operator has as many.
static constexpr unsigned maxOperands = 32;

/// Whether the type says that the tensor requires no gradient.
static bool requiresNone(const Type *type) {
  const auto *tensor = llvm::dyn_cast<TensorType>(type);
  return tensor && (tensor->facts().requiresGrad == false ||
                    (tensor->facts().dtype && isIntegral(*tensor->facts().dtype, /*includeBool=*/true)));
}

static uint32_t tensorOperands(const Node &node) {
  uint32_t operands = 0;
  if (llvm::any_of(node.outputs(), [](const Value *output) { return holdsTensors(output->type()); }))
    for (unsigned i = 0; i != std::min(node.numInputs(), maxOperands); ++i)
      if (holdsTensors(node.input(i)->type()))
        operands |= uint32_t(1) << i;
  return operands;
}

uint32_t tsc::gradientOperands(const Node &node) {
  const FunctionSchema *schema = node.schema();
  uint32_t operands = !schema ? tensorOperands(node) : node.record() ? gradientOperands(*node.record(), *schema) : 0;
  if (schema && schema->isVararg())
    operands &= tensorOperands(node);
  for (unsigned i = 0; i != std::min(node.numInputs(), maxOperands); ++i)
    if (requiresNone(node.input(i)->type()))
      operands &= ~(uint32_t(1) << i);
  return operands;
}

bool tsc::isNewTensor(const Value *value) {
  const Node *maker = value->definingNode();
  const OpRecord *record = maker ? maker->record() : nullptr;
  if (!record || !value->type()->isTensor() || maker->numBlocks() || record->has(Trait::Writes))
    return false;
  return record->has(Trait::View) ? record->has(Trait::IndexMap) || maker->opKind() == OpKind::Aten_detach
                                  : !record->has(Trait::Aliases);
}

bool tsc::makesLeaf(const Node &node) {
  return node.opKind() == OpKind::Aten_requires_grad_ && node.input(0)->hasOneUse() && isNewTensor(node.input(0));
}

const OpRecord *tsc::functionalNamesake(Context &context, const OpRecord &record) {
  llvm::StringRef name = record.qualified;
  const OpRecord *form = name.consume_back("_") ? findOpRecord(name, record.overload) : nullptr;
  if (!form)
    return nullptr;
  OperatorTable &table = context.operators();
  const FunctionSchema &theirs = table.find(form->qualified, form->overload)->schema(),
                       &ours = table.find(record.qualified, record.overload)->schema();
  const bool areAlike = theirs.returns().size() == 1 && theirs.arguments().size() == ours.arguments().size() &&
                        llvm::all_of(llvm::zip(theirs.arguments(), ours.arguments()),
                                     [](const auto &pair) { return std::get<0>(pair).name == std::get<1>(pair).name; });
  return areAlike ? form : nullptr;
}

static bool switchesGradMode(const Block &block) {
  return llvm::any_of(block.nodes(), [](const Node &node) {
    Symbol kind = node.kind();
    return kind == prim::Enter || kind == prim::Exit || kind == aten::set_grad_enabled ||
           llvm::any_of(node.blocks(), [](const Block &inner) { return switchesGradMode(inner); });
  });
}

bool tsc::switchesGradMode(const Graph &graph) { return ::switchesGradMode(graph.block()); }

bool tsc::asksForGradients(const Node &node) { return node.hasTrait(Trait::ReadsHistory); }

bool tsc::mayMakeLeaf(const Node &node) {
  const FunctionSchema *schema = node.schema();
  const std::optional<unsigned> flag = schema ? schema->argumentIndex("requires_grad") : std::nullopt;
  return node.opKind() == OpKind::Aten_requires_grad_ ||
         (flag && *flag < node.numInputs() && constantBool(node.input(*flag)) != false);
}

bool tsc::writesToLeaf(const Node &node) {
  if (!node.hasTrait(Trait::Writes) || mayMakeLeaf(node) || node.inputs().empty())
    return false;
  const Node *maker = node.input(0)->definingNode();
  while (maker && !mayMakeLeaf(*maker) && maker->hasTrait(Trait::View) && maker->numInputs())
    maker = maker->input(0)->definingNode();
  return maker && mayMakeLeaf(*maker);
}

bool tsc::showsValues(const Node &node) { return node.hasTrait(Trait::ShowsValues) || node.kind() == prim::Print; }

bool tsc::mayCreateGraph(const Node &node) {
  const FunctionSchema *schema = asksForGradients(node) ? node.schema() : nullptr;
  const std::optional<unsigned> flag = schema ? schema->argumentIndex("create_graph") : std::nullopt;
  return flag && constantBool(node.input(*flag)) != false;
}
