"""torch.jit, by tsc: functions and classes of Python's, compiled.

    import tsc

    @tsc.jit.script
    def f(x: tsc.Tensor, n: int) -> tsc.Tensor:
        for i in range(n):
            x = x * 2 + i
        return x

The names are torch.jit's. A program that uses torch may write `from tsc import jit as ...` in the place of
`torch.jit`, and gives compiled code its own tensors.
"""

from ._definitions import overload as _overload
from .._errors import Error
from .._tsc import _script
from ._errors import FrontendError, NotSupportedError
from ._functions import (
    Attribute, CompilationUnit, Future, ScriptFunction, _fork, _set_fusion_strategy, _wait, annotate, export_opnames, fork,
    interface, is_scripting, is_tracing, last_executed_optimized_graph, optimized_execution, script, script_if_tracing,
    set_fusion_strategy, trace, trace_module, wait)
from . import _tracing, passes
from ._graphs import _hide_source_ranges, create_function_from_graph, parse_ir, parse_type, set_inline_everything
from ._marks import _IgnoreContextManager, export, ignore, unused
from ._values import use_torch

Block, Graph, Node = _script.Block, _script.Graph, _script.Node
Type, Use, Value = _script.Type, _script.Use, _script.Value



def _graph_in_notebooks(self):
    from .. import _html

    return _html.of_graph(self)


Graph._repr_html_ = _graph_in_notebooks

_MODULE_CLASSES = ("ScriptModule", "RecursiveScriptModule")
_OF_MODULES = (*_MODULE_CLASSES, "ScriptMethod", "script_method", "load", "save", "freeze", "optimize_for_inference",
               "run_frozen_optimizations")
_OF_TRACES = ("TracedModule", "TopLevelTracedModule", "ONNXTracedModule", "_get_trace_graph")
_CLASSES = {"TracerWarning": _tracing.warning_class, "TracingCheckError": _tracing.error_class}
_CONTAINERS = ("ScriptList", "ScriptDict", "create_script_list", "create_script_dict")


def __getattr__(name):
    if name in _CLASSES:
        return _CLASSES[name]()
    if name in _CONTAINERS:
        from . import _containers
        return getattr(_containers, name)
    if name == "to_torch":
        from . import _torch_runs
        return _torch_runs.to_torch
    if name in _OF_TRACES:
        from . import _traces
        return getattr(_traces, name)
    # What stands on live modules: torch's where torch is imported, and else those of tsc.nn.
    if name in _OF_MODULES:
        from . import _hosts, _script_modules
        if name in _MODULE_CLASSES:
            return _script_modules.classes_for(_hosts.default().Module)[_MODULE_CLASSES.index(name)]
        return getattr(_script_modules, name)
    raise AttributeError(f"module 'tsc.jit' has no attribute '{name}'")


def __dir__():
    return sorted({*globals(), *_OF_MODULES, *_OF_TRACES, *_CLASSES, *_CONTAINERS, "to_torch"})


__all__ = ["Attribute", "CompilationUnit", "Error", "FrontendError", "Future", "Graph", "NotSupportedError", "ScriptFunction", "annotate",
           "create_function_from_graph", "export", "export_opnames", "fork", "ignore", "interface", "is_scripting", "is_tracing",
           "last_executed_optimized_graph", "optimized_execution", "parse_ir", "parse_type", "passes", "script",
           "script_if_tracing", "set_fusion_strategy", "trace", "trace_module", "unused", "use_torch", "wait"]
