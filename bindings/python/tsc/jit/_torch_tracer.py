"""Sees which operators of torch's run, and tells them to a trace (src/script/HostTrace.h).

Operators are seen by a mode of torch's dispatcher, above their decompositions: `aten::linear`, `aten::lstm`. The dispatcher
has sizes as numbers; where these come from is seen one level higher, where functions of torch's are called: `x.size(0)`
is a TracedInt there, and a number that a function was given is found again among the operator's. Calls of modules within
the traced one enter a scope, and calls of compiled code are recorded as calls.
"""

import contextlib
import weakref

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

import tsc

from . import _scopes, _torch_definitions, _tracing, _values
from . import _torch  # noqa: F401  which makes tensors when it is first imported, and must not do so in a trace
from ._torch_changes import Changes
from ._torch_functions import SETTINGS, call_with_numbers, setting, special_functions
from ._tracing import TracedFloat, TracedInt
from ._unit import unit

_script = tsc._tsc._script


#
# Values that go to the trace
#


class Tracer:
    """A trace under way in one thread. It knows which value of the graph computes which tensor of torch's."""

    def __init__(self, force_outplace=False, strict=True):
        self.trace = _script.Trace(unit())
        self.force_outplace, self.strict = force_outplace, strict
        self.paused = 0
        self.values = {}  # id -> (weak reference, recorded value)
        self.constants = {}  # id -> (tensor, recorded value)
        self.constant_tensors = []
        self.attributes = {}  # id -> (tensor, path)
        self.read = {}  # path -> recorded value
        self.modules = {}  # id -> (module, path)
        self.numbers = None  # of the call of a function of torch's that is under way: [(value, what records it)]
        self.named = {}  # id -> tensor whose value has the name of a variable
        self.fresh = {}  # id -> weak reference, of tensors that torch made of numbers
        self.leaked = {}  # id -> weak reference, of tensors that a fork computes
        self.random = []  # calls of operators that draw random numbers

    # What the traced module holds.

    def add_module(self, module, compiled):
        """Makes a module, with its compiled counterpart, the one that is traced."""
        self.trace.add_module(compiled)
        self._register(module, compiled, "__module")

    def _register(self, module, compiled, path):
        for table in (module._parameters, module._buffers):
            for name, tensor in table.items():
                if tensor is not None:
                    self.attributes.setdefault(id(tensor), (tensor, f"{path}.{name}"))
        for name, inner in module._modules.items():
            if inner is not None:
                at = f"{path}.{name}"
                self.modules[id(inner)] = (inner, at, getattr(compiled, name))
                self._register(inner, getattr(compiled, name), at)

    def module_value(self, module):
        """Returns the value of a compiled module within the traced one, or None where it is not within."""
        known = self.modules.get(id(module))
        if known is None:
            return None
        path, compiled = known[1:]
        if path not in self.read:
            self.read[path] = self.trace.attribute(path, compiled)
        return self.read[path]

    # Tensors.

    def know(self, tensor, value):
        """Notes that a value of the graph computes a tensor."""
        self.values[id(tensor)] = (weakref.ref(tensor), value)
        self.named.pop(id(tensor), None)

    def is_known(self, tensor):
        known = self.values.get(id(tensor))
        return known is not None and known[0]() is tensor

    def known_value(self, tensor):
        """Returns the value that computes a tensor, or None."""
        return self.values[id(tensor)][1] if self.is_known(tensor) else None

    def is_traced(self, tensor):
        """Whether the trace computes a tensor, or reads it from the traced module."""
        return self.is_known(tensor) or id(tensor) in self.attributes

    def value_of(self, tensor):
        known = self.values.get(id(tensor))
        if known is not None and known[0]() is tensor:
            return known[1]
        attribute = self.attributes.get(id(tensor))
        if attribute is not None and attribute[0] is tensor:
            path = attribute[1]
            if path not in self.read:
                self.read[path] = self.trace.attribute(path)
            return self.read[path]
        return self.constant_of(tensor)

    def constant_of(self, tensor):
        leaked = self.leaked.get(id(tensor))
        if leaked is not None and leaked() is tensor:
            raise RuntimeError("output of traced region did not have observable data dependence with trace inputs; this "
                               "probably indicates your program cannot be understood by the tracer.")
        known = self.constants.get(id(tensor))
        if known is not None and self.trace.is_visible(known[1]):
            return known[1]
        if tensor.requires_grad:
            raise RuntimeError("Cannot insert a Tensor that requires grad as a constant. Consider making it a parameter or "
                               f"input, or detaching the gradient\nTensor:\n{tensor}")
        value = self.trace.constant(_values.to_tsc(tensor))
        if known is None:
            self.constant_tensors.append((tensor, self.place()))
        self.constants[id(tensor)] = (tensor, value)
        return value

    def given(self, value):
        """Returns an argument or result with recorded values in the place of tensors and sizes."""
        if isinstance(value, torch.Tensor):
            return self.value_of(value)
        if isinstance(value, (TracedInt, TracedFloat)):
            return value.recorded(self.trace)
        if isinstance(value, (list, torch.Size)):
            return [self.given(one) for one in value]
        if isinstance(value, tuple):
            return tuple(self.given(one) for one in value)
        if isinstance(value, dict):
            return {self.given(key): self.given(one) for key, one in value.items()}
        if type(value) in SETTINGS:
            return setting(value)
        if isinstance(value, torch.device):
            return tsc.device(str(value))
        if isinstance(value, torch.Generator):
            raise NotImplementedError("a trace cannot hold a generator of random numbers")
        return getattr(value, "_compiled_module", value)

    def bind(self, value, recorded):
        """Notes that a value of the graph computes a tensor, or those in a list, tuple or dict."""
        if isinstance(value, torch.Tensor):
            self.know(value, recorded)
        elif isinstance(value, (list, tuple)):
            if any(map(_has_tensor, value)):
                for one, part in zip(value, self.trace.unpack(recorded, len(value))):
                    self.bind(one, part)
        elif isinstance(value, dict):
            for key, one in value.items():
                if _has_tensor(one) and isinstance(key, (bool, int, float, str)):
                    self.bind(one, self.trace.item(recorded, key))

    def input(self, name, value, text):
        """Adds an input, and returns what the function is to be called with."""
        return self._input(value, self.trace.add_input(name, unit().type(text, _names())))

    def _input(self, value, recorded):
        """Notes which value computes each tensor in an input. A tensor that the trace knows already, since it is two
        inputs at once or a parameter, becomes another tensor over the same memory."""
        if isinstance(value, torch.Tensor):
            if self.is_traced(value):
                value = _alias(value)
            self.know(value, recorded)
            return value
        if isinstance(value, (list, tuple)):
            parts = [self._input(*pair) for pair in zip(value, self.trace.unpack(recorded, len(value)))] if value else []
            return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
        return {key: self._input(one, self.trace.item(recorded, self.given(key))) for key, one in value.items()}

    # Where nodes come from.

    def place(self):
        """Returns the file and the line of the user's code that is running."""
        frame = _tracing.frame_of_user()
        return ("", 0) if frame is None else (frame.f_code.co_filename, frame.f_lineno)

    def note_place(self, tensors=()):
        """Says where the nodes come from that are recorded next. Values that are variables there get their names."""
        frame = _tracing.frame_of_user()
        if frame is None:
            self.trace.set_place("", 0)
            return
        self.trace.set_place(frame.f_code.co_filename, frame.f_lineno)
        unnamed = [one for one in tensors if isinstance(one, torch.Tensor) and self.is_known(one) and
                   id(one) not in self.named]
        if unnamed and frame.f_code.co_name != "<module>":
            variables = {id(value): name for name, value in frame.f_locals.items() if isinstance(value, torch.Tensor)}
            for one in unnamed:
                if id(one) in variables:
                    self.named[id(one)] = one
                    self.trace.set_name(self.value_of(one), variables[id(one)])

    @contextlib.contextmanager
    def pause(self):
        self.paused += 1
        try:
            yield
        finally:
            self.paused -= 1

    # Operators.

    def operator(self, func, args, kwargs, mode):
        """Runs an operator and records it."""
        schema = func._schema
        name = schema.name
        if name in _NOT_RECORDED:
            if name == "aten::lift_fresh":
                self.fresh[id(args[0])] = weakref.ref(args[0])
            return func(*args, **kwargs)
        if name == "aten::detach_" and not self.is_traced(args[0]):
            return func(*args, **kwargs)  # what torch.tensor does
        self.note_place(args)
        given = self.arguments(schema, args, kwargs)
        self.check_write(schema, args)
        if schema.is_mutable and args and isinstance(args[0], torch.Tensor):
            self.copy_if_fresh(args[0])
        with self.pause():
            result = func(*args, **kwargs)
        if result is NotImplemented:
            return result
        try:
            self.record(schema, given, kwargs, result)
        except NotImplementedError:
            definition = _torch_definitions.definition_of(name)
            if definition is not None:
                return definition._traced_call(self, lambda: result, args, kwargs)
            if schema.is_mutable or name in _RANDOM:  # it cannot run twice
                raise
            return self.decomposed(func, args, kwargs, mode)
        return result

    def decomposed(self, func, args, kwargs, mode):
        """Runs an operator that tsc lacks by the operators that it is made of, which are recorded."""
        with mode:
            result = func.decompose(*args, **kwargs)
        if result is NotImplemented:
            raise NotImplementedError(f"tsc has no operator {func._schema.name}")
        return result

    def arguments(self, schema, args, kwargs):
        """Returns the arguments of a call by name, without those that are the defaults."""
        given = {}
        numbers = _Numbers(self.numbers) if self.numbers else None
        for position, argument in enumerate(schema.arguments):
            if position < len(args):
                value = args[position]
            elif argument.name in kwargs:
                value = kwargs[argument.name]
            else:
                continue
            if numbers is not None:
                value = numbers.find(value)
            if argument.has_default_value() and _is_default(value, argument.default_value):
                continue
            given[argument.name] = value
        return given

    def copy_if_fresh(self, tensor):
        """Lets each run of the trace write to a copy of a tensor that the function made of numbers of Python's: the
        constant would keep what one run writes."""
        fresh = self.fresh.get(id(tensor))
        if fresh is None or fresh() is not tensor or self.is_traced(tensor):
            return
        with self.pause():
            constant = tensor.detach().clone()
        self.know(tensor, self.trace.call("aten::clone", "", {"self": self.constant_of(constant)})[0])

    def check_write(self, schema, args):
        """Warns, where operators are recorded out of place, of others that see what is written."""
        if not self.force_outplace or not schema.name.endswith("_") or not args or not isinstance(args[0], torch.Tensor):
            return
        with self.pause():
            place = _storage_of(args[0])
            others = [reference() for reference, _ in list(self.values.values())]
            count = sum(other is not None and _storage_of(other) == place for other in others)
        if place and count > 1:
            _tracing.warn(f"There are {count} live references to the data region being modified when tracing in-place "
                          f"operator {schema.name[6:]}. This might cause the trace to be incorrect, because all other "
                          "views that also reference this data will not reflect this change in the trace! On the other "
                          "hand, if all other views use the same memory chunk, but are disjoint (e.g. are outputs of "
                          "torch.split), this might still be safe.")

    def record(self, schema, given, kwargs, result):
        name, overload = schema.name, schema.overload_name
        values = {key: self.given(one) for key, one in given.items()}
        if isinstance(result, torch.Tensor) and "dtype" not in values and not any(map(_has_tensor, given.values())) and \
                any(argument.name == "dtype" for argument in schema.arguments):
            values["dtype"] = setting(result.dtype)  # torch's default dtype may be another one than tsc's
        out = kwargs.get("out")
        if out is not None and isinstance(out, torch.Tensor):
            values.pop("out")
            overload = "" if overload == "out" else overload.replace("_out", "").replace("out", "")
        if name == "aten::detach_":  # writes no elements; PyTorch's traces have it so
            name = "aten::detach"
        elif self.force_outplace and name.endswith("_") and not name.endswith("__"):
            name, overload, values = _out_of_place(name, overload, values)
        recorded = self.call_operator(schema, name, overload, given, values)
        if len(recorded) == 1:
            self.bind(result, recorded[0])
        else:
            for one, value in zip(result, recorded):
                if one is not None:
                    self.bind(one, value)
        if name in _RANDOM:
            self.random.append((name, self.place()))

    def call_operator(self, schema, name, overload, given, values):
        """Records a call of an operator, as it is given or in another form that means the same."""
        try:
            return self.trace.call(name, overload, values)
        except NotImplementedError:
            others = self.numbers_as_tensors(schema, given, values)
            if others is None and name.endswith("_") and "self" in values:
                # What tsc's dropout_ writes is named as dropout names it.
                others = {"input" if key == "self" else key: one for key, one in values.items()}
            if others is None:
                raise
        return self.trace.call(name, overload, others)

    def numbers_as_tensors(self, schema, given, values):
        """Returns recorded arguments with tensors in the place of ints that a call has for tensors, as
        `torch.div(x.size(1), 2, rounding_mode="trunc")` does; None where there are none, or where the result's dtype would
        be another one: an int of Python's is less than a tensor of one element."""
        places = [one.name for one in schema.arguments if isinstance(one.type, torch.TensorType) and one.name in given]
        ints = [name for name in places if isinstance(given[name], int) and not isinstance(given[name], bool)]
        others = [given[name] for name in places if name not in ints]
        wide = (torch.int64, torch.float32, torch.float64, torch.complex64, torch.complex128)
        if not ints or not all(isinstance(one, torch.Tensor) and (one.dim() or one.dtype in wide) for one in others):
            return None
        made = {name: self.trace.call("prim::NumToTensor", "Scalar", {"a": values[name]})[0] for name in ints}
        return {**values, **made}

    def note_effect(self, packet, args, kwargs):
        """Records a call of an operator of torch.jit's own, `torch.ops.prim.X`, which the dispatcher does not see."""
        from ._definitions import operator_definition
        with contextlib.suppress(tsc.Error):  # where tsc has the operator itself
            operator_definition(packet)
        schema = torch._C._jit_get_schemas_for_operator(packet._qualified_op_name)[0]
        self.note_place()
        values = {key: self.given(one) for key, one in self.arguments(schema, args, kwargs).items()}
        self.trace.call(schema.name, schema.overload_name, values)

    # Calls of compiled code.

    def call_compiled(self, run, signature, args, kwargs, record):
        """Runs compiled code and records the call, by `record(arguments)`."""
        bound = _positional(signature, args, kwargs)
        self.note_place()
        values = [self.given(one) for one in bound]
        with self.pause():
            result = run()
        self.bind(result, record(values))
        return result

    def fork(self, function, args, kwargs):
        """Calls what a fork is to call, and records it. Returns the result and the value of the future."""
        self.note_place()
        before = dict(self.values)
        self.trace.enter_fork()
        result = function(*args, **kwargs)
        future = self.trace.leave_fork(self.given(result))
        for key, (reference, value) in list(self.values.items()):
            if key not in before or before[key][1] is not value:
                self.leaked[key] = reference
                del self.values[key]
        return result, future

    def wait(self, result, future):
        """Returns the result of a fork, which the trace computes from now on."""
        self.note_place()
        with self.pause():
            result = _apart(result)
        self.bind(result, self.trace.wait(future))
        return result

    # Modules.

    def enter(self, module):
        """Enters the scope of a module within the traced one. Returns whether it is one."""
        known = self.modules.get(id(module))
        if known is None or known[0] is not module:
            return False
        self.note_place()
        self.trace.enter_module(known[1])
        return True


def _has_tensor(value):
    if isinstance(value, torch.Tensor):
        return True
    if isinstance(value, (list, tuple)):
        return any(map(_has_tensor, value))
    return isinstance(value, dict) and any(map(_has_tensor, value.values()))


def _storage_of(tensor):
    """Returns the address of a tensor's storage; None for a tensor without one."""
    if tensor.layout is not torch.strided:
        return None
    storage = getattr(tensor, "untyped_storage", tensor.storage)
    return storage().data_ptr()


def _alias(tensor):
    """Returns another tensor over the memory of one."""
    with torch.no_grad():
        other = tensor.view(tensor.size())
    return other.requires_grad_(tensor.requires_grad) if other.is_leaf else other


def _apart(value):
    """Returns a value with other tensors over the same memory."""
    if isinstance(value, torch.Tensor):
        return value.detach()
    if isinstance(value, (list, tuple)):
        parts = list(map(_apart, value))
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return {key: _apart(one) for key, one in value.items()} if isinstance(value, dict) else value


def _names():
    return _scopes.Scope([{"Tensor": torch.Tensor}])


def _positional(signature, args, kwargs):
    if not kwargs:
        return list(args)
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    return list(bound.arguments.values())


def _is_default(value, default):
    if value is None or default is None:
        return value is default
    if type(value) is not type(default) or isinstance(value, torch.Tensor):
        return False
    if isinstance(value, (list, tuple)):
        return len(value) == len(default) and all(map(_is_default, value, default))
    return isinstance(value, (bool, int, float, str)) and value == default


# What gives numbers to Python, or only says that a tensor is one.
_NOT_RECORDED = {"aten::is_nonzero", "aten::item", "aten::_local_scalar_dense", "aten::lift_fresh", "aten::lift",
                 "aten::equal", "aten::allclose", "aten::is_same_size", "aten::result_type", "aten::can_cast",
                 "aten::_assert_async", "aten::_has_compatible_shallow_copy_type", "aten::is_floating_point",
                 "aten::is_complex", "aten::is_conj", "aten::is_neg", "aten::_is_zerotensor", "aten::is_pinned",
                 "aten::stride", "aten::size", "aten::sym_size", "aten::sym_numel", "aten::sym_stride",
                 "aten::_version", "aten::retain_grad", "aten::requires_grad_", "aten::set_data", "prim::device",
                 "aten::_use_cudnn_ctc_loss", "aten::_debug_has_internal_overlap", "aten::is_contiguous"}
_RANDOM = {"aten::" + name for name in (
    "dropout", "dropout_", "alpha_dropout", "alpha_dropout_", "feature_dropout", "feature_dropout_",
    "feature_alpha_dropout", "feature_alpha_dropout_", "native_dropout", "rand", "randn", "randint", "rand_like",
    "randn_like", "randint_like", "randperm", "normal", "normal_", "uniform", "uniform_", "bernoulli", "bernoulli_",
    "multinomial", "poisson", "rrelu", "rrelu_", "fractional_max_pool2d", "fractional_max_pool3d", "exponential_",
    "random_", "cauchy_", "geometric_", "log_normal_")}

def _out_of_place(name, overload, values):
    """Returns the operator that computes what another one writes."""
    if name == "aten::copy_":
        return "aten::expand_as", "", {"self": values["src"], "other": values["self"]}
    if name == "aten::fill_":
        return "aten::full_like", "", {"self": values["self"], "fill_value": values["value"]}
    if name == "aten::zero_":
        return "aten::zeros_like", "", values
    return name[:-1], overload, values


class _Numbers:
    """Finds numbers that a function of torch's was given among those of the operator that it calls. Both have them in
    one order, and the operator may have more."""

    def __init__(self, numbers):
        self.numbers, self.at = numbers, 0

    def find(self, value):
        if isinstance(value, bool) or not isinstance(value, (int, float, list, tuple)):
            return value
        if isinstance(value, (list, tuple)):
            return [self.find(one) for one in value]
        for position in range(self.at, len(self.numbers)):
            number, traced = self.numbers[position]
            if number == value and type(number) is type(value):
                self.at = position + 1
                return value if traced is None else traced
        return value


#
# The modes
#


class _DispatchMode(TorchDispatchMode):
    def __init__(self, tracer):
        super().__init__()
        self.tracer = tracer

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if self.tracer.paused:
            return func(*args, **kwargs)
        return self.tracer.operator(func, args, kwargs, self)


class _FunctionMode(TorchFunctionMode):
    def __init__(self, tracer):
        super().__init__()
        self.tracer = tracer

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        tracer = self.tracer
        if tracer.paused or tracer.numbers is not None:
            return func(*args, **kwargs)
        special = special_functions().get(func)
        if special is not None:
            return special(tracer, func, args, kwargs)
        return call_with_numbers(tracer, func, args, kwargs)


@contextlib.contextmanager
def _below_autograd():
    """Lets operators be seen as they are called, and not as what gradients make of them."""
    make = getattr(torch._C, "_AutoDispatchBelowAutograd", None)
    if make is None:
        with torch.inference_mode():
            yield
        return
    guard = make()
    if hasattr(guard, "__enter__"):
        with guard:
            yield
    else:
        try:
            yield
        finally:
            del guard


@contextlib.contextmanager
def active(tracer):
    """Traces what runs within."""
    if _tracing.is_under_way():
        raise RuntimeError("Tracing can't be nested")
    before = _tracing.set_tracer(tracer)
    try:
        with Changes(tracer), torch.no_grad(), _below_autograd(), _FunctionMode(tracer), _DispatchMode(tracer):
            yield
    finally:
        _tracing.set_tracer(before)


#
# The output
#


def output(tracer, value):
    """Returns the result of what is traced with recorded values, or raises, in PyTorch's words, where a trace cannot
    have it."""
    if value is None:
        raise RuntimeError("The traced function didn't return any values! Side-effects are not captured in traces, so it "
                           "would be a no-op.")
    return _output(tracer, value, 0)


def _output(tracer, value, position):
    if isinstance(value, torch.Tensor):
        return tracer.value_of(value)
    if isinstance(value, (TracedInt, TracedFloat)):
        return tracer.trace.call("prim::NumToTensor", "Scalar", {"a": value.recorded(tracer.trace)})[0]
    if isinstance(value, torch.Size):
        return tuple(_output(tracer, one, position) for one in value)
    if isinstance(value, tuple):
        return tuple(_output(tracer, one, position) for one in value)
    if isinstance(value, list) and all(isinstance(one, torch.Tensor) for one in value):
        if tracer.strict:
            _tracing.warn(_tracing.container_message("list"))
        return [tracer.value_of(one) for one in value]
    if isinstance(value, dict):
        if tracer.strict:
            raise RuntimeError(_tracing.container_message("dict"))
        return _output_dict(tracer, value, position)
    raise RuntimeError("Only tensors, lists, tuples of tensors, or dictionary of tensors can be output from traced "
                       "functions")


def _output_dict(tracer, value, position):
    def is_part(one):
        return isinstance(one, torch.Tensor) or isinstance(one, tuple) and all(map(is_part, one))

    if not all(isinstance(key, (str, torch.Tensor)) and is_part(one) for key, one in value.items()):
        kind = _tracing.type_text(value, torch.Tensor)
        raise RuntimeError(f"output {position} ({kind}) of traced region cannot be understood by the tracer, only outputs "
                           "matching dict[Union[str, Tensor], Union[Tensor, Tuple[Tensor, ...]]] can be a "
                           "dictionary output of a traced function")
    return {tracer.given(key): tracer.given(one) for key, one in value.items()}
