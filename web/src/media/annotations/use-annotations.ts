import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import type { components } from 'dataset-media-service-sdk';
import { useQuery } from '@tanstack/react-query';
import { editQueue } from '../annotating/edit-queue';
import { withUnsent, type Unsent } from '../annotating/unsent-edits';
import { annotationsQuery, labelSetQuery, sourcesQuery, withKey, type AnnotationList } from './annotation-query';
import {
  ALL,
  colourOf,
  NOTHING,
  shownIn,
  sourceColour,
  type AnnotationView,
  type DrawnOutcome,
  type Highlight,
} from './annotation-view';
import type { CutSource } from './fair-annotations';
import { ownAnnotations } from './own-annotation';
import { sizeOf, type ShownAnnotation, type Size } from './shapes';
import { trackShapesAt } from './track-shapes';
import { aroundFrame, frameAt, framesOf, type VideoFrame } from './video-frames';

type MediaDetail = components['schemas']['MediaDetail'];
type Source = components['schemas']['AnnotationSource'];
type LabelSet = components['schemas']['LabelSet'];

export interface PictureAnnotations {
  readonly size: Size;
  readonly all: readonly ShownAnnotation[];
  /** Of the sources that are on, with enough confidence. */
  readonly shown: readonly ShownAnnotation[];
  /** Where tracks may be that have no shape in the current frame. */
  readonly between: readonly ShownAnnotation[];
  /** Sources that say more than can be shown. */
  readonly cut: readonly CutSource[];
  /** Also those that say something about another frame around the current one. */
  readonly sourcesHere: readonly string[];
  readonly hasShapes: boolean;
  readonly hasConfidence: boolean;
  readonly error: Error | null;
  /** What sources say is known. */
  readonly isLoaded: boolean;
  readonly view: AnnotationView;
  readonly onView: (view: AnnotationView) => void;
  readonly highlight: Highlight;
  readonly onHighlight: (highlight: Highlight) => void;
  /** The current time of a video. */
  readonly onTime: (seconds: number) => void;
  /** Which keypoints are connected, by their numbers. */
  readonly edgesOf: (annotation: ShownAnnotation) => readonly (readonly number[])[];
  readonly colourOf: (annotation: ShownAnnotation) => string;
  readonly colourOfSource: (source: string) => string;
  /** What became of it in the evaluation that the picture is looked at with. */
  readonly outcomeOf: (annotation: Pick<ShownAnnotation, 'source' | 'id'>) => DrawnOutcome | undefined;
}

const NONE: readonly never[] = [];
const noOutcome = () => undefined;
const NO_SIZE: Size = { width: 1, height: 1 };

/** What sources say about a picture; of an object, only that it is on its picture; of a video, about its current frame. */
export function useAnnotations(
  datasetId: string,
  media: MediaDetail | undefined,
  snapshotId: string | undefined,
): PictureAnnotations {
  const [view, onView] = useState(ALL);
  const [highlight, onHighlight] = useState(NOTHING);
  const { onTime, frames, frame, before, now, next } = useFrames(media);
  const object = media?.type === 'OBJECT' ? media : undefined;
  const pictureId = object?.parent?.media_id ?? media?.media_id;
  const isVideo = media?.type === 'VIDEO';
  const ids = isVideo ? now : pictureId === undefined ? NONE : [pictureId];
  const { data, error } = useQuery(annotationsQuery(datasetId, ids, snapshotId));
  // They are there when the video arrives at them, and tracks lead to them.
  const { data: earlier } = useQuery(annotationsQuery(datasetId, before, snapshotId));
  const { data: later } = useQuery(annotationsQuery(datasetId, next, snapshotId));
  const { data: sources = NONE } = useQuery({ ...sourcesQuery(datasetId), enabled: ids.length > 0 });
  const { data: labelSet } = useQuery({ ...labelSetQuery(datasetId), enabled: ids.length > 0 });
  const size = frame ?? (media === undefined ? NO_SIZE : sizeOf(media));
  const edits = useUnsent(datasetId, snapshotId === undefined ? pictureId : undefined);
  const around = useMemo(() => {
    const found = withUnsent(data?.annotations ?? NONE, data === undefined ? NONE : edits, withKey);
    return object === undefined || media === undefined ? found : ownAnnotations(object, found, sizeOf(media));
  }, [data, edits, object, media]);
  const frameId = frame?.id;
  const all = useMemo(
    () => (isVideo ? around.filter(({ media_id: id }) => id === frameId) : around),
    [around, isVideo, frameId],
  );
  const shown = useMemo(() => shownIn(all, view), [all, view]);
  const between = useMemo(
    () => (frame === undefined ? NONE : tracksIn([earlier, data, later], { frame, frames, here: all, view })),
    [frame, frames, earlier, data, later, all, view],
  );
  const sourcesHere = useMemo(() => [...new Set(around.map(({ source }) => source))], [around]);
  const drawing = useDrawing(sources, sourcesHere, labelSet);
  const cut = object === undefined ? (data?.cut ?? NONE) : NONE;
  const hasShapes = around.some(({ shape }) => shape !== null);
  const hasConfidence = around.some(({ confidence }) => confidence !== null);
  const found = { size, all, shown, between, cut, sourcesHere, hasShapes, hasConfidence };
  const isLoaded = data !== undefined;
  return { ...found, error, isLoaded, view, onView, highlight, onHighlight, onTime, outcomeOf: noOutcome, ...drawing };
}

/** How annotations are drawn. */
function useDrawing(sources: readonly Source[], sourcesHere: readonly string[], labelSet: LabelSet | undefined) {
  return useMemo(() => {
    const names = [...new Set([...sources.map(({ name }) => name), ...sourcesHere])];
    const ofLabels = new Map((labelSet?.labels ?? []).flatMap(({ name, colour }) => (colour ? [[name, colour]] : [])));
    return {
      colourOf: (annotation: ShownAnnotation) => colourOf(annotation, names, ofLabels),
      colourOfSource: (source: string) => sourceColour(source, names),
      edgesOf: ({ source, label }: ShownAnnotation) => skeletonOf(sources, source, label)?.edges ?? NONE,
    };
  }, [sources, sourcesHere, labelSet]);
}

/** That of the source, or of another one for the same label. */
function skeletonOf(sources: readonly Source[], source: string, label: string) {
  const own = sources.filter(({ name }) => name === source);
  return [...own, ...sources].flatMap(({ skeletons }) => skeletons).find((each) => each.label === label);
}

/** Edits of the picture that the service has not confirmed yet. */
function useUnsent(datasetId: string, pictureId: string | undefined): Unsent {
  const { unsent } = useSyncExternalStore(editQueue.subscribe, editQueue.read);
  return useMemo(
    () => unsent.filter((edit) => edit.datasetId === datasetId && edit.mediaId === pictureId),
    [unsent, datasetId, pictureId],
  );
}

interface InFrame {
  readonly frame: VideoFrame;
  readonly frames: readonly VideoFrame[];
  readonly here: readonly ShownAnnotation[];
  readonly view: AnnotationView;
}

/** Not of a source that is cut: what is stored of its tracks is not known. */
function tracksIn(lists: readonly (AnnotationList | undefined)[], { frame, frames, here, view }: InFrame) {
  const loaded = lists.flatMap((list) => list ?? []);
  const cut = new Set(loaded.flatMap((list) => list.cut.map(({ source }) => source)));
  const whole = loaded.flatMap(({ annotations }) => annotations.filter(({ source }) => !cut.has(source)));
  return trackShapesAt(frame, frames, { here, around: shownIn(whole, view) });
}

/** The frame of a video at the current time, and the ids of those whose annotations are of use. */
function useFrames(media: MediaDetail | undefined) {
  const [at, setAt] = useState<string | null>(null);
  const frames = useMemo(() => (media === undefined ? NONE : framesOf(media)), [media]);
  const frame = frames.find(({ id }) => id === at);
  const around = useMemo(() => aroundFrame(frames, frame), [frames, frame]);
  const onTime = useCallback((seconds: number) => setAt(frameAt(frames, seconds)?.id ?? null), [frames]);
  return { onTime, frames, frame, ...around };
}
