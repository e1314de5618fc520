"""TorchScript programs through libtsc, with nothing but Python's standard library.

    import array, tsc
    program = tsc.Program("policy.pt")
    action = program(tsc.Tensor(array.array("f", [1, 2]), shape=(1, 2)))
    action.tolist()

Arguments: None, bool, int, float, complex, str, list, tuple, dict, and tensors: a tsc.Tensor, or anything that has the buffer
protocol (array.array, memoryview, a NumPy array, ...), whose memory is used in its place. A program that writes to an
argument writes there, or to a copy where the memory is read only.

Results: the same types. A tsc.Tensor has the buffer protocol's view of its elements: memoryview(t.view()), or
numpy.asarray(t.view()) where there is NumPy.

Threads: a Program may be called from many; each call has a context of its own thread's.
"""
import ctypes
import ctypes.util
import os
import threading

PTR, SIZE, I64 = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64
ROW_MAJOR, READ_ONLY = 0, 2
# By dtype: its number, its letter in the struct module ("" where Python has none), its bytes.
DTYPES = {"uint8": (0, "B", 1), "int8": (1, "b", 1), "int16": (2, "h", 2), "int32": (3, "i", 4), "int64": (4, "q", 8),
          "float16": (5, "e", 2), "float32": (6, "f", 4), "float64": (7, "d", 8), "complex64": (9, "", 8),
          "complex128": (10, "", 16), "bool": (11, "?", 1), "bfloat16": (15, "", 2)}
NAMES = {number: name for name, (number, _, _) in DTYPES.items()}
LETTERS = {letter: name for name, (_, letter, _) in DTYPES.items() if letter}
LETTERS.update({"l": "int64", "Zf": "complex64", "Zd": "complex128"})
NONE, BOOL, INT, FLOAT, COMPLEX, STRING, TENSOR, LIST, TUPLE, DICT = range(10)


class CTensor(ctypes.Structure):
    _fields_ = [("struct_size", SIZE), ("data", PTR), ("sizes", ctypes.POINTER(I64)), ("strides", ctypes.POINTER(I64)),
                ("rank", ctypes.c_int32), ("dtype", ctypes.c_int32), ("flags", ctypes.c_uint32)]


class PyBuffer(ctypes.Structure):  # CPython's Py_buffer
    _fields_ = [("buf", PTR), ("obj", ctypes.py_object), ("len", ctypes.c_ssize_t), ("itemsize", ctypes.c_ssize_t),
                ("readonly", ctypes.c_int), ("ndim", ctypes.c_int), ("format", ctypes.c_char_p),
                ("shape", ctypes.POINTER(ctypes.c_ssize_t)), ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
                ("suboffsets", ctypes.POINTER(ctypes.c_ssize_t)), ("internal", PTR)]


def _load():
    library = ctypes.CDLL(os.environ.get("TSC_LIBRARY") or ctypes.util.find_library("tsc") or "libtsc.so.1")
    for name in ("version", "error_message", "error_exception", "entry_schema", "value_type_name"):
        getattr(library, f"tsc_{name}").restype = ctypes.c_char_p
    for name in ("none", "bool", "int", "float", "complex", "string"):
        getattr(library, f"tsc_value_new_{name}").restype = PTR
    for name in ("program_load", "program_load_bytes", "program_find", "program_freeze", "program_finish_compiling",
                 "program_attribute", "program_num_functions", "program_function_name", "program_differentiate",
                 "context_new", "entry_run_named", "value_new_tensor", "value_new_list", "value_new_tuple",
                 "value_new_dict", "value_get_bool", "value_get_int", "value_get_float", "value_get_complex",
                 "value_get_string", "value_size", "value_element", "value_items", "value_print", "tensor_get",
                 "tensor_copy_to"):
        getattr(library, f"tsc_{name}").restype = PTR
    for name in ("error", "program", "entry", "context", "value"):
        getattr(library, f"tsc_{name}_free").argtypes = [PTR]
    for name in ("error_message", "error_exception", "error_code", "entry_schema", "value_kind", "value_type_name"):
        getattr(library, f"tsc_{name}").argtypes = [PTR]
    library.tsc_value_new_int.argtypes = [I64]
    library.tsc_value_new_float.argtypes = [ctypes.c_double]
    library.tsc_value_new_complex.argtypes = [ctypes.c_double, ctypes.c_double]
    library.tsc_value_new_string.argtypes = [ctypes.c_char_p, SIZE]
    return library


_lib = _load()
_python = ctypes.pythonapi
_python.PyObject_GetBuffer.argtypes = [ctypes.py_object, ctypes.POINTER(PyBuffer), ctypes.c_int]
_python.PyBuffer_Release.argtypes = [ctypes.POINTER(PyBuffer)]
PyBUF_FULL_RO = 0x11C


class Error(RuntimeError):
    """What tsc says; `code` is a tsc_code, `exception` the class that the program raised."""

    def __init__(self, message, code, exception):
        super().__init__(message)
        self.code, self.exception = code, exception


def _check(error):
    if error:
        made = Error(_lib.tsc_error_message(error).decode(), _lib.tsc_error_code(error),
                     _lib.tsc_error_exception(error).decode())
        _lib.tsc_error_free(error)
        raise made


class _Handle:
    """A pointer, released with the function of its type."""

    def __init__(self, pointer, release):
        self.pointer, self._release = pointer, release

    def __del__(self):
        self._release(self.pointer)


def _make(function, release, *arguments):
    made = PTR()
    _check(function(*arguments, ctypes.byref(made)))
    return _Handle(made.value, release)


def _value(function, *arguments):
    return _make(function, _lib.tsc_value_free, *arguments)


def _read(function, kind, value):
    found = kind()
    _check(function(PTR(value.pointer), ctypes.byref(found)))
    return found.value


def version():
    return _lib.tsc_version().decode()


# What owns each buffer that is lent, until the library says that it is not used any more.
_lent = {}
_lent_lock = threading.Lock()


@ctypes.CFUNCTYPE(None, PTR)
def _give_back(key):
    with _lent_lock:
        buffer = _lent.pop(key)
    _python.PyBuffer_Release(ctypes.byref(buffer))


def _borrow(source, shape=None, dtype=None):
    """A tensor over the memory of an object that has the buffer protocol."""
    buffer = PyBuffer()
    _python.PyObject_GetBuffer(source, ctypes.byref(buffer), PyBUF_FULL_RO)
    try:
        if buffer.suboffsets:
            raise TypeError("a buffer of pointers is no tensor")
        name = dtype or LETTERS.get((buffer.format or b"B").decode().lstrip("@=<"))
        if name is None:
            raise TypeError(f"a buffer of format {buffer.format.decode()!r} is no tensor")
        number, _, item = DTYPES[name]
        sizes = [buffer.shape[i] for i in range(buffer.ndim)]
        strides = [buffer.strides[i] for i in range(buffer.ndim)]
        if shape is not None or item != buffer.itemsize:
            count = buffer.len // item
            sizes = [count] if shape is None else list(shape)
            total, row_major, expected = 1, [], buffer.itemsize
            for size in sizes:
                total *= size
            for size, stride in zip(reversed(buffer.shape[:buffer.ndim]), reversed(buffer.strides[:buffer.ndim])):
                row_major.append(size == 1 or stride == expected)
                expected *= size
            if total != count or not all(row_major):
                raise ValueError(f"a buffer of {count} elements has no shape {tuple(sizes)}")
            strides = None
        elif any(stride % item for stride in strides):
            raise TypeError("strides are no multiples of the element")
        rank = len(sizes)
        key = id(buffer)
        described = CTensor(ctypes.sizeof(CTensor), buffer.buf, (I64 * rank)(*sizes),
                            None if strides is None else (I64 * rank)(*(stride // item for stride in strides)), rank,
                            number, READ_ONLY if buffer.readonly else ROW_MAJOR)
        with _lent_lock:
            _lent[key] = buffer
        return _value(_lib.tsc_value_new_tensor, ctypes.byref(described), _give_back, PTR(key))
    except BaseException:
        _lent.pop(id(buffer), None)
        _python.PyBuffer_Release(ctypes.byref(buffer))
        raise


class Tensor:
    """A tensor: `shape`, `dtype`, `strides` (in elements), tolist(), view()."""

    def __init__(self, source, shape=None, dtype=None):
        """Over the memory of `source`, without a copy; `shape` and `dtype` where its buffer does not say them."""
        self._value = source if isinstance(source, _Handle) else _borrow(source, shape, dtype)
        found = CTensor(struct_size=ctypes.sizeof(CTensor))
        _check(_lib.tsc_tensor_get(PTR(self._value.pointer), ctypes.byref(found)))
        self.shape = tuple(found.sizes[:found.rank])
        self.strides = tuple(found.strides[:found.rank])
        self.dtype = NAMES[found.dtype]
        self._data = found.data

    def _is_row_major(self):
        expected = 1
        for size, stride in zip(reversed(self.shape), reversed(self.strides)):
            if size != 1 and stride != expected:
                return False
            expected *= size
        return True

    def view(self):
        """The elements, to be read, as a memoryview of their shape: in place where they stand in row-major order, else a
        copy. Elements without a letter in Python (complex, bfloat16) come as bytes."""
        _, letter, item = DTYPES[self.dtype]
        count = 1
        for size in self.shape:
            count *= size
        if not self._is_row_major() or count == 0:
            memory = (ctypes.c_char * (count * item))()
            target = CTensor(ctypes.sizeof(CTensor), ctypes.addressof(memory), (I64 * len(self.shape))(*self.shape),
                             None, len(self.shape), DTYPES[self.dtype][0], ROW_MAJOR)
            _check(_lib.tsc_tensor_copy_to(PTR(self._value.pointer), ctypes.byref(target)))
        else:
            memory = (ctypes.c_char * (count * item)).from_address(self._data)
            memory.owner = self._value  # as long as somebody looks at it
        flat = memoryview(memory).cast("B")
        return flat.cast(letter, self.shape) if letter and count else flat

    def tolist(self):
        return self.view().tolist()

    def __repr__(self):
        return f"tsc.Tensor({self.tolist()}, dtype={self.dtype})"


def _to_value(value):
    if isinstance(value, Tensor):
        return value._value
    if value is None:
        return _Handle(_lib.tsc_value_new_none(), _lib.tsc_value_free)
    if isinstance(value, bool):
        return _Handle(_lib.tsc_value_new_bool(value), _lib.tsc_value_free)
    if isinstance(value, int):
        if not -2**63 <= value < 2**63:
            raise OverflowError(f"{value} does not fit into 64 bits")
        return _Handle(_lib.tsc_value_new_int(value), _lib.tsc_value_free)
    if isinstance(value, float):
        return _Handle(_lib.tsc_value_new_float(value), _lib.tsc_value_free)
    if isinstance(value, complex):
        return _Handle(_lib.tsc_value_new_complex(value.real, value.imag), _lib.tsc_value_free)
    if isinstance(value, str):
        text = value.encode()
        return _Handle(_lib.tsc_value_new_string(text, len(text)), _lib.tsc_value_free)
    if isinstance(value, (list, tuple)):
        made = _lib.tsc_value_new_list if isinstance(value, list) else _lib.tsc_value_new_tuple
        return _value(made, *_array([_to_value(element) for element in value]))
    if isinstance(value, dict):
        keys, count = _array([_to_value(key) for key in value])
        values, _ = _array([_to_value(element) for element in value.values()])
        return _value(_lib.tsc_value_new_dict, keys, values, count)
    return _borrow(value)


def _array(handles):
    made = (PTR * len(handles))(*(handle.pointer for handle in handles))
    made.owners = handles
    return made, SIZE(len(handles))


def _from_value(value):
    kind = _lib.tsc_value_kind(PTR(value.pointer))
    if kind == NONE:
        return None
    if kind == BOOL:
        return bool(_read(_lib.tsc_value_get_bool, ctypes.c_int, value))
    if kind == INT:
        return _read(_lib.tsc_value_get_int, I64, value)
    if kind == FLOAT:
        return _read(_lib.tsc_value_get_float, ctypes.c_double, value)
    if kind == COMPLEX:
        real, imaginary = ctypes.c_double(), ctypes.c_double()
        _check(_lib.tsc_value_get_complex(PTR(value.pointer), ctypes.byref(real), ctypes.byref(imaginary)))
        return complex(real.value, imaginary.value)
    if kind == STRING:
        text, length = PTR(), SIZE()
        _check(_lib.tsc_value_get_string(PTR(value.pointer), ctypes.byref(text), ctypes.byref(length)))
        return ctypes.string_at(text, length.value).decode()
    if kind == TENSOR:
        return Tensor(value)
    if kind in (LIST, TUPLE):
        count = _read(_lib.tsc_value_size, SIZE, value)
        elements = [_from_value(_value(_lib.tsc_value_element, PTR(value.pointer), SIZE(i))) for i in range(count)]
        return elements if kind == LIST else tuple(elements)
    if kind == DICT:
        return dict(_from_value(_value(_lib.tsc_value_items, PTR(value.pointer))))
    return value  # opaque: it can be passed on


class Entry:
    """A function or method of a program. `schema` is its signature."""

    def __init__(self, program, handle):
        self._program, self._handle = program, handle
        self.schema = _lib.tsc_entry_schema(handle.pointer).decode()

    def __call__(self, *args, **kwargs):
        values, count = _array([_to_value(arg) for arg in args])
        named, num_named = _array([_to_value(arg) for arg in kwargs.values()])
        names = (ctypes.c_char_p * len(kwargs))(*(name.encode() for name in kwargs))
        return _from_value(_value(_lib.tsc_entry_run_named, PTR(self._handle.pointer), self._program._context(), values,
                                  count, names, named, num_named))


class Program:
    """A loaded program: a path, or bytes with the name that stands for their path."""

    def __init__(self, source, name=None):
        if isinstance(source, bytes):
            self._handle = _make(_lib.tsc_program_load_bytes, _lib.tsc_program_free, source, SIZE(len(source)),
                                 (name or "model.pt").encode(), None, None, None)
        else:
            self._handle = _make(_lib.tsc_program_load, _lib.tsc_program_free, os.fsencode(source), None)
        self._contexts = threading.local()
        self._main = None

    def _context(self):
        if not hasattr(self._contexts, "own"):
            self._contexts.own = _make(_lib.tsc_context_new, _lib.tsc_context_free, PTR(self._handle.pointer))
        return PTR(self._contexts.own.pointer)

    def functions(self):
        names = []
        for i in range(_read(_lib.tsc_program_num_functions, SIZE, self._handle)):
            name = ctypes.c_char_p()
            _check(_lib.tsc_program_function_name(PTR(self._handle.pointer), SIZE(i), ctypes.byref(name)))
            names.append(name.value.decode())
        return names

    def find(self, name=""):
        return Entry(self, _make(_lib.tsc_program_find, _lib.tsc_entry_free, PTR(self._handle.pointer), name.encode()))

    def gradients(self, entry, arguments=(0,)):
        """An entry that gives the gradients of the sum of the results by these arguments."""
        positions = (ctypes.c_uint32 * len(arguments))(*arguments)
        return Entry(self, _make(_lib.tsc_program_differentiate, _lib.tsc_entry_free, PTR(self._handle.pointer),
                                 PTR(entry._handle.pointer), positions, SIZE(len(arguments))))

    def freeze(self, *methods):
        names = (ctypes.c_char_p * len(methods))(*(method.encode() for method in methods))
        _check(_lib.tsc_program_freeze(PTR(self._handle.pointer), names, SIZE(len(methods))))

    def attribute(self, path):
        return _from_value(_value(_lib.tsc_program_attribute, PTR(self._handle.pointer), path.encode()))

    def __call__(self, *args, **kwargs):
        if self._main is None:
            self._main = self.find()
        return self._main(*args, **kwargs)
