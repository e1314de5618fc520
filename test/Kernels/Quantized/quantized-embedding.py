# Tables of bytes and of halves of bytes, whose rows end in a scale and an offset.

# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines --strict-whitespace
import torch


def main():
    table = (torch.arange(30).to(torch.float32).view(5, 6) * 0.31).sin()
    indices, offsets = torch.tensor([1, 2, 4, 0]), torch.tensor([0, 3])
    bytes = torch.ops.quantized.embedding_bag_byte_prepack(table)
    print(bytes[:2])
    print(torch.ops.quantized.embedding_bag_byte_unpack(bytes)[4])
    print(torch.ops.quantized.embedding_bag_byte_rowwise_offsets(bytes, indices, offsets, False, 0, False, None, None, False))
    halves = torch.ops.quantized.embedding_bag_4bit_prepack(table)
    print(halves[:2])
    print(torch.ops.quantized.embedding_bag_4bit_unpack(halves)[4])
    print(torch.ops.quantized.embedding_bag_4bit_rowwise_offsets(halves, indices, offsets, False, 0, False, torch.tensor([1.0, 2.0, 0.5, 1.0]), None, False))
    rows = torch.quantize_per_channel(table, torch.full([5], 0.0078), torch.full([5], 128.0), 0, torch.quint8)
    packed = torch.ops.quantized.embedding_bag_prepack(rows)
    print(torch.ops.quantized.embedding_byte(packed, torch.tensor([3, 0])))
    print(torch.ops.quantized.embedding_bag_byte(packed, indices, offsets, False, 0, False, None, None, False))


if __name__ == "__main__":
    main()


# CHECK:tensor({{\[\[}}  0,  78, 148, 204, 241, 255,  99, 121, 128,  59,   0,   0,   0,   0],
# CHECK-NEXT:        [255, 227, 183, 127,  64,   0,  97,  62, 157,  59, 205, 199, 135, 190]],
# CHECK-NEXT:       dtype=torch.uint8)
# CHECK-NEXT:tensor([0.9159, 0.9946, 0.9789, 0.8687, 0.6775, 0.4212])
# CHECK-NEXT:tensor({{\[\[}} 1.3277,  1.0419,  0.6610,  0.2149, -0.2503, -0.6934],
# CHECK-NEXT:        [ 0.0000,  0.3058,  0.5803,  0.7998,  0.9449,  0.9998]])
# CHECK-NEXT:tensor({{\[\[}} 80, 201, 254,  68,  44,   0,   0],
# CHECK-NEXT:        [223, 123,   4,  57,  45,  62, 180]], dtype=torch.uint8)
# CHECK-NEXT:tensor([0.9182, 0.9947, 0.9947, 0.8800, 0.6888, 0.4211])
# CHECK-NEXT:tensor({{\[\[}} 0.3247, -0.2818, -0.7459, -1.2500, -1.5302, -1.7498],
# CHECK-NEXT:        [ 0.0000,  0.3333,  0.5999,  0.7998,  0.9331,  0.9998]])
# CHECK-NEXT:tensor({{\[\[}}-0.6474, -0.3822, -0.0858,  0.2262,  0.5148,  0.7488],
# CHECK-NEXT:        [ 0.0000,  0.3042,  0.5772,  0.8034,  0.9438,  0.9906]])
# CHECK-NEXT:tensor({{\[\[}} 1.3260,  1.0452,  0.6630,  0.2184, -0.2496, -0.6942],
# CHECK-NEXT:        [ 0.0000,  0.3042,  0.5772,  0.8034,  0.9438,  0.9906]])
