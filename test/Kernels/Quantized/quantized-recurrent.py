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


# CHECK:int8 tensor([  -0., -167.,  -54., -398., -639., -241.]) tensor({{\[\[}}-414., -475., -578.],
# CHECK-NEXT:        [-250., -648., -255.],
# CHECK-NEXT:        [-315., -584., -430.]]) tensor({{\[\[}} -566., -1180.,  -541.],
# CHECK-NEXT:        [ -424., -1165.,  -603.],
# CHECK-NEXT:        [ -568., -1195.,  -585.]])
# CHECK-NEXT:5 tensor({{\[\[}}-113., -614.,  404.],
# CHECK-NEXT:        [-494., -372., -316.],
# CHECK-NEXT:        [-234., -659.,  -12.],
# CHECK-NEXT:        [-362., -537., -140.],
# CHECK-NEXT:        [-347., -565., -248.]])
# CHECK-NEXT:tensor([-402., -631., -417.,  -43., -191.,  108.]) tensor({{\[\[}}-157., -728.,  352.],
# CHECK-NEXT:        [-406., -416., -526.],
# CHECK-NEXT:        [-364., -411., -370.]]) tensor({{\[\[}}-773., -913., -742.],
# CHECK-NEXT:        [-792., -875., -461.],
# CHECK-NEXT:        [-770., -560., -509.]])
# CHECK-NEXT:fp16 tensor([  -0., -167.,  -52., -398., -639., -241.]) tensor({{\[\[}}-414., -475., -578.],
# CHECK-NEXT:        [-249., -650., -255.],
# CHECK-NEXT:        [-315., -584., -431.]]) tensor({{\[\[}} -566., -1181.,  -541.],
# CHECK-NEXT:        [ -431., -1167.,  -602.],
# CHECK-NEXT:        [ -573., -1197.,  -584.]])
# CHECK-NEXT:5 tensor({{\[\[}}-112., -615.,  406.],
# CHECK-NEXT:        [-494., -373., -313.],
# CHECK-NEXT:        [-234., -658.,  -11.],
# CHECK-NEXT:        [-363., -537., -139.],
# CHECK-NEXT:        [-348., -563., -249.]])
# CHECK-NEXT:tensor([-401., -632., -416.,  -43., -191.,  115.]) tensor({{\[\[}}-157., -728.,  353.],
# CHECK-NEXT:        [-406., -415., -527.],
# CHECK-NEXT:        [-364., -412., -368.]]) tensor({{\[\[}}-772., -915., -740.],
# CHECK-NEXT:        [-790., -879., -459.],
# CHECK-NEXT:        [-772., -560., -510.]])
# CHECK-NEXT:tensor({{\[\[}}-317., -414., -214., -316., -564.,  -33.],
# CHECK-NEXT:        [ -20., -439., -420., -279., -325., -448.],
# CHECK-NEXT:        [-806., -421., -399., -591., -558.,   24.]]) tensor({{\[\[}}[-558., -358., -291.],
# CHECK-NEXT:         [-375., -484.,   27.],
# CHECK-NEXT:         [-695., -556., -179.]],
# CHECK-EMPTY:
# CHECK-NEXT:        {{\[\[}}-601., -365., -380.],
# CHECK-NEXT:         [-342., -566.,   58.],
# CHECK-NEXT:         [-744., -534., -265.]]])
# CHECK-NEXT:tensor([-238., -709.,  408.,   29., -268.,  307.]) tensor({{\[\[}}[-238., -709.,  408.],
# CHECK-NEXT:         [-344., -201., -589.],
# CHECK-NEXT:         [-806., -421., -400.]],
# CHECK-EMPTY:
# CHECK-NEXT:        {{\[\[}}-532., -418., -359.],
# CHECK-NEXT:         [-245., -445.,  -17.],
# CHECK-NEXT:         [-790., -440., -443.]]])
# CHECK-NEXT:tensor({{\[\[}}-189.,    2., -317.],
# CHECK-NEXT:        [ 360., -304.,  -20.],
# CHECK-NEXT:        [-737., -531., -460.]])
# CHECK-NEXT:tensor({{\[\[}} 982.,  920.,  995.,  959.,  886.,  726., -416.,  669., -149.],
# CHECK-NEXT:        [ 680.,  995.,  957.,  989.,  855.,  511.,  417., -389.,  876.],
# CHECK-NEXT:        [ 979.,  920.,  997.,  930.,  951.,  467.,   43.,  432.,  174.]])
