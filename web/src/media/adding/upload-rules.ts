import type { PathFile } from './picked-files';

export interface BatchLimits {
  readonly files: number;
  readonly bytes: number;
}

const sizeOf = ({ file }: PathFile): number => file.size;
export const bytesOf = (files: readonly PathFile[]): number => files.reduce((sum, each) => sum + sizeOf(each), 0);

/** Where the batch ends that begins at a file; a file that is larger than the limit goes alone. */
function endOfBatch(files: readonly PathFile[], first: number, most: BatchLimits): number {
  let bytes = 0;
  let at = first;
  for (; at < files.length && at - first < most.files; at += 1) {
    bytes += sizeOf(files[at]!);
    if (at > first && bytes > most.bytes) break;
  }
  return at;
}

/** The first files that go together. */
export const firstBatch = (files: readonly PathFile[], most: BatchLimits): PathFile[] =>
  files.slice(0, endOfBatch(files, 0, most));

export function batchCount(files: readonly PathFile[], most: BatchLimits): number {
  let count = 0;
  for (let at = 0; at < files.length; at = endOfBatch(files, at, most)) count += 1;
  return count;
}

/** The file that an error names; the only one if it is alone; undefined if it isn't known. */
export function refusedOf(batch: readonly PathFile[], detail: string): PathFile | undefined {
  if (batch.length === 1) return batch[0];
  const named = batch.filter(({ path }) => detail.endsWith(path));
  return named.sort((a, b) => b.path.length - a.path.length)[0];
}

/** The extension of a name, which identifies its format. */
const endOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? name : name.slice(dot).toLowerCase();
};

/** Of these, the files that are refused as this one was: for their format. The others need not be sent to know that. */
export const refusedLike = (refused: PathFile, detail: string, files: readonly PathFile[]): PathFile[] =>
  detail.startsWith('Unsupported file format') ? files.filter(({ path }) => endOf(path) === endOf(refused.path)) : [];

/** If a path is chosen again, the last file counts. */
export const withMore = (files: readonly PathFile[], more: readonly PathFile[]): PathFile[] => [
  ...new Map([...files, ...more].map((each) => [each.path, each])).values(),
];

export const isArchive = ({ path }: PathFile): boolean => /\.(?:zip|tar|tar\.gz|tgz)$/i.test(path);
