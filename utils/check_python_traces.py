#!/usr/bin/env python3
"""Traces the modules of PyTorch's own list with tsc.jit.trace, and compares each trace with its module.

    utils/check_python_traces.py --tsc build/development/python --python PY [--only REGEX] [--list]

PY is a Python with PyTorch (1.13 or later) and the package `expecttest`, which PyTorch's list of modules imports
(torch.testing._internal: common_nn and common_modules, each module with arguments and inputs). A case that PyTorch cannot set
up by that list alone is left out and counted. Each trace is saved, and PyTorch runs the archive: what it gives is what the
module gives, bit for bit, or the trace is wrong. tsc runs it, too, and is compared by torch.testing.assert_close, since
its operators round in their own ways. Both run on the inputs that the trace was made with and on a batch twice as large,
where the module takes that. Prints each case that differs and two lines of counts; fails unless all traces agree on their
own inputs, and 99 % of them with other sizes.
"""
import argparse
import os
import pathlib
import subprocess
import sys

BAR = 99.0  # percent of the cases that have to agree with another size of the batch


def cases():
    """Yields (name, module, inputs, result) for each case of PyTorch's lists. What cannot be set up has no module, and
    the exception in the place of the inputs."""
    yield from cases_of_tests()
    yield from cases_of_database()


def cases_of_database():
    """Yields the cases of common_modules.module_db, in training and in evaluation mode where these differ."""
    import torch
    from torch.testing._internal import common_modules

    for info in common_modules.module_db:
        for training in (True, False) if info.train_and_eval_differ else (False,):
            torch.manual_seed(1)
            try:
                made = info.module_inputs_func(info, device="cpu", dtype=torch.float32, requires_grad=False,
                                               training=training)
            except Exception as error:
                yield info.name, None, error, None
                continue
            for number, given in enumerate(made):
                name = f"{info.name}_{'train' if training else 'eval'}_{number}"
                try:
                    arguments = given.constructor_input
                    module = info.module_cls(*arguments.args, **arguments.kwargs)
                    module.train(training)
                    inputs = given.forward_input
                    inputs = (*inputs.args, *([inputs.kwargs] if inputs.kwargs else []))
                    if not all(map(holds_only_tensors, inputs)):
                        raise NotImplementedError("inputs that are no tensors")
                    result = run(module, inputs)
                except Exception as error:
                    yield name, None, error, None
                    continue
                yield name, module, inputs, result


def holds_only_tensors(value):
    import torch
    if isinstance(value, (list, tuple, dict)):
        return bool(value) and all(map(holds_only_tensors, value.values() if isinstance(value, dict) else value))
    return isinstance(value, torch.Tensor)


def cases_of_tests():
    """Yields the cases of common_nn."""
    import copy

    import torch
    from torch.testing._internal import common_nn

    new = getattr(common_nn, "new_module_tests", None) or common_nn.get_new_module_tests()
    for kind, listed in ((common_nn.NewModuleTest, [*common_nn.module_tests, *new]),
                         (common_nn.CriterionTest, common_nn.criterion_tests)):
        for parameters in listed:
            parameters = copy.copy(parameters)
            name = parameters.pop("module_name", None)
            if "constructor" not in parameters:
                parameters["constructor"] = getattr(torch.nn, name)
            full = parameters.get("fullname") or parameters["constructor"].__name__ + "_" + parameters.get("desc", "")
            try:
                torch.manual_seed(1)
                test = kind(**parameters)
                inputs = test._get_input()
                inputs = inputs if isinstance(inputs, tuple) else (inputs,)
                if kind is common_nn.CriterionTest:
                    inputs += (test._get_target(),)
                module = test.constructor(*test.constructor_args)
                result = run(module, inputs)
            except Exception as error:
                yield full, None, error, None
                continue
            yield full, module, inputs, result


def run(module, inputs):
    """Runs a module on copies of inputs, with one sequence of random numbers. Gradients are on, as they are when the
    module is traced: torch takes other ways without them."""
    import copy

    import torch

    torch.manual_seed(2)
    args, kwargs = split(copy.deepcopy(detached(inputs)))
    return detached(module(*args, **kwargs))


def split(inputs):
    """Returns the positional inputs, and those by keyword, which are a dict at the end."""
    if inputs and isinstance(inputs[-1], dict):
        return inputs[:-1], inputs[-1]
    return inputs, {}


def detached(value):
    import torch
    return mapped(value, torch.Tensor.detach)


def mapped(value, function):
    """Returns a value with `function(tensor)` in the place of each tensor."""
    import torch
    if isinstance(value, torch.Tensor):
        return function(value)
    if isinstance(value, dict):
        return {key: mapped(one, function) for key, one in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(mapped(one, function) for one in value))
    return type(value)(mapped(one, function) for one in value) if isinstance(value, (list, tuple)) else value


def is_same(one, other):
    """Whether two results are equal bit for bit."""
    import torch
    if isinstance(one, torch.Tensor):
        if not isinstance(other, torch.Tensor) or one.dtype != other.dtype or one.shape != other.shape:
            return False
        one, other = one.contiguous(), other.contiguous()
        return bytes(one.numpy().tobytes()) == bytes(other.numpy().tobytes())
    if isinstance(one, (list, tuple)):
        return isinstance(other, (list, tuple)) and len(one) == len(other) and all(map(is_same, one, other))
    return one == other


def doubled(value, size):
    """Returns inputs with twice as many rows in each tensor that has `size` of them."""
    import torch
    return mapped(value, lambda one: torch.cat([one, one]) if one.dim() and one.size(0) == size else one)


def first_size(value):
    import torch
    if isinstance(value, torch.Tensor):
        return value.size(0) if value.dim() else None
    sizes = [first_size(one) for one in value] if isinstance(value, (list, tuple)) else []
    return next((one for one in sizes if one), None)


def draws_in_training(module):
    """Whether a module draws random numbers in training, of which tsc has a sequence of its own."""
    names = ("Dropout", "RReLU", "MultiheadAttention", "Transformer", "LSTM", "GRU", "RNN")
    return module.training and any(name in type(one).__name__ for name in names for one in module.modules())


def differences(traced, loaded, inputs, expected):
    """Returns a sentence about how a trace differs from its module; None where it does not."""
    import torch
    try:
        if not is_same(run(loaded, inputs), expected):
            return "PyTorch gets another result from the archive"
        if "FractionalMaxPool" not in type(traced).__name__ + getattr(traced, "original_name", ""):  # it draws samples
            torch.testing.assert_close(run(traced, inputs), expected, equal_nan=True)
    except Exception as error:
        return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
    return None


def traced_twice(module, inputs):
    """Returns a trace, and the module that PyTorch loads from its archive."""
    import io

    import torch
    from tsc import jit

    args, kwargs = split(detached(inputs))
    traced = jit.trace(module, args, check_trace=False, strict=False, example_kwarg_inputs=kwargs or None)
    buffer = io.BytesIO()
    traced.save(buffer)
    return traced, torch.jit.load(io.BytesIO(buffer.getvalue()))


def check(options):
    import collections
    import re
    import warnings

    import torch
    from tsc import jit

    jit.use_torch(torch)
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    counts = collections.Counter()
    for name, module, inputs, expected in cases():
        if not re.search(options.only, name):
            continue
        if module is None:
            counts["left out"] += 1
            if options.list:
                print(f"left out: {name}: {(str(inputs).splitlines() or [type(inputs)])[0]}")
            continue
        if draws_in_training(module):
            module.eval()
            expected = run(module, inputs)
        counts["modules"] += 1
        try:
            made = traced_twice(module, inputs)
            said = differences(*made, inputs, expected)
        except Exception as error:
            said = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
        counts["traced"] += said is None
        if said is not None:
            print(f"{name}: {said}", flush=True)
            continue
        larger = doubled(inputs, first_size(inputs))
        try:
            expected = run(module, larger)
        except Exception:
            continue
        counts["sizes"] += 1
        said = differences(*made, larger, expected)
        counts["other size"] += said is None
        if said is not None:
            print(f"{name}, twice the batch: {said}", flush=True)
    print(f"torch {torch.__version__}: {counts['traced']} of {counts['modules']} modules traced; "
          f"{counts['left out']} of the list left out")
    print(f"twice the batch: {counts['other size']} of {counts['sizes']}")
    return counts["traced"] == counts["modules"] and counts["other size"] >= counts["sizes"] * BAR / 100


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tsc", required=True, help="the folder that holds the package tsc")
    parser.add_argument("--python", default=sys.executable, help="a Python with PyTorch and expecttest")
    parser.add_argument("--only", default="", help="a regular expression for the names of cases")
    parser.add_argument("--list", action="store_true", help="also prints the cases that are left out")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        sys.exit(0 if check(options) else 1)
    paths = [str(pathlib.Path(options.tsc).resolve()), os.environ.get("PYTHONPATH", "")]
    command = [options.python, *sys.argv, "--inside"]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": ":".join(filter(None, paths))})
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
