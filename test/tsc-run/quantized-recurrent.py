# Recurrent layers whose products are of integers: LSTM and GRU, padded and packed, of two directions, and single cells.

# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines --strict-whitespace
import torch
from typing import List
from torch import Tensor


def matrix(rows: int, columns: int, phase: float) -> Tensor:
    return (torch.arange(rows * columns).to(torch.float32) * 0.7 + phase).sin().view(rows, columns) * 0.6


def near(x: Tensor) -> Tensor:
    return torch.round(x * 1000)


def lstm():
    x = matrix(15, 4, 0.3)
    b = matrix(1, 12, 0.2).view(12)
    for kind in ["int8", "fp16"]:
        cells: List[torch.classes.rnn.CellParamsBase] = []
        for i in range(4):
            ih, hh = matrix(12, 4 if i < 2 else 6, 0.1 + i), matrix(12, 3, 0.5 + i)
            if kind == "int8":
                wi = torch.ops.quantized.linear_prepack(torch.quantize_per_tensor(ih, 0.005, 0, torch.qint8), b)
                wh = torch.ops.quantized.linear_prepack(torch.quantize_per_tensor(hh, 0.005, 0, torch.qint8), b)
                cells.append(torch.ops.quantized.make_quantized_cell_params_dynamic(wi, wh, b, b, True))
            else:
                wi = torch.ops.quantized.linear_prepack_fp16(ih, b)
                wh = torch.ops.quantized.linear_prepack_fp16(hh, b)
                cells.append(torch.ops.quantized.make_quantized_cell_params_fp16(wi, wh))
        h, c = matrix(12, 3, 0.0).view(4, 3, 3), matrix(12, 3, 1.0).view(4, 3, 3)
        y, hn, cn = torch.quantized_lstm(x.view(5, 3, 4), [h, c], cells, True, 2, 0.0, False, True, False, dtype=torch.qint8, use_dynamic=True)
        print(kind, near(y[0, 0]), near(hn[1]), near(cn[3]))
        y, hn, cn = torch.quantized_lstm(x.view(3, 5, 4), [h[:1], c[:1]], cells[:1], True, 1, 0.0, False, False, True, dtype=torch.qint8, use_dynamic=True)
        print(y.size(1), near(y[2]))
        y, hn, cn = torch.quantized_lstm(x[:9], torch.tensor([3, 3, 2, 1]), [h, c], cells, True, 2, 0.0, False, True, dtype=torch.qint8, use_dynamic=True)
        print(near(y[8]), near(hn[0]), near(cn[1]))


def gru():
    x, h = matrix(12, 4, 0.3), matrix(6, 3, 0.0).view(2, 3, 3)
    b = matrix(1, 9, 0.2).view(9)
    wi = torch.ops.quantized.linear_prepack(torch.quantize_per_tensor(matrix(9, 4, 0.1), 0.005, 0, torch.qint8), b)
    wh = torch.ops.quantized.linear_prepack(torch.quantize_per_tensor(matrix(9, 3, 0.7), 0.005, 0, torch.qint8), b)
    cells = [torch.ops.quantized.make_quantized_cell_params_dynamic(wi, wh, b, b, True)]
    cells = cells + cells
    y, hn = torch.quantized_gru(x.view(4, 3, 4), h, cells, True, 1, 0.0, False, True, False)
    print(near(y[1]), near(hn))
    y, hn = torch.quantized_gru(x[:9], torch.tensor([3, 3, 2, 1]), h, cells, True, 1, 0.0, False, True)
    print(near(y[8]), near(hn))
    print(near(torch.ops.quantized.quantized_gru_cell_dynamic(x[:3], h[0], wi, wh, b, b)))
    square = torch.ops.quantized.linear_prepack(torch.quantize_per_tensor(matrix(9, 9, 0.7), 0.005, 0, torch.qint8), b)
    print(near(torch.ops.quantized.quantized_rnn_tanh_cell_dynamic(x[:3], matrix(3, 9, 0.1), wi, square, b, b)))


def main():
    lstm()
    gru()


if __name__ == "__main__":
    main()


# CHECK:int8 tensor([-2.5772e-04, -1.6693e-01, -5.3676e-02, -3.9754e-01, -6.3929e-01,
# CHECK-NEXT:        -2.4068e-01]) tensor({{\[\[}}-0.4137, -0.4751, -0.5777],
# CHECK-NEXT:        [-0.2497, -0.6480, -0.2553],
# CHECK-NEXT:        [-0.3153, -0.5841, -0.4302]]) tensor({{\[\[}}-0.5664, -1.1804, -0.5406],
# CHECK-NEXT:        [-0.4237, -1.1647, -0.6028],
# CHECK-NEXT:        [-0.5676, -1.1949, -0.5853]])
# CHECK-NEXT:torch.Size([3, 5, 3]) tensor({{\[\[}}-0.1128, -0.6142,  0.4044],
# CHECK-NEXT:        [-0.4937, -0.3724, -0.3155],
# CHECK-NEXT:        [-0.2337, -0.6587, -0.0122],
# CHECK-NEXT:        [-0.3619, -0.5370, -0.1396],
# CHECK-NEXT:        [-0.3472, -0.5647, -0.2477]])
# CHECK-NEXT:tensor([-0.4023, -0.6313, -0.4165, -0.0434, -0.1914,  0.1083]) tensor({{\[\[}}-0.1565, -0.7276,  0.3524],
# CHECK-NEXT:        [-0.4057, -0.4160, -0.5262],
# CHECK-NEXT:        [-0.3637, -0.4114, -0.3704]]) tensor({{\[\[}}-0.7730, -0.9125, -0.7415],
# CHECK-NEXT:        [-0.7917, -0.8755, -0.4608],
# CHECK-NEXT:        [-0.7696, -0.5603, -0.5091]])
# CHECK-NEXT:fp16 tensor([-4.9242e-04, -1.6700e-01, -5.1636e-02, -3.9780e-01, -6.3908e-01,
# CHECK-NEXT:        -2.4077e-01]) tensor({{\[\[}}-0.4136, -0.4746, -0.5780],
# CHECK-NEXT:        [-0.2491, -0.6495, -0.2550],
# CHECK-NEXT:        [-0.3155, -0.5836, -0.4311]]) tensor({{\[\[}}-0.5662, -1.1810, -0.5407],
# CHECK-NEXT:        [-0.4310, -1.1666, -0.6022],
# CHECK-NEXT:        [-0.5733, -1.1966, -0.5839]])
# CHECK-NEXT:torch.Size([3, 5, 3]) tensor({{\[\[}}-0.1123, -0.6150,  0.4061],
# CHECK-NEXT:        [-0.4940, -0.3734, -0.3130],
# CHECK-NEXT:        [-0.2337, -0.6583, -0.0113],
# CHECK-NEXT:        [-0.3626, -0.5373, -0.1389],
# CHECK-NEXT:        [-0.3476, -0.5629, -0.2488]])
# CHECK-NEXT:tensor([-0.4013, -0.6322, -0.4165, -0.0434, -0.1913,  0.1146]) tensor({{\[\[}}-0.1571, -0.7279,  0.3528],
# CHECK-NEXT:        [-0.4058, -0.4154, -0.5265],
# CHECK-NEXT:        [-0.3635, -0.4125, -0.3676]]) tensor({{\[\[}}-0.7722, -0.9152, -0.7403],
# CHECK-NEXT:        [-0.7904, -0.8793, -0.4592],
# CHECK-NEXT:        [-0.7720, -0.5596, -0.5103]])
# CHECK-NEXT:tensor({{\[\[}}-0.3171, -0.4137, -0.2139, -0.3156, -0.5640, -0.0331],
# CHECK-NEXT:        [-0.0195, -0.4389, -0.4203, -0.2786, -0.3246, -0.4481],
# CHECK-NEXT:        [-0.8058, -0.4211, -0.3992, -0.5910, -0.5577,  0.0236]]) tensor({{\[\[}}[-0.5582, -0.3583, -0.2907],
# CHECK-NEXT:         [-0.3751, -0.4841,  0.0270],
# CHECK-NEXT:         [-0.6952, -0.5556, -0.1792]],
# CHECK-EMPTY:
# CHECK-NEXT:        {{\[\[}}-0.6015, -0.3651, -0.3804],
# CHECK-NEXT:         [-0.3421, -0.5663,  0.0585],
# CHECK-NEXT:         [-0.7438, -0.5341, -0.2647]]])
# CHECK-NEXT:tensor([-0.2379, -0.7090,  0.4077,  0.0292, -0.2683,  0.3068]) tensor({{\[\[}}[-0.2379, -0.7090,  0.4077],
# CHECK-NEXT:         [-0.3436, -0.2014, -0.5888],
# CHECK-NEXT:         [-0.8061, -0.4214, -0.3997]],
# CHECK-EMPTY:
# CHECK-NEXT:        {{\[\[}}-0.5316, -0.4176, -0.3594],
# CHECK-NEXT:         [-0.2451, -0.4445, -0.0166],
# CHECK-NEXT:         [-0.7900, -0.4403, -0.4426]]])
# CHECK-NEXT:tensor({{\[\[}}-0.1890,  0.0020, -0.3166],
# CHECK-NEXT:        [ 0.3599, -0.3038, -0.0202],
# CHECK-NEXT:        [-0.7370, -0.5308, -0.4603]])
# CHECK-NEXT:tensor({{\[\[}} 0.9821,  0.9204,  0.9948,  0.9597,  0.8849,  0.7278, -0.4181,  0.6698,
# CHECK-NEXT:         -0.1488],
# CHECK-NEXT:        [ 0.8062,  0.9937,  0.9540,  0.9930,  0.7309,  0.7667, -0.0523,  0.0789,
# CHECK-NEXT:          0.7315],
# CHECK-NEXT:        [ 0.8677,  0.9817,  0.9915,  0.9472,  0.9674, -0.0278,  0.6859, -0.4659,
# CHECK-NEXT:          0.8344]])
