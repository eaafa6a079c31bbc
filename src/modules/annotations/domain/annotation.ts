import {
  givenLabels,
  withGeneratedLabels,
  type Box,
  type MediaRow,
} from '../../../common/engine/media-table/media-row';
import { withMetadata, type GivenMetadata, type TypedMetadata } from './custom-metadata';

/** Names in a report. */
export const MAX_NAMES = 20;
/** Characters of a name in a report. */
const MAX_CHARACTERS = 200;

/** The annotations that are about nothing in a dataset. */
export interface Unmatched {
  /** The first of them, or all. */
  readonly names: readonly string[];
  readonly count: number;
  /** Of annotations with a position in the request. */
  readonly rows?: readonly number[];
  /** Of all annotations. */
  readonly total: number;
}

export const ANNOTATION_MODES = ['add', 'replace'] as const;
/**
 * Whether the given labels and objects are added to those of the media, or replace those that people gave. A caption is always replaced, and
 * predicted objects replace predicted ones.
 */
export type AnnotationMode = (typeof ANNOTATION_MODES)[number];

export const MAX_ANNOTATIONS = 10_000;

/** A box in an image or a frame. */
export interface GivenObject {
  readonly label: string;
  readonly box: Box;
  readonly unit: 'pixels' | 'fractions';
  /** 0..1, of a prediction; null for an object that people marked. */
  readonly confidence: number | null;
}

/** The annotations of one image, frame or object, named by its id or by its path in the dataset. */
export interface Annotation {
  readonly mediaId?: string | undefined;
  readonly fileName?: string | undefined;
  /** Unchanged if absent. */
  readonly labels?: readonly string[] | undefined;
  /** Unchanged if absent; removed if null. */
  readonly caption?: string | null | undefined;
  /** Unchanged if absent. */
  readonly objects?: readonly GivenObject[] | undefined;
  /** Unchanged if absent. */
  readonly metadata?: readonly TypedMetadata[] | undefined;
  /** Its position in the request, for a report. */
  readonly row?: number | undefined;
}

/** As it was sent; whether its fields take their values is known with the dataset only. */
export interface SentAnnotation extends Omit<Annotation, 'metadata'> {
  readonly metadata?: readonly GivenMetadata[] | undefined;
}

type AnnotatedRow = Pick<MediaRow, 'labels' | 'generatedLabels' | 'caption' | 'captionEmbedding' | 'customMetadata'>;

/** Findings of models stay. */
export function annotated<Row extends AnnotatedRow>(row: Row, annotation: Annotation, mode: AnnotationMode): Row {
  const captioned =
    annotation.caption === undefined ? row : { ...row, caption: annotation.caption, captionEmbedding: null };
  return relabelled(withMetadata(captioned, annotation.metadata, mode), annotation, mode);
}

export function relabelled<Row extends Pick<MediaRow, 'labels' | 'generatedLabels'>>(
  row: Row,
  { labels: named }: Annotation,
  mode: AnnotationMode,
): Row {
  if (named === undefined) return row;
  const labels = [...new Set(mode === 'add' ? [...givenLabels(row), ...named] : named)];
  return row.generatedLabels === null
    ? { ...row, labels }
    : withGeneratedLabels({ ...row, labels, generatedLabels: null }, row.generatedLabels);
}

export function unmatchedWarnings({ names, count, total }: Unmatched): string[] {
  if (count === 0) return [];
  const named = names
    .slice(0, MAX_NAMES)
    .map((name) => (name.length > MAX_CHARACTERS ? `${name.slice(0, MAX_CHARACTERS)}…` : name));
  const more = count === named.length ? '' : ` and ${count - named.length} more`;
  return [`${count} of ${total} annotations match no medium of the dataset: ${named.join(', ')}${more}.`];
}
