"""How tensors, modules, programs and graphs look in notebooks."""

import html
import inspect

_MOST_ROWS = _MOST_COLUMNS = 12


def _pre(text):
    return f"<pre>{html.escape(text)}</pre>"


def _sizes(tensor):
    return f"{repr(tensor.dtype).rpartition('.')[2]}[{', '.join(map(str, tensor.shape))}]"


def _places(count, most):
    """The places that are shown of so many, with None where some are left out."""
    if count <= most:
        return list(range(count))
    return [*range(most // 2), None, *range(count - most // 2, count)]


def of_tensor(tensor):
    """A table of the elements where there are at most two dimensions, and else the text."""
    about = [f"shape ({', '.join(map(str, tensor.shape))})", repr(tensor.dtype).rpartition(".")[2]]
    if tensor.requires_grad:
        about.append("requires gradients")
    caption = f"<small>{html.escape('; '.join(about))}</small>"
    if tensor.dim() not in (1, 2) or tensor.numel() == 0 or tensor.is_quantized or "strided" not in repr(tensor.layout):
        return _pre(repr(tensor)) + caption
    rows = tensor.detach().reshape(1, -1) if tensor.dim() == 1 else tensor.detach()
    lines = []
    for i in _places(rows.shape[0], _MOST_ROWS):
        cells = ["&#8942;" if i is None else "&#8230;" if j is None else _number(rows[i, j].item())
                 for j in _places(rows.shape[1], _MOST_COLUMNS)]
        lines.append("<tr>" + "".join(f'<td style="text-align: right">{cell}</td>' for cell in cells) + "</tr>")
    return f"<table>{''.join(lines)}</table>{caption}"


def _number(value):
    return html.escape(f"{value:.4g}" if isinstance(value, float) else str(value))


def of_module(module, name=""):
    """The modules within one another, each with its tensors, to fold and unfold."""
    kind = getattr(module, "original_name", None) or type(module).__name__
    head = f"{name}: " if name else ""
    tensors = [*module.named_parameters(recurse=False), *module.named_buffers(recurse=False)]
    count = sum(value.numel() for value in module.parameters())
    lines = [f"<li><code>{html.escape(key)}</code> {html.escape(_sizes(value))}</li>" for key, value in tensors if value is not None]
    lines += [f"<li>{of_module(child, key)}</li>" for key, child in module.named_children()]
    title = f"{html.escape(head)}<b>{html.escape(kind.rpartition('.')[2])}</b> <small>{count:,} parameters</small>"
    if not lines:
        return title
    is_open = "" if name else ' open="open"'
    return f"<details{is_open}><summary>{title}</summary><ul>{''.join(lines)}</ul></details>"


def of_program(program):
    """The functions of a source program with their signatures, or the module of an archive."""
    if program.is_archive:
        return of_module(program.module())
    lines = []
    for name in program.functions:
        try:
            shown = f"{name}{inspect.signature(program.find(name))}"
        except Exception as error:  # what does not compile is shown with its first line
            shown = f"{name}: {str(error).splitlines()[0]}"
        lines.append(f"<li><code>{html.escape(shown)}</code></li>")
    return f"<b>{html.escape(program.name)}</b><ul>{''.join(lines)}</ul>"


def of_graph(graph):
    """A picture of the graph, with its text to unfold."""
    from . import _tsc

    text = str(graph)
    return f"{_tsc._svg_of_graphs(text)}<details><summary>text</summary>{_pre(text)}</details>"
