"""Models as their authors write them, by package, for utils/check_live_models.py."""
