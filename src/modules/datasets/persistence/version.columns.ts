import { Column, Index } from 'typeorm';
import type { DatasetCounts, VersionPlace } from '../domain/dataset';

/** Of a table whose rows keep a version, so that sweeps do not delete its files. */
export abstract class VersionColumns {
  @Index()
  @Column('uuid', { nullable: true })
  generationId!: string | null;

  @Index()
  @Column('uuid', { nullable: true })
  tagsFile!: string | null;

  @Index()
  @Column('uuid', { nullable: true })
  annotationState!: string | null;
}

/** Of a version that is shown, with how much it contains. */
export abstract class ShownVersionColumns extends VersionColumns {
  @Column('integer')
  nImages!: number;

  @Column('integer')
  nVideos!: number;

  @Column('integer')
  nObjects!: number;

  @Column('integer')
  nFrames!: number;

  @Column('text', { nullable: true })
  thumbnailKey!: string | null;
}

export const versionColumns = ({ generation, version, tagsFile, annotationState }: VersionPlace) => ({
  generationId: generation,
  tableVersion: version,
  tagsFile,
  annotationState,
});

/** The version is no longer kept. */
export const RELEASED_VERSION = { generationId: null, tagsFile: null, annotationState: null };

export const countColumns = ({ images, videos, objects, frames }: DatasetCounts) => ({
  nImages: images,
  nVideos: videos,
  nObjects: objects,
  nFrames: frames,
});

export const countsOf = ({ nImages, nVideos, nObjects, nFrames }: ShownVersionColumns): DatasetCounts => ({
  images: nImages,
  videos: nVideos,
  objects: nObjects,
  frames: nFrames,
});
