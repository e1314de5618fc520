//===- SSA.cpp - Variables to values --------------------------------------===//
//
// Three walks, each linear but for the sets of names that a block writes:
// 1. carry: what an If or a Loop writes becomes its outputs (through Loads at the
//    ends of its blocks and Stores behind it), and exits of loops receive what the loop carries;
// 2. conditions: the second block of a Loop is copied before it and moved to the end of its body;
// 3. erase: every Load is replaced by what was stored last.
//
//===----------------------------------------------------------------------===//
#include "Environment.h"
#include "Lowering.h"
#include "tsc/IR/Context.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace tsc;

namespace {

using Types = std::map<std::string, const Type *>;

struct Scope_ {
  Types types;
  const Scope_ *parent;
  const Type *find(const std::string &name) const {
    for (const Scope_ *scope = this; scope; scope = scope->parent)
      if (auto it = scope->types.find(name); it != scope->types.end())
        return it->second;
    return nullptr;
  }
};

const std::string &nameOf(const Node &node) { return node.get<std::string>(attr::name); }

/// Of the variable, which may be declared wider than what is stored.
const Type *storedType(const Node &store) {
  return store.hasAttribute(attr::types) ? store.get<const Type *>(attr::types) : store.input()->type();
}

class Carrier {
public:
  explicit Carrier(Graph &graph) : graph(graph) {}
  void run() { carry(graph.block(), nullptr); }
  std::map<Node *, std::vector<std::string>> carriedBy; ///< By each loop.

private:
  Types carry(Block &block, const Scope_ *parent) {
    Scope_ scope{{}, parent};
    for (Node &node : llvm::make_early_inc_range(block.nodes())) {
      if (node.kind() == prim::Store)
        scope.types[nameOf(node)] = storedType(node);
      else if (node.kind() == prim::If)
        carryIf(node, scope);
      else if (node.kind() == prim::Loop)
        carryLoop(node, scope);
    }
    return std::move(scope.types);
  }

  Value *loadAtEnd(Block &block, const std::string &name, const Type *type) {
    Node *load = graph.create(prim::Load);
    load->setAttribute(attr::name, name);
    block.append(load);
    load->output()->setType(type);
    if (isMeaningfulName(name))
      load->output()->setName(name);
    return load->output();
  }

  void storeAfter(Node *&after, const std::string &name, Value *value) {
    Node *store = graph.create(prim::Store, {value}, 0);
    store->setAttribute(attr::name, name);
    store->insertAfter(after);
    after = store;
  }

  void carryIf(Node &node, Scope_ &scope) {
    Types sides[2] = {carry(node.block(0), &scope), carry(node.block(1), &scope)};
    std::set<std::string> names;
    for (unsigned side : {0, 1})
      for (auto &entry : sides[side])
        if (sides[!side].count(entry.first) || scope.find(entry.first))
          names.insert(entry.first);
    Node *after = &node;
    for (const std::string &name : names) {
      const Type *types[2];
      for (unsigned side : {0, 1})
        types[side] = sides[side].count(name) ? sides[side][name] : scope.find(name);
      const Type *type = graph.context().unify(types[0], types[1]);
      if (!type)
        if (const Type *outer = scope.find(name); outer && types[0]->isSubtypeOf(outer) && types[1]->isSubtypeOf(outer))
          type = outer;
      if (!type)
        continue;
      for (unsigned side : {0, 1})
        node.block(side).addOutput(loadAtEnd(node.block(side), name, types[side]));
      Value *output = node.addOutput(type);
      if (isMeaningfulName(name))
        output->setName(name);
      storeAfter(after, name, output);
      scope.types[name] = type;
    }
  }

  void carryLoop(Node &loop, Scope_ &scope) {
    Block &body = loop.block(0);
    Types written = carry(body, &scope);
    Node *after = &loop;
    std::vector<std::string> &carried = carriedBy[&loop];
    Node *first = nullptr;
    for (auto &entry : written) {
      const std::string &name = entry.first;
      const Type *type = scope.find(name);
      if (!type)
        continue;
      carried.push_back(name);
      Node *load = graph.create(prim::Load)->insertBefore(&loop);
      load->setAttribute(attr::name, name);
      load->output()->setType(type);
      if (isMeaningfulName(name))
        load->output()->setName(name);
      loop.addInput(load->output());
      Value *input = body.addInput(isMeaningfulName(name) ? name : "", type);
      Node *store = graph.create(prim::Store, {input}, 0);
      store->setAttribute(attr::name, name);
      first ? (void)store->insertAfter(first) : (void)body.prepend(store);
      first = store;
      body.addOutput(loadAtEnd(body, name, entry.second));
      Value *output = loop.addOutput(type);
      if (isMeaningfulName(name))
        output->setName(name);
      storeAfter(after, name, output);
      scope.types[name] = type; // a write of the block around, too
    }
    if (loop.numBlocks() > 1)
      carry(loop.block(1), &scope);
  }

  Graph &graph;
};

class LoopShaper {
public:
  LoopShaper(Graph &graph, std::map<Node *, std::vector<std::string>> &carriedBy)
      : graph(graph), carriedBy(carriedBy) {}
  void run() {
    exits(graph.block(), nullptr);
    conditions(graph.block());
  }

private:
  /// Copies the condition block of `loop` before `before`; returns the condition.
  Value *copyCondition(Node &loop, Node *before) {
    llvm::DenseMap<Value *, Value *> map;
    auto mapped = [&](Value *v) {
      auto it = map.find(v);
      return it == map.end() ? v : it->second;
    };
    Block &condition = loop.block(1);
    for (Node &node : condition.nodes()) {
      Node *copy = graph.copyNode(node, mapped)->insertBefore(before);
      for (unsigned i = 0; i != node.numOutputs(); ++i)
        map[node.output(i)] = copy->output(i);
    }
    return mapped(condition.returnNode().input(0));
  }

  Value *boolBefore(Node *before, bool value) { return graph.createConstant(value)->insertBefore(before)->output(); }

  /// Gives break and continue the loop's outputs as they are there. Returns whether the block holds any of this loop.
  bool exits(Block &block, Node *loop) {
    bool any = false;
    for (Node &node : llvm::make_early_inc_range(block.nodes())) {
      if (node.kind() == prim::Loop) {
        if (exits(node.block(0), &node))
          endWithContinuation(node);
        continue;
      }
      if (node.kind() != prim::BreakStmt && node.kind() != prim::ContinueStmt) {
        for (Block &inner : node.blocks())
          any |= exits(inner, loop);
        continue;
      }
      any = true;
      Node *exit = graph.create(prim::LoopContinuation, 0)->insertBefore(&node);
      exit->setRange(node.range());
      exit->addInput(node.kind() == prim::BreakStmt ? boolBefore(exit, false) : copyCondition(*loop, exit));
      for (const std::string &name : carriedBy[loop]) {
        Node *load = graph.create(prim::Load)->insertBefore(exit);
        load->setAttribute(attr::name, name);
        exit->addInput(load->output());
      }
      node.erase();
    }
    return any;
  }

  /// Marks that the end of the body is an exit like the others; `conditions` fills in its values.
  void endWithContinuation(Node &loop) { needsContinuation.insert(&loop); }

  void conditions(Block &block) {
    for (Node &node : llvm::make_early_inc_range(block.nodes())) {
      for (Block &inner : node.blocks())
        conditions(inner);
      if (node.kind() != prim::Loop || node.numBlocks() < 2)
        continue;
      Value *first = copyCondition(node, &node);
      node.insertInput(1, first);
      Block &body = node.block(0), &condition = node.block(1);
      Value *next = condition.returnNode().input(0);
      llvm::SmallVector<Value *, 8> results{next};
      for (Value *value : body.outputs())
        results.push_back(value);
      while (!condition.empty()) {
        Node &moved = condition.nodes().front();
        moved.removeFromBlock();
        body.append(&moved);
      }
      condition.eraseOutput(0);
      node.eraseBlock(1);
      body.returnNode().insertInput(0, next);
      if (needsContinuation.count(&node))
        body.append(graph.create(prim::LoopContinuation, results, 0));
    }
  }

  Graph &graph;
  std::map<Node *, std::vector<std::string>> &carriedBy;
  std::set<Node *> needsContinuation;
};

class LoadEraser {
public:
  void run(Graph &graph) { erase(graph.block(), nullptr); }

private:
  struct Values {
    std::map<std::string, Value *> values;
    const Values *parent;
    Value *find(const std::string &name) const {
      for (const Values *v = this; v; v = v->parent)
        if (auto it = v->values.find(name); it != v->values.end())
          return it->second;
      return nullptr;
    }
  };

  void erase(Block &block, const Values *parent) {
    Values here{{}, parent};
    for (Node &node : llvm::make_early_inc_range(block.nodes())) {
      if (node.kind() == prim::Store) {
        here.values[nameOf(node)] = node.input();
        node.erase();
        continue;
      }
      if (node.kind() == prim::Load) {
        Value *value = here.find(nameOf(node));
        if (!value) { // only on paths that are never run: behind a return
          Node *missing = block.graph().create(prim::Uninitialized)->insertBefore(&node);
          missing->output()->setType(node.output()->type());
          value = missing->output();
        }
        node.output()->replaceAllUsesWith(value);
        node.erase();
        continue;
      }
      for (Block &inner : node.blocks())
        erase(inner, &here);
    }
  }
};

} // namespace

void tsc::convertToSSA(Graph &graph) {
  Carrier carrier(graph);
  carrier.run();
  LoopShaper(graph, carrier.carriedBy).run();
  LoadEraser().run(graph);
}
