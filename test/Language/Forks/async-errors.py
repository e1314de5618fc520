# Coroutines are refused where somebody uses them.
# RUN: %exits 2 tsc-run --check-only --split-input-file %s 2>&1 | FileCheck %s
async def fetched(x: int) -> int:
    return x


# CHECK: :[[#@LINE+2]]:12: error: functions that are async aren't supported
def f() -> int:
    return fetched(1)


# -----
class Source:
    def __init__(self):
        self.n = 1

    # CHECK: :[[#@LINE+1]]:5: error: async statements aren't supported
    async def read(self) -> int:
        return self.n


def g() -> int:
    return Source().n
