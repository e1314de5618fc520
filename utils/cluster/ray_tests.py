import unittest
class RayTest(unittest.TestCase):
    settings = None
