"""Puts tsc in the place of torch.jit, before PyTorch's tests are imported.

Every public name of torch.jit that tsc.jit has becomes tsc's, wherever torch keeps it. One that compiles, runs or
stores programs and that tsc.jit lacks raises, so that no test passes because PyTorch did the work. What only marks a
function for whoever compiles it later (`ignore`, `unused`, `export`, `annotate`) stays torch's unless tsc has its own.

torch.onnx stays PyTorch's, and has PyTorch's torch.jit: what it exports of tsc's is what its tracer sees of calls.

The tests' own base classes stay PyTorch's. FileCheck is given the text of what it checks. The passes of torch._C, which tests
call by name, are tsc's where a graph is tsc's; one that tsc lacks raises.
"""
import functools
import sys
import types

# Names that make, run or store programs. The rest of torch.jit marks functions, or names types.
COMPILING = ("script", "trace", "trace_module", "load", "save", "jit_module_from_flatbuffer", "save_jit_module_to_flatbuffer",
             "freeze", "optimize_for_inference", "run_frozen_optimizations", "script_method", "ScriptModule",
             "ScriptFunction", "RecursiveScriptModule", "TopLevelTracedModule", "TracedModule",
             "CompilationUnit", "Attribute", "create_script_dict", "create_script_list", "script_if_tracing", "fork", "wait",
             "_fork", "_wait", "interface", "enable_onednn_fusion", "onednn_fusion_enabled", "set_fusion_strategy",
             "is_tracing", "is_scripting", "optimized_execution", "ONNXTracedModule", "_get_trace_graph",
             "_flatten", "_unflatten", "_script_pdt", "export_opnames", "last_executed_optimized_graph", "Future",
             "strict_fusion", "ScriptMethod", "_hide_source_ranges", "_set_fusion_strategy")


# What torch.onnx calls in torch.jit's modules, and which names itself there.
STAYS_WITH_EXPORTER = ("ONNXTracedModule",)


def missing(name):
    def raises(*args, **kwargs):
        raise NotImplementedError(f"tsc.jit has no {name}")

    raises.__name__ = name
    return raises


class MissingClass(type):
    """The class of stand-ins for classes that tsc.jit lacks: tests may name and subclass them, and not make one."""

    def __call__(cls, *args, **kwargs):
        raise NotImplementedError(f"tsc.jit has no {cls.__name__}")


def file_check(kind):
    """Returns PyTorch's FileCheck, which reads the text of tsc's graphs."""

    class FileCheck:
        def __init__(self):
            self.inner = kind()

        def __getattr__(self, name):
            def add(*args, **kwargs):
                getattr(self.inner, name)(*args, **kwargs)
                return self

            return add

        def run(self, *args, **kwargs):
            texts = [a if isinstance(a, str) else str(a) for a in [*args, *kwargs.values()]]
            self.inner.run(*texts)

    return FileCheck


def torch_type(parse_ir, kind):
    """Returns PyTorch's type for one of tsc's, by its text."""
    graph = parse_ir(f"graph(%x : {kind.str()}):\n  return (%x)")
    return next(graph.inputs()).type()


# Passes of PyTorch's that do what several of tsc's do: these clear up behind themselves, or follow containers too.
SEVERAL = {
    "constant_propagation": "constprop<share-results=true>,dce",
    "constant_propagation_immutable_types": "constprop-immutable,dce",
    "inline": "inline,lower-simple-tuples,constprop-immutable,dce",
    "peephole": "peephole,forward-dict-entries,dce",
    "refine_integer_values": "refine-ints,peephole,dce",
    "lower_all_tuples": "lower-tuples,dce",
    "lower_simple_tuples": "lower-simple-tuples,dce",
    "loop_unrolling": "unroll,dce",
    "batch_mm": "batch-mm,dce",
    "decompose_ops": "decompose,constprop,dce",
    "fold_frozen_conv_bn": "fold-conv-bn,dce",
    "fold_frozen_conv_add_or_sub": "fold-conv-add,dce",
    "fold_frozen_conv_mul_or_div": "fold-conv-mul,dce",
    "fold_frozen_linear_bn": "fold-linear-bn,dce",
    "concat_frozen_linear": "concat-linear,dce",
    "transpose_frozen_linear": "transpose-linear,dce",
    "optimize_frozen_graph": "optimize-frozen",
    "propagate_device": "propagate-shapes",
}


def passes_of_tsc(jit):
    """Returns {PyTorch's name after _jit_pass_: function} for passes that PyTorch calls otherwise than by a graph alone."""

    def canonicalize(graph, keep_unique_names=True):
        made = graph.copy()
        jit.passes.run(made, "canonicalize")
        if not keep_unique_names:
            unname(made)
        return made

    def unname(block):
        for value in [*block.inputs(), *(output for node in block.nodes() for output in node.outputs())]:
            value.setDebugName("")
        for node in block.nodes():
            for inner in node.blocks():
                unname(inner)

    def create_autodiff_subgraphs(graph, threshold=2):
        jit.passes.run(graph, f"create-autodiff-subgraphs<threshold={threshold}>")

    def complete_shape_analysis(graph, inputs, with_grad=False):
        jit.passes.propagate_input_shapes(graph, inputs)

    def peephole_list_idioms(graph, refine_list_len=False):
        jit.passes.run(graph, "refine-ints<lengths=true>,peephole,dce" if refine_list_len else "peephole,dce")

    def rewrite(pattern, replacement, graph, value_name_pairs=()):
        jit.passes.rewrite(graph, pattern, replacement, value_name_pairs)

    return {
        "lint": lambda graph: graph.lint(),
        "canonicalize": canonicalize,
        "create_autodiff_subgraphs": create_autodiff_subgraphs,
        "complete_shape_analysis": complete_shape_analysis,
        "peephole_list_idioms": peephole_list_idioms,
        "run_decompositions": jit.passes.run_decompositions,
        "custom_pattern_based_rewrite_graph": rewrite,
    }


def pass_of_tsc(jit, name, given, special):
    """Returns what stands for torch._C._jit_pass_NAME: tsc's pass where a graph of tsc's is given, else PyTorch's."""

    def run(*args, **kwargs):
        if not any(isinstance(one, jit.Graph) for one in args):
            return given(*args, **kwargs)
        if name in special:
            return special[name](*args, **kwargs)
        if name in SEVERAL:  # what else is given says how much of it PyTorch does
            return jit.passes.run(args[0], SEVERAL[name])
        try:
            jit.passes.run_pass(name, *args, **kwargs)
        except ValueError:
            raise NotImplementedError(f"tsc has no pass {name}") from None
        return None

    return run


class View(types.ModuleType):
    """A copy of a module's names, some replaced. Later changes of the module do not show."""

    def __init__(self, module, **others):
        super().__init__(module.__name__)
        self.__dict__.update({name: value for name, value in vars(module).items() if not name.startswith("__")})
        self.__dict__.update(others, _viewed=module)

    def __getattr__(self, name):
        return getattr(self._viewed, name)


def keep_exporter(torch):
    """Lets torch.onnx have torch.jit and the graphs of torch._C as they are now."""
    import torch.onnx.utils
    own = View(torch._C)
    for name, value in {"torch": View(torch, jit=View(torch.jit), _C=own), "_C": own}.items():
        for module in [module for path, module in sys.modules.items() if path.startswith("torch.onnx")]:
            if name in vars(module):
                setattr(module, name, value)


def put_graphs(torch, jit):
    """Puts tsc's graphs in the place of torch._C's: what makes them of text, passes and functions made of graphs."""

    def propagate_shapes(graph, inputs, with_grad=False):
        made = graph.copy()
        jit.passes.propagate_input_shapes(made, inputs)
        return made

    special = passes_of_tsc(jit)
    prefix = "_jit_pass_"
    for name in [one for one in dir(torch._C) if one.startswith(prefix)]:
        setattr(torch._C, name, pass_of_tsc(jit, name[len(prefix):], getattr(torch._C, name), special))
    InlineMode.set = jit.set_inline_everything
    torch._C._jit_set_inline_everything_mode = InlineMode.switch
    torch._C._jit_get_inline_everything_mode = lambda: InlineMode.wanted
    torch._C._propagate_shapes = propagate_shapes
    torch._C._jit_clear_class_registry = forget_classes
    torch._C._jit_register_decomposition_for_schema = jit.passes.register_decomposition
    of_torch = torch._C._create_function_from_graph
    torch._C._create_function_from_graph = lambda name, graph: (
        jit.create_function_from_graph if isinstance(graph, jit.Graph) else of_torch)(name, graph)
    torch._C.parse_ir = jit.parse_ir
    torch._C.Graph, torch._C.Node, torch._C.Value, torch._C.Block = jit.Graph, jit.Node, jit.Value, jit.Block
    torch._C.CompilationUnit = jit.CompilationUnit
    for kind in (jit.ScriptFunction, jit.ScriptModule, jit.ScriptMethod):
        kind.__call__ = taking_profile_flag(kind.__call__)
        kind.graph_for = SmallGroups.graph_for(jit, kind.graph_for)
    torch._C._debug_set_autodiff_subgraph_inlining = SmallGroups.allow


def forget_classes():
    """Lets modules of a class that is known get new types: tests define other methods of the same name on them."""
    from tsc.jit import _modules
    _modules.store.clear()


class CompiledFunctions:
    """Stands for torch.jit's table of the functions that were compiled: tests take functions out of it."""

    def __delitem__(self, function):
        from tsc.jit import _definitions, _functions
        del _functions._cache[id(function)]
        _definitions._functions.pop(id(function), None)


@functools.lru_cache(maxsize=None)
def compiled_overloads(function):
    """Returns the compiled functions of an overloaded one, as torch.jit._script._get_overloads does."""
    from tsc.jit import _definitions, _functions
    return [_functions.ScriptFunction(_definitions._declare_overload(one, function))
            for one in _definitions.overloads_of(function)]


def taking_profile_flag(call):
    """Returns a method that takes the keyword with which tests let PyTorch observe a call before they look at its graph.
    PyTorch's own testing code adds it to torch._C's classes in the same way."""

    @functools.wraps(call)
    def __call__(self, *args, profile_and_replay=False, **kwargs):
        return call(self, *args, **kwargs)

    return __call__


class InlineMode:
    """The switch by which tests ask for graphs with the bodies of what functions call."""

    wanted = False
    set = None

    @classmethod
    def switch(cls, wanted):
        cls.wanted = wanted
        cls.set(wanted)


class SmallGroups:
    """The switch by which tests ask for groups of any size in graphs for gradients, which are else as large as it pays."""

    wanted = False

    @classmethod
    def allow(cls, inlines):
        cls.wanted = not inlines

    @classmethod
    def graph_for(cls, jit, given):
        """Returns a `graph_for` that heeds the switch: tsc's own passes make the groups of a graph."""

        @functools.wraps(given)
        def graph_for(self, *args, **kwargs):
            made = given(self, *args, **kwargs)
            if not cls.wanted or not any(getattr(one, "requires_grad", False) for one in args):
                return made
            graph = self.inlined_graph
            jit.passes.run(graph, "simplify-for-tape,create-autodiff-subgraphs<threshold=1>,dce")
            return graph

        return graph_for


class Broken:
    """Stands for what a test file made with torch.jit when it was imported, and could not: each use of it fails."""

    def __init__(self, error):
        self.__dict__["error"] = error

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise self.error

    def __call__(self, *args, **kwargs):
        raise self.error


def during_import(function):
    """Returns a function that gives a Broken where it fails: one file of tests that does not load would take all others
    with it."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except Exception as error:
            return Broken(error)

    return call


def install(torch):
    """Puts tsc in the place of torch.jit, and returns a function that is to be called when the tests are imported."""
    import torch.jit
    import torch.jit._recursive
    import torch.jit._script
    import torch.jit._serialization
    import torch.jit._trace
    import torch.jit.frontend
    import torch.jit.quantized
    import torch.testing
    import torch.testing._internal.jit_metaprogramming_utils  # what compiles when it is imported is PyTorch's own
    import torch.testing._internal.jit_utils as jit_utils
    from tsc import jit
    jit.use_torch(torch)
    keep_exporter(torch)
    of_tsc = {name: getattr(jit, name) for name in dir(jit) if not name.startswith("__")}
    for name in COMPILING:
        if name in of_tsc or not hasattr(torch.jit, name):
            continue
        given = getattr(torch.jit, name)
        of_tsc[name] = MissingClass(name, (), {}) if isinstance(given, type) else missing(name)
    homes = [torch.jit, torch.jit._script, torch.jit._trace, torch.jit._serialization, torch.jit._recursive]

    def put(values):
        for name, value in values.items():
            for home in homes:
                is_public = hasattr(home, name) and not name.startswith("_") and name not in STAYS_WITH_EXPORTER
                if is_public or (home is torch.jit and name in COMPILING):
                    setattr(home, name, value)

    put({name: during_import(value) if name in COMPILING and isinstance(value, types.FunctionType) else value
         for name, value in of_tsc.items()})
    from tsc.jit import _errors
    for name, own in (("NotSupportedError", jit.NotSupportedError), ("UnsupportedNodeError", jit.NotSupportedError),
                      ("FrontendError", _errors.FrontendError)):
        if not issubclass(own, getattr(torch.jit.frontend, name)):
            setattr(torch.jit.frontend, name, own)
    torch.jit._state._jit_caching_layer = CompiledFunctions()
    torch.jit._script._get_overloads = compiled_overloads
    asserted, parse_ir = torch._C._jit_assert_is_instance, torch._C.parse_ir
    torch._C._jit_assert_is_instance = lambda value, kind: asserted(value, torch_type(parse_ir, kind))
    put_graphs(torch, jit)
    torch.testing.FileCheck = jit_utils.FileCheck = file_check(torch.testing.FileCheck)
    return lambda: put(of_tsc)
