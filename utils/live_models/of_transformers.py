"""Models of Hugging Face's transformers: classes with random weights and small configurations."""
import torch
import transformers

from .common import Model

WORDS = 99  # of the vocabulary
# What configurations share, by name, as far as one has it.
SMALL = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 37, "vocab_size": WORDS,
         "max_position_embeddings": 64, "type_vocab_size": 4, "num_key_value_heads": 2, "head_dim": 8}
# Names that a configuration has, and computes.
COMPUTED = {("FunnelConfig", "num_hidden_layers"), ("XLNetConfig", "max_position_embeddings"), ("FalconConfig", "head_dim"),
            *((f"{kind}Config", "num_attention_heads") for kind in ("Swin", "Swinv2", "Levit", "Pvt", "PvtV2")),
            *((f"{kind}Config", "num_hidden_layers") for kind in ("Swin", "Swinv2", "ConvNext", "ConvNextV2"))}
N_LAYERS = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64}
XLM = {"emb_dim": 32, "n_layers": 2, "n_heads": 4, "n_words": WORDS}
T5 = {"d_model": 32, "d_kv": 8, "d_ff": 37, "num_layers": 2, "num_heads": 4}
BART = {"d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
        "encoder_ffn_dim": 37, "decoder_ffn_dim": 37}
FACTORED = {"embedding_size": 32}

ENCODERS = {
    "Bert": {}, "Roberta": {}, "XLMRoberta": {}, "Electra": FACTORED, "Albert": {"embedding_size": 16},
    "DistilBert": {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 37}, "MPNet": {}, "Deberta": {}, "DebertaV2": {},
    "Camembert": {}, "Ernie": {}, "MegatronBert": {}, "ConvBert": FACTORED, "RoFormer": FACTORED,
    "MobileBert": {"embedding_size": 32, "intra_bottleneck_size": 32, "true_hidden_size": 32},
    "Longformer": {"attention_window": 4}, "BigBird": {"attention_type": "original_full"},
    "FNet": {"tpu_short_seq_length": 12}, "Funnel": {"block_sizes": [1, 1], "d_model": 32, "n_head": 4, "d_head": 8, "d_inner": 37},
    "SqueezeBert": {**FACTORED, "intermediate_size": 64}, "Splinter": {}, "Nystromformer": {"num_landmarks": 4, "segment_means_seq_len": 12}, "LayoutLM": {},
    "ModernBert": {"pad_token_id": 0, "eos_token_id": 1, "bos_token_id": 2, "cls_token_id": 1, "sep_token_id": 2},
    "IBert": {}, "Data2VecText": {}, "Flaubert": XLM, "XLM": XLM,
    "XLNet": {"d_model": 32, "n_layer": 2, "n_head": 4, "d_inner": 37},
    "RemBert": {"input_embedding_size": 16, "output_embedding_size": 32}, "Canine": {}, "Luke": {}, "Mra": {},
    "Esm": {"pad_token_id": 1},
}

DECODERS = {
    "GPT2": N_LAYERS, "OpenAIGPT": N_LAYERS, "GPTJ": {**N_LAYERS, "rotary_dim": 4}, "GPTNeoX": {},
    "GPTNeo": {"num_layers": 2, "num_heads": 4, "attention_types": [[["global", "local"], 1]]},
    "OPT": {"ffn_dim": 37, "word_embed_proj_dim": 32}, "Bloom": {"n_layer": 2, "n_head": 4}, "Llama": {}, "Mistral": {},
    "Qwen2": {}, "Qwen3": {}, "Gemma": {}, "Gemma2": {}, "Gemma3": {}, "Phi": {}, "Phi3": {}, "Falcon": {}, "StableLm": {},
    "Mamba": {"state_size": 8}, "Mamba2": {"state_size": 8, "num_heads": 8, "head_dim": 8, "n_groups": 2, "chunk_size": 4},
    "FalconMamba": {"state_size": 8}, "Mixtral": {"num_local_experts": 4}, "Olmo": {}, "Olmo2": {}, "Cohere": {},
    "Qwen2Moe": {"num_experts": 4, "moe_intermediate_size": 16, "shared_expert_intermediate_size": 16}, "Starcoder2": {},
    "CTRL": {**N_LAYERS, "dff": 37}, "XGLM": {"d_model": 32, "ffn_dim": 37, "num_layers": 2, "attention_heads": 4}, "BioGpt": {},
    "CodeGen": {**N_LAYERS, "rotary_dim": 4}, "GPTBigCode": N_LAYERS, "Persimmon": {}, "Rwkv": {"attention_hidden_size": 32},
    "Mpt": {"d_model": 32, "n_heads": 4, "n_layers": 2, "max_seq_len": 64}, "Granite": {}, "Nemotron": {}, "Glm": {},
    "RecurrentGemma": {}, "SmolLM3": {}, "Helium": {},
}

PAIRS = {"T5": T5, "MT5": T5, "UMT5": T5, "LongT5": {**T5, "local_radius": 4}, "Bart": BART, "MBart": BART, "Pegasus": BART,
         "Blenderbot": BART, "BlenderbotSmall": BART, "M2M100": BART, "PLBart": BART, "LED": {**BART, "attention_window": 4},
         "Marian": {**BART, "decoder_start_token_id": 0, "pad_token_id": 0}}

PATCHES = {"image_size": 32, "patch_size": 8}
WINDOWS = {"image_size": 32, "patch_size": 4, "embed_dim": 16, "depths": [1, 1], "num_heads": [2, 4], "window_size": 4}
STAGES = {"depths": [1, 1, 1, 1], "hidden_sizes": [8, 16, 24, 32]}
SEGFORMER = {"num_encoder_blocks": 2, "depths": [1, 1], "sr_ratios": [4, 2], "hidden_sizes": [16, 32], "patch_sizes": [7, 3],
             "strides": [4, 2], "num_attention_heads": [2, 4], "mlp_ratios": [2, 2], "decoder_hidden_size": 16}
# Classifiers of pictures: the side of a picture, and settings.
VISION = {
    "ViT": (32, PATCHES), "DeiT": (32, PATCHES), "Beit": (32, {**PATCHES, "out_indices": [1, 2]}), "ViTMSN": (32, PATCHES),
    "Data2VecVision": (32, {**PATCHES, "out_indices": [1, 2]}), "IJepa": (32, PATCHES), "Swin": (32, WINDOWS),
    "Swinv2": (32, WINDOWS), "ConvNext": (64, STAGES), "ConvNextV2": (64, STAGES),
    "ResNet": (64, {**STAGES, "embedding_size": 8}), "RegNet": (64, {**STAGES, "embedding_size": 8, "groups_width": 8}),
    "MobileNetV1": (64, {}), "MobileNetV2": (64, {}), "PoolFormer": (64, STAGES), "Segformer": (64, SEGFORMER),
    "MobileViT": (64, {"image_size": 64}), "MobileViTV2": (64, {"image_size": 64}), "Levit": (64, {"image_size": 64}),
    "Cvt": (64, {}), "Dinov2": (28, {"image_size": 28, "patch_size": 14}), "EfficientNet": (64, {"image_size": 64}),
    "Dinov2WithRegisters": (28, {"image_size": 28, "patch_size": 14}),
    "FocalNet": (32, {"image_size": 32, "embed_dim": 16, "depths": [1, 1], "hidden_sizes": [16, 32]}),
    "Bit": (64, {**STAGES, "embedding_size": 16, "hidden_sizes": [16, 16, 16, 32], "num_groups": 2}),
    "Pvt": (64, {"image_size": 64}), "PvtV2": (64, {"image_size": 64}), "Hiera": (64, {"image_size": [64, 64]}),
    "SwiftFormer": (64, {}),
}

WAVES = {"conv_dim": [16, 16], "conv_kernel": [8, 4], "conv_stride": [8, 4], "num_feat_extract_layers": 2, "vocab_size": 32,
         "num_conv_pos_embeddings": 8, "num_conv_pos_embedding_groups": 2, "mask_time_prob": 0.0,
         "apply_spec_augment": False, "layerdrop": 0.0}
SPEECH = {"Wav2Vec2": {}, "Hubert": {}, "UniSpeech": {}, "UniSpeechSat": {}, "WavLM": {}, "SEW": {"squeeze_factor": 1},
          "Data2VecAudio": {}, "Wav2Vec2Conformer": {}}


def small(cls, **settings):
    """Makes a configuration with few and narrow layers."""
    known = cls()
    shared = {name: value for name, value in SMALL.items() if hasattr(known, name) and
              (cls.__name__, name) not in COMPUTED}
    return cls(**{**shared, "attn_implementation": "eager", **settings})


def model(name, inputs, settings, config=None):
    cls = getattr(transformers, name)
    return Model("transformers", name, lambda: cls(small(config or cls.config_class, **settings)), inputs)


def first_of(kind, *suffixes):
    """Returns the name of the first class of a kind that there is, or None."""
    return next((kind + one for one in suffixes if hasattr(transformers, kind + one)), None)


def words(batch, length=12):
    return torch.randint(3, WORDS, (batch, length))


def text(batch, dtype):
    return (), {"input_ids": words(batch), "attention_mask": torch.ones(batch, 12, dtype=torch.long)}


def choices(batch, dtype):
    return (), {"input_ids": words(2 * batch).view(batch, 2, 12), "attention_mask": torch.ones(batch, 2, 12, dtype=torch.long)}


def two_texts(batch, dtype):
    return (), {**text(batch, dtype)[1], "decoder_input_ids": words(batch, 7)}


def pixels(side):
    return lambda batch, dtype: ((), {"pixel_values": torch.rand(batch, 3, side, side, dtype=dtype)})


def wave(batch, dtype):
    return (), {"input_values": torch.rand(batch, 800, dtype=dtype) - 0.5}


def models():
    for kind, settings in ENCODERS.items():
        name = first_of(kind, "ForSequenceClassification", "Model")
        if name:
            yield model(name, text, settings)
    for name in ("BertForTokenClassification", "BertForQuestionAnswering", "BertForMaskedLM"):
        yield model(name, text, {})
    yield model("RobertaForMultipleChoice", choices, {})
    for kind, settings in DECODERS.items():
        name = first_of(kind, "ForCausalLM", "LMHeadModel")
        if name:
            config = transformers.Gemma3TextConfig if kind == "Gemma3" else None
            ends = {"use_cache": False, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
            yield model(name, text, {**ends, **settings}, config)
    for kind, settings in PAIRS.items():
        name = first_of(kind, "ForConditionalGeneration", "MTModel")
        if name:
            yield model(name, two_texts, {"use_cache": False, **settings})
    yield from of_pictures()
    yield from of_sound()


def of_pictures():
    for kind, (side, settings) in VISION.items():
        name = first_of(kind, "ForImageClassification")
        if name:
            yield model(name, pixels(side), settings)
    yield model("SegformerForSemanticSegmentation", pixels(64), SEGFORMER)
    tower = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 37}
    seen, read = {**tower, **PATCHES}, {**tower, "vocab_size": WORDS, "max_position_embeddings": 64}

    def both(batch, dtype):
        return (), {"input_ids": words(batch), **pixels(32)(batch, dtype)[1]}

    for kind, more, own in (("CLIP", {"eos_token_id": 2}, {"projection_dim": 16}), ("Siglip", {"projection_size": 32}, {})):
        yield Model("transformers", f"{kind}Model", lambda kind=kind, more=more, own=own: getattr(transformers, f"{kind}Model")(
            getattr(transformers, f"{kind}Config")(text_config={**read, **more}, vision_config=seen, attn_implementation="eager",
                                                   **own)), both)

    def detr():
        backbone = transformers.ResNetConfig(embedding_size=8, out_features=["stage4"], **STAGES)
        return transformers.DetrForObjectDetection(transformers.DetrConfig(
            use_timm_backbone=False, use_pretrained_backbone=False, backbone=None, backbone_config=backbone, num_queries=6,
            num_labels=5, attn_implementation="eager", **BART))

    yield Model("transformers", "DetrForObjectDetection", detr, pixels(64))
    yield model("ViTMAEForPreTraining", lambda batch, dtype: (
        (), {**pixels(32)(batch, dtype)[1], "noise": torch.rand(batch, 16, dtype=dtype)}), {
            **PATCHES, "decoder_hidden_size": 16, "decoder_num_hidden_layers": 1, "decoder_num_attention_heads": 2,
            "decoder_intermediate_size": 17})


def of_sound():
    yield model("WhisperForConditionalGeneration", lambda batch, dtype: (
        (), {"input_features": torch.rand(batch, 8, 40, dtype=dtype), "decoder_input_ids": words(batch, 7)}), {
            **BART, "num_mel_bins": 8, "max_source_positions": 20, "max_target_positions": 20, "pad_token_id": 0,
            "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1, "suppress_tokens": None,
            "begin_suppress_tokens": None, "use_cache": False})
    for kind, settings in SPEECH.items():
        name = first_of(kind, "ForCTC")
        if name:
            yield model(name, wave, {**WAVES, **settings})
    yield model("ASTForAudioClassification", lambda batch, dtype: (
        (), {"input_values": torch.rand(batch, 32, 16, dtype=dtype)}), {
            "max_length": 32, "num_mel_bins": 16, "patch_size": 8, "frequency_stride": 8, "time_stride": 8})
