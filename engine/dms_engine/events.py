"""What the driver tells the service, as lines of the log of its job."""

import json

MARK = "dms-engine "


def tell(event: str, **fields: object) -> None:
    print(MARK + json.dumps({"event": event, **fields}), flush=True)


class Unusable(Exception):
    """The cluster can't do the steps until somebody changes it. The message is one sentence."""


class StepFailed(Exception):
    """A step failed for good."""

    def __init__(self, error: dict) -> None:
        super().__init__(error["message"])
        self.error = error


class Unwanted(Exception):
    """The plan has been deleted, because its operation has ended."""
