//===- CloneMethod.cpp - A method of one module for another ---------------===//
//
// The copy's types are those of the module that it is for: each class of a module
// at or below the one that has the method becomes the class of the module in the
// same place of the other tree.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Module.h"
#include "tsc/Transforms/Subgraph.h"
#include "llvm/ADT/DenseMap.h"

using namespace tsc;

namespace {
/// Replaces classes of modules by others, also within types of containers.
class ClassMap {
public:
  explicit ClassMap(Context &context) : context(context) {}
  /// Maps the classes of two modules and of those at the same places below them. InvalidArgument where one class would
  /// become two.
  Status add(const Module &from, const Module &to);
  const Type *map(const Type *type) const;
  void map(ArrayRef<Value *> values) const {
    for (Value *value : values)
      value->setType(map(value->type()));
  }
  void map(Graph &graph) const;

private:
  Context &context;
  llvm::DenseMap<const Type *, const Type *> classes;
};
} // namespace

Status ClassMap::add(const Module &from, const Module &to) {
  for (const NamedModule &named : from.namedModules()) {
    StatusOr<Module> other = to.findModule(named.path);
    if (!other.ok())
      continue; // what the copy does with it is found to be wrong when that runs
    const Type *wanted = &other->type();
    if (classes.try_emplace(&named.module.type(), wanted).first->second != wanted)
      return invalidArgument("modules of the class '" + named.module.type().name() +
                             "' would become modules of several classes");
  }
  return okStatus();
}

const Type *ClassMap::map(const Type *type) const {
  if (const Type *known = classes.lookup(type))
    return known;
  if (const auto *tuple = dyn_cast<TupleType>(type); tuple && tuple->isNamed())
    return type; // its definition says what its fields are
  return context.mapContained(type, [&](const Type *part) { return map(part); });
}

void ClassMap::map(Graph &graph) const {
  map(graph.inputs());
  walkWithSubgraphs(graph, [&](Node &node) {
    map(node.outputs());
    for (Block &block : node.blocks())
      map(block.inputs());
    if (Graph *subgraph = subgraphOf(node))
      map(subgraph->inputs());
  });
}

/// Checks that the attributes that a graph reads and sets have the types that it takes them for. One that the class
/// does not have is found missing when the copy runs.
static Status checkAttributes(Graph &graph) {
  Status status = okStatus();
  walkWithSubgraphs(graph, [&](Node &node) {
    const bool reads = node.kind() == prim::GetAttr;
    if (!status.ok() || (!reads && node.kind() != prim::SetAttr))
      return;
    const auto *type = dyn_cast<ClassType>(node.input(0)->type());
    const std::string &name = node.get<std::string>(attr::name);
    const Type *declared = type ? type->attributeType(name) : nullptr;
    if (!declared)
      return;
    const Type *used = reads ? node.output()->type() : node.input(1)->type();
    if (reads ? !declared->isSubtypeOf(used) : !used->isSubtypeOf(declared))
      status = invalidArgument("'" + name + "' of '" + type->name() + "' is of type '" + declared->str() +
                               "', but the method uses it as '" + used->str() + "'");
  });
  return status;
}

Status Module::cloneMethod(const Module &from, llvm::StringRef name) const {
  Function *method = from.findMethod(name);
  if (!method)
    return notFound("Method '" + name + "' is not defined in '" + from.type().name() + "'");
  if (failed(method->ensureDefined()) || !method->graph())
    return invalidArgument("function '" + method->qualifiedName() + "' could not be compiled");
  CompilationUnit &unit = method->compilationUnit();
  if (owner && &owner->compilationUnit() != &unit)
    return invalidArgument("method '" + method->qualifiedName() + "' is of another program");
  const std::string qualified = (type().name() + "." + name).str();
  if (findMethod(name) || unit.find(qualified))
    return invalidArgument("'" + type().name() + "' has a method '" + name + "' already");

  executor->finishCompiling(); // the thread that makes plans looks at classes and functions
  ClassMap classes(unit.context());
  TSC_RETURN_IF_ERROR(classes.add(from, *this));
  std::unique_ptr<Graph> graph = method->graph()->clone();
  classes.map(*graph);
  TSC_RETURN_IF_ERROR(checkAttributes(*graph));
  std::vector<Argument> parameters = method->schema().arguments().vec(), results = method->schema().returns().vec();
  for (std::vector<Argument> *list : {&parameters, &results})
    for (Argument &argument : *list)
      argument.type = classes.map(argument.type);
  Function *made = unit.create(qualified);
  made->setSchema(FunctionSchema(name.str(), "", std::move(parameters), std::move(results)));
  made->setGraph(std::move(graph));
  const_cast<ClassType *>(self->type)->addMethod(made);
  executor->noteModuleChange();
  return okStatus();
}
