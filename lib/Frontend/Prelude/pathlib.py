# Files by their paths, as Python's pathlib has them. What is written takes its place as a whole.
import torch


class Path:
    def __init__(self, path: str) -> None:
        self.path = path

    def __str__(self) -> str:
        return self.path

    def exists(self) -> bool:
        return torch.ops.tsc.exists(self.path)

    def read_text(self) -> str:
        return torch.ops.tsc.read_text(self.path)

    def write_text(self, data: str) -> int:
        return torch.ops.tsc.write_text(self.path, data)
