import type { ArchiveMember } from '../../platform/archives/zip-bytes';
import type { ShapeKind } from '../annotations/annotation';
import type { FilePicture, Skeleton } from './file-picture';

/** What a format holds, declared once: annotations are fitted to it before they are written, and previews count by it. */
export interface Holds {
  /** What is written of each kind of shape; null if it is left out. */
  readonly shapes: Readonly<Record<ShapeKind, ShapeKind | null>>;
  /** Of boxes. */
  readonly rotation: boolean;
  /** `many` is any number of rings, with holes; `apart` any number, without; `one` a single ring. */
  readonly rings: 'many' | 'apart' | 'one';
  /** `fitting` are those of the size of their picture, `in-rows` those of them without a track that have a modest number of runs in rows; others become polygons. */
  readonly masks: 'any' | 'fitting' | 'in-rows';
  readonly confidence: boolean;
  readonly attributes: boolean;
  readonly ids: boolean;
  readonly areas: boolean;
  readonly crowd: boolean;
  readonly ignored: boolean;
  /** `numbers` are those of shapes, whose names are not kept unless they are numbers; with `only`, what has no track is also left out. */
  readonly tracks: boolean | 'numbers' | 'only';
  /** Whether another shape may have a box of its own beside it. */
  readonly boxBeside: boolean;
  /** Of a whole picture; `folder` is one that is the name of a folder. */
  readonly labels: 'many' | 'folder';
  readonly pictures: 'all' | 'labelled';
  /** Whether shapes may reach beyond their picture. */
  readonly beyond: boolean;
}

/** Most formats of tools have none of these. */
export const PLAIN = {
  rotation: false,
  rings: 'one',
  masks: 'any',
  confidence: false,
  attributes: false,
  ids: false,
  areas: false,
  crowd: false,
  ignored: false,
  tracks: false,
  boxBeside: false,
  labels: 'many',
  pictures: 'all',
  beyond: true,
} as const satisfies Partial<Holds>;

export const EVERYTHING: Holds = {
  shapes: { label: 'label', box: 'box', polygon: 'polygon', mask: 'mask', keypoints: 'keypoints' },
  rotation: true,
  rings: 'many',
  masks: 'any',
  confidence: true,
  attributes: true,
  ids: true,
  areas: true,
  crowd: true,
  ignored: true,
  tracks: true,
  boxBeside: true,
  labels: 'many',
  pictures: 'all',
  beyond: true,
};

/** Pictures in batches; every iteration returns the same in the same order. */
export type Pictures = () => AsyncIterable<readonly FilePicture[]>;

export interface WrittenSource {
  readonly dataset: string;
  readonly name: string;
  readonly skeletons: readonly Skeleton[];
}

/** Writes what a source says about pictures. The pictures have been fitted to what the format holds. */
export interface AnnotationFormat {
  readonly holds: Holds;
  /** How often `write` iterates over all pictures. */
  readonly walks: number;
  readonly write: (pictures: Pictures, source: WrittenSource) => Iterable<ArchiveMember> | AsyncIterable<ArchiveMember>;
}

/** The compression level of members that are texts. */
export const FAST = 1;
