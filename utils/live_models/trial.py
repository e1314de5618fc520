"""Takes one model through all stages of the check."""
import copy
import math
import time

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .common import tensors_in

TIGHT = 1e-9  # of results in float64, in proportion to the largest element
LOOSE = 2e-4  # of results in float32: rounding of some hundred layers
MIXED = 1e-5  # of a module in float64 that computes some of its tensors in float32
CURVE = 1e-6  # of losses in float64 over all steps
STEPS = 0.75  # of the steps over which PyTorch's own losses agree, where rounding grows until they do not
LARGEST = 90_000_000  # parameters of a model that is tried; larger ones have the layers of their smaller kin
SEED = 3


class Refused(Exception):
    """The stage at which a model failed, and why."""


def first_line(error):
    lines = [one.strip() for one in str(error).splitlines() if one.strip()]
    return f"{type(error).__name__}: {lines[0] if lines else ''}"[:300]


def cast(value, dtype):
    if isinstance(value, torch.Tensor):
        value = value.detach().clone()
        return value.to(dtype) if value.is_floating_point() else value
    if isinstance(value, dict):
        return {key: cast(one, dtype) for key, one in value.items()}
    return type(value)(cast(one, dtype) for one in value) if isinstance(value, (list, tuple)) else value


def difference(given, expected):
    """Returns the largest difference of two results in proportion to the largest element."""
    given, expected = list(tensors_in(given)), list(tensors_in(expected))
    if len(given) != len(expected):
        raise Refused(f"{len(given)} tensors in the place of {len(expected)}")
    largest = 0.0
    for one, other in zip(given, expected):
        if one.shape != other.shape or one.dtype != other.dtype:
            raise Refused(f"{one.dtype} {list(one.shape)} in the place of {other.dtype} {list(other.shape)}")
        if not other.numel():
            continue
        one, other = one.detach(), other.detach()
        if not other.is_floating_point() and not other.is_complex():
            largest = max(largest, float((one != other).any()))
            continue
        if not torch.equal(one.isfinite(), other.isfinite()):
            return float("inf")
        one, other = (torch.nan_to_num(value, 0.0, 0.0, 0.0) if not value.is_complex() else value for value in (one, other))
        scale = max(float(other.abs().max()), 1e-12)
        largest = max(largest, float((one - other).abs().max()) / scale)
    return largest


def first_above(values, bar):
    """Returns the place of the first value that is above the bar or no number, and how many values there are otherwise."""
    return next((place for place, one in enumerate(values) if not one <= bar), len(values))


def without_dropout(model):
    for module in model.modules():
        if "drop" in type(module).__name__.lower():
            for name in ("p", "drop_prob", "dropout", "drop_rate"):
                if isinstance(getattr(module, name, None), float):
                    setattr(module, name, 0.0)
        for name, value in list(vars(module).items()):
            if isinstance(value, float) and ("dropout" in name or "drop_prob" in name or name in (
                    "survival_probability", "layerdrop", "stochastic_depth_prob", "activation_dropout", "drop_path_rate")):
                setattr(module, name, 0.0)
        if isinstance(module, torch.nn.MultiheadAttention):
            module.dropout = 0.0


def seeded(function, *args, **kwargs):
    torch.manual_seed(SEED)
    return function(*args, **kwargs)


class Dtypes(TorchDispatchMode):
    """Notes the dtypes of what operators compute: a module in float64 may have parts in float32."""

    def __init__(self):
        super().__init__()
        self.dtypes = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        self.dtypes.update(one.dtype for one in tensors_in(result))
        return result


class Trial:
    """Takes one model through all stages. `result` has what the table shows."""

    def __init__(self, model, options):
        self.model, self.options = model, options
        self.result = {"name": f"{model.package}/{model.name}"}

    def run(self):
        torch.manual_seed(SEED)
        meta = self.size()
        if meta > LARGEST:
            self.result["left out"] = f"{meta // 1_000_000} million parameters"
            return
        for self.dtype in (torch.float64, torch.float32):  # some models are of one dtype alone
            try:
                self.module = self.model.make().to(self.dtype).eval()
                self.args, self.kwargs = self.model.inputs(self.model.batches[0], self.dtype)
                with Dtypes() as seen:
                    self.call(self.module, self.args, self.kwargs)
                break
            except Exception as error:
                if self.dtype is torch.float32:
                    self.result["left out"] = f"PyTorch: {first_line(error)}"
                    return
        self.is_tight = torch.float32 not in seen.dtypes
        self.choose_mode()
        try:
            self.compare()
            if self.options.steps and "left out" not in self.result:
                self.train()
        except Refused as error:
            self.result["failed"] = str(error)

    def size(self):
        try:
            with torch.device("meta"):
                return sum(one.numel() for one in self.model.make().parameters())
        except Exception:
            return 0

    def call(self, function, args, kwargs):
        return seeded(function, *copy.deepcopy(args), **copy.deepcopy(kwargs))

    def choose_mode(self):
        self.mode = self.options.mode or self.model.mode
        if self.mode is None:
            try:
                self.of_torch = torch.jit.script(self.model.make().to(self.dtype).eval())
                self.call(self.of_torch, self.args, self.kwargs)
                self.mode = "script"
            except Exception as error:
                self.mode = "trace"
                self.result["torch.jit.script"] = first_line(error)
        self.result["mode"] = self.mode

    def compiled(self, module, args, kwargs):
        from tsc import jit
        if self.mode == "script":
            return jit.script(module)
        torch.manual_seed(SEED)
        return jit.trace(module, args, check_trace=False, strict=False, example_kwarg_inputs=kwargs or None)

    def compare(self):
        started = time.time()
        try:
            compiled = self.compiled(self.module, self.args, self.kwargs)
        except Exception as error:
            if self.mode == "trace" and self.trace_by_torch() is None:
                self.result["left out"] = f"PyTorch cannot trace it, nor tsc: {first_line(error)}"
                return
            raise Refused(f"{self.mode}: {first_line(error)}") from error
        self.result["seconds to compile"] = round(time.time() - started, 1)
        what = str(self.dtype)[6:]
        self.difference_of(compiled, self.module, self.args, self.kwargs, what)
        with torch.no_grad():
            self.difference_of(compiled, self.module, self.args, self.kwargs, what)
        if self.mode == "trace":
            self.other_batch(compiled)
        if self.dtype is torch.float32:
            return
        dtype = torch.float32
        single = self.model.make().to(dtype).eval()
        args, kwargs = cast(self.args, dtype), cast(self.kwargs, dtype)
        try:
            compiled = self.compiled(single, args, kwargs)
            self.difference_of(compiled, single, args, kwargs, "float32")
        except Refused:
            raise
        except Exception as error:
            raise Refused(f"float32: {first_line(error)}") from error

    def difference_of(self, compiled, module, args, kwargs, what):
        bar = LOOSE if torch.float32 in (self.dtype, getattr(torch, what, None)) else TIGHT if self.is_tight else MIXED
        expected = self.call(module, args, kwargs)
        try:
            given = self.call(compiled, args, kwargs)
            if self.mode == "script" and type(given) is not type(expected) and isinstance(given, tuple) and \
                    len(given) == 2 and not isinstance(expected, tuple):
                given = given[1] if isinstance(expected, list) else given[0]  # of detectors: losses, detections
            found = difference(given, expected)
        except Refused as error:
            raise Refused(f"{what}: {error}") from error
        except Exception as error:
            raise Refused(f"{what}: {first_line(error)}") from error
        self.result[what] = max(found, self.result.get(what, 0.0))
        if not found <= bar:
            raise Refused(f"{what}: differs by {found:.1e}")

    def other_batch(self, compiled):
        torch.manual_seed(SEED + 1)
        args, kwargs = self.model.inputs(self.model.batches[1], self.dtype)
        try:
            self.difference_of(compiled, self.module, args, kwargs, "other batch")
        except Refused as refused:
            self.result["other batch"] = self.batch_by_torch(args, kwargs)
            if self.result["other batch"] == "differs":
                raise refused

    def trace_by_torch(self):
        """Returns a trace by PyTorch, or None where it cannot trace the module."""
        torch.manual_seed(SEED)
        given = {"example_inputs": self.args} if self.args else {}
        keywords = {"example_kwarg_inputs": self.kwargs} if self.kwargs else {}
        try:
            return torch.jit.trace(self.module, **given, **keywords, check_trace=False, strict=False)
        except Exception:
            return None

    def batch_by_torch(self, args, kwargs):
        """Says whether a trace by PyTorch holds for the other batch: "as PyTorch", where it does not either."""
        traced = self.trace_by_torch()
        try:
            found = difference(self.call(traced, args, kwargs), self.call(self.module, args, kwargs))
        except Exception:
            return "as PyTorch"
        return "differs" if found <= (TIGHT if self.is_tight else MIXED) else "as PyTorch"

    def train(self):
        torch.manual_seed(SEED)
        args, kwargs = self.model.training_inputs(self.model.batches[0], self.dtype)
        try:
            first = self.model.make().to(self.dtype).train()
        except Exception as error:
            self.result["training"] = f"PyTorch: {first_line(error)}"
            return
        without_dropout(first)
        second, third = copy.deepcopy(first), copy.deepcopy(first)
        try:
            expected = self.losses(first, first, args, kwargs)
        except Exception as error:
            self.result["training"] = f"PyTorch: {first_line(error)}"
            return
        if not all(map(math.isfinite, expected)):
            self.result["training"] = f"PyTorch: the loss is {expected[-1]}"
            return
        try:
            compiled = self.compiled(second, args, kwargs)
            given = self.losses(compiled, second, args, kwargs)
        except Exception as error:
            raise Refused(f"training: {first_line(error)}") from error
        self.result["loss"] = [expected[0], expected[-1]]
        found, bar = self.differences(given, expected), CURVE if self.is_tight else LOOSE
        self.result["training"] = max(found)
        if max(found) <= bar:
            return
        step = first_above(found, bar)
        with torch.no_grad():
            for one in third.parameters():
                one.mul_(1 + 2 * torch.finfo(one.dtype).eps)
        own = first_above(self.differences(self.losses(third, third, args, kwargs), expected), bar)
        if own == len(expected) or step < STEPS * own:
            raise Refused(f"training: losses differ by {found[step]:.1e} at step {step}")
        self.result["training"] = f"agrees for {step} steps, PyTorch with other last bits for {own}"

    @staticmethod
    def differences(given, expected):
        scale = max(map(abs, expected))
        return [abs(one - other) / max(abs(other), 1e-3 * scale) for one, other in zip(given, expected)]

    def losses(self, function, owner, args, kwargs):
        optimizer = torch.optim.SGD([one for one in owner.parameters() if one.requires_grad], lr=1e-3, momentum=0.9)
        found = []
        for step in range(self.options.steps):
            optimizer.zero_grad()
            torch.manual_seed(step)
            loss = self.model.loss(function(*copy.deepcopy(args), **copy.deepcopy(kwargs)))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(owner.parameters(), 10.0)
            optimizer.step()
            found.append(float(loss))
        return found
