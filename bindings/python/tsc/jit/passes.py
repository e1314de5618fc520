"""Passes over graphs, by name: all that `tsc-opt` runs.

    from tsc import jit

    graph = f.graph.copy()
    jit.passes.run(graph, "inline,constprop,cse,dce")
    jit.passes.peephole(graph)  # one pass, as a function
    jit.passes.names()          # what there is

A pass has the name by which pipelines use it, "constprop", and perhaps PyTorch's, "constant_propagation"; as a function, it
has underscores in the place of hyphens. A pass changes the graph that it is given, and no compiled function:
`create_function_from_graph` makes a function of a graph.
"""

from .._tsc import _script

_infos = None


def _listed():
    global _infos
    if _infos is None:
        _infos = _script._list_passes()
    return _infos


def names():
    """Returns {name: what the pass does} of all passes and named pipelines."""
    return {name: text for name, _, text in _listed()}


def run(graph, pipeline):
    """Runs passes on a graph: names between commas, with options in angle brackets, "unroll<max-trip=8>,dce". Returns whether
    the graph's text changed. Raises ValueError for a wrong pipeline, and RuntimeError for a graph that is not well-formed."""
    return _script._run_passes(graph, pipeline)


def _pass_named(name):
    for own, pytorch, text in _listed():
        if name in (own, pytorch) or name.replace("_", "-") == own:
            return own, text
    return None


def run_pass(name, graph):
    """Runs the pass that tsc or PyTorch calls `name` on a graph, and returns the graph."""
    found = _pass_named(name)
    if found is None:
        raise ValueError(f"there is no pass '{name}': tsc.jit.passes.names() lists them")
    run(graph, found[0])
    return graph


def rewrite(graph, pattern, replacement, value_name_pairs=()):
    """Replaces what looks like a pattern. Both are the text of a graph; returns whether something was replaced.

    `value_name_pairs` has pairs (name in the replacement, name in the pattern): the node of the one gets the place in the
    source of the node of the other."""
    return _script._rewrite(graph, pattern, replacement, list(value_name_pairs))


_decompositions = {}  # the name of an operator's overload -> the graph that computes the same

# Operators that run_decompositions takes apart although tsc has kernels of its own for them, by the name of their overload.
_TEXTS = {"aten::var": """
def decomposed(x, unbiased: bool):
    away = (x - x.mean()).abs()  # of complex numbers, too, a real number
    return (away * away).sum() / max(x.numel() - int(unbiased), 0)
"""}


def _decomposition_of(name):
    """Returns the graph that computes what an operator's overload does, or None."""
    if name not in _decompositions and name in _TEXTS:
        from ._functions import CompilationUnit
        _decompositions[name] = CompilationUnit(_TEXTS[name]).decomposed.graph.copy()
    return _decompositions.get(name)


def register_decomposition(operator, graph):
    """Says what an operator is made of, for run_decompositions: a graph with its arguments and its result. `operator` is the
    name of an overload, as "aten::square" or "aten::add.Tensor", its schema, or torch's operator."""
    schema = str(getattr(operator, "_schema", operator))
    _decompositions[schema.partition("(")[0].strip()] = graph.copy()


def run_decompositions(graph):
    """Replaces operators by what they are made of: those with a graph of register_decomposition by that, and others by the
    definitions that tsc has. Returns whether the graph's text changed."""
    before = graph.str(False)
    _decompose(graph, graph)
    run(graph, "decompose,constprop,dce")
    return graph.str(False) != before


def _decompose(graph, block):
    for node in list(block.nodes()):
        for inner in node.blocks():
            _decompose(graph, inner)
        made = _decomposition_of(node.schema().partition("(")[0])
        if made is None:
            continue
        with graph.insert_point_guard(node):
            results = graph.insertGraph(made, list(node.inputs()))
        for old, result in zip(node.outputs(), results):
            old.replaceAllUsesWith(result)
        node.destroy()


def propagate_input_shapes(graph, inputs):
    """Gives the graph's inputs the types of values, and all that follows from these types to its other values. `inputs`
    has a value for each input; what is no tensor changes nothing."""
    places = list(graph.inputs())
    given = list(inputs)
    if len(given) != len(places):
        raise ValueError(f"the graph has {len(places)} inputs, and {len(given)} values are given")
    for place, value in zip(places, given):
        _infer(place, value)
    run(graph, "propagate-shapes")


def _infer(place, value):
    if type(value).__name__ == "Size" or not hasattr(value, "requires_grad"):
        return
    if place.type().kind() == "TensorType":
        place.inferTypeFrom(value)


def __getattr__(name):
    found = None if name.startswith("__") else _pass_named(name)
    if found is None:
        raise AttributeError(f"module 'tsc.jit.passes' has no attribute '{name}'")

    def run_it(graph, **options):
        given = ";".join(f"{key.replace('_', '-')}={str(value).lower()}" for key, value in options.items())
        return run(graph, f"{found[0]}<{given}>" if given else found[0])

    run_it.__name__ = run_it.__qualname__ = name
    run_it.__doc__ = found[1]
    globals()[name] = run_it
    return run_it


def __dir__():
    return sorted({*globals(), *(name.replace("-", "_") for name, _, _ in _listed())})


__all__ = ["names", "propagate_input_shapes", "register_decomposition", "rewrite", "run", "run_decompositions", "run_pass"]
