"""Graphs: walks, changes, passes by name, patterns, functions made of graphs. Nothing here needs torch."""

import unittest
from typing import Tuple

import tsc
from support import TestCase
from tsc import jit


def gate(x: tsc.Tensor, n: int) -> tsc.Tensor:
    scale = 2 + 3
    if n > 2:
        y = x * scale
    else:
        y = x - n
    return tsc.relu(y)


def helper(x: tsc.Tensor) -> tsc.Tensor:
    return x.sin()


def written(x: tsc.Tensor, y: tsc.Tensor, b: bool) -> Tuple[bool, bool, tsc.Tensor]:
    return b is True, b is not False, tsc.rsub(x, y)


def caller(x: tsc.Tensor) -> tsc.Tensor:
    return helper(x).cos()


def other_caller(x: tsc.Tensor) -> tsc.Tensor:
    return helper(x).cos()


def caller_shown_inlined(x: tsc.Tensor) -> tsc.Tensor:
    return helper(x).cos()


class Walks(TestCase):
    def setUp(self):
        self.graph = jit.script(gate).graph

    def test_a_function_has_one_graph(self):
        self.assertEqual(self.graph, jit.script(gate).graph)
        self.assertNotEqual(self.graph, self.graph.copy())

    def test_nodes(self):
        branch = self.graph.findNode("prim::If")
        self.assertEqual([next(block.nodes()).kind() for block in branch.blocks()], ["aten::mul", "aten::sub"])
        self.assertEqual(branch.outputsSize(), 1)
        self.assertIsNone(self.graph.findNode("aten::mul", recurse=False))
        mul = self.graph.findNode("aten::mul")
        self.assertEqual(mul.owningBlock().owningNode(), branch)
        self.assertTrue(branch.isBefore(self.graph.findNode("aten::relu")))
        self.assertTrue(mul.matches("aten::mul.Scalar(Tensor self, Scalar other) -> Tensor"))
        self.assertFalse(mul.matches("aten::mul.Tensor(Tensor self, Tensor other) -> Tensor"))
        self.assertEqual(mul.schema(), "aten::mul.Scalar(Tensor self, Scalar other) -> Tensor")
        self.assertIn("~~~", mul.sourceRange())
        self.assertEqual(mul.namedInput("self"), next(self.graph.inputs()))

    def test_constants_are_folded_and_stand_at_the_head(self):
        constants = [node for node in self.graph.nodes() if node.kind() == "prim::Constant"]
        self.assertIn(5, [node.output().toIValue() for node in constants])
        self.assertEqual(constants[0].attributeNames(), ["value"])
        self.assertEqual(constants[0].kindOf("value"), "i")
        kinds = [node.kind() for node in self.graph.nodes()]
        self.assertEqual(kinds[:len(constants)], ["prim::Constant"] * len(constants))

    def test_values(self):
        x, n = self.graph.inputs()
        self.assertEqual((x.debugName(), n.debugName(), n.offset()), ("x.1", "n.1", 1))
        self.assertEqual([use.user.kind() for use in n.uses()], ["aten::gt", "aten::sub"])
        first, second = n.uses()
        self.assertTrue(second.isAfter(first))
        self.assertEqual(x.node(), self.graph.param_node())

    def test_types(self):
        kind = next(self.graph.inputs()).type()
        self.assertEqual((kind.kind(), kind.str(), kind.annotation_str), ("TensorType", "Tensor", "Tensor"))
        known = kind.with_sizes([2, None]).with_dtype(tsc.float32).with_device(tsc.device("cpu"))
        self.assertEqual(known.str(), "Float(2, *, device=cpu)")
        self.assertEqual((known.dim(), known.sizes(), known.varyingSizes()), (2, None, [2, None]))
        self.assertEqual((known.scalarType(), str(known.device())), ("Float", "cpu"))
        pair = jit.parse_type("(int, Dict(str, Tensor[]))")
        self.assertEqual(str(pair), "Tuple[int, Dict[str, List[Tensor]]]")
        number, table = pair.elements()
        self.assertEqual((number.kind(), table.getKeyType().kind()), ("IntType", "StringType"))
        self.assertEqual(table.getValueType().getElementType().kind(), "TensorType")
        with self.assertRaisesRegex(RuntimeError, "no type of tensors"):
            number.sizes()

    def test_schemas(self):
        schema = jit.script(gate).schema
        self.assertEqual([(one.name, str(one.type)) for one in schema.arguments], [("x", "Tensor"), ("n", "int")])
        self.assertEqual(str(schema.returns[0].type), "Tensor")

    def test_inlined(self):
        f = jit.script(caller)
        self.assertIsNotNone(f.graph.findNode("prim::CallFunction"))
        self.assertEqual([n.kind() for n in f.inlined_graph.nodes() if n.kind() != "prim::Constant"],
                         ["aten::sin", "aten::cos"])
        self.assertEqual(jit.export_opnames(f), ["aten::cos", "aten::sin"])

    def test_everything_inlined(self):
        before = jit.set_inline_everything(True)
        try:
            graph = jit.script(caller_shown_inlined).graph
        finally:
            self.assertTrue(jit.set_inline_everything(before))
        self.assertIsNone(graph.findNode("prim::CallFunction"))
        self.assertIsNotNone(graph.findNode("aten::sin"))

    def test_functions_have_pytorchs_names(self):
        self.assertIn(' : Function = prim::Constant[name="helper"]()', str(jit.script(caller).graph))

    def test_what_pytorch_writes_otherwise(self):
        graph = jit.script(written).graph
        kinds = [node.kind() for node in graph.nodes() if node.kind().startswith("aten")]
        self.assertEqual(kinds, ["aten::eq", "aten::ne", "aten::sub"])
        x, y = list(graph.inputs())[:2]
        self.assertEqual(list(graph.findNode("aten::sub").inputs())[:2], [y, x])
        self.assertEqual(jit.script(written)(tsc.tensor([1]), tsc.tensor([3]), True)[2].tolist(), [2])

    def test_places_can_be_hidden(self):
        self.assertIn("test_graph.py", str(self.graph))
        with jit._hide_source_ranges():
            self.assertNotIn("test_graph.py", str(self.graph))
        self.assertIn("test_graph.py", str(self.graph))


class Changes(TestCase):
    TEXT = """
        graph(%x : Tensor, %y : Tensor):
          %1 : int = prim::Constant[value=1]()
          %2 : Tensor = aten::add(%x, %y, %1)
          %3 : Tensor = aten::relu(%2)
          return (%3)"""

    def setUp(self):
        self.graph = jit.parse_ir(self.TEXT)

    def test_a_function_of_a_graph(self):
        x, y = self.graph.inputs()
        relu = self.graph.findNode("aten::relu")
        with self.graph.insert_point_guard(relu):
            made = self.graph.insertNode(self.graph.create("aten::mul", [x, y]))
        relu.replaceInput(0, made.output())
        self.graph.findNode("aten::add").destroy()
        self.graph.lint()
        f = jit.create_function_from_graph("of_a_graph", self.graph)
        self.assertEqual(f(tsc.tensor([2.0, -1.0]), tsc.tensor([3.0, 1.0])).tolist(), [6.0, 0.0])

    def test_several_results_are_a_tuple(self):
        self.graph.registerOutput(next(self.graph.inputs()))
        f = jit.create_function_from_graph("of_two", self.graph)
        first, second = f(tsc.tensor([1.0]), tsc.tensor([2.0]))
        self.assertEqual((first.tolist(), second.tolist()), ([3.0], [1.0]))

    def test_what_is_done_to_a_graph_changes_no_function(self):
        f = jit.script(other_caller)
        jit.passes.inline(f.graph)
        self.assertIsNone(f.graph.findNode("prim::CallFunction"))
        self.assertEqual(f(tsc.tensor([0.0])).tolist(), [1.0])

    def test_inputs_change_their_order(self):
        self.graph.permuteInputs([1, 0])
        self.assertEqual([value.debugName() for value in self.graph.inputs()], ["y", "x"])
        self.assertEqual([v.debugName() for v in self.graph.findNode("aten::add").inputs()][:2], ["x", "y"])
        with self.assertRaisesRegex(ValueError, "permutation"):
            self.graph.permuteInputs([0, 0])

    def test_a_graph_of_ones_own(self):
        made = jit.Graph()
        x = made.addInput("x")
        relu = made.appendNode(made.create("aten::relu", [x]))
        relu.output().setType(x.type())
        made.registerOutput(relu.output())
        self.assertEqual(made.str(False), "graph(%x : Tensor):\n  %1 : Tensor = aten::relu(%x)\n  return (%1)\n")
        self.assertEqual(jit.create_function_from_graph("own", made)(tsc.tensor([-1.0, 2.0])).tolist(), [0.0, 2.0])

    def test_a_graph_within_a_graph(self):
        inner = jit.parse_ir("graph(%a : Tensor):\n  %1 : Tensor = aten::neg(%a)\n  return (%1)")
        with self.graph.insert_point_guard(self.graph.return_node()):
            (made,) = self.graph.insertGraph(inner, list(self.graph.outputs()))
        self.graph.return_node().replaceInput(0, made)
        self.assertEqual([n.kind() for n in self.graph.nodes()][-2:], ["aten::relu", "aten::neg"])

    def test_attributes(self):
        node = self.graph.create("my::op").i_("i", 3).f_("f", 0.5).s_("s", "t").is_("is", [1, 2]).ss_("ss", ["a"])
        node.t_("t", tsc.tensor([1.0])).g_("g", self.graph)
        self.assertEqual(node.attributeNames(), ["i", "f", "s", "is", "ss", "t", "g"])
        self.assertEqual((node.i("i"), node["f"], getattr(node, "is")("is")), (3, 0.5, [1, 2]))
        node.removeAttribute("i")
        with self.assertRaisesRegex(RuntimeError, "required keyword attribute 'i' is undefined"):
            node.i("i")

    def test_what_is_gone_is_said(self):
        add = self.graph.findNode("aten::add")
        out = add.output()
        self.graph.findNode("aten::relu").replaceInput(0, next(self.graph.inputs()))
        jit.passes.dce(self.graph)
        for use in (lambda: str(add), lambda: out.debugName(), lambda: add.inputs()):
            with self.assertRaisesRegex(RuntimeError, "invalidated"):
                use()

    def test_what_would_break_a_graph_is_refused(self):
        add, relu = self.graph.findNode("aten::add"), self.graph.findNode("aten::relu")
        with self.assertRaisesRegex(RuntimeError, "is used"):
            add.destroy()
        with self.assertRaisesRegex(ValueError, "another graph"):
            relu.replaceInput(0, next(jit.parse_ir(self.TEXT).inputs()))
        with self.assertRaisesRegex(RuntimeError, "is no kind of nodes"):
            self.graph.create("relu")
        loose = self.graph.create("aten::relu", [add.output()])
        with self.assertRaisesRegex(RuntimeError, "in no block"):
            jit.passes.dce(self.graph)
        loose.destroy()
        add.moveAfter(relu)
        with self.assertRaisesRegex(RuntimeError, "not well-formed"):
            jit.passes.cse(self.graph)
        with self.assertRaises(RuntimeError):
            jit.create_function_from_graph("broken", self.graph)

    def test_texts_that_are_none(self):
        with self.assertRaisesRegex(RuntimeError, "<graph>:1"):
            jit.parse_ir("graph(%x : Tensor:")
        with self.assertRaisesRegex(ValueError, "not one"):
            jit.parse_ir("graph(%x : int):\n  return (%x)\ngraph(%x : int):\n  return (%x)")


class Passes(TestCase):
    def test_all_passes_have_names(self):
        names = jit.passes.names()
        self.assertIn("constprop", names)
        self.assertIn("O2", names)
        self.assertIn("differentiate", names)
        self.assertTrue(all(names.values()))

    def test_by_each_name(self):
        for run in (lambda g: jit.passes.run(g, "constprop,dce"), lambda g: jit.passes.run_pass("constant_propagation", g),
                    lambda g: jit.passes.constant_propagation(g), lambda g: jit.passes.constprop(g)):
            graph = jit.parse_ir("graph():\n  %1 : int = prim::Constant[value=2]()\n"
                                 "  %2 : int = aten::add(%1, %1)\n  return (%2)")
            run(graph)
            self.assertEqual(next(graph.outputs()).toIValue(), 4)

    def test_options_and_what_they_return(self):
        graph = jit.parse_ir("graph(%x : int):\n  return (%x)")
        self.assertFalse(jit.passes.run(graph, "unroll<max-trip=8>,dce"))
        self.assertFalse(jit.passes.unroll(graph, max_trip=8))
        self.assertIs(jit.passes.run_pass("dce", graph), graph)

    def test_wrong_names(self):
        graph = jit.parse_ir("graph(%x : int):\n  return (%x)")
        with self.assertRaises(ValueError):
            jit.passes.run(graph, "no-such-pass")
        with self.assertRaisesRegex(ValueError, "there is no pass 'frobnicate'"):
            jit.passes.run_pass("frobnicate", graph)
        with self.assertRaises(AttributeError):
            jit.passes.frobnicate

    def test_registered_decompositions(self):
        def squared(x: tsc.Tensor) -> tsc.Tensor:
            return tsc.square(x) + 1

        def by_power(x: tsc.Tensor) -> tsc.Tensor:
            return tsc.pow(x, 2)

        jit.passes.register_decomposition("aten::square", jit.script(by_power).graph)
        graph = jit.script(squared).graph.copy()
        self.assertTrue(jit.passes.run_decompositions(graph))
        self.assertEqual([n.kind() for n in graph.nodes() if n.kind() != "prim::Constant"], ["aten::pow", "aten::add"])
        self.assertFalse(jit.passes.run_decompositions(jit.script(by_power).graph.copy()))

    def test_shapes(self):
        graph = jit.parse_ir(Changes.TEXT)
        jit.passes.propagate_input_shapes(graph, [tsc.zeros(2, 3), tsc.zeros(3)])
        self.assertEqual(next(graph.outputs()).type().sizes(), [2, 3])

    def test_patterns(self):
        graph = jit.parse_ir(Changes.TEXT)
        pattern = "graph(%a, %b, %c):\n  %s = aten::add(%a, %b, %c)\n  %r = aten::relu(%s)\n  return (%r)"
        made = "graph(%a, %b, %c):\n  %r = aten::_add_relu(%a, %b, %c)\n  return (%r)"
        self.assertTrue(jit.passes.rewrite(graph, pattern, made))
        self.assertEqual([n.kind() for n in graph.nodes()], ["prim::Constant", "aten::_add_relu"])
        self.assertFalse(jit.passes.rewrite(graph, pattern, made))

    def test_places_of_what_replaces_a_pattern(self):
        graph = jit.script(gate).graph.copy()
        place = graph.findNode("aten::gt").sourceRange()
        pattern = "graph(%a, %b):\n  %r = aten::relu(%a)\n  return (%r)".replace(", %b", "")
        made = "graph(%a):\n  %s = aten::neg(%a)\n  %r = aten::abs(%s)\n  return (%r)"
        relu = graph.findNode("aten::relu").sourceRange()
        self.assertTrue(jit.passes.rewrite(graph, pattern, made, [("s", "r"), ("r", "r")]))
        self.assertEqual([graph.findNode(kind).sourceRange() for kind in ("aten::neg", "aten::abs")], [relu, relu])
        self.assertNotEqual(place, relu)
        with self.assertRaisesRegex(ValueError, "no value %q"):
            jit.passes.rewrite(graph, pattern, made, [("q", "r")])

    def test_aliases(self):
        graph = jit.parse_ir("graph(%x : Tensor):\n  %1 : Tensor = aten::relu(%x)\n"
                             "  %2 : int = prim::Constant[value=1]()\n"
                             "  %3 : Tensor = aten::add_(%1, %1, %2)\n  return (%3)")
        relu = graph.findNode("aten::relu").output()
        aliases = graph.alias_db()
        self.assertTrue(aliases.may_alias(relu, graph.findNode("aten::add_").output()))
        self.assertFalse(aliases.may_alias(next(graph.inputs()), relu))
        self.assertTrue(aliases.has_writers(relu))
        jit.passes.run(graph, "remove-mutation")
        with self.assertRaisesRegex(RuntimeError, "has changed"):
            aliases.may_alias(relu, relu)


class WhatRuns(TestCase):
    def test_optimized_graphs(self):
        f = jit.script(caller)
        self.assertIsNone(f.graph_for(tsc.tensor([1.0])).findNode("prim::CallFunction"))
        self.assertEqual(str(jit.last_executed_optimized_graph()), str(f.graph_for(tsc.tensor([1.0]))))

    def test_with_gradients(self):
        f = jit.script(lots)
        graph = f.graph_for(tsc.tensor([1.0]).requires_grad_())
        self.assertIsNotNone(graph.findNode("prim::DifferentiableGraph").g("Subgraph").findNode("aten::sin"))

    def test_code(self):
        code, constants = jit.script(gate).code_with_constants
        self.assertEqual(code, jit.script(gate).code)
        self.assertIn("torch.mul(x, 5)", code)
        self.assertEqual(len(constants), 0)

    def test_fusion_strategy(self):
        before = jit.set_fusion_strategy([("DYNAMIC", 3)])
        self.assertEqual(jit.set_fusion_strategy(before), [("DYNAMIC", 3)])
        with self.assertRaisesRegex(RuntimeError, "FusionBehavior"):
            jit.set_fusion_strategy([("OTHER", 1)])


def lots(x: tsc.Tensor) -> tsc.Tensor:
    return (x.sin() * x).cos() + x


if __name__ == "__main__":
    unittest.main()
