from torch import nn

class Nothing(nn.Module):
    pass


seen = []


def note(n):
    seen.append(n)
    return n


if __name__ == "__main__":
    Nothing()
    print(note(1) < note(2) < note(3) < note(3), seen)
    print(note(5) < note(4) < note(3), seen[4:])
    print([i for i in range(5) if 0 < note(i) < 3], seen[6:])
