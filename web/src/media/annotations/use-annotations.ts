import { useMemo, useState } from 'react';
import type { components } from 'dataset-media-service-sdk';
import { useQuery } from '@tanstack/react-query';
import { annotationsQuery, sourcesQuery } from './annotation-query';
import { ALL, colourOf, NOTHING, shownIn, sourceColour, type AnnotationView, type Highlight } from './annotation-view';
import { sizeOf, type ShownAnnotation, type Size } from './shapes';

type MediaDetail = components['schemas']['MediaDetail'];

export interface PictureAnnotations {
  readonly size: Size;
  readonly all: readonly ShownAnnotation[];
  /** Of the sources that are on, with enough confidence. */
  readonly shown: readonly ShownAnnotation[];
  /** With those that are too many to be shown. */
  readonly total: number;
  readonly sourcesHere: readonly string[];
  readonly error: Error | null;
  readonly view: AnnotationView;
  readonly onView: (view: AnnotationView) => void;
  readonly highlight: Highlight;
  readonly onHighlight: (highlight: Highlight) => void;
  readonly colourOf: (annotation: ShownAnnotation) => string;
  readonly colourOfSource: (source: string) => string;
}

const NONE: readonly never[] = [];
const NO_SIZE: Size = { width: 1, height: 1 };

/** What sources say about a picture. Of an object, only that it is on its picture; of a video, nothing. */
export function useAnnotations(
  datasetId: string,
  media: MediaDetail | undefined,
  snapshotId: string | undefined,
): PictureAnnotations {
  const [view, onView] = useState(ALL);
  const [highlight, onHighlight] = useState(NOTHING);
  const isPicture = media !== undefined && media.type !== 'VIDEO';
  const object = media?.type === 'OBJECT' ? media : undefined;
  const { data, error } = useQuery({
    ...annotationsQuery(datasetId, object?.parent?.media_id ?? media?.media_id ?? '', snapshotId),
    enabled: isPicture,
  });
  const { data: sources } = useQuery({ ...sourcesQuery(datasetId), enabled: isPicture });
  const found = isPicture ? data?.annotations : undefined;
  const ownId = object?.media_id;
  const all = useMemo(() => (found ?? NONE).filter(({ id }) => ownId === undefined || id === ownId), [found, ownId]);
  const shown = useMemo(() => shownIn(all, view), [all, view]);
  const sourcesHere = useMemo(() => [...new Set(all.map(({ source }) => source))], [all]);
  const colours = useMemo(() => {
    const names = [...new Set([...(sources ?? NONE).map(({ name }) => name), ...sourcesHere])];
    return {
      colourOf: (annotation: ShownAnnotation) => colourOf(annotation, names),
      colourOfSource: (source: string) => sourceColour(source, names),
    };
  }, [sources, sourcesHere]);
  const size = media === undefined ? NO_SIZE : sizeOf(media);
  const total = object === undefined ? (data?.total ?? 0) : all.length;
  return { size, all, shown, total, sourcesHere, error, view, onView, highlight, onHighlight, ...colours };
}
