"""The plain client. Made from `_async` by scripts/make_sync.py."""
