//===- ExitTransform.cpp - return, break and continue to outputs ----------===//
//
// Works inside out. A block that surely exits gives the exit's values; one that
// may exit gives a flag beside them, and what follows is put under prim::If(flag).
// First the exits of each loop body, then the returns of the function, which run
// through loops as further carried values.
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"

using namespace tsc;

namespace {

struct Exit {
  enum Kind { Never, Maybe, Always, Throws } kind = Never;
  Value *flag = nullptr; ///< Of Maybe: whether the exit was taken.
  llvm::SmallVector<Value *, 4> values;
};

class ExitTransformer {
public:
  ExitTransformer(Graph &graph, Symbol exitKind, ArrayRef<const Type *> types)
      : graph(graph), exitKind(exitKind), types(types) {}

  /// Makes the exits of `target` its outputs.
  void run(Block &target) {
    Exit exit = transform(target, target);
    if (exit.kind == Exit::Never)
      return;
    llvm::SmallVector<Value *, 4> results = exit.values;
    if (exit.kind == Exit::Throws)
      for (const Type *type : types)
        results.push_back(uninitialized(type, target));
    while (target.numOutputs())
      target.eraseOutput(target.numOutputs() - 1);
    for (Value *value : results)
      target.addOutput(value);
  }

private:
  Value *uninitialized(const Type *type, Block &block) {
    Node *node = block.append(graph.create(prim::Uninitialized));
    return node->output()->setType(type);
  }
  Value *boolean(bool value, Block &block) { return block.append(graph.createConstant(value))->output(); }

  static void eraseAfter(Node &node) {
    Block &block = *node.block();
    // Users come after definitions: last first. What the block returns is replaced by its reader.
    while (&block.nodes().back() != &node) {
      Node &last = block.nodes().back();
      for (Value *output : last.outputs())
        if (output->hasUses()) {
          Node *stand = block.graph().create(prim::Uninitialized)->insertBefore(&node);
          stand->output()->setType(output->type());
          output->replaceAllUsesWith(stand->output());
        }
      last.erase();
    }
  }

  Exit transform(Block &block, Block &target) {
    for (Node *node = block.empty() ? nullptr : &block.nodes().front(); node; node = node->next()) {
      if (node->kind() == prim::RaiseException) {
        eraseAfter(*node);
        return {Exit::Throws, nullptr, {}};
      }
      if (node->kind() == exitKind) {
        eraseAfter(*node);
        Exit exit{Exit::Always, nullptr, {}};
        for (Value *value : node->inputs())
          exit.values.push_back(value);
        node->erase();
        return exit;
      }
      Exit exit;
      if (node->kind() == prim::If)
        exit = transformIf(*node, target);
      else if (node->kind() == prim::Loop && exitKind == prim::ReturnStmt)
        exit = transformLoop(*node, target);
      if (exit.kind == Exit::Never)
        continue;
      if (exit.kind != Exit::Maybe) {
        eraseAfter(*node);
        return exit;
      }
      if (!node->next() && !block.numOutputs())
        return exit;
      return guardRest(*node, exit, block, target);
    }
    return {};
  }

  /// Puts all that follows `node` under a test of whether its exit was taken.
  Exit guardRest(Node &node, const Exit &exit, Block &block, Block &target) {
    llvm::SmallVector<Node *, 16> rest;
    for (Node *next = node.next(); next; next = next->next())
      rest.push_back(next);
    Node *guard = graph.create(prim::If, {exit.flag}, 0);
    guard->setRange(node.range());
    block.append(guard);
    Block &taken = guard->addBlock(), &onward = guard->addBlock();
    for (Node *moved : rest) {
      moved->removeFromBlock();
      onward.append(moved);
    }
    for (unsigned i = 0; i != block.numOutputs(); ++i) {
      Value *value = block.returnNode().input(i);
      onward.addOutput(value);
      taken.addOutput(uninitialized(value->type(), taken));
      Value *output = guard->addOutput(value->type());
      block.returnNode().setInput(i, output);
    }
    Exit after = transform(onward, target);
    return merge(*guard, {Exit::Always, nullptr, exit.values}, after);
  }

  Exit transformIf(Node &node, Block &target) {
    Exit whenTrue = transform(node.block(0), target);
    Exit whenFalse = transform(node.block(1), target);
    return merge(node, whenTrue, whenFalse);
  }

  /// The exit of an If from those of its blocks; adds outputs for values and flag.
  Exit merge(Node &node, const Exit &a, const Exit &b) {
    auto silent = [](const Exit &e) { return e.kind == Exit::Never || e.kind == Exit::Throws; };
    if (a.kind == Exit::Throws && b.kind == Exit::Throws)
      return {Exit::Throws, nullptr, {}};
    if (silent(a) && silent(b))
      return {};
    auto settled = [](const Exit &e) { return e.kind == Exit::Always || e.kind == Exit::Throws; };
    Exit result;
    result.kind = settled(a) && settled(b) ? Exit::Always : Exit::Maybe;
    const Exit *sides[2] = {&a, &b};
    if (result.kind == Exit::Maybe) {
      for (unsigned i : {0, 1}) {
        Block &block = node.block(i);
        block.addOutput(sides[i]->kind == Exit::Maybe ? sides[i]->flag
                                                      : boolean(sides[i]->kind == Exit::Always, block));
      }
      result.flag = node.addOutput(Type::boolType());
    }
    for (size_t k = 0; k != types.size(); ++k) {
      for (unsigned i : {0, 1}) {
        Block &block = node.block(i);
        block.addOutput(k < sides[i]->values.size() ? sides[i]->values[k] : uninitialized(types[k], block));
      }
      result.values.push_back(node.addOutput(types[k]));
    }
    return result;
  }

  /// A return inside a loop: the loop carries whether it was taken and with what, and stops.
  Exit transformLoop(Node &loop, Block &target) {
    Block &body = loop.block(0);
    Exit exit = transform(body, target);
    if (exit.kind == Exit::Never || exit.kind == Exit::Throws)
      return {};
    Value *flag = exit.kind == Exit::Always ? boolean(true, body) : exit.flag;
    Value *again = body.returnNode().input(0);
    if (exit.kind == Exit::Always) {
      body.returnNode().setInput(0, boolean(false, body));
    } else {
      Node *test = body.append(graph.create(prim::If, {flag}, 0));
      test->setRange(loop.range());
      Block &stop = test->addBlock(), &onward = test->addBlock();
      stop.addOutput(boolean(false, stop));
      onward.addOutput(again);
      body.returnNode().setInput(0, test->addOutput(Type::boolType()));
    }
    auto carry = [&](Value *initial, Value *inBody, const Type *type) {
      loop.addInput(initial);
      body.addInput("", type);
      body.addOutput(inBody);
      return loop.addOutput(type);
    };
    Exit result{Exit::Maybe, nullptr, {}};
    Value *no = graph.createConstant(false)->insertBefore(&loop)->output();
    result.flag = carry(no, flag, Type::boolType());
    for (size_t k = 0; k != types.size(); ++k) {
      Node *initial = graph.create(prim::Uninitialized)->insertBefore(&loop);
      initial->output()->setType(types[k]);
      result.values.push_back(carry(initial->output(), exit.values[k], types[k]));
    }
    return result;
  }

  Graph &graph;
  Symbol exitKind;
  ArrayRef<const Type *> types;
};

/// `if c: …; t = True else: …; t = False` directly followed by `if t`: one If.
class IfJoiner {
public:
  explicit IfJoiner(Graph &graph) : graph(graph) {}
  void run(Block &block) {
    for (Node *node = block.empty() ? nullptr : &block.nodes().front(); node;) {
      for (Block &inner : node->blocks())
        run(inner);
      Node *next = node->next();
      if (node->kind() == prim::If && next && next->kind() == prim::If && join(*node, *next))
        continue; // the joined node may be joined again
      node = next;
    }
  }

private:
  bool join(Node &first, Node &second) {
    if (second.input()->node() != &first)
      return false;
    unsigned position = second.input()->offset();
    std::optional<bool> a = constantBool(first.block(0).returnNode().input(position)),
                        b = constantBool(first.block(1).returnNode().input(position));
    if (!a || !b)
      return false;
    // Each block of the second goes to where it would run; if both sides lead to one, that one is copied.
    for (unsigned i : {0, 1}) {
      Block &source = second.block((i ? *b : *a) ? 0 : 1);
      Block &into = first.block(i);
      bool copies = *a == *b && i == 0;
      llvm::DenseMap<Value *, Value *> map;
      auto mapped = [&](Value *v) {
        if (v->node() == &first)
          return into.returnNode().input(v->offset());
        auto it = map.find(v);
        return it == map.end() ? v : it->second;
      };
      std::function<void(Block &)> remap = [&](Block &block) {
        auto fix = [&](Node &n) {
          for (unsigned k = 0; k != n.numInputs(); ++k)
            if (Value *to = mapped(n.input(k)); to != n.input(k))
              n.setInput(k, to);
        };
        for (Node &n : block.nodes()) {
          fix(n);
          for (Block &inner : n.blocks())
            remap(inner);
        }
        fix(block.returnNode());
      };
      if (copies) {
        for (Node &node : source.nodes()) {
          Node *copy = graph.copyNode(node, mapped);
          into.append(copy);
          for (unsigned k = 0; k != node.numOutputs(); ++k)
            map[node.output(k)] = copy->output(k);
        }
        for (Value *value : source.outputs())
          into.addOutput(mapped(value));
        continue;
      }
      remap(source);
      llvm::SmallVector<Value *, 4> results;
      for (Value *value : source.outputs())
        results.push_back(value);
      while (!source.empty()) {
        Node &moved = source.nodes().front();
        moved.removeFromBlock();
        into.append(&moved);
      }
      for (Value *value : results)
        into.addOutput(value);
    }
    for (Value *output : second.outputs())
      output->replaceAllUsesWith(first.addOutput(output->type()));
    second.erase();
    // Outputs that only told which way to go.
    for (unsigned i = first.numOutputs(); i-- != 0;)
      if (!first.output(i)->hasUses()) {
        first.eraseOutput(i);
        first.block(0).eraseOutput(i);
        first.block(1).eraseOutput(i);
      }
    return true;
  }

  Graph &graph;
};

} // namespace

namespace {
/// Counts the levels to come: all that follows a statement that may exit is put into a block.
class ExitDepth {
public:
  SourceRange tooDeep;

  struct Exits {
    bool returns = false, leavesLoop = false;
  };
  Exits visit(const Block &block, unsigned depth) {
    Exits found;
    for (const Node &node : block.nodes()) {
      if (node.kind() == prim::ReturnStmt)
        return {true, found.leavesLoop};
      if (node.kind() == prim::BreakStmt || node.kind() == prim::ContinueStmt)
        return {found.returns, true};
      Exits inside;
      for (const Block &inner : node.blocks()) {
        const Exits exits = visit(inner, depth + 1);
        inside.returns |= exits.returns;
        inside.leavesLoop |= exits.leavesLoop && node.kind() != prim::Loop;
      }
      if (!inside.returns && !inside.leavesLoop)
        continue;
      found.returns |= inside.returns;
      found.leavesLoop |= inside.leavesLoop;
      if (++depth > maxExitDepth && !tooDeep.isValid())
        tooDeep = node.range();
    }
    return found;
  }
};
} // namespace

SourceRange tsc::findDeepExit(const Graph &graph) {
  ExitDepth depths;
  depths.visit(graph.block(), 0);
  return depths.tooDeep;
}

static void transformLoopExits(Graph &graph, Block &block) {
  for (Node &node : llvm::make_early_inc_range(block.nodes())) {
    for (Block &inner : node.blocks())
      transformLoopExits(graph, inner);
    if (node.kind() != prim::Loop)
      continue;
    Block &body = node.block(0);
    llvm::SmallVector<const Type *, 4> types{Type::boolType()};
    for (Value *output : node.outputs())
      types.push_back(output->type());
    if (!body.empty() && body.nodes().back().kind() == prim::LoopContinuation) {
      while (body.numOutputs())
        body.eraseOutput(body.numOutputs() - 1);
      ExitTransformer(graph, prim::LoopContinuation, types).run(body);
    }
  }
}

void tsc::transformExits(Graph &graph, const Type *returnType) {
  transformLoopExits(graph, graph.block());
  ExitTransformer(graph, prim::ReturnStmt, {returnType}).run(graph.block());
  IfJoiner(graph).run(graph.block());
}
