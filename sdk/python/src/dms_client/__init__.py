"""Client of the Dataset Media Service.

>>> from dms_client import Client, F
>>> dms = Client("http://127.0.0.1:3000")
>>> dataset = dms.create_dataset("photos", "~/Pictures").wait()
"""

from ._async.client import AsyncClient
from ._async.dataset import AsyncDataset, AsyncUpload
from ._async.duplicates import AsyncDuplicates, AsyncKept
from ._async.evaluations import AsyncEvaluation
from ._async.exports import AsyncExport
from ._async.search import AsyncSearch
from ._async.tasks import AsyncTask
from ._files import UploadReport
from ._filter import Filter
from ._sync.client import Client
from ._sync.dataset import Dataset, Upload
from ._sync.duplicates import Duplicates, Kept
from ._sync.evaluations import Evaluation
from ._sync.exports import Export
from ._sync.search import Search
from ._sync.tasks import Task
from ._version import __version__
from ._versions import VersionWarning
from .auth import ApiKey, make_token
from .errors import (
    ApiError,
    BadRequest,
    Conflict,
    ConnectionFailed,
    DmsError,
    ExportFailed,
    Forbidden,
    NotFound,
    RateLimited,
    ServerError,
    TaskAborted,
    TaskFailed,
    TooLarge,
    Unauthorized,
    Unavailable,
    UnexpectedAnswer,
    UploadRunning,
    ValidationFailed,
    ValidationItem,
    WaitTimeout,
)
from .evaluation import Confusion, Curves, Rows
from .filters import F, filter_of, from_vql, known_operations, to_vql, vql_to_python
from .frames import Embeddings, Metadata, MissingExtra
from .models import (
    AnnotationChange,
    AnnotationSource,
    Cluster,
    ClusterPage,
    DatasetInfo,
    DuplicateGroup,
    EnrichmentModel,
    ExportInfo,
    LabelSet,
    Medium,
    MediumDetail,
    MetadataField,
    Notification,
    QuarantinedFile,
    Snapshot,
    SourceChange,
    Tag,
    TaskInfo,
    TrendPoint,
    View,
    time_of,
)

__all__ = [
    "AnnotationChange",
    "AnnotationSource",
    "ApiError",
    "ApiKey",
    "AsyncClient",
    "AsyncDataset",
    "AsyncDuplicates",
    "AsyncEvaluation",
    "AsyncExport",
    "AsyncKept",
    "AsyncSearch",
    "AsyncTask",
    "AsyncUpload",
    "BadRequest",
    "Client",
    "Cluster",
    "ClusterPage",
    "Conflict",
    "Confusion",
    "ConnectionFailed",
    "Curves",
    "Dataset",
    "DatasetInfo",
    "DmsError",
    "DuplicateGroup",
    "Duplicates",
    "Embeddings",
    "EnrichmentModel",
    "Evaluation",
    "Export",
    "ExportFailed",
    "ExportInfo",
    "F",
    "Filter",
    "Forbidden",
    "Kept",
    "LabelSet",
    "Medium",
    "MediumDetail",
    "Metadata",
    "MetadataField",
    "MissingExtra",
    "NotFound",
    "Notification",
    "QuarantinedFile",
    "RateLimited",
    "Rows",
    "Search",
    "ServerError",
    "Snapshot",
    "SourceChange",
    "Tag",
    "Task",
    "TaskAborted",
    "TaskFailed",
    "TaskInfo",
    "TooLarge",
    "TrendPoint",
    "Unauthorized",
    "Unavailable",
    "UnexpectedAnswer",
    "Upload",
    "UploadReport",
    "UploadRunning",
    "ValidationFailed",
    "ValidationItem",
    "VersionWarning",
    "View",
    "WaitTimeout",
    "__version__",
    "filter_of",
    "from_vql",
    "known_operations",
    "make_token",
    "time_of",
    "to_vql",
    "vql_to_python",
]
