//===- TracedModuleTest.cpp - From the trace of a module to a file --------===//
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/Module.h"
#include "tsc/Serialization/Archive.h"
#include "tsc/Serialization/ArchiveWriter.h"
#include "tsc/Transforms/TracedModules.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>

using namespace tsc;

namespace {

/// Three linear layers of one class and a dropout.
class Layers {
public:
  Layers() {
    ClassType &linear = define("__torch__.nn.Linear");
    linear.addAttribute("weight", Type::tensorType(), AttributeKind::Parameter);
    linear.addAttribute("bias", Type::tensorType(), AttributeKind::Parameter);
    linear.addAttribute("training", Type::boolType());
    ClassType &dropout = define("__torch__.nn.Dropout");
    dropout.addAttribute("training", Type::boolType());
    ClassType &net = define("__torch__.Net");
    net.addAttribute("first", &linear);
    net.addAttribute("second", &linear);
    net.addAttribute("drop", &dropout);
    net.addAttribute("third", &linear);
    module = make(net, {layer(3, 4, 0.5), layer(3, 3, 1), IValue(make(dropout, {IValue(false)})), layer(2, 3, 0.25)});
  }
  ClassType &define(const char *name) {
    ClassType *type = context.classType(name);
    type->setIsModule(true);
    type->setDefined();
    return *type;
  }
  static Ref<ObjectValue> make(const ClassType &type, std::vector<IValue> values) {
    auto object = makeRef<ObjectValue>(&type, values.size());
    object->slots = std::move(values);
    return object;
  }
  static Tensor full(llvm::ArrayRef<int64_t> sizes, double value) {
    return *Tensor::full(sizes, Scalar(value), DType::Float);
  }
  IValue layer(int64_t rows, int64_t columns, double weight) {
    return IValue(make(*context.findClass("__torch__.nn.Linear"),
                       {IValue(full({rows, columns}, weight)), IValue(full({rows}, 0.0)), IValue(false)}));
  }
  std::unique_ptr<Graph> parse(const std::string &text) {
    DiagnosticEngine diags;
    auto graphs = parseGraphs(context, context.sources().add("trace.ir", text), diags);
    INFO(diags.str());
    REQUIRE(succeeded(graphs));
    return std::move(graphs->front());
  }

  Context context;
  CompilationUnit unit{context};
  Ref<ObjectValue> module;
};

/// What a tracer records of the layers, whose classes copyForTrace() made.
const char trace[] = R"(
graph(%self : __torch__.___torch_mangle_0.Net,
      %x : Float(2, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %2 : __torch__.nn.___torch_mangle_0.Linear = prim::TracedAttr[scope="__module.first"]()
  %3 : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::TracedAttr[scope="__module.first.weight"]()
  %4 : Float(3, strides=[1], requires_grad=0, device=cpu) = prim::TracedAttr[scope="__module.first.bias"]()
  %5 : Float(3, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::TracedAttr[scope="__module.second.weight"]()
  %6 : Float(3, strides=[1], requires_grad=0, device=cpu) = prim::TracedAttr[scope="__module.second.bias"]()
  %7 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::TracedAttr[scope="__module.third.weight"]()
  %8 : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::TracedAttr[scope="__module.third.bias"]()
   = prim::TracedModuleForward[scope="__module.first"](), scope: __module.first
    block0():
      %9 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::linear(%x, %3, %4), scope: __module.first
      -> ()
   = prim::TracedModuleForward[scope="__module.second"](), scope: __module.second
    block0():
      %10 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::linear(%9, %5, %6), scope: __module.second
      -> ()
   = prim::TracedModuleForward[scope="__module.drop"](), scope: __module.drop
    block0():
      %11 : float = prim::Constant[value=0.5](), scope: __module.drop
      %12 : bool = prim::Constant[value=0](), scope: __module.drop
      %13 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::dropout(%10, %11, %12), scope: __module.drop
      -> ()
   = prim::TracedModuleForward[scope="__module.third"](), scope: __module.third
    block0():
      %14 : Float(2, 2, strides=[2, 1], requires_grad=0, device=cpu) = aten::linear(%13, %7, %8), scope: __module.third
      -> ()
  return (%14)
)";

/// Checks that `forward` of the layers gives what they compute: (4 * 0.5 * 3) * 3 * 0.25 for ones.
void checkRuns(const Module &module, Context &context) {
  CallContext call(context);
  StatusOr<IValue> result = module.run(call, "forward", {IValue(Layers::full({2, 4}, 1.0))});
  INFO(result.status().message());
  REQUIRE(result.ok());
  REQUIRE(result->asTensor().numel() == 4);
  for (int64_t i = 0; i != 4; ++i)
    CHECK(result->asTensor().at(i).toDouble() == 4.5);
}

} // namespace

TEST_CASE("a copy for a trace has a class for each module and shares values") {
  Layers layers;
  StatusOr<Ref<ObjectValue>> copy = copyForTrace(layers.module, layers.context);
  REQUIRE(copy.ok());
  CHECK((*copy)->type->name() == "__torch__.___torch_mangle_0.Net");
  std::vector<std::string> names;
  for (const ClassAttribute &attribute : (*copy)->type->attributes())
    names.push_back(llvm::cast<ClassType>(attribute.type)->name().str());
  CHECK(names ==
        std::vector<std::string>{"__torch__.nn.___torch_mangle_0.Linear", "__torch__.nn.___torch_mangle_1.Linear",
                                 "__torch__.nn.___torch_mangle_0.Dropout", "__torch__.nn.___torch_mangle_2.Linear"});
  const ObjectValue &first = (*copy)->slots[0].toObject(), &original = layers.module->slots[0].toObject();
  CHECK(&first != &original);
  CHECK(first.type == (*copy)->type->attribute(0).type);
  CHECK(first.slots[0].counted() == original.slots[0].counted());
  CHECK(first.type->attribute(0).kind == AttributeKind::Parameter);
  CHECK(original.type->name() == "__torch__.nn.Linear");
}

TEST_CASE("a module that has two places keeps them in a copy for a trace, and one that holds itself has none") {
  Layers layers;
  layers.module->slots[1] = layers.module->slots[0];
  StatusOr<Ref<ObjectValue>> copy = copyForTrace(layers.module, layers.context);
  REQUIRE(copy.ok());
  CHECK(&(*copy)->slots[0].toObject() == &(*copy)->slots[1].toObject());
  CHECK((*copy)->type->attribute(0).type == (*copy)->type->attribute(1).type);

  ClassType &node = layers.define("__torch__.Node");
  node.addAttribute("next", &node);
  Ref<ObjectValue> ring = Layers::make(node, {IValue()});
  ring->slots[0] = IValue(ring);
  StatusOr<Ref<ObjectValue>> none = copyForTrace(ring, layers.context);
  CHECK(messageOf(none.status()) == "a module of class '__torch__.Node' holds itself");
  ring->slots[0] = IValue();
}

TEST_CASE("a trace becomes a module that runs, prints, saves and loads") {
  Layers layers;
  StatusOr<Ref<ObjectValue>> copy = copyForTrace(layers.module, layers.context);
  REQUIRE(copy.ok());
  StatusOr<Function *> forward = addTracedMethod(**copy, "forward", layers.parse(trace), layers.unit);
  INFO(forward.status().message());
  REQUIRE(forward.ok());
  CHECK((*forward)->schema().str() == "forward(__torch__.___torch_mangle_0.Net self, Tensor x) -> Tensor");
  GraphExecutor executor;
  Module module(*copy, executor);
  checkRuns(module, layers.context);

  std::string text;
  llvm::raw_string_ostream os(text);
  module.dump(os, {/*methods=*/true, /*attributes=*/false, /*parameters=*/false});
  CHECK_THAT(text, Catch::Contains("      graph(%self : __torch__.___torch_mangle_0.Net,\n"
                                   "            %x : Float(2, 4, strides=[4, 1], requires_grad=0, device=cpu)):\n"
                                   "        %third : __torch__.nn.___torch_mangle_2.Linear = "
                                   "prim::GetAttr[name=\"third\"](%self)\n"));
  CHECK_THAT(text, Catch::Contains("    module __torch__.nn.___torch_mangle_0.Linear {\n"
                                   "      parameters {\n"
                                   "        weight = ...\n"
                                   "        bias = ...\n"
                                   "      }\n"));
  CHECK_THAT(text, Catch::Contains("        method forward {\n"
                                   "          graph(%self.1 : __torch__.nn.___torch_mangle_0.Linear,\n"));

  StatusOr<std::string> file = saveArchive(IValue(*copy));
  INFO(file.status().message());
  REQUIRE(file.ok());
  Context context;
  CompilationUnit unit(context);
  DiagnosticEngine diags;
  Compiler compiler(unit, diags, prelude());
  auto loaded = loadArchive(compiler, Bytes{*file, nullptr});
  INFO(loaded.status().message());
  REQUIRE(loaded.ok());
  Module again(Ref<ObjectValue>::share(&loaded->object.toObject()), executor);
  checkRuns(again, context);
  CHECK(again.children().size() == 4);
  for (const Module &child : again.children())
    CHECK(child.findMethod("forward"));
}

TEST_CASE("a trace that does not fit its module is refused, and nothing is changed") {
  Layers layers;
  const ObjectValue &module = *layers.module;
  auto refusal = [&](const std::string &text, const char *name = "forward") {
    return messageOf(addTracedMethod(module, name, layers.parse(text), layers.unit).status()).str();
  };
  CHECK(refusal("graph(%x : Tensor):\n  return (%x)\n") ==
        "the first input of the trace is no object of the class '__torch__.Net'");
  CHECK(refusal("graph(%self : __torch__.Net):\n  return ()\n") == "the trace returns 0 values instead of one");
  CHECK(refusal("graph(%self : __torch__.Net):\n"
                "  %1 : Tensor = prim::TracedAttr[scope=\"__module.none.weight\"]()\n"
                "  return (%1)\n") ==
        "the trace does not say of which class '__module.none' is, which '__module.none.weight' needs");
  CHECK(module.type->methods().empty());
  CHECK(layers.unit.functions().empty());
  CHECK(refusal("graph(%self : __torch__.Net):\n"
                "  %1 : Tensor = prim::TracedAttr[scope=\"__module.first.weight\"]()\n"
                "  return (%1)\n") == "");
  CHECK(refusal("graph(%self : __torch__.Net):\n  return (%self)\n") ==
        "the class '__torch__.Net' has a method 'forward'");
}
