"""The client for asyncio. `_sync` is made from this by scripts/make_sync.py."""
