#!/usr/bin/env python3
"""Makes the modules of torch.nn from one seed in PyTorch and in tsc, and compares weights and results.

    utils/check_modules.py build/release --python PY [--only NAME] [--table FILE]

Weights are compared bit for bit, what `forward` gives by torch.testing.assert_close (as tsc-run --check does). PY is a
Python with PyTorch 1.13. Prints a line for each case that differs and a table at the end; fails below 95 %.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

# A line of arguments stands for several constructions, of which each is a case. Inputs are Python for PyTorch.
IMAGE = {1: "r(2, 4, 12)", 2: "r(2, 4, 12, 10)", 3: "r(2, 4, 8, 6, 6)"}
CASES = [
    ("Linear", ["3, 5", "3, 5, bias=False"], "r(2, 3)"),
    ("Bilinear", ["3, 4, 5", "3, 4, 5, bias=False"], "r(2, 3), r(2, 4)"),
    ("Identity", ["", "54, unused=1"], "r(2, 3)"),
    ("Flatten", ["", "0", "1, 2"], "r(2, 3, 4)"),
    ("Unflatten", ["1, (2, 2)"], "r(2, 4, 3)"),
]
for d in (1, 2, 3):
    three = "(3,)" if d == 1 else "(3, 2)" if d == 2 else "(3, 2, 1)"
    CASES += [
        (f"Conv{d}d", ["4, 6, 3", "4, 6, 3, stride=2, padding=1", f"4, 6, {three}, bias=False", "4, 8, 3, groups=2",
                       "4, 6, 3, padding='same', dilation=2", "4, 6, 3, padding='valid'"]
         + ([] if d == 3 else ["4, 6, 3, padding=1, padding_mode='reflect'"])
         + ["4, 6, 3, padding=1, padding_mode='circular'", "4, 6, 3, padding=1, padding_mode='replicate'"], IMAGE[d]),
        (f"ConvTranspose{d}d", ["4, 6, 3", "4, 6, 3, stride=2, padding=1, output_padding=1", "4, 8, 3, groups=2",
                                "4, 6, 3, bias=False, dilation=2"], IMAGE[d]),
        (f"MaxPool{d}d", ["2", "3, stride=2, padding=1", "2, ceil_mode=True", "2, dilation=2",
                          "2, return_indices=True"], IMAGE[d]),
        (f"AvgPool{d}d", ["2", "3, stride=2, padding=1", "3, ceil_mode=True", "3, padding=1, count_include_pad=False"]
         + (["2, divisor_override=3"] if d > 1 else []), IMAGE[d]),
        (f"AdaptiveAvgPool{d}d", ["3", "1"] + ([str((2, None, 3)[:d])] if d > 1 else []), IMAGE[d]),
        (f"AdaptiveMaxPool{d}d", ["3", "1", "2, return_indices=True"], IMAGE[d]),
        (f"BatchNorm{d}d", ["4", "4, affine=False", "4, track_running_stats=False", "4, momentum=None", "4, eps=1e-3"],
         IMAGE[d]),
        (f"InstanceNorm{d}d", ["4", "4, affine=True", "4, track_running_stats=True"], IMAGE[d]),
        (f"ReplicationPad{d}d", ["1", str((2, 1, 1, 2, 0, 1)[:2 * d])], IMAGE[d]),
        (f"ReflectionPad{d}d", ["1", str((2, 1, 1, 2, 0, 1)[:2 * d])], IMAGE[d]),
        (f"ConstantPad{d}d", ["1, 3.5", f"{(2, 1, 1, 2, 0, 1)[:2 * d]}, 2"], IMAGE[d]),
        (f"MaxUnpool{d}d", ["2", "2, stride=2"], f"*torch.nn.functional.max_pool{d}d({IMAGE[d]}, 2, return_indices=True)"),
        (f"Dropout{d}d", ["", "0.3"], IMAGE[d]),
    ]
CASES += [
    ("ZeroPad2d", ["2", "(1, 0, 2, 1)"], IMAGE[2]),
    ("LPPool1d", ["2, 3", "2, 3, stride=2"], "r(2, 4, 12).abs()"),
    ("LPPool2d", ["2, 3", "1.2, (3, 2), stride=(2, 1)"], "r(2, 4, 12, 10).abs()"),
    ("FractionalMaxPool2d", ["3, output_size=(5, 4)", "3, output_ratio=(0.5, 0.5)"], IMAGE[2]),
    ("FractionalMaxPool3d", ["2, output_size=(4, 3, 3)", "2, output_ratio=(0.5, 0.5, 0.5)"], IMAGE[3]),
    ("LayerNorm", ["10", "(12, 10)", "10, elementwise_affine=False", "10, eps=1e-3"], IMAGE[2]),
    ("GroupNorm", ["2, 4", "4, 4, affine=False", "1, 4, eps=1e-3"], IMAGE[2]),
    ("LocalResponseNorm", ["2", "3, alpha=1e-3, beta=0.5, k=2.0"], IMAGE[2]),
    ("Dropout", ["", "0.2", "0.2, inplace=True"], "r(3, 4)"),
    ("AlphaDropout", ["", "0.2"], "r(3, 4)"),
    ("FeatureAlphaDropout", ["", "0.2"], IMAGE[2]),
    ("Embedding", ["10, 3", "10, 3, padding_idx=0", "10, 3, max_norm=1.0"], "torch.tensor([[1, 2], [0, 5]])"),
    ("EmbeddingBag", ["10, 3", "10, 3, mode='sum'", "10, 3, mode='max'", "10, 3, padding_idx=2"],
     "torch.tensor([[1, 2], [0, 5]])"),
    ("EmbeddingBag", ["10, 3, mode='sum'", "10, 3, include_last_offset=True"],
     "torch.tensor([1, 2, 4, 5]), torch.tensor([0, 2, 4])"),
    ("PixelShuffle", ["2"], "r(1, 8, 3, 3)"),
    ("PixelUnshuffle", ["2"], "r(1, 2, 4, 4)"),
    ("ChannelShuffle", ["2"], "r(1, 4, 2, 2)"),
    ("Upsample", ["scale_factor=2", "size=(9, 7)", "scale_factor=(2, 1.5), mode='bilinear'",
                  "scale_factor=2, mode='bilinear', align_corners=True", "scale_factor=2, mode='bicubic'"], "r(1, 2, 4, 4)"),
    ("Upsample", ["scale_factor=2", "size=7, mode='linear'"], "r(1, 2, 4)"),
    ("UpsamplingNearest2d", ["scale_factor=2", "size=(5, 6)"], "r(1, 2, 4, 4)"),
    ("UpsamplingBilinear2d", ["scale_factor=2", "size=(5, 6)"], "r(1, 2, 4, 4)"),
    ("Fold", ["(4, 5), (2, 2)"], "r(1, 12, 12)"),
    ("Unfold", ["(2, 3)", "2, padding=1, stride=2"], IMAGE[2]),
    ("CosineSimilarity", ["", "dim=0, eps=1e-6"], "r(3, 4), r(3, 4)"),
    ("PairwiseDistance", ["", "p=1", "keepdim=True"], "r(3, 4), r(3, 4)"),
    ("RNN", ["3, 4", "3, 4, 2, nonlinearity='relu'", "3, 4, batch_first=True, bias=False", "3, 4, 2, bidirectional=True"],
     "r(5, 5, 3)"),
    ("LSTM", ["3, 4", "3, 4, 2, bidirectional=True", "3, 4, batch_first=True, bias=False", "3, 4, proj_size=2",
              "3, 4, 2, dropout=0.3"], "r(5, 5, 3)"),
    ("LSTM", ["3, 4"], "r(5, 3)"),
    ("LSTM", ["3, 4"], "r(5, 2, 3), (r(1, 2, 4), r(1, 2, 4))"),
    ("GRU", ["3, 4", "3, 4, 2, bidirectional=True", "3, 4, batch_first=True, bias=False"], "r(5, 5, 3)"),
    ("GRU", ["3, 4"], "r(5, 2, 3), r(1, 2, 4)"),
    ("RNNCell", ["3, 4", "3, 4, nonlinearity='relu'", "3, 4, bias=False"], "r(2, 3)"),
    ("LSTMCell", ["3, 4", "3, 4, bias=False"], "r(2, 3), (r(2, 4), r(2, 4))"),
    ("LSTMCell", ["3, 4"], "r(3)"),
    ("GRUCell", ["3, 4", "3, 4, bias=False"], "r(2, 3), r(2, 4)"),
    ("MultiheadAttention", ["8, 2", "8, 2, bias=False", "8, 2, add_bias_kv=True", "8, 2, add_zero_attn=True",
                            "8, 2, batch_first=True", "8, 2, dropout=0.2"], "r(5, 3, 8), r(5, 3, 8), r(5, 3, 8)"),
    ("MultiheadAttention", ["8, 2, kdim=6, vdim=4"], "r(5, 3, 8), r(7, 3, 6), r(7, 3, 4)"),
    ("TransformerEncoderLayer", ["8, 2, 16", "8, 2, 16, dropout=0.0, activation='gelu'", "8, 2, 16, norm_first=True",
                                 "8, 2, 16, batch_first=True"], "r(5, 3, 8)"),
    ("TransformerEncoder", ["nn.TransformerEncoderLayer(8, 2, 16), 2",
                            "nn.TransformerEncoderLayer(8, 2, 16), 2, norm=nn.LayerNorm(8)"], "r(5, 3, 8)"),
    ("TransformerDecoderLayer", ["8, 2, 16", "8, 2, 16, norm_first=True, activation='gelu'"], "r(5, 3, 8), r(6, 3, 8)"),
    ("TransformerDecoder", ["nn.TransformerDecoderLayer(8, 2, 16), 2"], "r(5, 3, 8), r(6, 3, 8)"),
    ("Transformer", ["8, 2, 2, 2, 16", "8, 2, 1, 1, 16, batch_first=True, dropout=0.0"], "r(5, 3, 8), r(5, 3, 8)"),
    ("Sequential", ["nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)"], "r(2, 3)"),
]
for name, options in {
        "ReLU": ["", "inplace=True"], "ReLU6": [""], "Hardtanh": ["", "-2.0, 0.5"], "SiLU": [""], "Mish": [""],
        "Hardsigmoid": [""], "Hardswish": [""], "SELU": [""], "Sigmoid": [""], "Tanh": [""], "LogSigmoid": [""],
        "Softsign": [""], "Tanhshrink": [""], "GELU": ["", "'tanh'"], "ELU": ["", "0.5"], "CELU": ["", "0.5"],
        "LeakyReLU": ["", "0.2"], "RReLU": ["", "0.1, 0.2"], "Threshold": ["0.1, 20.0"], "PReLU": ["", "4, 0.1"],
        "Hardshrink": ["", "0.2"], "Softshrink": ["", "0.2"], "Softplus": ["", "2, 5"], "GLU": ["", "1"],
        "Softmax": ["1", ""], "Softmin": ["1"], "LogSoftmax": ["1"], "Softmax2d": [""]}.items():
    CASES.append((name, options, "r(2, 4, 4, 4)"))
REDUCTIONS = ["", "reduction='sum'", "reduction='none'"]
for name, options, inputs in [
        ("L1Loss", [], "r(3, 4), r(3, 4)"), ("MSELoss", ["size_average=False", "reduce=False"], "r(3, 4), r(3, 4)"),
        ("SmoothL1Loss", ["beta=0.5"], "r(3, 4), r(3, 4)"), ("HuberLoss", ["delta=0.5"], "r(3, 4), r(3, 4)"),
        ("NLLLoss", ["weight=torch.tensor([1., 2., 3., 4.])", "ignore_index=1"],
         "r(3, 4).log_softmax(1), torch.tensor([1, 0, 3])"),
        ("CrossEntropyLoss", ["weight=torch.tensor([1., 2., 3., 4.])", "label_smoothing=0.1", "ignore_index=1"],
         "r(3, 4), torch.tensor([1, 0, 3])"),
        ("PoissonNLLLoss", ["log_input=False", "full=True"], "r(3, 4).abs() + 0.1, r(3, 4).abs() + 2"),
        ("GaussianNLLLoss", ["full=True"], "r(3, 4), r(3, 4), r(3, 4).abs() + 0.1"),
        ("KLDivLoss", ["reduction='batchmean'", "log_target=True"], "r(3, 4).log_softmax(1), r(3, 4).softmax(1)"),
        ("BCELoss", ["weight=torch.tensor([1., 2., 3., 4.])"], "r(3, 4).sigmoid(), r(3, 4).sigmoid()"),
        ("BCEWithLogitsLoss", ["pos_weight=torch.tensor([1., 2., 3., 4.])"], "r(3, 4), r(3, 4).sigmoid()"),
        ("HingeEmbeddingLoss", ["margin=0.5"], "r(3, 4), r(3, 4).sign()"),
        ("MultiLabelMarginLoss", [], "r(2, 4), torch.tensor([[3, 0, -1, 1], [1, -1, 0, 2]])"),
        ("SoftMarginLoss", [], "r(3, 4), r(3, 4).sign()"),
        ("MultiLabelSoftMarginLoss", [], "r(3, 4), r(3, 4).sigmoid().round()"),
        ("CosineEmbeddingLoss", ["margin=0.2"], "r(3, 4), r(3, 4), torch.tensor([1., -1., 1.])"),
        ("MarginRankingLoss", ["margin=0.2"], "r(3), r(3), torch.tensor([1., -1., 1.])"),
        ("MultiMarginLoss", ["p=2, margin=0.5"], "r(3, 4), torch.tensor([1, 0, 3])"),
        ("TripletMarginLoss", ["margin=0.5, swap=True"], "r(3, 4), r(3, 4), r(3, 4)"),
        ("CTCLoss", ["zero_infinity=True"],
         "r(6, 2, 5).log_softmax(2), torch.tensor([[1, 2, 3], [2, 3, 4]]), torch.tensor([6, 6]), torch.tensor([3, 2])")]:
    CASES.append((name, REDUCTIONS + options, inputs))

ORACLE = r'''
import json, sys, torch
from torch import nn
def r(*sizes):
    return torch.randn(*sizes, generator=generator)
for line in sys.stdin:
    case = json.loads(line)
    generator = torch.Generator().manual_seed(7)
    args = eval("(" + case["inputs"] + ",)")
    given = [a.clone() if isinstance(a, torch.Tensor) else a for a in args]
    torch.manual_seed(0)
    module = eval(case["module"])
    torch.save({k: v.detach().clone() for k, v in module.state_dict().items()}, case["folder"] + "/state.pt")
    with torch.no_grad():
        result = module(*args)
    torch.save({"args": tuple(given), "kwargs": {}, "result": result}, case["folder"] + "/call.pt")
    open(case["folder"] + "/text", "w").write(repr(module) + "\n")
'''
COMPARE = r'''
import json, sys, torch
wrong = []
for line in sys.stdin:
    folder = line.strip()
    ours, theirs = torch.load(folder + "/ours.pt"), torch.load(folder + "/state.pt")
    same = list(ours) == list(theirs) and all(
        ours[k].dtype == theirs[k].dtype and torch.equal(ours[k], theirs[k]) for k in ours)
    if not same:
        wrong.append(folder)
print(json.dumps(wrong))
'''


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)


def try_case(tsc_run, case):
    """What is wrong, or nothing."""
    folder = pathlib.Path(case["folder"])
    # What has no weights saves a number in their place.
    (folder / "model.py").write_text(
        f"import torch\nfrom torch import nn\ntorch.manual_seed(0)\nmodel = {case['module']}\nprint(model)\n"
        f"state = model.state_dict()\nif len(state) > 0:\n    torch.save(state, {str(folder / 'ours.pt')!r})\n")
    result = run([tsc_run, folder / "model.py", "--inputs", folder / "call.pt", "--check"])
    if result.returncode:
        return (result.stderr.strip() or f"exit {result.returncode}").replace(str(folder) + "/", "")
    if result.stdout != (folder / "text").read_text():
        return "prints as " + result.stdout.strip().replace("\n", " | ")
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--only")
    parser.add_argument("--table", help="write the table as Markdown")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    tsc_run = pathlib.Path(options.build) / "bin/tsc-run"
    with tempfile.TemporaryDirectory() as top:
        cases = []
        for name, constructions, inputs in CASES:
            if options.only and options.only != name:
                continue
            for arguments in constructions:
                folder = pathlib.Path(top) / str(len(cases))
                folder.mkdir()
                cases.append({"name": name, "module": f"nn.{name}({arguments})", "inputs": inputs, "folder": str(folder)})
        oracle = run([options.python, "-c", ORACLE], input="".join(json.dumps(case) + "\n" for case in cases))
        if oracle.returncode:
            sys.exit(oracle.stderr)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            wrong = list(pool.map(lambda case: try_case(tsc_run, case), cases))
        saved = [c["folder"] for c in cases if os.path.exists(c["folder"] + "/ours.pt")]
        compared = run([options.python, "-c", COMPARE], input="".join(folder + "\n" for folder in saved))
        if compared.returncode:
            sys.exit(compared.stderr)
        different = set(json.loads(compared.stdout))
        table = collections.OrderedDict()
        passed = 0
        for case, why in zip(cases, wrong):
            if case["folder"] in different:
                why = "weights differ; " + why
            entry = table.setdefault(case["name"], [0, 0])
            entry[1] += 1
            entry[0] += not why
            passed += not why
            if why:
                print(f"{case['module']}: {why}")
    lines = ["| module | cases | pass |", "|---|---|---|"]
    lines += [f"| `{name}` | {total} | {good} |" for name, (good, total) in table.items()]
    lines.append(f"\n{passed} of {len(cases)} cases pass; {sum(g == t for g, t in table.values())} of {len(table)} modules"
                 " in all their cases.")
    if options.table:
        pathlib.Path(options.table).write_text("\n".join(lines) + "\n")
    print(lines[-1].strip())
    return passed < 0.95 * len(cases)


if __name__ == "__main__":
    sys.exit(main())
