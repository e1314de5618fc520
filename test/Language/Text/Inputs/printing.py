from torch import nn


class Nothing(nn.Module):
    pass


if __name__ == "__main__":
    Nothing()
    print(1, 2, sep=None, end=None)
    print(1, 2, end="!")
    print()
    print(1, 2, sep="-")
    try:
        print(1, sep=1)
    except TypeError as e:
        print(e)
