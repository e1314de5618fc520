"""Groups PyTorch's JIT tests by what they touch of torch.jit, from the syntax trees of the tests' files.

public     names that torch.jit's documentation has, and torch's other modules
text       the text of graphs or code too: FileCheck, `.graph`, assertGraphContains
passes     passes by their names: run_pass, torch._C._jit_pass_…
ir         walks of graphs: nodes, blocks, findNode, types of values
internal   other functions of torch._C, which no stand-in for torch.jit has; not counted
generated  the tests that PyTorch generates from its list of modules (TestJitGeneratedModule)

A test has the last group of this list that it, or a function of the tests' that it calls by name, gives it.
"""
import ast
import pathlib
import re

GROUPS = ("public", "text", "passes", "ir", "internal", "generated")
WALKS = {"nodes", "findNode", "findAllNodes", "outputNode", "inputsAt", "outputsAt", "blocks", "kind", "debugName",
         "scopeName", "kindOf", "offBlock", "annotation_str", "insertConstant", "insertNode", "param_node",
         "return_node", "attributeNames", "schema", "_propagate_shapes"}
TEXT = {"FileCheck", "graph", "inlined_graph", "code", "code_with_constants", "assertGraphContains",
        "assertGraphContainsExactly", "assertExpectedGraph", "assertAllFused", "graph_for", "last_graph", "assertRaisesRegexWithHighlight"}
PASSES = {"run_pass", "_export", "_export_to_pretty_string", "export_to_pretty_string", "OperatorExportTypes"}
INTERNAL = {"parse_ir", "get_debug_state", "get_module_method", "backward_graph", "all_backward_graphs", "prop_dtype_on_graph",
            "get_grad_executor", "get_execution_plan", "_freeze_module", "ConcreteModuleTypeBuilder", "fusion_strategy",
            "get_submodule_types", "assertSameType", "assertDifferentType", "checkShapeAnalysis", "enable_symbolic_shapes"}
# Names of torch._C that are only classes to compare with, or switches that change no result.
HARMLESS = re.compile(r"(Graph|ScriptModule|ScriptFunction|Generator|Future|FunctionSchema|Type|.*Type|_jit_set_.*|_jit_get_.*"
                      r"|_jit_override_.*|_set_graph_executor_optimize|_get_graph_executor_optimize|_debug_set_.*|default_generator"
                      r"|_get_tracing_state|_nn|_infer_size|has_.*|memory_format|device|dtype|preserve_format)$")


class Names(ast.NodeVisitor):
    """Collects the group of one function's body and the names of what it may call."""

    def __init__(self):
        self.group = "public"
        self.calls = set()

    def raise_to(self, group):
        if GROUPS.index(group) > GROUPS.index(self.group):
            self.group = group

    def name(self, name):
        if name in TEXT:
            self.raise_to("text")
        elif name in PASSES or name.startswith("_jit_pass_"):
            self.raise_to("passes")
        elif name in WALKS:
            self.raise_to("ir")
        elif name in INTERNAL:
            self.raise_to("internal")

    def visit_Attribute(self, node):
        inner = node.value
        of_c = isinstance(inner, ast.Attribute) and inner.attr in ("_C", "_c")
        if re.match("_jit_pass_(propagate|complete|erase_shape|dtype)", node.attr):
            self.raise_to("internal")
        elif node.attr.startswith("_jit_pass_"):
            self.raise_to("passes")
        elif of_c and not HARMLESS.match(node.attr):
            self.raise_to("internal")
        elif isinstance(inner, ast.Name) and inner.id == "self":
            self.name(node.attr)
            self.calls.add(node.attr)
        else:
            self.name(node.attr)
        self.generic_visit(node)

    def visit_Name(self, node):
        self.name(node.id)
        self.calls.add(node.id)


def groups_of_file(path):
    """Returns {"Class::test": group} of one file of tests."""
    tree = ast.parse(path.read_text())
    found = {}
    functions = {}
    for scope in ast.walk(tree):
        if isinstance(scope, (ast.Module, ast.ClassDef)):
            for item in scope.body:
                if isinstance(item, ast.FunctionDef):
                    visitor = Names()
                    for statement in item.body:
                        visitor.visit(statement)
                    functions.setdefault(item.name, []).append(visitor)
                    if isinstance(scope, ast.ClassDef) and item.name.startswith("test"):
                        found[f"{scope.name}::{item.name}"] = visitor

    def closed(visitor, seen):
        group = visitor.group
        for name in visitor.calls:
            if name in functions and name not in seen and not name.startswith("test"):
                seen.add(name)
                for callee in functions[name]:
                    inner = closed(callee, seen)
                    group = max(group, inner, key=GROUPS.index)
        return group

    return {name: closed(visitor, set()) for name, visitor in found.items()}


def groups(tests):
    """Returns {"Class::test": group} of PyTorch's folder `test`."""
    found = {}
    for path in sorted(pathlib.Path(tests, "jit").glob("*.py")) + [pathlib.Path(tests, "test_jit.py")]:
        found.update(groups_of_file(path))
    return found


def group_of(test, found):
    """Returns the group of a test by its name. Tests that PyTorch makes when it is imported count as generated."""
    if test.startswith("TestJitGeneratedModule::"):
        return "generated"
    return found.get(test, "internal" if re.match(r"TestDtypeCustomRules|TestNnapi", test) else "public")
