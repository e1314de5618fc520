# Names of NumPy for dim and keepdim, several globals set by one assignment, torch.nn.utils.rnn, and devices that are not there.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pack_sequence, pad_packed_sequence, pad_sequence, unpad_sequence

ROWS, COLUMNS = 2, 3
(FIRST, SECOND), LAST = (1.5, "b"), True


def numpy_names(x: torch.Tensor):
    print(x.sum(axis=1), x.mean(axis=0, keepdims=True), torch.sum(x, axis=0), torch.cat([x, x], axis=1).shape)
    print(torch.max(x, axis=1).values, torch.softmax(x, axis=1).shape, x.argmax(axis=0, keepdims=True))


def globals_of_pairs():
    print(ROWS, COLUMNS, FIRST, SECOND, LAST, torch.zeros(ROWS, COLUMNS).shape)


def sequences():
    a, b = torch.arange(6.0).reshape(3, 2), torch.ones(1, 2)
    print(pad_sequence([a, b], batch_first=True), torch.nn.utils.rnn.pad_sequence([a, b], padding_value=-1.0).shape)
    packed = pack_padded_sequence(pad_sequence([b, a]), torch.tensor([1, 3]), enforce_sorted=False)
    print(packed.data, packed.batch_sizes, packed.sorted_indices, packed.unsorted_indices)
    padded, lengths = pad_packed_sequence(packed, batch_first=True, total_length=4)
    print(padded.shape, lengths, padded[0, :, 0])
    print(pack_padded_sequence(pad_sequence([a, b]), [3, 1]).data.shape, pack_sequence([a, b]).batch_sizes)
    print([s.size(0) for s in unpad_sequence(padded, lengths, batch_first=True)])


def devices():
    print(torch.backends.mps.is_available())


def main():
    numpy_names(torch.tensor([[1.0, 2.0, 4.0], [3.0, 0.0, 5.0]]))
    globals_of_pairs()
    sequences()
    devices()


if __name__ == "__main__":
    main()

# CHECK: tensor([7., 8.]) tensor({{\[\[}}2.0000, 1.0000, 4.5000]]) tensor([4., 2., 9.]) torch.Size([2, 6])
# CHECK-NEXT: tensor([4., 5.]) torch.Size([2, 3]) tensor({{\[\[}}1, 0, 1]])
# CHECK-NEXT: 2 3 1.5 b True torch.Size([2, 3])
# CHECK-NEXT: tensor({{\[\[\[}}0., 1.],
# CHECK-NEXT:          [2., 3.],
# CHECK-NEXT:          [4., 5.]],
# CHECK-EMPTY:
# CHECK-NEXT:         {{\[\[}}1., 1.],
# CHECK-NEXT:          [0., 0.],
# CHECK-NEXT:          [0., 0.]]]) torch.Size([3, 2, 2])
# CHECK-NEXT: tensor({{\[\[}}0., 1.],
# CHECK-NEXT:         [1., 1.],
# CHECK-NEXT:         [2., 3.],
# CHECK-NEXT:         [4., 5.]]) tensor([2, 1, 1]) tensor([1, 0]) tensor([1, 0])
# CHECK-NEXT: torch.Size([2, 4, 2]) tensor([1, 3]) tensor([1., 0., 0., 0.])
# CHECK-NEXT: torch.Size([4, 2]) tensor([2, 1, 1])
# CHECK-NEXT: [1, 3]
# CHECK-NEXT: False
