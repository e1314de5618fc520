//===- TorchScatter.td - Groups of rows --------------------*- tablegen -*-===//
//
// What archives of PyTorch Geometric call of the package torch_scatter.
//
//===----------------------------------------------------------------------===//

def Torch_scatter_scatter_sum : Op<"torch_scatter::scatter_sum(Tensor src, Tensor index, int dim, Tensor? optional_out, int? dim_size) -> Tensor"> {
  let summary = "Sums of rows with the same index";
  let decomposition = [{
def scatter_sum(src: Tensor, index: Tensor, dim: int, optional_out: Optional[Tensor],
                dim_size: Optional[int]) -> Tensor:
    where = index
    if where.dim() == 1:
        for _ in range(dim if dim >= 0 else src.dim() + dim):
            where = where.unsqueeze(0)
    for _ in range(src.dim() - where.dim()):
        where = where.unsqueeze(-1)
    where = where.expand(src.size())
    shape = src.size()
    shape[dim] = dim_size if dim_size is not None else 0 if where.numel() == 0 else int(where.max()) + 1
    base = optional_out if optional_out is not None else src.new_zeros(shape)
    return base.scatter_add(dim, where, src)
  }];
}
def Torch_scatter_scatter_mul : Op<"torch_scatter::scatter_mul(Tensor src, Tensor index, int dim, Tensor? optional_out, int? dim_size) -> Tensor"> {
  let summary = "Products of rows with the same index";
  let decomposition = [{
def scatter_mul(src: Tensor, index: Tensor, dim: int, optional_out: Optional[Tensor],
                dim_size: Optional[int]) -> Tensor:
    where = index
    if where.dim() == 1:
        for _ in range(dim if dim >= 0 else src.dim() + dim):
            where = where.unsqueeze(0)
    for _ in range(src.dim() - where.dim()):
        where = where.unsqueeze(-1)
    where = where.expand(src.size())
    shape = src.size()
    shape[dim] = dim_size if dim_size is not None else 0 if where.numel() == 0 else int(where.max()) + 1
    base = optional_out if optional_out is not None else src.new_ones(shape)
    return base.scatter_reduce(dim, where, src, "prod", include_self=True)
  }];
}
def Torch_scatter_scatter_mean : Op<"torch_scatter::scatter_mean(Tensor src, Tensor index, int dim, Tensor? optional_out, int? dim_size) -> Tensor"> {
  let summary = "Means of rows with the same index";
  let decomposition = [{
def scatter_mean(src: Tensor, index: Tensor, dim: int, optional_out: Optional[Tensor],
                 dim_size: Optional[int]) -> Tensor:
    where = index
    if where.dim() == 1:
        for _ in range(dim if dim >= 0 else src.dim() + dim):
            where = where.unsqueeze(0)
    for _ in range(src.dim() - where.dim()):
        where = where.unsqueeze(-1)
    where = where.expand(src.size())
    shape = src.size()
    shape[dim] = dim_size if dim_size is not None else 0 if where.numel() == 0 else int(where.max()) + 1
    base = optional_out if optional_out is not None else src.new_zeros(shape)
    count = src.new_zeros(base.size()).scatter_add(dim, where, torch.ones_like(src)).clamp(min=1)
    total = base.scatter_add(dim, where, src)
    return total / count if src.is_floating_point() else torch.div(total, count, rounding_mode="floor")
  }];
}
def Torch_scatter_scatter_min : Op<"torch_scatter::scatter_min(Tensor src, Tensor index, int dim, Tensor? optional_out, int? dim_size) -> (Tensor, Tensor)"> {
  let summary = "Least of rows with the same index, and where it was; the number of rows where there was none";
  let decomposition = [{
def scatter_min(src: Tensor, index: Tensor, dim: int, optional_out: Optional[Tensor],
                dim_size: Optional[int]) -> Tuple[Tensor, Tensor]:
    where = index
    if where.dim() == 1:
        for _ in range(dim if dim >= 0 else src.dim() + dim):
            where = where.unsqueeze(0)
    for _ in range(src.dim() - where.dim()):
        where = where.unsqueeze(-1)
    where = where.expand(src.size())
    shape = src.size()
    shape[dim] = dim_size if dim_size is not None else 0 if where.numel() == 0 else int(where.max()) + 1
    base = optional_out if optional_out is not None else src.new_zeros(shape)
    found = base.scatter_reduce(dim, where, src, "amin", include_self=optional_out is not None)
    steps = [1] * src.dim()
    steps[dim] = src.size(dim)
    rows = torch.arange(src.size(dim)).reshape(steps).expand(src.size())
    isFound = src == found.gather(dim, where)
    rows = torch.where(isFound, rows, torch.full_like(rows, -1))
    place = torch.full(found.size(), src.size(dim), dtype=torch.long)
    last = torch.full(found.size(), -1, dtype=torch.long).scatter_reduce(dim, where, rows, "amax", include_self=True)
    return found, torch.where(last >= 0, last, place)
  }];
}
def Torch_scatter_scatter_max : Op<"torch_scatter::scatter_max(Tensor src, Tensor index, int dim, Tensor? optional_out, int? dim_size) -> (Tensor, Tensor)"> {
  let summary = "Greatest of rows with the same index, and where it was; the number of rows where there was none";
  let decomposition = [{
def scatter_max(src: Tensor, index: Tensor, dim: int, optional_out: Optional[Tensor],
                dim_size: Optional[int]) -> Tuple[Tensor, Tensor]:
    where = index
    if where.dim() == 1:
        for _ in range(dim if dim >= 0 else src.dim() + dim):
            where = where.unsqueeze(0)
    for _ in range(src.dim() - where.dim()):
        where = where.unsqueeze(-1)
    where = where.expand(src.size())
    shape = src.size()
    shape[dim] = dim_size if dim_size is not None else 0 if where.numel() == 0 else int(where.max()) + 1
    base = optional_out if optional_out is not None else src.new_zeros(shape)
    found = base.scatter_reduce(dim, where, src, "amax", include_self=optional_out is not None)
    steps = [1] * src.dim()
    steps[dim] = src.size(dim)
    rows = torch.arange(src.size(dim)).reshape(steps).expand(src.size())
    isFound = src == found.gather(dim, where)
    rows = torch.where(isFound, rows, torch.full_like(rows, -1))
    place = torch.full(found.size(), src.size(dim), dtype=torch.long)
    last = torch.full(found.size(), -1, dtype=torch.long).scatter_reduce(dim, where, rows, "amax", include_self=True)
    return found, torch.where(last >= 0, last, place)
  }];
}
def Torch_scatter_segment_sum_coo : Op<"torch_scatter::segment_sum_coo(Tensor src, Tensor index, Tensor? optional_out, int? dim_size) -> Tensor"> {
  let summary = "Sums of rows with the same index, which ascends";
  let decomposition = [{
def segment_sum_coo(src: Tensor, index: Tensor, optional_out: Optional[Tensor], dim_size: Optional[int]) -> Tensor:
    return torch.ops.torch_scatter.scatter_sum(src, index, index.dim() - 1, optional_out, dim_size)
  }];
}
def Torch_scatter_segment_mean_coo : Op<"torch_scatter::segment_mean_coo(Tensor src, Tensor index, Tensor? optional_out, int? dim_size) -> Tensor"> {
  let summary = "Means of rows with the same index, which ascends";
  let decomposition = [{
def segment_mean_coo(src: Tensor, index: Tensor, optional_out: Optional[Tensor], dim_size: Optional[int]) -> Tensor:
    return torch.ops.torch_scatter.scatter_mean(src, index, index.dim() - 1, optional_out, dim_size)
  }];
}
def Torch_scatter_cuda_version : Op<"torch_scatter::cuda_version() -> int"> {
  let summary = "The version of CUDA: there is none";
  let decomposition = [{
def cuda_version() -> int:
    return -1
  }];
}
