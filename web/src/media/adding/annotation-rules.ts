import { commonFolder, type PathFile } from './picked-files';
import { withMore } from './upload-rules';

/** The annotation files that the service reads at the root of a dataset, and what is in them. */
export const ANNOTATION_FORMATS = [
  { kind: 'coco', names: ['annotations.json'] },
  { kind: 'images', names: ['image_annotations.csv', 'image_annotations.parquet'] },
  { kind: 'objects', names: ['object_annotations.csv', 'object_annotations.parquet'] },
] as const;

export const ANNOTATION_NAMES: ReadonlySet<string> = new Set(ANNOTATION_FORMATS.flatMap(({ names }) => names));

/** The source of a new dataset. */
export interface PickedFiles {
  readonly media: readonly PathFile[];
  /** Their paths are their names. */
  readonly annotations: readonly PathFile[];
}

export const NOTHING_PICKED: PickedFiles = { media: [], annotations: [] };

/** With what was chosen now; annotation files are found at its root, or in the folder that all of it is in. */
export function withChosen({ media, annotations }: PickedFiles, chosen: readonly PathFile[]): PickedFiles {
  const folder = commonFolder(chosen);
  const [found, others] = parted(chosen, ({ path }) => ANNOTATION_NAMES.has(below(folder, path)));
  return { media: withMore(media, others), annotations: withMore(annotations, found.map(atRoot)) };
}

/** With the annotation files among these, wherever they are, and the names of the others. */
export function withAnnotations(
  { media, annotations }: PickedFiles,
  chosen: readonly PathFile[],
): readonly [PickedFiles, refused: readonly string[]] {
  const [found, others] = parted(chosen.map(atRoot), ({ path }) => ANNOTATION_NAMES.has(path));
  return [{ media, annotations: withMore(annotations, found) }, others.map(({ path }) => path)];
}

/** As they are sent. Annotation files name media by their paths below the folder that was chosen. */
export function filesToSend({ media, annotations }: PickedFiles): readonly PathFile[] {
  if (annotations.length === 0) return media;
  const folder = commonFolder(media);
  return [...annotations, ...media.map(({ path, file }) => ({ path: below(folder, path), file }))];
}

const below = (folder: string | undefined, path: string): string =>
  folder === undefined ? path : path.slice(folder.length + 1);

const atRoot = ({ path, file }: PathFile): PathFile => ({ path: path.slice(path.lastIndexOf('/') + 1), file });

function parted<T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
