class Late(Exception):
    pass
