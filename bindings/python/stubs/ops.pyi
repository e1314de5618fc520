from . import Operator

class _Namespace:
    def __getattr__(self, name: str) -> Operator: ...

aten: _Namespace
prim: _Namespace

def __getattr__(name: str) -> _Namespace: ...
