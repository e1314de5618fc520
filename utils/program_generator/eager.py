"""Runs programs in eager PyTorch: each line of stdin names a program, its inputs, and a file for what was observed."""
import contextlib
import io
import pickle
import signal
import sys

import tensor_files
import torch


class TooLong(BaseException):
    pass


def stop(*_):
    raise TooLong


def to_torch(value, storages):
    if isinstance(value, tensor_files.Tensor):
        if id(value.storage) not in storages:
            storages[id(value.storage)] = torch.tensor(value.storage.data, dtype=getattr(torch, value.dtype))
        return storages[id(value.storage)].as_strided(value.shape, value.strides, value.offset).requires_grad_(value.requires_grad)
    if isinstance(value, (list, tuple)):
        return type(value)(to_torch(each, storages) for each in value)
    if isinstance(value, dict):
        return {key: to_torch(each, storages) for key, each in value.items()}
    return value


def from_torch(value, storages):
    if isinstance(value, torch.Tensor):
        storage = value.untyped_storage()
        key = storage.data_ptr()
        if key not in storages or not key:
            flat = torch.tensor([], dtype=value.dtype).set_(storage)
            storages[key] = tensor_files.Storage(str(value.dtype).removeprefix("torch."), flat.tolist())
        return tensor_files.Tensor(storages[key], tuple(value.shape), value.stride(), value.storage_offset(), value.requires_grad)
    if isinstance(value, (list, torch.Size)):
        return [from_torch(each, storages) for each in value]
    if isinstance(value, tuple):
        return tuple(from_torch(each, storages) for each in value)
    if isinstance(value, dict):
        return {key: from_torch(each, storages) for key, each in value.items()}
    return value


def run(program, inputs):
    names = {}
    exec(compile(open(program).read(), "program.py", "exec"), names)
    torch.manual_seed(7)
    torch.set_grad_enabled(True)
    observed = []
    for call in tensor_files.read(inputs)["calls"]:
        arguments = to_torch(call["args"], {})
        printed = io.StringIO()
        signal.alarm(10)
        try:
            with contextlib.redirect_stdout(printed):
                result = names[call["method"]](*arguments)
        except TooLong:
            return None
        except Exception as error:  # whatever the program raises
            result = ("raised", type(error).__name__, str(error))
        finally:
            signal.alarm(0)
        storages = {}
        observed.append((printed.getvalue(), tensor_files.canonical((from_torch(result, storages), from_torch(arguments, storages)))))
    return observed


signal.signal(signal.SIGALRM, stop)
torch.set_num_threads(1)
for line in sys.stdin:
    program, inputs, out = line.rstrip("\n").split("\t")
    try:
        told = run(program, inputs)
    except Exception as error:  # a program that Python refuses
        told = f"{type(error).__name__}: {error}"
    with open(out, "wb") as file:
        pickle.dump(told, file)
    print("done", flush=True)
