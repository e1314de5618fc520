"""Models of further packages. Each function imports its own."""
import torch

from .common import Model, image


def of_torchaudio():
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
    yield Model("torchaudio", "RNNT", lambda: made.rnnt.emformer_rnnt_model(
        input_dim=8, encoding_dim=16, num_symbols=6, segment_length=16, right_context_length=4, time_reduction_input_dim=4,
        time_reduction_stride=4, transformer_num_heads=2, transformer_ffn_dim=16, transformer_num_layers=1,
        transformer_dropout=0.0, transformer_activation="gelu", transformer_left_context_length=3,
        transformer_max_memory_size=0, transformer_weight_init_scale_strategy="depthwise", transformer_tanh_on_mem=True,
        symbol_embedding_dim=8, num_lstm_layers=1, lstm_layer_norm=True, lstm_layer_norm_epsilon=1e-3, lstm_dropout=0.0),
        lambda batch, dtype: ((torch.rand(batch, 36, 8, dtype=dtype), torch.full((batch,), 36, dtype=torch.int32),
                               torch.randint(0, 6, (batch, 5), dtype=torch.int32), torch.full((batch,), 5, dtype=torch.int32)), {}))


def of_segmentation():
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


def of_efficientnet():
    import efficientnet_pytorch

    def make():
        made = efficientnet_pytorch.EfficientNet.from_name("efficientnet-b0", num_classes=7, drop_connect_rate=0.0)
        made.set_swish(memory_efficient=False)
        return made

    yield Model("efficientnet_pytorch", "efficientnet-b0", make, image(64))


def of_open_clip():
    import open_clip

    def inputs(batch, dtype):
        return (torch.rand(batch, 3, 32, 32, dtype=dtype), torch.randint(1, 90, (batch, 16))), {}

    seen = dict(image_size=32, layers=2, width=32, patch_size=8, head_width=8)
    read = dict(context_length=16, vocab_size=99, width=32, heads=4, layers=2)
    yield Model("open_clip", "CLIP", lambda: open_clip.CLIP(16, seen, read), inputs)
    yield Model("open_clip", "CustomTextCLIP", lambda: open_clip.CustomTextCLIP(16, seen, read), inputs)
    yield Model("open_clip", "CLIP.ModifiedResNet", lambda: open_clip.CLIP(
        16, dict(image_size=32, layers=[1, 1, 1, 1], width=8, patch_size=None), read), inputs)


def of_e3nn():
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
