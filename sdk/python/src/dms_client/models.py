"""Responses of the service as values. `raw` has the complete response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, TypeVar

from .errors import UnexpectedAnswer

R = TypeVar("R", bound="Record")


@dataclass(frozen=True)
class Record:
    raw: Mapping[str, Any] = field(repr=False, compare=False, default_factory=dict, kw_only=True)

    @classmethod
    def of(cls: type[R], data: Any) -> R:
        """Keys that this version does not know stay in `raw`."""
        if not isinstance(data, Mapping):
            raise UnexpectedAnswer(f"A {cls.__name__} must be an object: {data!r}")
        known = {each.name for each in fields(cls) if each.name != "raw"}
        values = {key: value for key, value in data.items() if key in known}
        try:
            return cls(raw=data, **values)
        except TypeError as error:
            raise UnexpectedAnswer(f"A {cls.__name__} is incomplete: {error}") from error


def time_of(text: str | None) -> datetime | None:
    """The service writes UTC without a time zone."""
    return None if text is None else datetime.fromisoformat(f"{text.rstrip('Z')}+00:00")


@dataclass(frozen=True)
class DatasetInfo(Record):
    id: str
    display_name: str
    status_new: str
    n_images: int = 0
    n_videos: int = 0
    n_objects: int = 0
    progress: int = 0
    description: str = ""
    source_type: str = ""
    owned_by: str = ""
    created_at: str = ""
    fatal_error_msg: str | None = None
    source_dataset_id: str | None = None
    thumb_uri: str | None = None
    role: str | None = None


@dataclass(frozen=True)
class MetadataField(Record):
    """A custom field."""

    field_name: str
    field_type: str
    enum_options: list[str] | None = None
    is_multi: bool = False


@dataclass(frozen=True)
class AnnotationSource(Record):
    """A named set of annotations."""

    name: str
    kind: str
    model_id: str | None = None
    created_at: str = ""
    n_labels: int = 0
    n_boxes: int = 0
    n_polygons: int = 0
    n_masks: int = 0
    n_keypoints: int = 0
    #: Names of the keypoints of labels, and which are connected.
    skeletons: list[dict[str, Any]] = field(default_factory=list)


#: The columns of frames of annotations.
ANNOTATION_FIELDS = (
    "id",
    "media_id",
    "file_path",
    "source",
    "label",
    "shape",
    "confidence",
    "area",
    "attributes",
    "crowd",
    "ignored",
    "track_id",
    "version",
    "created_by",
    "created_at",
    "updated_at",
)


@dataclass(frozen=True)
class SourceChange:
    added: int
    changed: int
    removed: int
    #: The positions of rows whose picture the dataset does not have.
    unmatched: list[int]
    #: For undos, the last change first.
    change_ids: list[str] = field(default_factory=list)

    def with_answer(self, answer: Mapping[str, Any], positions: Sequence[int]) -> SourceChange:
        change_id = answer["change_id"]
        return SourceChange(
            self.added + answer["added"],
            self.changed + answer["changed"],
            self.removed + answer["removed"],
            [*self.unmatched, *(positions[at] for at in answer["unmatched"])],
            [*([] if change_id is None else [change_id]), *self.change_ids],
        )


@dataclass(frozen=True)
class LabelSet(Record):
    """The labels that people give in a dataset."""

    #: Each with `name`, `colour`, `hot_key` and `attributes`.
    labels: list[dict[str, Any]]
    #: Whether others are refused in `ground_truth`.
    closed: bool


@dataclass(frozen=True)
class AnnotationChange(Record):
    """A change of what a source says."""

    change_id: str
    source: str
    mode: str
    created_at: str
    created_by: str
    added: int
    changed: int
    removed: int
    #: The change that it undoes, and the one that undid it.
    undoes: str | None = None
    undone_by: str | None = None
    can_be_undone: bool = False
    queue_id: str | None = None
    #: None if the media are not kept.
    n_media: int | None = None
    #: Some of the media, with their annotations before and after.
    media: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class TaskInfo(Record):
    task_id: str
    dataset_id: str
    dataset_name: str
    task_type: str
    status: str
    status_message: str = ""
    progress_percentage: int | None = None
    error_message: str | None = None
    warnings: list[str] = field(default_factory=list)
    quarantined_count: int = 0
    created_by: str = ""
    start_time: str = ""
    end_time: str | None = None

    @property
    def is_running(self) -> bool:
        return self.status in ("INITIALIZING", "RUNNING")


@dataclass(frozen=True)
class Medium(Record):
    """An image, a video frame, a video or an object in a search result."""

    media_id: str
    file_name: str
    type: str = "IMAGE"
    media_uri: str = ""
    media_thumb_uri: str = ""
    caption: str | None = None
    image_id: str = ""
    bounding_box: dict[str, float] | None = None
    original_uri: str = ""
    video_uri: str = ""
    frame_timestamp: float | None = None
    labels: dict[str, int] | None = None
    label: str | None = None
    user_tags: dict[str, dict[str, Any]] | None = None
    relevance_score: float | None = None
    matched: list[str] | None = None
    """Where the words of a search by keywords are: `caption`, `text` in the picture, or both."""
    width: int = 0
    height: int = 0

    @property
    def path(self) -> str:
        """The location of the file in its source."""
        return self.original_uri

    def _repr_html_(self) -> str:
        from .html import medium_html

        return medium_html(self)


@dataclass(frozen=True)
class MediumDetail(Medium):
    """All information about one medium."""

    media_type: str = "image"
    mime_type: str = ""
    size_bytes: int = 0
    sha256: str = ""
    perceptual_hash: str | None = None
    batch_id: str = ""
    duration_seconds: float | None = None
    sharpness: float | None = None
    mean_intensity: float | None = None
    uniqueness_score: float = 0.0
    nearest_similarity: float | None = None
    caption_source: str | None = None
    generated_caption: str | None = None
    label_sources: list[dict[str, Any]] = field(default_factory=list)
    text_source: str | None = None
    text_lines: list[dict[str, Any]] = field(default_factory=list)
    issues: list[dict[str, Any]] = field(default_factory=list)
    clusters: list[dict[str, Any]] = field(default_factory=list)

    def _media(self, key: str) -> list[Medium]:
        return [Medium.of(each) for each in self.raw.get(key) or []]

    @property
    def parent(self) -> Medium | None:
        parent = self.raw.get("parent")
        return None if parent is None else Medium.of(parent)

    @property
    def children(self) -> list[Medium]:
        return self._media("children")

    @property
    def neighbours(self) -> list[Medium]:
        return self._media("neighbours")


@dataclass(frozen=True)
class Cluster(Record):
    """Similar media; `previews` has up to nine of them."""

    cluster_id: str
    type: str = "IMAGES"
    n_images: int = 0
    n_objects: int = 0
    n_videos: int = 0
    n_frames: int = 0
    similarity_threshold: str = "0"
    labels: dict[str, int] | None = None
    captions: list[str] | None = None
    relevance_score: float | None = None
    formed_by: str = "SIMILARITY"
    doubt: str | None = None
    """For near duplicates: why they may be different pictures, `LARGE` or `CHAINED`."""

    @property
    def previews(self) -> list[Medium]:
        return [Medium.of(each) for each in self.raw.get("previews", [])]

    def __len__(self) -> int:
        return self.n_images + self.n_objects + self.n_videos + self.n_frames


@dataclass(frozen=True)
class ClusterPage(Record):
    """`understood`: the parts of a text, with the classes that they were understood as."""

    total_pages: int = 0
    current_page: int = 0
    understood: list[dict[str, Any]] | None = None

    @property
    def clusters(self) -> list[Cluster]:
        return [Cluster.of(each) for each in self.raw.get("clusters", [])]

    def _repr_html_(self) -> str:
        from .html import clusters_html

        return clusters_html(self.clusters, self.current_page, self.total_pages)


@dataclass(frozen=True)
class Snapshot(Record):
    snapshot_id: str
    snapshot_name: str
    source_dataset_name: str = ""
    created_at: str = ""
    created_by: str = ""
    n_images: int = 0
    n_videos: int = 0
    description: str = ""
    reason: str = ""
    is_current: bool = False
    is_restoring: bool = False


@dataclass(frozen=True)
class Tag(Record):
    id: str
    name: str
    n_items: int = 0


@dataclass(frozen=True)
class View(Record):
    id: str
    dataset_id: str
    name: str
    created_at: str = ""
    filters: dict[str, Any] = field(default_factory=dict)
    stats: dict[str, int] = field(default_factory=dict)
    alerting_enabled: bool = False
    monitoring_enabled: bool = False
    total_results: int = 0
    last_results: str | None = None


@dataclass(frozen=True)
class TrendPoint(Record):
    timestamp: str
    batch_id: str
    count: int
    cumulative: int


@dataclass(frozen=True)
class Notification(Record):
    id: str
    entity_type: str = ""
    entity_id: str = ""
    title: str = ""
    message: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    dataset_id: str | None = None
    user_id: str = ""
    created_at: str = ""
    read_at: str | None = None


@dataclass(frozen=True)
class EnrichmentModel(Record):
    id: str
    name: str
    type: str
    status: str
    vendor: str = ""
    description: str = ""
    dependencies: list[str] | None = None


@dataclass(frozen=True)
class QuarantinedFile(Record):
    file: str
    reason: str = ""
    detail: str = ""


@dataclass(frozen=True)
class ExportInfo(Record):
    id: str
    status: str
    progress: float = 0
    download_uri: str | None = None
    entities_count: int = 0
    result_message: str | None = None


@dataclass(frozen=True)
class DuplicateGroup:
    """Near duplicates of each other: one is kept, the others can be dropped."""

    group_id: str
    kept: Medium
    dropped: list[Medium]
