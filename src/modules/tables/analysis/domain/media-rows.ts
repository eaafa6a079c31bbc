import { randomUUID } from 'node:crypto';
import type {
  Analysis,
  ImageAnalysis,
  ObjectAnalysis,
  VideoAnalysis,
} from '../../../../common/engine/compute/media-analysis';
import { BLANK, type MediaRow } from '../../../../common/engine/media-table/media-row';
import { fileNameOf, type SourceFile } from './source-file';

/** Each function is monotonic, 0 to 1, and exactly 0.5 at the public engine's threshold for the measure. */
const BLUR_CUT = 50;
const DARK_CUT = 13;
const BRIGHT_CUT = 220.5;
const WHITE = 255;

const fallingFromOne = (value: number, cut: number, steepness: number): number => 1 / (1 + (value / cut) ** steepness);

export const blurConfidence = (sharpness: number): number => fallingFromOne(sharpness, BLUR_CUT, 2);

export const darkConfidence = (meanIntensity: number): number => fallingFromOne(meanIntensity, DARK_CUT, 4);

export const brightConfidence = (meanIntensity: number): number =>
  fallingFromOne(WHITE - meanIntensity, WHITE - BRIGHT_CUT, 4);

/** The annotations of one file. */
export interface FileAnnotation {
  readonly labels: readonly string[];
  readonly caption: string | null;
  readonly objects: readonly { readonly label: string }[];
}

type Described = Omit<Analysis, 'mimeType' | 'sizeBytes'>;

type Common = Pick<MediaRow, 'fileName' | 'path' | 'source' | 'sourceVersion' | 'mimeType' | 'sizeBytes' | 'batchId'>;

type ObjectParent = Pick<MediaRow, 'id' | Exclude<keyof Common, 'sourceVersion'>>;

/** Of a row that is not yet compared with others. */
const NEW_ROW = {
  ...BLANK,
  labels: [],
  outlierConfidence: 0,
  uniqueness: 1,
  clusters: [-1, -1, -1, -1, -1],
} satisfies Partial<MediaRow>;

const described = (of: Described) => ({
  sha256: of.sha256,
  width: of.width,
  height: of.height,
  perceptualHash: of.perceptualHash,
  thumbnailKey: of.thumbnailKey,
  sharpness: of.sharpness,
  meanIntensity: of.meanIntensity,
  blurConfidence: blurConfidence(of.sharpness),
  darkConfidence: darkConfidence(of.meanIntensity),
  brightConfidence: brightConfidence(of.meanIntensity),
  embedding: of.embedding,
});

const common = (file: SourceFile, of: { mimeType: string; sizeBytes: number }, batchId: string): Common => ({
  fileName: fileNameOf(file.path),
  path: file.path,
  source: file.source,
  sourceVersion: file.version,
  mimeType: of.mimeType,
  sizeBytes: of.sizeBytes,
  batchId,
});

export function imageRows(
  file: SourceFile,
  analysis: ImageAnalysis,
  /** `folders` are labels from folder names. */
  { annotation, folders }: { readonly annotation: FileAnnotation | undefined; readonly folders: readonly string[] },
  batchId: string,
): MediaRow[] {
  const shared = common(file, analysis, batchId);
  const image: MediaRow = {
    ...NEW_ROW,
    ...shared,
    ...described(analysis),
    id: randomUUID(),
    kind: 'IMAGE',
    labels: [...new Set([...(annotation?.labels ?? []), ...folders])],
    caption: annotation?.caption ?? null,
  };
  const objects = analysis.objects.map((object): MediaRow => {
    const label = annotation?.objects[object.index]?.label;
    return { ...objectRow(image, object), labels: label === undefined ? [] : [label] };
  });
  return [image, ...objects];
}

/** An object of an image or a frame, without labels. */
export const objectRow = (parent: ObjectParent, object: ObjectAnalysis): MediaRow => ({
  ...NEW_ROW,
  fileName: parent.fileName,
  path: parent.path,
  source: parent.source,
  sourceVersion: null,
  mimeType: parent.mimeType,
  sizeBytes: parent.sizeBytes,
  batchId: parent.batchId,
  ...described(object),
  id: randomUUID(),
  kind: 'OBJECT',
  parentId: parent.id,
  box: object.box,
});

/** Frames are named as in exports: `output_000001.jpg` below the video's path. */
export function videoRows(
  file: SourceFile,
  analysis: VideoAnalysis,
  /** The labels of the frames. */
  labels: readonly string[],
  batchId: string,
): MediaRow[] {
  const shared = common(file, analysis, batchId);
  const video: MediaRow = {
    ...NEW_ROW,
    ...shared,
    id: randomUUID(),
    kind: 'VIDEO',
    sha256: analysis.sha256,
    width: analysis.width,
    height: analysis.height,
    thumbnailKey: analysis.thumbnailKey,
    durationSeconds: analysis.durationSeconds,
    blurConfidence: 0,
    darkConfidence: 0,
    brightConfidence: 0,
  };
  const frames = analysis.frames.map((frame, index): MediaRow => {
    const fileName = `output_${String(index + 1).padStart(6, '0')}.jpg`;
    return {
      ...NEW_ROW,
      ...described(frame),
      id: randomUUID(),
      kind: 'FRAME',
      parentId: video.id,
      labels,
      fileName,
      path: `${file.path}/${fileName}`,
      source: `store:${frame.imageKey}`,
      sourceVersion: null,
      mimeType: frame.mimeType,
      sizeBytes: frame.sizeBytes,
      batchId,
      frameTimestamp: frame.timestamp,
    };
  });
  return [video, ...frames];
}
