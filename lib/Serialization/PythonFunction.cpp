//===- PythonFunction.cpp - One body as Python statements -----------------===//
#include "PythonFunction.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Operator.h"
#include "tsc/IR/PythonMeaning.h"
#include "tsc/Serialization/PythonPrinter.h"
#include "tsc/Support/SourceOrigins.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tsc;
using llvm::Twine;

/// An inlined operand longer than this gets a line of its own.
static constexpr size_t longOperand = 40;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Words that printed code gives a meaning.
static bool isReserved(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("torch", "ops", "CONSTANTS", "__torch__", "fork", "awaitable", true)
      .Cases("annotate", "unchecked_cast", "unchecked_unwrap_optional", "uninitialized", true)
      .Cases("inf", "nan", "infj", "nanj", true)
      .Cases("int", "float", "bool", "complex", "str", "range", true)
      .Cases("print", "getattr", "hasattr", "isinstance", true)
      .Default(false);
}

bool tsc::isPythonIdentifier(StringRef name) {
  if (name.empty() || !(llvm::isAlpha(name[0]) || name[0] == '_'))
    return false;
  if (!llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; }))
    return false;
  return !llvm::StringSwitch<bool>(name)
#define KEYWORD(Kind, spelling) .Case(spelling, true)
#define TOKEN(Kind, text)
#define PUNCTUATION(Kind, text)
#include "tsc/Frontend/Tokens.def"
              .Default(false);
}

/// `x.1` is another state of the variable `x`.
std::string PythonFunction::freshName(StringRef wanted) {
  StringRef base = wanted.split('.').first;
  const bool isUsable = isPythonIdentifier(base) && base != "_";
  std::string stem = isUsable ? base.str() : "_";
  if (isUsable && !isReserved(stem) && taken.insert(stem).second)
    return stem;
  for (unsigned &number = nextNumber[stem];; ++number) {
    std::string name = stem + std::to_string(number);
    if (taken.insert(name).second)
      return name;
  }
}

void PythonFunction::keepOrder(size_t count) {
  unsigned &next = nextNumber["_"];
  while (taken.contains("_" + std::to_string(next)))
    ++next;
  unsigned longer = 10;
  while (longer <= next)
    longer *= 10;
  if (count > 1 && next + count > longer)
    next = longer;
}

void PythonFunction::nameValue(Value *value) { texts[value] = freshName(value->name()); }

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

Status PythonFunction::fail(const Node &node, const Twine &why) {
  if (failure.ok()) {
    std::string place;
    if (node.range().isValid()) {
      const LineColumn at = node.range().lineColumn();
      place = (node.range().buffer()->name() + ":" + Twine(at.line) + ":" + Twine(at.column) + ": ").str();
    }
    failure = unimplemented(place + why);
  }
  return failure;
}

void PythonFunction::line(const Twine &text) {
  const std::string written = text.str();
  out.append(size_t(2) * level, ' ');
  out += written;
  // PyTorch's error shows the line.
  if (StringRef(written).contains("ops.tsc."))
    out += "  # an operator of tsc's own: PyTorch cannot load this program";
  out += '\n';
}

void PythonFunction::flush(size_t keep) {
  for (size_t i = 0; i + keep < pending.size();) {
    Value *value = pending[i];
    std::string written = std::move(texts[value]);
    pending.erase(pending.begin() + i);
    nameValue(value);
    line(texts[value] + " = " + written);
  }
}

void PythonFunction::assignText(Value *target, const std::string &text) {
  flush();
  nameValue(target);
  line(texts[target] + " = " + text);
}

static bool statesType(const Value *target, const Value *value) {
  return target->type() != value->type() && !(target->type()->isTensor() && value->type()->isTensor());
}

void PythonFunction::assign(ArrayRef<Value *> targets, ArrayRef<Value *> values) {
  std::string names, texts;
  llvm::SmallVector<std::string, 4> lines;
  for (auto [target, value] : llvm::zip_equal(targets, values)) {
    std::string name = this->texts[target], written = text(value);
    if (statesType(target, value)) {
      lines.push_back(name + " : " + annotation(target->type()) + " = " + written);
      continue;
    }
    names += (names.empty() ? "" : ", ") + name;
    texts += (texts.empty() ? "" : ", ") + written;
  }
  flush();
  if (!names.empty())
    line(names + " = " + texts);
  for (const std::string &text : lines)
    line(text);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void PythonFunction::printNodes(Block &block) {
  llvm::DenseMap<const Value *, const Node *> open; // by the object of a `with`
  for (Node &node : block.nodes()) {
    if (node.kind() == prim::Enter)
      open[node.input()] = &node;
    else if (node.kind() == prim::Exit)
      if (auto enter = open.find(node.input()); enter != open.end()) {
        exits[enter->second] = &node;
        open.erase(enter);
      }
  }
  // A `with` whose block raises has no end of its own: it is that of the block, so that __exit__ is called.
  size_t numLeftByRaise = 0;
  if (llvm::any_of(block.nodes(), [](Node &node) { return node.kind() == prim::RaiseException; }))
    for (auto &[object, enter] : open) {
      exits[enter] = nullptr;
      ++numLeftByRaise;
    }
  chooseInlined(block);
  for (Node &node : block.nodes())
    if (isWritten(node))
      printNode(node);
  if (numLeftByRaise)
    flush();
  for (; numLeftByRaise; --numLeftByRaise) {
    if (out.size() == withBodies.pop_back_val())
      line("pass");
    --level;
  }
}

void PythonFunction::printBlock(Block &block) {
  const size_t begin = out.size();
  ++level;
  printNodes(block);
  --level;
  if (out.size() == begin) {
    ++level;
    line("pass");
    --level;
  }
}

void PythonFunction::printIf(Node &node) {
  std::string condition = text(node.input());
  flush();
  llvm::SmallVector<unsigned, 8> wanted; // by position
  for (Value *output : node.outputs())
    if (isLive(output))
      wanted.push_back(output->offset());
  keepOrder(wanted.size());
  for (unsigned position : wanted)
    nameValue(node.output(position));
  for (unsigned i = 0; i != 2; ++i) {
    line(i == 0 ? "if " + condition + ":" : std::string("else:"));
    ++level;
    const size_t begin = out.size();
    printNodes(node.block(i));
    llvm::SmallVector<Value *, 8> outputs, values;
    for (unsigned position : wanted) {
      outputs.push_back(node.output(position));
      values.push_back(node.block(i).returnNode().input(position));
    }
    assign(outputs, values);
    flush();
    if (out.size() == begin)
      line("pass");
    --level;
  }
}

/// A `for` where the condition is always true, a `while` where no count ends it; a `while` with a counter where both
/// may.
void PythonFunction::printLoop(Node &node) {
  Block &body = node.block(0);
  Value *condition = body.returnNode().input(0);
  auto holds = [](Value *value) { return constantBool(value) == true; };
  const bool isFor = holds(node.input(1)) && holds(condition);
  const bool isCounted = !isFor && (constantInt(node.input(0)) != INT64_MAX || body.inputs()[0]->hasUses());
  const bool waits = !pending.empty() && pending.back() == node.input(1); // the condition, for where it is written
  flush(waits ? 1 : 0);

  llvm::SmallVector<Value *, 8> carried, initial, next;
  keepOrder(node.numOutputs());
  for (unsigned i = 0; i != node.numOutputs(); ++i) {
    if (!node.output(i)->hasUses() && !body.inputs()[i + 1]->hasUses())
      continue; // nobody asks what the last round left there
    nameValue(node.output(i));
    carried.push_back(node.output(i));
    initial.push_back(node.input(i + 2));
    next.push_back(body.returnNode().input(i + 1));
    std::string name = texts[node.output(i)]; // a reference would not survive the next entry
    texts[body.inputs()[i + 1]] = std::move(name);
  }
  for (auto [target, value] : llvm::zip_equal(carried, initial))
    line(texts[target] + (statesType(target, value) ? " : " + annotation(target->type()) : "") + " = " + text(value));
  Value *counter = body.inputs()[0];
  if (isFor || isCounted)
    nameValue(counter);
  const std::string count = text(node.input(0)), index = texts.lookup(counter);
  std::string test;
  if (isFor) {
    line("for " + index + " in range(" + count + "):");
  } else {
    std::string first = text(node.input(1));
    test = freshName("_");
    if (isCounted) {
      line(index + " = 0");
      first = holds(node.input(1)) ? "torch.lt(0, " + count + ")"
                                   : "torch.__and__(" + first + ", torch.lt(0, " + count + "))";
    }
    line(test + " = " + first);
    line("while " + test + ":");
  }

  ++level;
  const size_t begin = out.size();
  printNodes(body);
  std::string targets, values;
  auto append = [&](const std::string &target, const std::string &value) {
    targets += (targets.empty() ? "" : ", ") + target;
    values += (values.empty() ? "" : ", ") + value;
  };
  if (!isFor) {
    std::string again = text(condition);
    if (isCounted) {
      std::string following = "torch.add(" + index + ", 1)";
      again = "torch.__and__(" + again + ", torch.lt(" + following + ", " + count + "))";
      append(test, again);
      append(index, following);
    } else {
      append(test, again);
    }
  }
  for (auto [output, value] : llvm::zip_equal(carried, next)) {
    std::string written = text(value);
    if (written != texts[output])
      append(texts[output], written);
  }
  flush();
  if (!targets.empty())
    line(targets + " = " + values);
  if (out.size() == begin)
    line("pass");
  --level;
}

void PythonFunction::printFork(Node &node) {
  const AttributeValue *task = node.attribute(attr::Subgraph);
  if (!task || !std::holds_alternative<std::shared_ptr<Graph>>(*task)) {
    (void)fail(node, "a fork without the graph that it runs");
    return;
  }
  flush();
  std::string name = freshName("__forked_function");
  Graph &body = *std::get<std::shared_ptr<Graph>>(*task);
  for (auto [input, operand] : llvm::zip_equal(body.inputs(), node.inputs()))
    texts[input] = text(operand);
  line("def " + name + "():");
  ++level;
  printNodes(body.block());
  std::string result = text(body.block().returnNode().input(0));
  flush();
  line("return " + result);
  --level;
  assignText(node.output(), "fork(" + name + ")");
}

void PythonFunction::printUnpack(Node &node) {
  std::string whole = text(node.input());
  flush();
  if (node.outputs().empty())
    return;
  std::string names;
  for (Value *output : node.outputs()) {
    nameValue(output);
    names += texts[output] + ", ";
  }
  line(StringRef(names).drop_back().str() + " = " + whole);
}

void PythonFunction::printNode(Node &node) {
  if (meansPython(node))
    references.needsPythonMeaning();
  if (node.hasTrait(Trait::MadeByPasses))
    (void)fail(node, "'" + node.kind().qualified() + "' is an operator that only passes make: no archive may call it");
  // Operands that are long get a variable, and with them what runs before.
  const auto operands = node.inputVector();
  for (Value *operand : llvm::reverse(operands)) {
    auto found = llvm::find(pending, operand);
    if (found == pending.end() || visibleSize(texts[operand]) <= longOperand)
      continue;
    flush(pending.end() - found - 1);
    break;
  }
  switch (node.kind().id()) {
  case SymbolId::prim_unchecked_cast:
    if (!changesType(node) && texts.count(node.input()) && !llvm::is_contained(pending, node.input())) {
      std::string same = texts[node.input()];
      texts[node.output()] = std::move(same);
      return;
    }
    break;
  case SymbolId::prim_If: return printIf(node);
  case SymbolId::prim_Loop: return printLoop(node);
  case SymbolId::prim_fork: return printFork(node);
  case SymbolId::prim_TupleUnpack:
  case SymbolId::prim_ListUnpack: return printUnpack(node);
  case SymbolId::prim_SetAttr: {
    const std::string &name = node.get<std::string>(attr::name);
    if (!isPythonIdentifier(name))
      (void)fail(node, "the attribute '" + name + "' cannot be assigned to: its name is no identifier");
    std::string object = primary(node.input(0)), value = text(node.input(1));
    flush();
    return line(marked(node, object + "." + name + " = " + value));
  }
  case SymbolId::prim_Enter:
    if (exits.count(&node)) {
      std::string object = text(node.input());
      flush();
      nameValue(node.output());
      line("with " + marked(node, object) + " as " + texts[node.output()] + ":");
      ++level;
      withBodies.push_back(out.size());
      return;
    }
    break;
  case SymbolId::prim_Exit:
    if (llvm::any_of(exits, [&](const auto &pair) { return pair.second == &node; })) {
      flush();
      if (out.size() == withBodies.pop_back_val())
        line("pass");
      --level;
      if (node.output()->hasUses())
        (void)fail(node, "the result of __exit__ is used");
      return;
    }
    break;
  default: break;
  }
  std::string written = marked(node, expression(node));
  if (inlined.contains(&node)) {
    texts[node.output()] = std::move(written);
    pending.push_back(node.output());
    return;
  }
  flush();
  if (node.outputs().empty())
    return line(written);
  std::string names;
  for (Value *output : node.outputs()) {
    nameValue(output);
    names += (names.empty() ? "" : ", ") + texts[output];
  }
  line(names + " = " + written);
}

Status PythonFunction::print(StringRef name, const Function &function, bool isMethod) {
  const FunctionSchema &schema = function.schema();
  Graph &graph = *function.graph();
  std::string head = ("def " + name + "(").str();
  // Archives do not say which parameters are keywords alone: what stands before one without a default has none either.
  size_t firstDefault = schema.arguments().size();
  while (firstDefault && schema.arguments()[firstDefault - 1].defaultValue)
    --firstDefault;
  for (auto [i, argument] : llvm::enumerate(schema.arguments())) {
    const bool isSelf = isMethod && i == 0;
    std::string parameter = isSelf ? "self" : freshName(argument.name);
    if (isSelf)
      taken.insert("self");
    texts[graph.inputs()[i]] = parameter;
    head += (i ? ",\n" + std::string(2 * level + 4, ' ') : "") + parameter + ": " + annotation(argument.type);
    if (i >= firstDefault)
      head += "=" + literal(*argument.defaultValue);
  }
  const Type *result = schema.returns().empty() ? Type::noneType() : schema.returns()[0].type;
  line(head + ") -> " + annotation(result) + ":");
  ++level;
  printNodes(graph.block());
  if (graph.block().numOutputs() != 1)
    return unimplemented("the function '" + name + "' does not return one value");
  std::string value = text(graph.block().returnNode().input(0));
  flush();
  line("return " + value);
  --level;
  return failure;
}
