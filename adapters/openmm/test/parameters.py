def forward(pos: Tensor, k: Tensor, r0: Tensor) -> Tensor:
    return k * (pos.square().sum(1).sqrt() - r0).square().sum()
