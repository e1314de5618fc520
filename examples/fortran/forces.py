def forward(positions: Tensor) -> Tensor:
    """Forces of springs between all pairs of particles at `positions` (particles, 3)."""
    differences = positions.unsqueeze(0) - positions.unsqueeze(1)
    return differences.sum(1)
