//===- GradientEntry.cpp - Gradients of a function by its arguments -------===//
#include "ProgramImpl.h"
#include "StateGuard.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Stack.h"
#include "tsc/Transforms/Subgraph.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

/// Adds the sums of the tensors in `value` to `sums`. False: it holds tensors in something else than tuples.
static bool addSums(Graph &graph, Value *value, llvm::SmallVectorImpl<Value *> &sums) {
  const Type *type = value->type();
  if (type->isTensor()) {
    sums.push_back(graph.insert(aten::sum, {value}));
    return true;
  }
  const auto *tuple = dyn_cast<TupleType>(type);
  if (!tuple)
    return !type->isMutable();
  Node *unpack = graph.insertNodeHere(graph.create(prim::TupleUnpack, {value}, tuple->elements().size()));
  return llvm::all_of(llvm::zip(unpack->outputs(), tuple->elements()), [&](auto part) {
    std::get<0>(part)->setType(std::get<1>(part));
    return addSums(graph, std::get<0>(part), sums);
  });
}

/// A leaf of its own for an argument.
static Value *leafOf(Graph &graph, Value *argument) {
  Value *detached = graph.insert(graph.context().symbol("aten::detach"), {argument});
  return graph.insert(graph.context().symbol("aten::requires_grad_"), {detached, true});
}

StatusOr<Program::Entry> Program::differentiate(const Entry &entry, llvm::ArrayRef<unsigned> arguments) {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "differentiating"));
  return orMemoryError([&]() -> StatusOr<Entry> {
    if (!entry.function)
      return unimplemented("gradients of '" + llvm::Twine(entry.name()) +
                           "', which is run as Python and has no code to differentiate");
    finishCompiling();
    const FunctionSchema &schema = entry.schema();
    const bool takesSelf = entry.isMethod || entry.withSelf;
    const unsigned first = takesSelf ? 1 : 0;
    auto graph = std::make_unique<Graph>(impl->context);
    llvm::SmallVector<Value *, 8> operands, leaves;
    for (const Argument &argument : schema.arguments())
      operands.push_back(graph->addInput(argument.name, argument.type));
    for (unsigned number : arguments) {
      if (number + first >= operands.size())
        return invalidArgument("there is no argument " + llvm::Twine(number) + " to differentiate by: '" +
                               entry.name() + "' takes " + llvm::Twine(operands.size() - first));
      Value *&operand = operands[number + first];
      if (!operand->type()->isTensor())
        return invalidArgument("argument " + llvm::Twine(number) + " of '" + entry.name() + "', '" +
                               schema.arguments()[number + first].name + "', is no tensor but " +
                               operand->type()->annotation());
      if (llvm::is_contained(leaves, operand))
        return invalidArgument("argument " + llvm::Twine(number) + " is named twice");
      leaves.push_back(operand = leafOf(*graph, operand));
    }
    llvm::SmallVector<Value *, 4> sums;
    const Module *owner = impl->ownerOf(entry);
    const Graph *body =
        entry.isMethod && !entry.target && owner ? owner->graphOf(*entry.function) : entry.function->graph();
    if (!body)
      return notFound("the module was frozen without '" + llvm::Twine(entry.name()) + "'");
    if (hasBailOuts(*body))
      return unimplemented("gradients of '" + llvm::Twine(entry.name()) + "', whose graph has bailouts");
    for (Value *result : body->inlineInto(*graph, operands))
      if (!addSums(*graph, result, sums))
        return unimplemented("gradients of '" + llvm::Twine(entry.name()) + "', which returns " +
                             result->type()->annotation());
    if (sums.empty())
      return invalidArgument("'" + llvm::Twine(entry.name()) + "' returns no tensor to differentiate");
    Value *sum = sums.front();
    for (Value *further : llvm::drop_begin(sums))
      sum = graph->insert(aten::add, {sum, further});
    auto list = [&](llvm::ArrayRef<Value *> values) {
      Node *node = graph->insertNodeHere(graph->create(prim::ListConstruct, values));
      return node->output()->setType(impl->context.listOf(Type::tensorType()));
    };
    Value *outputs = list({sum});
    graph->addOutput(graph->insert(impl->context.symbol("aten::grad"), {outputs, list(leaves)}));
    impl->executor.expectGradients();

    Entry made;
    made.entryName = entry.entryName;
    made.withSelf = takesSelf;
    made.target = entry.target;
    made.fork = entry.fork;
    for (unsigned i = 0; !made.function; ++i) {
      std::string name = ("__torch__.gradients" + llvm::Twine(i) + "." + entry.name()).str();
      if (!impl->unit.find(name))
        made.function = impl->unit.create(name);
    }
    std::vector<Argument> results(1);
    results[0].type = (*graph->outputs().begin())->type();
    made.function->setSchema(FunctionSchema(made.function->name().str(), "", schema.arguments().vec(), results));
    made.function->setGraph(std::move(graph));
    impl->gradientFunctions.push_back(made.function);
    impl->noteModuleChange();
    made.guarded = impl->guardedEntry(made, guard());
    return made;
  });
}
