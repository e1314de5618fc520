"""Programs over datasets of Ray: batch work in many processes, on one machine or many.

    import ray, tsc.ray

    dataset = ray.data.read_parquet("observations/")
    actions = tsc.ray.map_batches("policy.pt", dataset, workers=4)
    actions.write_parquet("actions/")

Ray itself (`pip install "ray[data]"`) is needed by `map_batches` alone. `Predictor`, the class of which each worker has an
object, takes batches of NumPy arrays or Arrow tables from anybody.
"""

import os

from . import _load, _tsc
from ._grad import no_grad

__all__ = ["Predictor", "map_batches"]


def map_batches(model, dataset, *, workers=1, batch_size=1024, inputs=None, outputs=None, method=None, keep=None,
                ordered=True, ray_options=None, **options):
    """Returns a dataset with what the program gives for each batch of `dataset`.

    Each worker is a process with an object of `Predictor`, which loads the program once. A worker that dies is started
    again, and its batch is computed again, so that results are complete. Nothing is computed before the result is
    consumed, as always with Ray's datasets.

        model        a path, which is read here and sent to the workers; the bytes of an archive; or a tsc.Module
        workers      how many processes; (least, most) lets Ray choose
        batch_size   rows of a batch, the last one of which may have fewer
        inputs       which columns are the arguments: {"argument": "column"} or a list of columns in the arguments' order;
                     by default the columns have the arguments' names, or there is one column and one argument
        outputs      names of the columns of results; by default the fields of a named tuple, the keys of a dict, else
                     "output", or "output_0" and so on
        method       the method that is called, in place of the module itself
        keep         the columns of the dataset that the result has too; by default those that are not inputs
        ordered      whether the rows of the result are in the dataset's order
        ray_options  further arguments of Ray's Dataset.map_batches, such as {"memory": 2**30}

    Other arguments are options of tsc.load: threads, quotas, allow_operators and so on. A worker is given as many
    processors of Ray's as `threads`.
    """
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise ImportError('tsc.ray.map_batches needs Ray: pip install "ray[data]"') from error
    data = _read(model)
    # What is wrong with the program or an option is an error here: Ray would start workers again and again.
    Predictor(data, inputs=inputs, outputs=outputs, method=method, keep=keep, **options)
    least, most = workers if isinstance(workers, tuple) else (workers, workers)
    further = dict(ray_options or {})
    further.setdefault("num_cpus", options.get("threads", 1))
    mapped = dataset.map_batches(
        Predictor, batch_size=batch_size, batch_format="numpy", zero_copy_batch=True,
        compute=ray.data.ActorPoolStrategy(min_size=least, max_size=most),
        fn_constructor_args=(ray.put(data),),
        fn_constructor_kwargs={"inputs": inputs, "outputs": outputs, "method": method, "keep": keep, **options}, **further)
    if ordered:
        mapped.context.execution_options.preserve_order = True
    return mapped


class Predictor:
    """A program that is called with batches: dicts of NumPy arrays, or Arrow tables, whose columns are its arguments.

    Arrays are shared with the program and not copied. The arguments are those of `map_batches`. Raises ValueError for a
    program that writes state, since what it gives for a batch depends on the batches before it.
    """

    def __init__(self, model, *, inputs=None, outputs=None, method=None, keep=None, **options):
        if type(model).__name__ == "ObjectRef":  # of Ray's object store, which has the bytes once for each machine
            import ray

            model = ray.get(model)
        if isinstance(model, _tsc.Module):
            if options:
                raise TypeError("options belong to a program that is loaded here, and not to a tsc.Module")
            self._module = model
        else:
            loaded = _load.load(model, **options)
            self._module = loaded if isinstance(loaded, _tsc.Module) else loaded.module()
        self._module.eval()
        program_writes = self._module.program.writes_state
        if program_writes:
            raise ValueError(f"the program writes state, and results would depend on which worker has which batch:\n"
                             f"{program_writes}")
        self._call = getattr(self._module, method) if method else self._module
        self._method = method or "forward"
        self._inputs = inputs
        self._outputs = [outputs] if isinstance(outputs, str) else outputs
        self._keep = keep

    def __call__(self, batch):
        """Calls the program with a batch, and returns a batch of the same kind: kept columns, and results."""
        if isinstance(batch, dict):
            columns, rows = batch, len(next(iter(batch.values()), ()))
        else:
            columns, rows = _ArrowColumns(batch), batch.num_rows
        names = list(columns)
        positional, named = self._bind(names)
        used = {*positional, *named.values()}
        for name in used:
            if name not in names:
                raise KeyError(f"there is no column '{name}': the batch has {', '.join(names)}")
        with no_grad():
            result = self._call(*[_as_argument(name, columns[name]) for name in positional],
                                **{argument: _as_argument(name, columns[name]) for argument, name in named.items()})
        kept = [name for name in names if name not in used] if self._keep is None else self._keep
        results = self._name(result, rows)
        for name in kept:
            if name in results:
                raise ValueError(f"column '{name}' would be kept, and is the name of a result: give other names as "
                                 f"`outputs`, or the columns to keep as `keep`")
        if isinstance(batch, dict):
            return {**{name: batch[name] for name in kept}, **results}
        return _arrow_table(batch, kept, results)

    def _bind(self, names):
        """The columns that are positional arguments, and those that are arguments by name."""
        if isinstance(self._inputs, dict):
            return [], self._inputs
        if self._inputs is not None:
            return ([self._inputs] if isinstance(self._inputs, str) else list(self._inputs)), {}
        arguments = self._arguments()
        if len(arguments) == 1 and len(names) == 1:
            return names, {}
        missing = [name for name, is_needed in arguments if is_needed and name not in names]
        if missing:
            raise ValueError(f"no column is the argument '{missing[0]}': give the columns as `inputs`; the batch has "
                             f"{', '.join(names)}")
        return [], {name: name for name, _ in arguments if name in names}

    def _arguments(self):
        """Names of the method's arguments, and whether a call needs them."""
        import inspect

        signature = inspect.signature(getattr(self._module, self._method))
        return [(parameter.name, parameter.default is parameter.empty) for parameter in signature.parameters.values()
                if parameter.name != "self"]

    def _name(self, result, rows):
        """The results as arrays by name."""
        if isinstance(result, dict):
            found = result
        elif isinstance(result, tuple):
            fields = getattr(result, "_fields", None) or [f"output_{i}" for i in range(len(result))]
            found = dict(zip(fields, result))
        else:
            found = {"output": result}
        if self._outputs is not None:
            if len(self._outputs) != len(found):
                raise ValueError(f"`outputs` has {len(self._outputs)} names, and the program gives {len(found)} results: "
                                 f"{', '.join(map(str, found))}")
            found = dict(zip(self._outputs, found.values()))
        arrays = {}
        for name, value in found.items():
            if not isinstance(value, _tsc.Tensor):
                raise TypeError(f"the result '{name}' is a {type(value).__name__}, and a column is made of a tensor")
            if value.dim() == 0 or value.size(0) != rows:
                raise ValueError(f"the result '{name}' of a batch of {rows} rows has the shape {list(value.shape)}: its "
                                 f"first dimension has to be that of the batch")
            arrays[name] = value.detach().numpy()
        return arrays


def _read(model):
    """The bytes of an archive."""
    if isinstance(model, (bytes, bytearray, memoryview)):
        return bytes(model)
    if isinstance(model, _tsc.Module):
        return model.save_to_buffer()
    path = os.fspath(model)
    if os.fsdecode(path).endswith((".py", ".ir")):
        raise ValueError(f"'{os.fsdecode(path)}' is no archive: save its module first (tsc.save, tsc-translate)")
    with open(path, "rb") as file:
        return file.read()


def _as_argument(name, array):
    if array.dtype.hasobject or array.dtype.kind not in "biufc":
        raise TypeError(f"column '{name}' has elements of type {array.dtype}, of which no tensor is made: rows of one "
                        f"shape and of numbers are needed")
    return _tsc._from_array(array, True)


class _ArrowColumns:
    """The columns of an Arrow table as arrays, over its memory where a column is one piece."""

    def __init__(self, table):
        self._table = table

    def __iter__(self):
        return iter(self._table.column_names)

    def __getitem__(self, name):
        import pyarrow

        column = self._table.column(name)
        array = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
        if isinstance(array, pyarrow.ChunkedArray):  # of extension types, and of no chunks
            array = pyarrow.concat_arrays(array.chunks) if array.num_chunks else pyarrow.array([], column.type)
        if array.null_count:
            raise ValueError(f"column '{name}' has {array.null_count} rows without a value, of which no tensor is made")
        if hasattr(array, "to_numpy_ndarray"):
            return array.to_numpy_ndarray()
        if pyarrow.types.is_fixed_size_list(array.type):
            inner = array.flatten()
            if inner.null_count:
                raise ValueError(f"column '{name}' has elements without a value, of which no tensor is made")
            return inner.to_numpy(zero_copy_only=False).reshape(len(array), array.type.list_size)
        return array.to_numpy(zero_copy_only=False)


def _arrow_table(table, kept, results):
    import pyarrow

    columns = {name: table.column(name) for name in kept}
    for name, array in results.items():
        columns[name] = (pyarrow.array(array) if array.ndim == 1
                         else pyarrow.FixedShapeTensorArray.from_numpy_ndarray(_row_major(array)))
    return pyarrow.table(columns)


def _row_major(array):
    import numpy

    return numpy.ascontiguousarray(array)
