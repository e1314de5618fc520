#!/usr/bin/env python3
"""Scripts or traces models as their authors write them with tsc.jit, and compares results and training with PyTorch's.

    utils/check_live_models.py --tsc build/development/python --python PY [--package NAME] [--only REGEX] [--steps N]

PY is a Python with PyTorch and some of the packages torchvision, timm, transformers, torchaudio,
segmentation_models_pytorch, efficientnet_pytorch, open_clip and e3nn; models of packages that are not installed are left
out. Nothing is fetched: weights are random, and configurations small. A model goes through these stages:

- mode: "script" where torch.jit.script compiles the model, and tsc.jit.script has to, too; otherwise "trace", by
  tsc.jit.trace. `--mode` forces one of the two.
- float64 and float32: results in evaluation mode, compared with the module's own. The table has the largest difference
  in proportion to the largest element. Integers (boxes that are kept, labels) have to be equal.
- sizes: a trace run on another batch, where the module takes one. A model that computes with other sizes as numbers
  has no such result, and none is asked for where torch.jit.trace differs too.
- training: a copy of the model is trained by torch's optimizer through tsc's forward and backward, in float64, and
  the other by PyTorch. The losses of all steps have to agree. Dropout is off, and random numbers begin at one seed.

Prints a line for each model and counts at the end. Exits with 1 where a model that PyTorch runs is refused or differs.
Each model runs in a process that ends with it, so that one that crashes counts as one.
"""
import argparse
import copy
import json
import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import time
import warnings

TIGHT = 1e-9  # of results in float64, in proportion to the largest element
LOOSE = 2e-4  # of results in float32: rounding of some hundred layers
CURVE = 1e-6  # of losses in float64 over all steps
LARGEST = 60_000_000  # parameters of a model that is tried; larger ones have the layers of their smaller kin
SEED = 3


class Model:
    """A model to try: how it is made, what it is called with, and what its loss is.

    `make()` returns the module. `inputs(batch, dtype)` returns positional arguments and keyword arguments.
    `loss(result)` returns a scalar; without one it is a sum of squares of what is floating-point. `training_inputs`
    stands for `inputs` where training takes others, such as targets. `mode` forces "script" or "trace"."""

    def __init__(self, package, name, make, inputs, loss=None, training_inputs=None, mode=None, batches=(2, 3)):
        self.package, self.name, self.make, self.inputs = package, name, make, inputs
        self.loss = loss or square_loss
        self.training_inputs = training_inputs or inputs
        self.mode, self.batches = mode, batches


def tensors_in(value):
    """Yields the tensors in a result, in its order."""
    import torch
    if isinstance(value, torch.Tensor):
        yield value
    elif hasattr(value, "items"):
        for _, one in value.items():
            yield from tensors_in(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from tensors_in(one)
    elif hasattr(value, "__dict__"):
        for one in vars(value).values():
            yield from tensors_in(one)


def square_loss(result):
    """Returns the mean square of each floating-point tensor's distance to one, added up."""
    found = [one for one in tensors_in(result) if one.is_floating_point() and one.numel() and one.requires_grad]
    return sum((one.clamp(-1e3, 1e3) - 1).square().mean() for one in found)


def loss_of_dict(result):
    """Returns the sum of the losses that a detector gives in training: compiled code gives a pair, with the detections."""
    if isinstance(result, tuple):
        result = result[0]
    return sum(result.values())


#
# Models by package
#


def image(size, channels=3):
    import torch

    def inputs(batch, dtype):
        return (torch.rand(batch, channels, size, size, dtype=dtype),), {}

    return inputs


def models_of_torchvision():
    import torch
    import torchvision

    sizes = {"inception_v3": 96, "maxvit_t": 64}
    options = {"inception_v3": {"aux_logits": True, "init_weights": False}, "maxvit_t": {"input_size": (64, 64)},
               "googlenet": {"init_weights": False}}

    def maker(name, **more):
        if name.startswith("vit_"):
            more["image_size"] = 64
        return lambda: torchvision.models.get_model(name, weights=None, weights_backbone=None, num_classes=7, **more)

    def classifier(name, size):
        more = dict(options.get(name, {}))
        if name.startswith("vit_"):
            more["image_size"] = size
        return lambda: torchvision.models.get_model(name, weights=None, num_classes=7, **more)

    for name in torchvision.models.list_models(module=torchvision.models):
        size = 224 if name == "vit_h_14" else sizes.get(name, 64)
        yield Model("torchvision", name, classifier(name, size), image(size))

    def video(batch, dtype):
        return (torch.rand(batch, 3, 8, 32, 32, dtype=dtype),), {}

    for name in torchvision.models.list_models(module=torchvision.models.video):
        more, given = {}, video
        if name.startswith("mvit"):
            def given(batch, dtype):
                return (torch.rand(batch, 3, 16, 224, 224, dtype=dtype),), {}
        if name == "s3d":
            def given(batch, dtype):
                return (torch.rand(batch, 3, 14, 64, 64, dtype=dtype),), {}
        yield Model("torchvision", f"video.{name}", lambda name=name, more=more: torchvision.models.get_model(
            name, weights=None, num_classes=7, **more), given, batches=(1, 2))
    for name in torchvision.models.list_models(module=torchvision.models.segmentation):
        yield Model("torchvision", f"segmentation.{name}", maker(name), image(64))
    for name in torchvision.models.list_models(module=torchvision.models.optical_flow):
        def pair(batch, dtype):
            return (torch.rand(batch, 3, 128, 128, dtype=dtype), torch.rand(batch, 3, 128, 128, dtype=dtype)), {}
        yield Model("torchvision", f"optical_flow.{name}", lambda name=name: torchvision.models.get_model(
            name, weights=None), pair, batches=(1, 2))

    for name in torchvision.models.list_models(module=torchvision.models.detection):
        keypoints = "keypoint" in name
        more = {"num_classes": 2} if keypoints else {"num_classes": 5}
        if "ssd" not in name:
            more.update(min_size=96, max_size=128)

        def images(batch, dtype):
            return ([torch.rand(3, 80, 96, dtype=dtype) for _ in range(batch)],), {}

        def with_targets(batch, dtype, keypoints=keypoints, masks="mask" in name):
            targets = []
            for number in range(batch):
                boxes = torch.tensor([[4.0, 6.0, 40.0, 50.0], [30.0, 20.0, 80.0, 70.0]], dtype=dtype) + number
                one = {"boxes": boxes, "labels": torch.tensor([1, 1])}
                if masks:
                    one["masks"] = (torch.rand(2, 80, 96) > 0.5).to(torch.uint8)
                if keypoints:
                    one["keypoints"] = torch.rand(2, 17, 3, dtype=dtype) * 30 + 10
                    one["keypoints"][:, :, 2] = 1
                targets.append(one)
            return ([torch.rand(3, 80, 96, dtype=dtype) for _ in range(batch)], targets), {}

        yield Model("torchvision", f"detection.{name}", lambda name=name, more=more: torchvision.models.get_model(
            name, weights=None, weights_backbone=None, **more), images, loss_of_dict, with_targets)


def models_of_timm():
    """The smallest model of each of timm's modules, by its name and by its size."""
    import timm
    import torch

    def key(name):
        marks = ("atto", "femto", "pico", "nano", "xxs", "xxtiny", "xtiny", "tiny", "_xs", "mini", "small", "_s", "_0",
                 "18", "26", "b0", "050", "s0", "s1", "2x2", "base")
        place = next((number for number, mark in enumerate(marks) if mark in name), len(marks))
        return place, len(name), name

    names = []
    for module in timm.list_modules():
        listed = [one for one in timm.list_models(module=module) if not one.startswith("test_")]
        names += sorted(listed, key=key)[:1]
    names += timm.list_models("test_*")
    for name in names:
        def make(name=name):
            with_size = {"num_classes": 7}
            return timm.create_model(name, pretrained=False, **with_size)

        def inputs(batch, dtype, name=name):
            settings = timm.get_pretrained_cfg(name)
            size = settings.input_size if settings.fixed_input_size or settings.pool_size is None else \
                settings.min_input_size or (3, 96, 96)
            return (torch.rand(batch, *size, dtype=dtype),), {}

        yield Model("timm", name, make, inputs)


def small_configuration(cls, **more):
    """Makes a configuration of a transformer with few and narrow layers, by the names that configurations share."""
    config = cls()
    small = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 37,
             "vocab_size": 99, "max_position_embeddings": 64, "type_vocab_size": 4, "num_key_value_heads": 2, "head_dim": 8}
    given = {name: value for name, value in small.items() if hasattr(config, name)}
    return cls(**{**given, "attn_implementation": "eager", **more})


def text(vocabulary=99, length=12, **more):
    import torch

    def inputs(batch, dtype):
        return (), {"input_ids": torch.randint(3, vocabulary, (batch, length)), "attention_mask": torch.ones(
            batch, length, dtype=torch.long), **{name: make(batch, dtype) for name, make in more.items()}}

    return inputs


def pixels(size=32, channels=3):
    import torch

    def inputs(batch, dtype):
        return (), {"pixel_values": torch.rand(batch, channels, size, size, dtype=dtype)}

    return inputs


def models_of_transformers():
    import torch
    import transformers

    def labels(count):
        return lambda batch, dtype: torch.randint(0, count, (batch,))

    def ids(batch, dtype):
        return torch.randint(3, 99, (batch, 12))

    encoders = ["Bert", "Roberta", "XLMRoberta", "Electra", "Albert", "DistilBert", "MPNet", "Deberta", "DebertaV2",
                "Camembert", "Ernie", "MegatronBert", "MobileBert", "ConvBert", "RoFormer", "Longformer", "BigBird",
                "FNet", "Funnel", "SqueezeBert", "Splinter", "Nystromformer", "YosoModel", "LayoutLM", "ModernBert",
                "IBert", "Data2VecText", "Flaubert", "XLM", "XLNet", "RemBert", "Canine", "Luke", "Mra", "Esm", "Lxmert"]
    special = {
        "DistilBert": dict(dim=32, n_layers=2, n_heads=4, hidden_dim=37), "MobileBert": dict(
            embedding_size=32, intra_bottleneck_size=32, true_hidden_size=32, hidden_size=32),
        "Electra": dict(embedding_size=32), "Albert": dict(embedding_size=16), "Longformer": dict(attention_window=4),
        "BigBird": dict(attention_type="original_full"), "Funnel": dict(
            block_sizes=[1, 1], d_model=32, n_head=4, d_head=8, d_inner=37),
        "Flaubert": dict(emb_dim=32, n_layers=2, n_heads=4, n_words=99), "XLM": dict(
            emb_dim=32, n_layers=2, n_heads=4, n_words=99), "XLNet": dict(d_model=32, n_layer=2, n_head=4, d_inner=37),
        "SqueezeBert": dict(embedding_size=32), "FNet": dict(tpu_short_seq_length=12), "ConvBert": dict(
            embedding_size=32), "RoFormer": dict(embedding_size=32), "Nystromformer": dict(num_landmarks=4,
                                                                                          segment_means_seq_len=12),
        "Esm": dict(pad_token_id=1), "ModernBert": dict(pad_token_id=0, eos_token_id=1, bos_token_id=2, cls_token_id=1, sep_token_id=2), "RemBert": dict(
            input_embedding_size=16, output_embedding_size=32),
    }
    for kind in encoders:
        cls = getattr(transformers, f"{kind}ForSequenceClassification", None) or getattr(
            transformers, f"{kind}Model", None)
        if cls is None:
            continue
        yield Model("transformers", cls.__name__, lambda cls=cls, kind=kind: cls(small_configuration(
            cls.config_class, return_dict=False, **special.get(kind, {}))), text())
    for name in ("BertForTokenClassification", "BertForQuestionAnswering", "BertForMaskedLM", "RobertaForMultipleChoice"):
        cls = getattr(transformers, name)
        if name.endswith("Choice"):
            def inputs(batch, dtype):
                return (), {"input_ids": torch.randint(3, 99, (batch, 2, 12)), "attention_mask": torch.ones(
                    batch, 2, 12, dtype=torch.long)}
        else:
            inputs = text()
        yield Model("transformers", name, lambda cls=cls: cls(small_configuration(cls.config_class, return_dict=False)), inputs)

    decoders = ["GPT2", "OpenAIGPT", "GPTNeo", "GPTNeoX", "GPTJ", "OPT", "Bloom", "Llama", "Mistral", "Qwen2", "Qwen3",
                "Gemma", "Gemma2", "Gemma3", "Phi", "Phi3", "Falcon", "StableLm", "Mamba", "Mamba2", "Mixtral", "Qwen2Moe",
                "Olmo", "Olmo2", "Cohere", "Starcoder2", "CTRL", "XGLM", "BioGpt", "CodeGen", "GPTBigCode", "Persimmon",
                "Mpt", "Rwkv", "Granite", "Jamba", "Nemotron", "DeepseekV3", "Glm", "Bamba", "RecurrentGemma", "SmolLM3",
                "Dbrx", "Zamba", "FalconMamba", "Helium", "GptOss"]
    more_of = {"GPT2": dict(n_embd=32, n_layer=2, n_head=4, n_positions=64), "OpenAIGPT": dict(
        n_embd=32, n_layer=2, n_head=4, n_positions=64), "GPTJ": dict(
            n_embd=32, n_layer=2, n_head=4, n_positions=64, rotary_dim=4), "GPTNeo": dict(
                num_layers=2, num_heads=4, attention_types=[[["global", "local"], 1]]), "OPT": dict(
                    ffn_dim=37, word_embed_proj_dim=32), "Bloom": dict(n_layer=2, n_head=4), "CTRL": dict(
                        n_embd=32, n_layer=2, n_head=4, dff=37, n_positions=64), "XGLM": dict(
                            d_model=32, ffn_dim=37, num_layers=2, attention_heads=4), "CodeGen": dict(
                                n_embd=32, n_layer=2, n_head=4, n_positions=64, rotary_dim=4), "GPTBigCode": dict(
                                    n_embd=32, n_layer=2, n_head=4, n_positions=64), "Mpt": dict(
                                        d_model=32, n_heads=4, n_layers=2, max_seq_len=64), "Mamba": dict(
                                            state_size=8, num_hidden_layers=2), "Mamba2": dict(
                                                state_size=8, num_heads=8, head_dim=8, n_groups=2, chunk_size=4),
        "Rwkv": dict(attention_hidden_size=32), "Phi": dict(partial_rotary_factor=0.5), "Gemma3": dict(),
        "DeepseekV3": dict(num_key_value_heads=4, n_routed_experts=4, num_local_experts=4, n_group=1, topk_group=1, num_experts_per_tok=2, kv_lora_rank=8, q_lora_rank=8,
                           qk_rope_head_dim=4, qk_nope_head_dim=4, v_head_dim=8, moe_intermediate_size=16,
                           first_k_dense_replace=1), "Mixtral": dict(num_local_experts=4),
        "Qwen2Moe": dict(num_experts=4, moe_intermediate_size=16, shared_expert_intermediate_size=16)}
    for kind in decoders:
        cls = getattr(transformers, f"{kind}ForCausalLM", None) or getattr(transformers, f"{kind}LMHeadModel", None)
        if cls is None:
            continue
        yield Model("transformers", cls.__name__, lambda cls=cls, kind=kind: cls(small_configuration(
            transformers.Gemma3TextConfig if kind == "Gemma3" else cls.config_class, return_dict=False, use_cache=False,
            pad_token_id=0, bos_token_id=1, eos_token_id=2, **more_of.get(kind, {}))), text())

    pairs = {"T5": dict(d_model=32, d_kv=8, d_ff=37, num_layers=2, num_heads=4), "MT5": dict(
        d_model=32, d_kv=8, d_ff=37, num_layers=2, num_heads=4), "UMT5": dict(
        d_model=32, d_kv=8, d_ff=37, num_layers=2, num_heads=4), "LongT5": dict(
        d_model=32, d_kv=8, d_ff=37, num_layers=2, num_heads=4, local_radius=4)}
    plain = dict(d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4,
                 encoder_ffn_dim=37, decoder_ffn_dim=37)
    for kind in ("Bart", "MBart", "Pegasus", "Blenderbot", "BlenderbotSmall", "Marian", "M2M100", "PLBart", "LED", "NllbMoe"):
        pairs[kind] = {**plain, **({"attention_window": 4} if kind == "LED" else {})}
    pairs["Marian"] = {**plain, "decoder_start_token_id": 0, "pad_token_id": 0}
    for kind, settings in pairs.items():
        cls = (getattr(transformers, f"{kind}ForConditionalGeneration", None) or
               getattr(transformers, f"{kind}MTModel", None))
        if cls is not None:
            yield Model("transformers", cls.__name__, lambda cls=cls, settings=settings: cls(small_configuration(
                cls.config_class, return_dict=False, use_cache=False, **settings)), text(decoder_input_ids=ids))
    yield from vision_of_transformers(transformers)
    yield from audio_of_transformers(transformers)


def vision_of_transformers(transformers):
    import torch
    settings = {
        "ViT": dict(image_size=32, patch_size=8), "DeiT": dict(image_size=32, patch_size=8), "Beit": dict(
            image_size=32, patch_size=8, out_indices=[1, 2]), "Swin": dict(image_size=32, patch_size=4, embed_dim=16, depths=[1, 1],
                                                      num_heads=[2, 4], window_size=4), "Swinv2": dict(
            image_size=32, patch_size=4, embed_dim=16, depths=[1, 1], num_heads=[2, 4], window_size=4), "ConvNext": dict(
            hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1]), "ConvNextV2": dict(
            hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1]), "ResNet": dict(
            embedding_size=8, hidden_sizes=[8, 16, 16, 24], depths=[1, 1, 1, 1]), "RegNet": dict(
            embedding_size=8, hidden_sizes=[8, 16, 16, 24], depths=[1, 1, 1, 1], groups_width=8), "MobileNetV1": {},
        "MobileNetV2": {}, "MobileViT": dict(image_size=64, patch_size=2, hidden_sizes=[16, 16, 16], neck_hidden_sizes=[8, 8, 16, 16, 16, 16, 32]), "MobileViTV2": dict(image_size=64, patch_size=2), "PoolFormer": dict(
            hidden_sizes=[8, 16, 16, 24], depths=[1, 1, 1, 1]), "Segformer": dict(
            num_encoder_blocks=2, depths=[1, 1], sr_ratios=[4, 2], hidden_sizes=[16, 32], patch_sizes=[7, 3], strides=[4, 2], num_attention_heads=[2, 4], mlp_ratios=[2, 2], decoder_hidden_size=16), "LevitFor": {}, "Levit": dict(image_size=64),
        "Cvt": {}, "Dinov2": dict(image_size=28, patch_size=14), "Dinov2WithRegisters": dict(image_size=28, patch_size=14), "EfficientNet": dict(image_size=32), "FocalNet": dict(
            image_size=32, embed_dim=16, depths=[1, 1], hidden_sizes=[16, 32]), "Bit": dict(
            embedding_size=16, hidden_sizes=[16, 16, 16, 32], depths=[1, 1, 1, 1], num_groups=2), "Pvt": dict(image_size=64), "PvtV2": {}, "Hiera": dict(image_size=[64, 64]),
        "ViTMSN": dict(image_size=32, patch_size=8), "VitDet": {}, "Data2VecVision": dict(image_size=32, patch_size=8), "SwiftFormer": {}, "TextNet": {},
        "IJepa": dict(image_size=32, patch_size=8),
    }
    side = {"MobileNetV1": 64, "MobileNetV2": 64, "MobileViT": 64, "MobileViTV2": 64, "Levit": 64, "Cvt": 64, "Dinov2": 28, "Dinov2WithRegisters": 28,
            "ResNet": 64, "RegNet": 64, "ConvNext": 64, "ConvNextV2": 64, "PoolFormer": 64, "Segformer": 64, "Pvt": 64, "PvtV2": 64, "Hiera": 64, "SwiftFormer": 64, "TextNet": 64}
    for kind, given in settings.items():
        cls = getattr(transformers, f"{kind}ForImageClassification", None)
        if cls is not None:
            yield Model("transformers", cls.__name__, lambda cls=cls, given=given: cls(small_configuration(
                cls.config_class, return_dict=False, **given)), pixels(side.get(kind, 32)))

    def clip():
        text_side = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, vocab_size=99,
                         max_position_embeddings=64, eos_token_id=2)
        seen = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, image_size=32,
                    patch_size=8)
        return transformers.CLIPModel(transformers.CLIPConfig(text_config=text_side, vision_config=seen, projection_dim=16,
                                                              attn_implementation="eager", return_dict=False))

    def both(batch, dtype):
        return (), {"input_ids": torch.randint(3, 99, (batch, 12)), "pixel_values": torch.rand(batch, 3, 32, 32, dtype=dtype)}

    def siglip():
        text_side = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, vocab_size=99,
                         max_position_embeddings=64, projection_size=32)
        seen = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, image_size=32,
                    patch_size=8)
        return transformers.SiglipModel(transformers.SiglipConfig(text_config=text_side, vision_config=seen,
                                                                  attn_implementation="eager", return_dict=False))

    yield Model("transformers", "CLIPModel", clip, both)
    yield Model("transformers", "SiglipModel", siglip, both)

    def detr():
        backbone = transformers.ResNetConfig(embedding_size=8, hidden_sizes=[8, 16, 16, 24], depths=[1, 1, 1, 1],
                                             out_features=["stage4"])
        return transformers.DetrForObjectDetection(transformers.DetrConfig(
            use_timm_backbone=False, use_pretrained_backbone=False, backbone=None, backbone_config=backbone, d_model=32,
            encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=37,
            decoder_ffn_dim=37, num_queries=6, num_labels=5, attn_implementation="eager", return_dict=False))

    yield Model("transformers", "DetrForObjectDetection", detr, pixels(64))

    def masked():
        return transformers.ViTMAEForPreTraining(small_configuration(
            transformers.ViTMAEConfig, image_size=32, patch_size=8, decoder_hidden_size=16, decoder_num_hidden_layers=1,
            decoder_num_attention_heads=2, decoder_intermediate_size=17, return_dict=False))

    def with_noise(batch, dtype):
        return (), {"pixel_values": torch.rand(batch, 3, 32, 32, dtype=dtype), "noise": torch.rand(batch, 16, dtype=dtype)}

    yield Model("transformers", "ViTMAEForPreTraining", masked, with_noise)
    yield Model("transformers", "SegformerForSemanticSegmentation", lambda: transformers.SegformerForSemanticSegmentation(
        small_configuration(transformers.SegformerConfig, return_dict=False, **settings["Segformer"])), pixels(64))


def audio_of_transformers(transformers):
    import torch

    def whisper():
        return transformers.WhisperForConditionalGeneration(small_configuration(
            transformers.WhisperConfig, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
            decoder_attention_heads=4, encoder_ffn_dim=37, decoder_ffn_dim=37, num_mel_bins=8, max_source_positions=20,
            max_target_positions=20, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1,
            suppress_tokens=None, begin_suppress_tokens=None, return_dict=False, use_cache=False))

    def spectrum(batch, dtype):
        return (), {"input_features": torch.rand(batch, 8, 40, dtype=dtype), "decoder_input_ids": torch.randint(
            3, 99, (batch, 7))}

    yield Model("transformers", "WhisperForConditionalGeneration", whisper, spectrum)

    def wave(batch, dtype):
        return (), {"input_values": torch.rand(batch, 800, dtype=dtype) - 0.5}

    layers = dict(conv_dim=[16, 16], conv_kernel=[8, 4], conv_stride=[8, 4], num_feat_extract_layers=2,
                  num_conv_pos_embeddings=8, num_conv_pos_embedding_groups=2, vocab_size=32, return_dict=False,
                  mask_time_prob=0.0, apply_spec_augment=False, layerdrop=0.0)
    for kind in ("Wav2Vec2", "Hubert", "UniSpeech", "UniSpeechSat", "WavLM", "SEW", "SEWD", "Data2VecAudio",
                 "Wav2Vec2Conformer"):
        cls = getattr(transformers, f"{kind}ForCTC", None)
        if cls is not None:
            more = {"squeeze_factor": 1} if kind.startswith("SEW") else {}
            yield Model("transformers", cls.__name__, lambda cls=cls, more=more: cls(small_configuration(
                cls.config_class, **{**layers, **more})), wave)

    def spectrogram():
        return transformers.ASTForAudioClassification(small_configuration(
            transformers.ASTConfig, max_length=32, num_mel_bins=16, patch_size=8, frequency_stride=8, time_stride=8,
            return_dict=False))

    yield Model("transformers", "ASTForAudioClassification", spectrogram, lambda batch, dtype: (
        (), {"input_values": torch.rand(batch, 32, 16, dtype=dtype)}))


def models_of_torchaudio():
    import torch
    import torchaudio
    made = torchaudio.models

    def wave(batch, dtype):
        return (torch.rand(batch, 1600, dtype=dtype) - 0.5,), {}

    def frames(size, length=20):
        return lambda batch, dtype: ((torch.rand(batch, length, size, dtype=dtype), torch.full((batch,), length)), {})

    yield Model("torchaudio", "ConvTasNet", lambda: made.ConvTasNet(num_sources=2, enc_num_feats=16, msk_num_feats=8,
                                                                    msk_num_hidden_feats=16, msk_num_layers=2,
                                                                    msk_num_stacks=2),
                lambda batch, dtype: ((torch.rand(batch, 1, 400, dtype=dtype),), {}))
    yield Model("torchaudio", "DeepSpeech", lambda: made.DeepSpeech(n_feature=8, n_hidden=16, n_class=5),
                lambda batch, dtype: ((torch.rand(batch, 1, 12, 8, dtype=dtype),), {}))
    yield Model("torchaudio", "Wav2Letter", lambda: made.Wav2Letter(num_classes=5, input_type="mfcc", num_features=8),
                lambda batch, dtype: ((torch.rand(batch, 8, 60, dtype=dtype),), {}))
    yield Model("torchaudio", "WaveRNN", lambda: made.WaveRNN(upsample_scales=[2, 2, 3], n_classes=5, hop_length=12,
                                                              n_res_block=1, n_rnn=16, n_fc=16, n_freq=8, n_hidden=8, n_output=8),
                lambda batch, dtype: ((torch.rand(batch, 1, (9 - 5 + 1) * 12, dtype=dtype), torch.rand(batch, 1, 8, 9, dtype=dtype)), {}))
    yield Model("torchaudio", "Tacotron2", lambda: made.Tacotron2(
        n_mels=8, symbol_embedding_dim=16, encoder_embedding_dim=16, attention_rnn_dim=16, decoder_rnn_dim=16,
        attention_hidden_dim=8, prenet_dim=8, postnet_embedding_dim=16, attention_location_n_filter=4),
        lambda batch, dtype: ((torch.randint(0, 100, (batch, 9)), torch.full((batch,), 9), torch.rand(batch, 8, 6, dtype=dtype),
                               torch.full((batch,), 6)), {}))
    yield Model("torchaudio", "Conformer", lambda: made.Conformer(
        input_dim=8, num_heads=2, ffn_dim=16, num_layers=2, depthwise_conv_kernel_size=3), frames(8))
    yield Model("torchaudio", "Emformer", lambda: made.Emformer(8, 2, 16, 2, segment_length=4, right_context_length=1),
                frames(8, 21))
    yield Model("torchaudio", "Wav2Vec2Model", lambda: made.wav2vec2_model(
        "group_norm", [(16, 10, 5), (16, 3, 2)], False, 32, 0.0, 8, 2, 2, 4, 0.0, 0.0, 37, 0.0, 0.0, False, 9), wave)
    yield Model("torchaudio", "HDemucs", lambda: made.HDemucs(sources=["a", "b"], channels=8, nfft=512, depth=4),
                lambda batch, dtype: ((torch.rand(batch, 2, 4096, dtype=dtype),), {}))
    yield Model("torchaudio", "RNNT", lambda: made.RNNT(*()) if False else made.rnnt.emformer_rnnt_model(
        input_dim=8, encoding_dim=16, num_symbols=6, segment_length=16, right_context_length=4, time_reduction_input_dim=4,
        time_reduction_stride=4, transformer_num_heads=2, transformer_ffn_dim=16, transformer_num_layers=1,
        transformer_dropout=0.0, transformer_activation="gelu", transformer_left_context_length=3,
        transformer_max_memory_size=0, transformer_weight_init_scale_strategy="depthwise", transformer_tanh_on_mem=True,
        symbol_embedding_dim=8, num_lstm_layers=1, lstm_layer_norm=True, lstm_layer_norm_epsilon=1e-3, lstm_dropout=0.0),
        lambda batch, dtype: ((torch.rand(batch, 36, 8, dtype=dtype), torch.full((batch,), 36, dtype=torch.int32),
                               torch.randint(0, 6, (batch, 5), dtype=torch.int32), torch.full((batch,), 5, dtype=torch.int32)), {}))


def models_of_segmentation():
    import segmentation_models_pytorch as smp
    for name in ("Unet", "UnetPlusPlus", "MAnet", "Linknet", "FPN", "PSPNet", "PAN", "DeepLabV3", "DeepLabV3Plus", "UPerNet",
                 "Segformer"):
        if hasattr(smp, name):
            yield Model("segmentation_models_pytorch", name, lambda name=name: getattr(smp, name)(
                "resnet18", encoder_weights=None, classes=3), image(64))
    for encoder in ("mobilenet_v2", "efficientnet-b0", "densenet121", "vgg11", "mit_b0", "timm-regnetx_002",
                    "se_resnet50", "dpn68", "xception", "mobileone_s0", "timm-skresnet18"):
        yield Model("segmentation_models_pytorch", f"Unet.{encoder}", lambda encoder=encoder: smp.Unet(
            encoder, encoder_weights=None, classes=3), image(64))


def models_of_efficientnet():
    import efficientnet_pytorch

    def make():
        made = efficientnet_pytorch.EfficientNet.from_name("efficientnet-b0", num_classes=7, drop_connect_rate=0.0)
        made.set_swish(memory_efficient=False)
        return made

    yield Model("efficientnet_pytorch", "efficientnet-b0", make, image(64))


def models_of_open_clip():
    import open_clip
    import torch

    def inputs(batch, dtype):
        return (torch.rand(batch, 3, 32, 32, dtype=dtype), torch.randint(1, 90, (batch, 16))), {}

    seen = dict(image_size=32, layers=2, width=32, patch_size=8, head_width=8)
    read = dict(context_length=16, vocab_size=99, width=32, heads=4, layers=2)
    yield Model("open_clip", "CLIP", lambda: open_clip.CLIP(16, seen, read), inputs)
    yield Model("open_clip", "CustomTextCLIP", lambda: open_clip.CustomTextCLIP(16, seen, read), inputs)
    yield Model("open_clip", "CLIP.ModifiedResNet", lambda: open_clip.CLIP(
        16, dict(image_size=32, layers=[1, 1, 1, 1], width=8, patch_size=None), read), inputs)


def models_of_e3nn():
    import torch
    from e3nn import nn, o3

    def inputs(batch, dtype):
        return (torch.rand(batch, 4 + 2 * 3, dtype=dtype),), {}

    def gated():
        gate = nn.Gate("4x0e", [torch.tanh], "2x0e", [torch.sigmoid], "2x1o")
        return torch.nn.Sequential(o3.Linear("4x0e + 2x1o", gate.irreps_in), gate, o3.Linear(gate.irreps_out, "4x0e"))

    yield Model("e3nn", "Linear and Gate", gated, inputs)

    def pair(batch, dtype):
        return (torch.rand(batch, 10, dtype=dtype), torch.rand(batch, 10, dtype=dtype)), {}

    yield Model("e3nn", "FullyConnectedTensorProduct", lambda: o3.FullyConnectedTensorProduct(
        "4x0e + 2x1o", "4x0e + 2x1o", "3x0e + 2x1o"), pair)
    yield Model("e3nn", "SphericalHarmonics", lambda: torch.nn.Sequential(
        torch.nn.Linear(3, 3), o3.SphericalHarmonics([0, 1, 2], normalize=True)), lambda batch, dtype: (
            (torch.rand(batch, 3, dtype=dtype),), {}))


CATALOGUES = {"torchvision": models_of_torchvision, "timm": models_of_timm, "transformers": models_of_transformers,
              "torchaudio": models_of_torchaudio, "segmentation_models_pytorch": models_of_segmentation,
              "efficientnet_pytorch": models_of_efficientnet, "open_clip": models_of_open_clip, "e3nn": models_of_e3nn}


#
# One model
#


class Refused(Exception):
    """The stage at which a model failed, and why."""


def first_line(error):
    lines = [one.strip() for one in str(error).splitlines() if one.strip()]
    return f"{type(error).__name__}: {lines[0] if lines else ''}"[:300]


def cast(value, dtype):
    import torch
    if isinstance(value, torch.Tensor):
        value = value.detach().clone()
        return value.to(dtype) if value.is_floating_point() else value
    if isinstance(value, dict):
        return {key: cast(one, dtype) for key, one in value.items()}
    return type(value)(cast(one, dtype) for one in value) if isinstance(value, (list, tuple)) else value


def difference(given, expected):
    """Returns the largest difference of two results in proportion to the largest element."""
    import torch
    given, expected = list(tensors_in(given)), list(tensors_in(expected))
    if len(given) != len(expected):
        raise Refused(f"{len(given)} tensors in the place of {len(expected)}")
    largest = 0.0
    for one, other in zip(given, expected):
        if one.shape != other.shape or one.dtype != other.dtype:
            raise Refused(f"{one.dtype} {list(one.shape)} in the place of {other.dtype} {list(other.shape)}")
        if not other.numel():
            continue
        one, other = one.detach(), other.detach()
        if not other.is_floating_point() and not other.is_complex():
            largest = max(largest, float((one != other).any()))
            continue
        if not torch.equal(one.isfinite(), other.isfinite()):
            return float("inf")
        one, other = (torch.nan_to_num(value, 0.0, 0.0, 0.0) if not value.is_complex() else value for value in (one, other))
        scale = max(float(other.abs().max()), 1e-12)
        largest = max(largest, float((one - other).abs().max()) / scale)
    return largest


def without_dropout(model):
    import torch
    for module in model.modules():
        if "drop" in type(module).__name__.lower():
            for name in ("p", "drop_prob", "dropout", "drop_rate"):
                if isinstance(getattr(module, name, None), float):
                    setattr(module, name, 0.0)
        for name, value in list(vars(module).items()):
            if isinstance(value, float) and ("dropout" in name or "drop_prob" in name or name in (
                    "survival_probability", "layerdrop", "stochastic_depth_prob", "activation_dropout", "drop_path_rate")):
                setattr(module, name, 0.0)
        if isinstance(module, torch.nn.MultiheadAttention):
            module.dropout = 0.0


def seeded(function, *args, **kwargs):
    import torch
    torch.manual_seed(SEED)
    return function(*args, **kwargs)


class Trial:
    """Takes one model through all stages. `result` has what the table shows."""

    def __init__(self, model, options):
        self.model, self.options = model, options
        self.result = {"name": f"{model.package}/{model.name}"}

    def run(self):
        import torch
        torch.manual_seed(SEED)
        meta = self.size()
        if meta > LARGEST:
            self.result["left out"] = f"{meta // 1_000_000} million parameters"
            return
        try:
            self.module = self.model.make().double().eval()
            self.args, self.kwargs = self.model.inputs(self.model.batches[0], torch.float64)
            self.expected = self.call(self.module, self.args, self.kwargs)
        except Exception as error:
            self.result["left out"] = f"PyTorch: {first_line(error)}"
            return
        self.choose_mode()
        try:
            self.compare()
            if self.options.steps:
                self.train()
        except Refused as error:
            self.result["failed"] = str(error)

    def size(self):
        import torch
        try:
            with torch.device("meta"):
                return sum(one.numel() for one in self.model.make().parameters())
        except Exception:
            return 0

    def call(self, function, args, kwargs):
        return seeded(function, *copy.deepcopy(args), **copy.deepcopy(kwargs))

    def choose_mode(self):
        import torch
        self.mode = self.options.mode or self.model.mode
        if self.mode is None:
            try:
                self.of_torch = torch.jit.script(copy.deepcopy(self.module))
                self.call(self.of_torch, self.args, self.kwargs)
                self.mode = "script"
            except Exception as error:
                self.mode = "trace"
                self.result["torch.jit.script"] = first_line(error)
        self.result["mode"] = self.mode

    def compiled(self, module, args, kwargs):
        import torch
        from tsc import jit
        if self.mode == "script":
            return jit.script(module)
        torch.manual_seed(SEED)
        return jit.trace(module, args, check_trace=False, strict=False, example_kwarg_inputs=kwargs or None)

    def compare(self):
        import torch
        started = time.time()
        try:
            compiled = self.compiled(self.module, self.args, self.kwargs)
        except Exception as error:
            raise Refused(f"{self.mode}: {first_line(error)}") from error
        self.result["seconds to compile"] = round(time.time() - started, 1)
        self.difference_of(compiled, self.module, self.args, self.kwargs, "float64", TIGHT)
        with torch.no_grad():
            self.difference_of(compiled, self.module, self.args, self.kwargs, "float64", TIGHT)
        if self.mode == "trace":
            self.other_batch(compiled)
        dtype = torch.float32
        single = copy.deepcopy(self.module).to(dtype)
        args, kwargs = cast(self.args, dtype), cast(self.kwargs, dtype)
        try:
            compiled = self.compiled(single, args, kwargs)
            self.difference_of(compiled, single, args, kwargs, "float32", LOOSE)
        except Refused:
            raise
        except Exception as error:
            raise Refused(f"float32: {first_line(error)}") from error

    def difference_of(self, compiled, module, args, kwargs, what, bar):
        expected = self.call(module, args, kwargs)
        try:
            given = self.call(compiled, args, kwargs)
            if self.mode == "script" and type(given) is not type(expected) and isinstance(given, tuple) and \
                    len(given) == 2 and not isinstance(expected, tuple):
                given = given[1] if isinstance(expected, list) else given[0]  # of detectors: losses, detections
            found = difference(given, expected)
        except Refused as error:
            raise Refused(f"{what}: {error}") from error
        except Exception as error:
            raise Refused(f"{what}: {first_line(error)}") from error
        self.result[what] = max(found, self.result.get(what, 0.0))
        if not found <= bar:
            raise Refused(f"{what}: differs by {found:.1e}")

    def other_batch(self, compiled):
        import torch
        torch.manual_seed(SEED + 1)
        args, kwargs = self.model.inputs(self.model.batches[1], torch.float64)
        try:
            self.difference_of(compiled, self.module, args, kwargs, "other batch", TIGHT)
        except Refused as refused:
            self.result["other batch"] = self.batch_by_torch(args, kwargs)
            if self.result["other batch"] == "differs":
                raise refused

    def batch_by_torch(self, args, kwargs):
        """Says whether a trace by PyTorch holds for the other batch: "as PyTorch", where it does not either."""
        import torch
        try:
            torch.manual_seed(SEED)
            traced = torch.jit.trace(self.module, self.args or None, check_trace=False, strict=False,
                                     example_kwarg_inputs=self.kwargs or None) if self.kwargs else torch.jit.trace(
                                         self.module, self.args, check_trace=False, strict=False)
            fits = difference(self.call(traced, args, kwargs), self.call(self.module, args, kwargs)) <= TIGHT
        except Exception:
            fits = False
        return "differs" if fits else "as PyTorch"

    def train(self):
        import torch
        torch.manual_seed(SEED)
        args, kwargs = self.model.training_inputs(self.model.batches[0], torch.float64)
        try:
            first = self.model.make().double().train()
        except Exception as error:
            self.result["training"] = f"PyTorch: {first_line(error)}"
            return
        without_dropout(first)
        second = copy.deepcopy(first)
        try:
            expected = self.losses(first, first, args, kwargs)
        except Exception as error:
            self.result["training"] = f"PyTorch: {first_line(error)}"
            return
        try:
            compiled = self.compiled(second, args, kwargs)
            given = self.losses(compiled, second, args, kwargs)
        except Exception as error:
            raise Refused(f"training: {first_line(error)}") from error
        self.result["loss"] = [expected[0], expected[-1]]
        scale = max(map(abs, expected))
        found = [abs(one - other) / max(abs(other), 1e-3 * scale) for one, other in zip(given, expected)]
        self.result["training"] = max(found)
        if not max(found) <= CURVE:
            step = next(number for number, one in enumerate(found) if not one <= CURVE)
            raise Refused(f"training: losses differ by {found[step]:.1e} at step {step}")

    def losses(self, function, owner, args, kwargs):
        import torch
        optimizer = torch.optim.SGD([one for one in owner.parameters() if one.requires_grad], lr=1e-3, momentum=0.9)
        found = []
        for step in range(self.options.steps):
            optimizer.zero_grad()
            torch.manual_seed(step)
            loss = self.model.loss(function(*copy.deepcopy(args), **copy.deepcopy(kwargs)))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(owner.parameters(), 10.0)
            optimizer.step()
            found.append(float(loss))
        return found


#
# The table
#


def tried(model, options):
    """Runs a model in a process of its own, and returns its result."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        trial = Trial(model, options)
        try:
            trial.run()
        except BaseException as error:  # the parent shows it
            trial.result["failed"] = f"{type(error).__name__}: {first_line(error)}"
        with os.fdopen(writing, "w") as file:
            json.dump(trial.result, file)
        os._exit(0)
    os.close(writing)
    name = f"{model.package}/{model.name}"
    ready, _, _ = select.select([reading], [], [], options.timeout)
    if not ready:
        os.kill(child, signal.SIGKILL)
    with os.fdopen(reading) as file:
        text = file.read()
    _, status = os.waitpid(child, 0)
    if not ready:
        return {"name": name, "failed": f"took longer than {options.timeout} s"}
    return json.loads(text) if text else {"name": name, "failed": f"the process ended with status {status}"}


def check(options):
    """Tries all models in processes that begin as copies of this one, which has imported what they need."""
    import torch
    from tsc import jit
    jit.use_torch(torch)
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    counts = {"ok": 0, "left out": 0, "failed": 0, "script": 0, "trace": 0}
    for package in options.package or CATALOGUES:
        try:
            models = [one for one in CATALOGUES[package]() if re.search(options.only, one.name)]
        except ImportError as error:
            print(f"{package}: left out: {error}", flush=True)
            continue
        if options.list:
            print("\n".join(f"{package}/{one.name}" for one in models))
            continue
        for model in models:
            result = tried(model, options)
            state = next((one for one in ("left out", "failed") if one in result), "ok")
            counts[state] += 1
            if state != "left out" and "mode" in result:
                counts[result["mode"]] += 1
            print(shown(result), flush=True)
            if options.results:
                with open(options.results, "a") as file:
                    file.write(json.dumps(result) + "\n")
    if options.list:
        return True
    print(f"{counts['ok']} of {counts['ok'] + counts['failed']} models give PyTorch's numbers ({counts['script']} scripted, "
          f"{counts['trace']} traced); {counts['left out']} left out")
    return counts["ok"] > 0 and not counts["failed"]


def shown(result):
    def number(value):
        return f"{value:.0e}" if isinstance(value, float) else str(value)

    if "left out" in result:
        return f"{result['name']}: left out: {result['left out']}"
    parts = [f"{result['name']}: {'DIFFERS' if 'failed' in result else 'ok'}", result.get("mode", "")]
    parts += [f"{what} {number(result[what])}" for what in ("float64", "float32", "other batch", "training") if what in result]
    if "loss" in result:
        parts.append("loss {:.4g} to {:.4g}".format(*result["loss"]))
    if "failed" in result:
        parts.append(result["failed"])
    return ", ".join(filter(None, parts))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tsc", required=True, help="the folder that holds the package tsc")
    parser.add_argument("--python", default=sys.executable, help="a Python with PyTorch and packages of models")
    parser.add_argument("--package", action="append", choices=CATALOGUES, help="a package; may be given several times")
    parser.add_argument("--only", default="", help="a regular expression for the names of models")
    parser.add_argument("--steps", type=int, default=100, help="steps of training; 0 leaves training out")
    parser.add_argument("--mode", choices=("script", "trace"), help="how models are compiled, whatever PyTorch can do")
    parser.add_argument("--timeout", type=int, default=1200, help="seconds that a model may take")
    parser.add_argument("--results", help="a file for all results, a line of JSON each")
    parser.add_argument("--list", action="store_true", help="only prints the names of the models")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        sys.exit(0 if check(options) else 1)
    paths = ":".join(filter(None, [str(pathlib.Path(options.tsc).resolve()), os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "PYTHONPATH": paths, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    sys.exit(subprocess.run([options.python, *sys.argv, "--inside"], env=environment).returncode)


if __name__ == "__main__":
    main()
