"""Events that the driver sends to the service as lines in the log of its job."""

import json

MARK = "dms-engine "


def tell(event: str, **fields: object) -> None:
    print(MARK + json.dumps({"event": event, **fields}), flush=True)


class Unusable(Exception):
    """The cluster cannot run steps until an administrator changes it. The message is one sentence."""


class StepFailed(Exception):
    """A step failed permanently."""

    def __init__(self, error: dict) -> None:
        super().__init__(error["message"])
        self.error = error


class Unwanted(Exception):
    """The plan was deleted because its operation has ended."""
