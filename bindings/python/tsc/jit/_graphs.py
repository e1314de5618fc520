"""Graphs from text, and what compiled functions show of theirs."""

import contextlib
import re

from .._tsc import _script
from ._unit import free_name, unit

Graph = _script.Graph


def parse_ir(text, parse_tensor_constants=False):
    """Returns the graph of a text as `str(graph)` is. It belongs to the program of tsc.jit's functions, so that these may
    be named in it. Raises RuntimeError, with the place, for a text that is none."""
    return _script._parse_ir(unit().program, text)


def parse_type(text):
    """Returns the type of a text such as "Tensor", "int[]" or "Dict(str, Tensor)"."""
    return _script._parse_type(unit().program, text)


_example_types = {}  # the name of a traced function -> the types of its example's tensors, None for other inputs


def note_example(definition, inputs):
    """Remembers of what sizes and dtypes a trace's example was: its graph shows them."""
    _example_types[definition.name] = [
        _script._type_of_tensor(unit().program, one) if hasattr(one, "requires_grad") and hasattr(one, "dtype") else None
        for one in inputs]


def shown_graph(definition):
    """Returns the graph that a function shows, the same one each time. A trace's has the types of its example, and what
    follows from them."""
    graph = unit().graph(definition)
    types = _example_types.pop(definition.name, None)
    if types:
        inputs = list(graph.inputs())
        for place, known in zip(inputs[len(inputs) - len(types):], types):
            if known is not None and place.type().kind() == "TensorType":
                place.setType(known)
        _script._run_passes(graph, "propagate-shapes")
    return graph


def create_function_from_graph(name, graph):
    """Returns a function that runs a copy of a graph. Several results come as a tuple. What types in the graph say of
    sizes and dtypes is not relied upon."""
    from ._functions import ScriptFunction
    if isinstance(graph, Graph):
        graph.lint()
        graph = graph.copy()
        _script._run_passes(graph, "erase-shapes")
    definition = unit().function_of_graph(free_name(name if "." in name else "__torch__." + name), graph)
    return ScriptFunction(definition)


def inlined(graph):
    """Returns a copy of a graph with the bodies of what it calls. What immutable constants decide in these is decided, as
    in graphs that functions show."""
    copy = graph.copy()
    _script._run_passes(copy, "inline,lower-simple-tuples,constprop-immutable,dce")
    return copy


def optimized(graph, with_gradients=False):
    """Returns what a call runs for a graph: a copy, inlined and optimized. Where gradients are recorded, operators that are
    differentiated as one stand in a prim::DifferentiableGraph."""
    copy = graph.copy()
    passes = "inline-for-tape,simplify-for-tape,group-for-tape" if with_gradients else "O2"
    _script._run_passes(copy, f"erase-shapes,{passes},dce")
    return copy


@contextlib.contextmanager
def _hide_source_ranges():
    """Lets `str(graph)` say nothing of places in the source, within a `with`."""
    before = Graph.set_global_print_source_ranges(False)
    try:
        yield
    finally:
        Graph.set_global_print_source_ranges(before)


def set_inline_everything(enabled):
    """Says whether functions and methods show the bodies of what they call in the place of calls, in graphs that are asked
    for from then on. Returns what was said before."""
    return _script._set_inline_everything(enabled)


def with_calls_of_python(code):
    """Returns the text of a function with calls of Python's functions as PyTorch shows them: `^f()(x)`."""
    return re.sub(r"\bops\.python\.([A-Za-z_]\w*)_\d+\(", r"^\1()(", code)


class ConstMap:
    """The constants of a function's code, as attributes: c0, c1, …"""

    def __init__(self, values):
        self._values = list(values)
        for number, value in enumerate(self._values):
            setattr(self, f"c{number}", value)

    def __getitem__(self, name):
        return getattr(self, name)

    def __len__(self):
        return len(self._values)


def export_opnames(*graphs):
    """Returns the names of the operators that graphs, and what these call, use, sorted: ["aten::add.Tensor", …]."""
    found = set()
    for graph in graphs:
        _collect(inlined(graph), found)
    return sorted(found)


def _collect(block, found):
    for node in block.nodes():
        schema = node.schema()
        if schema != "(no schema)" and not node.kind().startswith("prim::"):
            found.add(schema.split("(")[0])
        for inner in node.blocks():
            _collect(inner, found)
        for name in node.attributeNames():
            if node.kindOf(name) == "g":
                _collect(node.g(name), found)
