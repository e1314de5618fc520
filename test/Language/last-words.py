# rsplit without a separator: words from the end, as many as are wanted; what stands before them is one part.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
def main():
    for text in ["a b c d", "  a  b c  ", "", "   ", "one"]:
        print(text.rsplit(None, 2), text.rsplit(None, 1), text.rsplit(), text.rsplit(None, -1), text.rsplit(None, 0), text.rsplit(maxsplit=1))
    print("a,b,c".rsplit(",", 1), "a b c".rsplit(" "))


if __name__ == "__main__":
    main()

# CHECK: ['a b', 'c', 'd'] ['a b c', 'd'] ['a', 'b', 'c', 'd'] ['a', 'b', 'c', 'd'] ['a b c d'] ['a b c', 'd']
# CHECK-NEXT: ['  a', 'b', 'c'] ['  a  b', 'c'] ['a', 'b', 'c'] ['a', 'b', 'c'] ['  a  b c'] ['  a  b', 'c']
# CHECK-NEXT: [] [] [] [] [] []
# CHECK-NEXT: [] [] [] [] [] []
# CHECK-NEXT: ['one'] ['one'] ['one'] ['one'] ['one'] ['one']
# CHECK-NEXT: ['a,b', 'c'] ['a', 'b', 'c']
