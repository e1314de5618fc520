# What Python's operators and functions do with values that no operator of PyTorch takes. Parameters without a type are of
# whatever type the call gives: each function is compiled for its arguments.
import cmath
import math
from typing import Any, Callable, List, Optional, Tuple

import torch


def map(function: Callable, values):
    return [function(value) for value in values]


def _map2(function: Callable, first, second):
    return [function(a, b) for a, b in zip(first, second)]


def filter(function: Callable, values):
    return [value for value in values if function(value)]


def format(value, spec: str = "") -> str:
    return ("{:" + spec + "}").format(value)


def repr(value) -> str:
    return f"{value!r}"


# The name of an exception's class without that of its file.
def last_part(name: str) -> str:
    return name.split(".")[-1]


# str() of a KeyError is its key as repr() shows it.
def _is_key(name: str, message: str) -> bool:
    return last_part(name) == "KeyError" and len(message) > 1 and message[0] == "'" and message[-1] == "'"


def exception_key(name: str, message: str) -> str:
    return message[1:-1] if _is_key(name, message) else message


def exception_text(name: str, message: str) -> str:
    return f"{last_part(name)}({message})" if _is_key(name, message) else f"{last_part(name)}({message!r})"


def contains(values, wanted):
    for value in values:
        if value == wanted:
            return True
    return False


def less(a, b):
    for x, y in zip(a, b):
        if x != y:
            return x < y
    return len(a) < len(b)


def less_equal(a, b):
    for x, y in zip(a, b):
        if x != y:
            return x < y
    return len(a) <= len(b)


def equal_lists(a, b):
    if len(a) != len(b):
        return False
    for x, y in zip(a, b):
        if x != y:
            return False
    return True


def equal_dicts(a, b):
    if len(a) != len(b):
        return False
    for key, value in a.items():
        if key not in b:
            return False
        if value != b[key]:
            return False
    return True


# Stable, from runs of one element up. `before(a, b)`: b has to stand before a.
def _order(keys, reverse: bool):
    order = [i for i in range(len(keys))]
    width = 1
    while width < len(order):
        merged: List[int] = []
        for start in range(0, len(order), 2 * width):
            left, right = start, min(start + width, len(order))
            middle, end = right, min(start + 2 * width, len(order))
            while left < middle or right < end:
                takes_right = left == middle
                if left < middle and right < end:
                    a, b = keys[order[left]], keys[order[right]]
                    takes_right = a < b if reverse else b < a
                if takes_right:
                    merged.append(order[right])
                    right += 1
                else:
                    merged.append(order[left])
                    left += 1
        order = merged
        width *= 2
    return order


def sorted_by(values, key: Callable, reverse: bool):
    items = [value for value in values]
    keys = [key(item) for item in items]
    return [items[i] for i in _order(keys, reverse)]


def sorted_plain(values, reverse: bool):
    items = [value for value in values]
    return [items[i] for i in _order(items, reverse)]


def sort_by(values, key: Callable, reverse: bool) -> None:
    items = sorted_by(values, key, reverse)
    for i in range(len(items)):
        values[i] = items[i]


def sort_plain(values, reverse: bool) -> None:
    items = sorted_plain(values, reverse)
    for i in range(len(items)):
        values[i] = items[i]


def _first_by(values, key: Callable, comes_before: Callable, name: str):
    items = [value for value in values]
    if len(items) == 0:
        raise ValueError(name + "() arg is an empty sequence")
    best = items[0]
    best_key = key(best)
    for item in items:
        known = key(item)
        if comes_before(known, best_key):
            best, best_key = item, known
    return best


def greatest_by(values, key: Callable):
    return _first_by(values, key, lambda a, b: b < a, "max")


def least_by(values, key: Callable):
    return _first_by(values, key, lambda a, b: a < b, "min")


def greatest(values):
    return greatest_by(values, lambda value: value)


def least(values):
    return least_by(values, lambda value: value)


def sum_from(values, start):
    total = start
    for value in values:
        total = total + value
    return total


def sum_of(values):
    total = 0 + values[0]
    for i in range(1, len(values)):
        total = total + values[i]
    return total


def sum_of_rows(values: Tensor) -> Tensor:
    if values.dim() == 0:
        raise TypeError("iteration over a 0-d tensor")
    return torch.sum(values, 0) if values.dtype == torch.bool else torch.sum(values, 0, dtype=values.dtype)


def _check_truths(values: Tensor) -> None:
    if values.dim() == 0:
        raise TypeError("iteration over a 0-d tensor")
    if len(values) > 0 and values.numel() != len(values):
        count = "more than one value" if values.numel() > 0 else "no values"
        raise RuntimeError("Boolean value of Tensor with " + count + " is ambiguous")


def any_of_rows(values: Tensor) -> bool:
    _check_truths(values)
    return bool(torch.any(values != 0))


def all_of_rows(values: Tensor) -> bool:
    _check_truths(values)
    return bool(torch.all(values != 0))


def repeat_text(text: str, times: int) -> str:
    parts: List[str] = []
    for i in range(times):
        parts.append(text)
    return "".join(parts)


def int_of_text(text: str, base: int) -> int:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    rest = text.strip().lower().replace("_", "")
    negative = rest.startswith("-")
    if rest.startswith("-") or rest.startswith("+"):
        rest = rest[1:]
    if base == 0:
        base = 10
        if rest.startswith("0x"):
            base = 16
        elif rest.startswith("0o"):
            base = 8
        elif rest.startswith("0b"):
            base = 2
    if (base == 16 and rest.startswith("0x")) or (base == 8 and rest.startswith("0o")) or (
            base == 2 and rest.startswith("0b")):
        rest = rest[2:]
    if base < 2 or base > 36:
        raise ValueError("int() base must be >= 2 and <= 36, or 0")
    result = 0
    for digit in rest:
        value = digits.find(digit)
        if value < 0 or value >= base:
            raise ValueError(f"invalid literal for int() with base {base}: '{text}'")
        result = result * base + value
    if len(rest) == 0:
        raise ValueError(f"invalid literal for int() with base {base}: '{text}'")
    return -result if negative else result


def member_of(members, values, wanted, name: str):
    for i in range(len(members)):
        if values[i] == wanted:
            return members[i]
    raise ValueError(f"{wanted!r} is not a valid {name}")


def member_named(members, names: List[str], wanted: str):
    for i in range(len(members)):
        if names[i] == wanted:
            return members[i]
    raise KeyError(wanted)


def rest_of_list(values, first: int, last: int):
    return values[first:len(values) - last]


def check_length(values, least: int) -> None:
    if len(values) < least:
        raise ValueError(f"not enough values to unpack (expected at least {least}, got {len(values)})")


def _place(index: Optional[int], size: int, default: int) -> int:
    if index is None:
        return default
    if index < 0:
        return max(index + size, 0)
    return min(index, size)


# Whether an index of a tensor selects as the number does that it holds: an integer without dimensions.
def selects(index: torch.Tensor) -> bool:
    return index.dim() == 0 and (index.dtype == torch.int64 or index.dtype == torch.int32 or
                                 index.dtype == torch.int16 or index.dtype == torch.int8)


# The dimensions that an index takes: a mask as many as it has.
def _dimensions(index: Optional[torch.Tensor]) -> int:
    if index is None or index.dtype != torch.bool and index.dtype != torch.uint8:
        return 1
    return index.dim()


# The indices before and behind an ellipsis as one list, which has None for each dimension that the ellipsis stands for.
def around_ellipsis(values: torch.Tensor, front: List[Optional[torch.Tensor]],
                    back: List[Optional[torch.Tensor]]) -> List[Optional[torch.Tensor]]:
    between = values.dim()
    for index in front:
        between -= _dimensions(index)
    for index in back:
        between -= _dimensions(index)
    indices: List[Optional[torch.Tensor]] = [index for index in front]
    for _ in range(between):
        indices.append(None)
    return indices + back


# Selects with the indices that do so; leaves the others in `rest`, which is empty where no index is left.
def _select_items(values: torch.Tensor, indices: List[Optional[torch.Tensor]],
                  rest: List[Optional[torch.Tensor]]) -> torch.Tensor:
    used = 0
    for index in indices:
        if index is not None and selects(index):
            values = values.select(len(rest), int(index))
        else:
            rest.append(index)
            if index is not None:
                used = len(rest)
    while len(rest) > used:
        rest.pop()
    return values


# values[..., index], where `index`, at dimension dim, is the only tensor of `indices`.
def item_or_index(values: torch.Tensor, dim: int, index: torch.Tensor,
                  indices: List[Optional[torch.Tensor]]) -> torch.Tensor:
    if selects(index):
        return values.select(dim, int(index))
    return torch.ops.aten.index(values, indices)


def items_or_index(values: torch.Tensor, indices: List[Optional[torch.Tensor]], has_items: bool) -> torch.Tensor:
    if has_items:
        rest: List[Optional[torch.Tensor]] = []
        values = _select_items(values, indices, rest)
        if len(rest) == 0:
            return values
        return torch.ops.aten.index(values, rest)
    return torch.ops.aten.index(values, indices)


# An assignment to elements ignores dimensions of size 1 that the new values have in front.
def _without_leading_ones(fresh: torch.Tensor) -> torch.Tensor:
    while fresh.dim() > 0 and fresh.size(0) == 1:
        fresh = fresh.select(0, 0)
    return fresh


def set_part(part: torch.Tensor, fresh: torch.Tensor) -> None:
    if fresh.dim() > part.dim():
        fresh = _without_leading_ones(fresh)
    part.copy_(fresh)


def set_index(values: torch.Tensor, indices: List[Optional[torch.Tensor]], fresh: torch.Tensor) -> None:
    if fresh.dim() > 1 and fresh.size(0) == 1:
        fresh = _without_leading_ones(fresh)
    values.index_put_(indices, fresh)


def set_item_or_index(values: torch.Tensor, dim: int, index: torch.Tensor, indices: List[Optional[torch.Tensor]],
                      fresh: torch.Tensor) -> None:
    if selects(index):
        set_part(values.select(dim, int(index)), fresh)
    else:
        set_index(values, indices, fresh)


def set_items_or_index(values: torch.Tensor, indices: List[Optional[torch.Tensor]], has_items: bool,
                       fresh: torch.Tensor) -> None:
    if has_items:
        rest: List[Optional[torch.Tensor]] = []
        values = _select_items(values, indices, rest)
        if len(rest) == 0:
            set_part(values, fresh)
        else:
            set_index(values, rest, fresh)
    else:
        set_index(values, indices, fresh)


def set_slice(values, start: Optional[int], stop: Optional[int], given) -> None:
    first = _place(start, len(values), 0)
    last = max(_place(stop, len(values), len(values)), first)
    fresh = [value for value in given]
    tail = values[last:]
    while len(values) > first:
        values.pop()
    for value in fresh:
        values.append(value)
    for value in tail:
        values.append(value)


def set_steps(values, start: Optional[int], stop: Optional[int], step: int, given) -> None:
    places = [i for i in range(len(values))][start:stop:step]
    fresh = [value for value in given]
    if len(places) != len(fresh):
        raise ValueError(
            f"attempt to assign sequence of size {len(fresh)} to extended slice of size {len(places)}")
    for i in range(len(places)):
        values[places[i]] = fresh[i]


def delete_slice(values, start: Optional[int], stop: Optional[int], step: int) -> None:
    places = [i for i in range(len(values))][start:stop:step]
    if len(places) > 0:
        first = min(places)
        kept = [values[i] for i in range(first, len(values)) if i not in places]
        while len(values) > first:
            values.pop()
        for value in kept:
            values.append(value)


def list_index_within(values, wanted, start: int, stop: int) -> int:
    size = len(values)
    for i in range(max(start + size, 0) if start < 0 else start, min(stop + size if stop < 0 else stop, size)):
        if values[i] == wanted:
            return i
    raise ValueError(f"{wanted!r} is not in list")


def any_of(values) -> bool:
    for value in values:
        if value:
            return True
    return False


def all_of(values) -> bool:
    for value in values:
        if not value:
            return False
    return True


def in_range(value: int, start: int, end: int, step: int) -> bool:
    inside = start <= value and value < end if step > 0 else end < value and value <= start
    return inside and (value - start) % step == 0


def remove_prefix(text: str, prefix: str) -> str:
    return text[len(prefix):] if len(prefix) > 0 and text.startswith(prefix) else text


def remove_suffix(text: str, suffix: str) -> str:
    return text[:len(text) - len(suffix)] if len(suffix) > 0 and text.endswith(suffix) else text


# Of factors from 0 up to the modulus: by doubling where their product may not fit.
def _product_modulo(a: int, b: int, modulus: int) -> int:
    if modulus <= 3037000500:
        return a * b % modulus
    result = 0
    while b > 0:
        if b % 2 == 1:
            result = result - (modulus - a) if result >= modulus - a else result + a
        a = a - (modulus - a) if a >= modulus - a else a + a
        b //= 2
    return result


def power_modulo(base: int, exponent: int, modulus: int) -> int:
    if modulus == 0:
        raise ValueError("pow() 3rd argument cannot be 0")
    if exponent < 0:
        raise ValueError("pow() with three arguments takes no negative exponent here")
    size = abs(modulus)
    result = 1 % size
    factor = base % size
    while exponent > 0:
        if exponent % 2 == 1:
            result = _product_modulo(result, factor, size)
        factor = _product_modulo(factor, factor, size)
        exponent //= 2
    return result % modulus


def math_isclose(first, second, *, rel_tol: float = 1e-9, abs_tol: float = 0.0) -> bool:
    a, b = float(first), float(second)
    if a == b:
        return True
    if math.isinf(a) or math.isinf(b):
        return False
    return abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol)


def math_prod(values):
    total = values[0] if len(values) > 0 else 1
    for i in range(1, len(values)):
        total = total * values[i]
    return total


def math_hypot(x, y) -> float:
    wide, narrow = max(abs(float(x)), abs(float(y))), min(abs(float(x)), abs(float(y)))
    if wide == 0.0 or math.isinf(wide):
        return wide
    return float(torch.hypot(torch.tensor(wide, dtype=torch.float64), torch.tensor(narrow, dtype=torch.float64)))


def math_log2(x) -> float:
    if x <= 0:
        raise ValueError("math domain error")
    return float(torch.log2(torch.tensor(float(x), dtype=torch.float64)))


# Ties go to the even neighbour.
def round_int(value: int, digits: int) -> int:
    if digits >= 0:
        return value
    if digits < -18:  # the unit does not fit
        if digits == -19 and (value > 5000000000000000000 or value < -5000000000000000000):
            raise ValueError("round(): the result does not fit into 64 bits")
        return 0
    unit = 1
    for i in range(-digits):
        unit *= 10
    rest = value % unit
    low = value - rest
    rounded = low
    if rest > unit - rest or (rest == unit - rest and low // unit % 2 == 1):
        rounded = low + unit
    if low > value or rounded < low:
        raise ValueError("round(): the result does not fit into 64 bits")
    return rounded


def round_float(value: float, digits: int) -> float:
    """As the decimal digits say, for a conversion to text rounds the exact value, half to even."""
    if digits >= 0:
        return float(("{:." + str(digits) + "f}").format(value))
    if value == 0. or value != value or abs(value) == float("inf"):
        return value
    kept = int("{:.17e}".format(value).split("e")[1]) + digits
    if kept >= 0:
        return float(("{:." + str(kept) + "e}").format(value))
    unit = float("1e" + str(-digits))
    size = unit if kept == -1 and abs(value) > unit / 2 else 0.
    return size if value > 0 else -size


def math_isqrt(n: int) -> int:
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    root = int(math.sqrt(float(n)))
    while root * root > n:
        root -= 1
    while root + 1 <= n // (root + 1):  # the square of the largest root's successor does not fit
        root += 1
    return root


def math_comb(n: int, k: int) -> int:
    if n < 0 or k < 0:
        raise ValueError("n must be a non-negative integer" if n < 0 else "k must be a non-negative integer")
    if k > n:
        return 0
    result = 1
    for i in range(min(k, n - k)):
        # Without what the factors share, the product is the next coefficient, which fits if the last one does.
        shared = math.gcd(result, i + 1)
        result, factor = result // shared, (n - i) // ((i + 1) // shared)
        if result > 9223372036854775807 // factor:
            raise OverflowError(f"comb({n}, {k}) does not fit into 64 bits")
        result *= factor
    return result


def complex_real(z: complex) -> float:
    return float(torch.real(torch.tensor(z, dtype=torch.complex128)))


def complex_imag(z: complex) -> float:
    return float(torch.imag(torch.tensor(z, dtype=torch.complex128)))


def conjugated(z: complex) -> complex:
    return complex(complex_real(z), -complex_imag(z))


# How dtypes and sizes are shown, which are numbers and lists of them to compiled code.
def dtype_text(dtype: int) -> str:
    names = [
        "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex32", "complex64",
        "complex128", "bool", "qint8", "quint8", "qint32", "bfloat16"
    ]
    return "torch." + names[dtype] if dtype < len(names) else str(dtype)


# text.rsplit(None, most): the last words; what stands before them keeps its spaces but those at its end.
def last_words(text: str, most: int) -> List[str]:
    words: List[str] = []
    end = len(text)
    while end > 0:
        while end > 0 and text[end - 1].isspace():
            end -= 1
        if end == 0:
            break
        begin = end
        while begin > 0 and (len(words) == most or not text[begin - 1].isspace()):
            begin -= 1
        words.append(text[begin:end])
        end = begin
    words.reverse()
    return words


def layout_text(layout: int) -> str:
    names = ["strided", "sparse_coo", "sparse_csr"]
    return "torch." + names[layout] if layout < len(names) else str(layout)


def memory_format_text(format: int) -> str:
    names = ["contiguous_format", "preserve_format", "channels_last", "channels_last_3d"]
    return "torch." + names[format] if format < len(names) else str(format)


def size_text(sizes: List[int]) -> str:
    return f"torch.Size({sizes})"


def dtype_is_floating(dtype: int) -> bool:
    return (dtype >= 5 and dtype <= 7) or dtype == 15


def dtype_is_complex(dtype: int) -> bool:
    return dtype >= 8 and dtype <= 10


def complex_rect(r: float, phi: float) -> complex:
    return complex(r * math.cos(phi), r * math.sin(phi))


def complex_polar(z: complex) -> Tuple[float, float]:
    return abs(z), cmath.phase(z)


# As CPython: products for small whole exponents, which give exact results for whole numbers.
def complex_power(base: complex, exponent: int) -> complex:
    if exponent > 100 or exponent < -100:
        return base ** complex(exponent)
    rest = abs(exponent)
    result = complex(1.0, 0.0)
    factor = base
    while rest > 0:
        if rest % 2 == 1:
            result = result * factor
        rest = rest // 2
        factor = factor * factor
    return complex(1.0, 0.0) / result if exponent < 0 else result


# How containers of objects with a text of their own are shown.
def elements_text(values):
    text = ""
    for i, value in enumerate(values):
        text += (", " if i > 0 else "") + f"{value!r}"
    return text


def texts_of(values):
    return [str(value) for value in values]


def list_text(values):
    return "[" + elements_text(values) + "]"


def tuple_text(values):
    return "(" + elements_text(values) + ("," if len(values) == 1 else "") + ")"


def dict_text(values):
    text = ""
    for i, (key, value) in enumerate(values.items()):
        text += (", " if i > 0 else "") + f"{key!r}: {value!r}"
    return "{" + text + "}"


# x.tolist() where nothing says what it gives: lists of a type for each dtype and number of dimensions.
def _rows(values, sizes: List[int]):
    count = 1
    for size in sizes[:-1]:
        count *= size
    return [values[i * sizes[-1]:(i + 1) * sizes[-1]] for i in range(count)]


def _nested(values, sizes: List[int]) -> Any:
    if len(sizes) == 0:
        return values[0]
    if len(sizes) == 1:
        return values
    two = _rows(values, sizes)
    if len(sizes) == 2:
        return two
    three = _rows(two, sizes[:-1])
    if len(sizes) == 3:
        return three
    four = _rows(three, sizes[:-2])
    if len(sizes) == 4:
        return four
    if len(sizes) == 5:
        return _rows(four, sizes[:-3])
    raise RuntimeError(f"tolist() without a type is of up to 5 dimensions, and this tensor has {len(sizes)}")


def nested_list(x: torch.Tensor) -> Any:
    flat = x.flatten()
    if x.dtype == torch.bool:
        bools: List[bool] = flat.tolist()
        return _nested(bools, x.shape)
    if x.is_complex():
        complexes: List[complex] = flat.tolist()
        return _nested(complexes, x.shape)
    if x.is_floating_point():
        floats: List[float] = flat.to(torch.float64).tolist()
        return _nested(floats, x.shape)
    ints: List[int] = flat.to(torch.int64).tolist()
    return _nested(ints, x.shape)


def math_lcm(a: int, b: int) -> int:
    shared = math.gcd(a, b)
    if shared == 0 or a == 0 or b == 0:
        return 0
    if abs(a // shared) > 9223372036854775807 // abs(b):
        raise OverflowError(f"lcm({a}, {b}) does not fit into 64 bits")
    return abs(a // shared * b)


def math_perm(n: int, k: Optional[int] = None) -> int:
    if n < 0 or (k is not None and k < 0):
        raise ValueError("n must be a non-negative integer" if n < 0 else "k must be a non-negative integer")
    count = n if k is None else k
    if count > n:
        return 0
    result = 1
    for i in range(count):
        if result > 9223372036854775807 // max(n - i, 1):
            raise OverflowError(f"perm({n}, {count}) does not fit into 64 bits")
        result *= n - i
    return result


def math_dist(p, q) -> float:
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    total = 0.0
    for a, b in zip(p, q):
        total += (float(a) - float(b)) ** 2
    return math.sqrt(total)


# The sum, rounded once: partial sums that do not overlap, as Shewchuk keeps them, and after them what decides a tie.
def math_fsum(values) -> float:
    partials: List[float] = []
    special = 0.0
    for value in values:
        x = float(value)
        if not math.isfinite(x):
            special += x
            continue
        kept = 0
        for partial in partials:
            y = partial
            if abs(x) < abs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x)
            if low != 0.0:
                partials[kept] = low
                kept += 1
            x = high
        while len(partials) > kept:
            partials.pop()
        partials.append(x)
    if special != 0.0:
        return special
    at = len(partials) - 1
    total = partials[at] if at >= 0 else 0.0
    rest = 0.0
    while at > 0 and rest == 0.0:
        at -= 1
        high = total + partials[at]
        rest = partials[at] - (high - total)
        total = high
    if at > 0 and (rest < 0.0) == (partials[at - 1] < 0.0):
        twice = rest * 2.0
        if (total + twice) - total == twice:
            total += twice
    return total


def math_cbrt(x) -> float:
    value = float(x)
    root = math.copysign(abs(value) ** (1.0 / 3.0), value)
    return root if root == 0.0 or math.isinf(root) else root - (root * root * root - value) / (3.0 * root * root)


def math_exp2(x) -> float:
    return 2.0 ** float(x)


def is_integer(x) -> bool:
    value = float(x)
    return not math.isinf(value) and value == math.floor(value) if value == value else False


def bit_length(n: int) -> int:
    rest, count = -abs(n), 0  # whose range is the wider one
    while rest < 0:
        rest = -(-rest // 2) if rest > -9223372036854775807 else -4611686018427387904
        count += 1
    return count


def bit_count(n: int) -> int:
    if n == -9223372036854775807 - 1:
        return 1
    rest, count = abs(n), 0
    while rest > 0:
        count += rest % 2
        rest //= 2
    return count


def list_index(values, wanted) -> int:
    for i, value in enumerate(values):
        if value == wanted:
            return i
    raise ValueError(f"{wanted!r} is not in list")


def list_count(values, wanted) -> int:
    count = 0
    for value in values:
        if value == wanted:
            count += 1
    return count


def list_remove(values, wanted) -> None:
    at = -1
    for i, value in enumerate(values):
        if at < 0 and value == wanted:
            at = i
    if at < 0:
        raise ValueError("list.remove(x): x not in list")
    values.pop(at)


def united_dicts(first, second):
    united = first.copy()
    united.update(second)
    return united
