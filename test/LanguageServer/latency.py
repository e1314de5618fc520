# RUN: %python %s tsc-lsp

# Hover and completion answer within 50 ms in a file of 2,000 lines, also right behind a change. What else the machine does
# counts too: medians are compared, of the best of several rounds.
import contextlib
import io
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import latency_measure

best = float("inf")
for _ in range(5):
    with contextlib.redirect_stdout(io.StringIO()):
        best = min(best, latency_measure.main())
    if best < 50:
        sys.exit(0)
sys.exit(f"FAILED: {best:.1f} ms")
