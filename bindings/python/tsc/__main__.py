"""The tools: `python -m tsc run model.pt`, or `tsc-run model.pt` where the package is installed.

    python -m tsc run        runs TorchScript programs
    python -m tsc opt        runs passes over graphs
    python -m tsc translate  lists, compares and converts programs
    python -m tsc lsp        serves editors

`python -m tsc TOOL --help` lists a tool's options.
"""

import os
import sys

TOOLS = ("run", "opt", "translate", "lsp")


def start(name, arguments):
    """Runs a tool in this process, and ends the process with its exit status."""
    from . import _tsc

    tool = getattr(_tsc, "_run_tool", None)
    if tool is None:
        sys.exit("error: this package was built without the tools (TSC_PYTHON_TOOLS=OFF)")
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    status = tool(name, [os.fsencode(argument) for argument in arguments])
    sys.stdout.flush()
    os._exit(status)  # as the tools end: nobody waits for what is compiled in the background


def run():
    """What the script tsc-run does."""
    start("run", sys.argv[1:])


def opt():
    """What the script tsc-opt does."""
    start("opt", sys.argv[1:])


def translate():
    """What the script tsc-translate does."""
    start("translate", sys.argv[1:])


def lsp():
    """What the script tsc-lsp does."""
    start("lsp", sys.argv[1:])


def main():
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        sys.exit(0 if arguments else 2)
    if arguments[0] == "--version":
        from . import __version__

        print(f"tsc {__version__}")
    elif arguments[0] not in TOOLS:
        sys.exit(f"error: there is no tool '{arguments[0]}': the tools are {', '.join(TOOLS)}")
    else:
        start(arguments[0], arguments[1:])


if __name__ == "__main__":
    main()
