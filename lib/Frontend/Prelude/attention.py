# The second half of torch.nn.functional: attention with several heads, sequence first ([length, batch, features], or
# [length, features] without a batch).
import math
import torch
from typing import Optional, Tuple
from torch import Tensor


def _check_attention_shapes(query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Optional[Tensor],
                            attn_mask: Optional[Tensor], num_heads: int) -> bool:
    kind = "batched (3-D)" if query.dim() == 3 else "unbatched (2-D)"
    if query.dim() != 3 and query.dim() != 2:
        raise AssertionError("query should be unbatched 2D or batched 3D tensor but received "
                             "{}-D query tensor".format(query.dim()))
    assert key.dim() == query.dim() and value.dim() == query.dim(), \
        "For {} `query`, expected `key` and `value` to be {}-D but found {}-D and {}-D tensors respectively".format(
            kind, query.dim(), key.dim(), value.dim())
    if key_padding_mask is not None:
        assert key_padding_mask.dim() == query.dim() - 1, \
            "For {} `query`, expected `key_padding_mask` to be `None` or {}-D but found {}-D tensor instead".format(
                kind, query.dim() - 1, key_padding_mask.dim())
    if attn_mask is not None:
        assert attn_mask.dim() == 2 or attn_mask.dim() == 3, \
            "For {} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found {}-D tensor instead".format(
                kind, attn_mask.dim())
        if query.dim() == 2 and attn_mask.dim() == 3:
            expected = [num_heads, query.size(0), key.size(0)]
            assert list(attn_mask.size()) == expected, \
                "Expected `attn_mask` shape to be {} but got {}".format(expected, attn_mask.size())
    return query.dim() == 3


def _attention_mask(attn_mask: Tensor, heads: int, target: int, source: int) -> Tensor:
    mask = attn_mask.to(torch.bool) if attn_mask.dtype == torch.uint8 else attn_mask
    assert mask.is_floating_point() or mask.dtype == torch.bool, \
        "Only float, byte, and bool types are supported for attn_mask, not {}".format(mask.dtype)
    if mask.dim() == 2:
        if list(mask.size()) != [target, source]:
            raise RuntimeError("The shape of the 2D attn_mask is {}, but should be {}.".format(
                mask.size(), (target, source)))
        return mask.unsqueeze(0)
    if list(mask.size()) != [heads, target, source]:
        raise RuntimeError("The shape of the 3D attn_mask is {}, but should be {}.".format(
            mask.size(), (heads, target, source)))
    return mask


def _project_heads(query: Tensor, key: Tensor, value: Tensor, weight: Optional[Tensor], bias: Optional[Tensor],
                   separate: bool, q_weight: Optional[Tensor], k_weight: Optional[Tensor],
                   v_weight: Optional[Tensor]) -> Tuple[Tensor, Tensor, Tensor]:
    q_bias: Optional[Tensor] = None
    k_bias: Optional[Tensor] = None
    v_bias: Optional[Tensor] = None
    if bias is not None:
        q_bias, k_bias, v_bias = bias.chunk(3)
    if separate:
        assert q_weight is not None, "use_separate_proj_weight is True but q_proj_weight is None"
        assert k_weight is not None, "use_separate_proj_weight is True but k_proj_weight is None"
        assert v_weight is not None, "use_separate_proj_weight is True but v_proj_weight is None"
        return torch.linear(query, q_weight, q_bias), torch.linear(key, k_weight, k_bias), torch.linear(value, v_weight, v_bias)
    assert weight is not None, "use_separate_proj_weight is False but in_proj_weight is None"
    if key is value and query is key:
        q, k, v = torch.linear(query, weight, bias).chunk(3, -1)
        return q, k, v
    wq, wk, wv = weight.chunk(3)
    return torch.linear(query, wq, q_bias), torch.linear(key, wk, k_bias), torch.linear(value, wv, v_bias)


def _static_or_heads(projected: Tensor, static: Optional[Tensor], name: str, heads: int, width: int) -> Tensor:
    if static is None:
        return projected.contiguous().view(projected.size(0), heads, width).transpose(0, 1)
    assert static.size(0) == heads, "expecting static_{}.size(0) of {}, but got {}".format(name, heads, static.size(0))
    assert static.size(2) == width, "expecting static_{}.size(2) of {}, but got {}".format(name, width, static.size(2))
    return static


def multi_head_attention_forward(query: Tensor, key: Tensor, value: Tensor, embed_dim_to_check: int, num_heads: int,
                                 in_proj_weight: Optional[Tensor], in_proj_bias: Optional[Tensor],
                                 bias_k: Optional[Tensor], bias_v: Optional[Tensor], add_zero_attn: bool,
                                 dropout_p: float, out_proj_weight: Tensor, out_proj_bias: Optional[Tensor],
                                 training: bool = True, key_padding_mask: Optional[Tensor] = None,
                                 need_weights: bool = True, attn_mask: Optional[Tensor] = None,
                                 use_separate_proj_weight: bool = False, q_proj_weight: Optional[Tensor] = None,
                                 k_proj_weight: Optional[Tensor] = None, v_proj_weight: Optional[Tensor] = None,
                                 static_k: Optional[Tensor] = None, static_v: Optional[Tensor] = None,
                                 average_attn_weights: bool = True) -> Tuple[Tensor, Optional[Tensor]]:
    batched = _check_attention_shapes(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    length, batch, features = query.size()
    if key_padding_mask is not None:
        if key_padding_mask.dtype != torch.bool and not key_padding_mask.is_floating_point():
            raise AssertionError("only bool and floating types of key_padding_mask are supported")
    assert features == embed_dim_to_check, \
        "was expecting embedding dimension of {}, but got {}".format(embed_dim_to_check, features)
    width = features // num_heads
    assert width * num_heads == features, "embed_dim {} not divisible by num_heads {}".format(features, num_heads)
    if use_separate_proj_weight:
        assert key.size()[:2] == value.size()[:2], \
            "key's sequence and batch dims {} do not match value's {}".format(key.size()[:2], value.size()[:2])
    else:
        assert key.size() == value.size(), "key shape {} does not match value shape {}".format(key.size(), value.size())
    heads = batch * num_heads
    q, k, v = _project_heads(query, key, value, in_proj_weight, in_proj_bias, use_separate_proj_weight,
                             q_proj_weight, k_proj_weight, v_proj_weight)

    mask: Optional[Tensor] = None
    if attn_mask is not None:
        mask = _attention_mask(attn_mask, heads, length, key.size(0))
    if bias_k is not None and bias_v is not None:
        assert static_k is None, "bias cannot be added to static key."
        assert static_v is None, "bias cannot be added to static value."
        k = torch.cat([k, bias_k.repeat([1, batch, 1])])
        v = torch.cat([v, bias_v.repeat([1, batch, 1])])
        if mask is not None:
            mask = torch.pad(mask, [0, 1])
        if key_padding_mask is not None:
            key_padding_mask = torch.pad(key_padding_mask, [0, 1])
    else:
        assert bias_k is None
        assert bias_v is None
    q = q.contiguous().view(length, heads, width).transpose(0, 1)
    k = _static_or_heads(k, static_k, "k", heads, width)
    v = _static_or_heads(v, static_v, "v", heads, width)
    if add_zero_attn:
        k = torch.cat([k, torch.zeros([heads, 1, width], dtype=k.dtype, device=k.device)], 1)
        v = torch.cat([v, torch.zeros([heads, 1, width], dtype=v.dtype, device=v.device)], 1)
        if mask is not None:
            mask = torch.pad(mask, [0, 1])
        if key_padding_mask is not None:
            key_padding_mask = torch.pad(key_padding_mask, [0, 1])
    source = k.size(1)

    if key_padding_mask is not None:
        assert list(key_padding_mask.size()) == [batch, source], \
            "expecting key_padding_mask shape of {}, but got {}".format((batch, source), key_padding_mask.size())
        padding = key_padding_mask.view(batch, 1, 1, source).expand(-1, num_heads, -1, -1).reshape(heads, 1, source)
        if mask is None:
            mask = padding
        elif mask.dtype == torch.bool:
            mask = mask.logical_or(padding)
        else:
            mask = mask.masked_fill(padding, -float("inf"))
    if mask is not None and mask.dtype == torch.bool:
        mask = torch.zeros_like(mask, dtype=q.dtype).masked_fill_(mask, -float("inf"))

    scaled = q / math.sqrt(width)
    scores = torch.bmm(scaled, k.transpose(-2, -1)) if mask is None else torch.baddbmm(mask, scaled, k.transpose(-2, -1))
    weights = scores.softmax(-1)
    if training and dropout_p > 0.0:
        weights = torch.dropout(weights, dropout_p, True)
    attended = torch.bmm(weights, v).transpose(0, 1).contiguous().view(length * batch, features)
    output = torch.linear(attended, out_proj_weight, out_proj_bias)
    output = output.view(length, batch, output.size(1))
    if not batched:
        output = output.squeeze(1)
    if not need_weights:
        return output, None
    weights = weights.view(batch, num_heads, length, source)
    if average_attn_weights:
        weights = weights.sum(dim=1) / num_heads
    if not batched:
        weights = weights.squeeze(0)
    return output, weights
