import type { PathFile } from './picked-files';

export interface BatchLimits {
  readonly files: number;
  readonly bytes: number;
}

const sizeOf = ({ file }: PathFile): number => file.size;
export const bytesOf = (files: readonly PathFile[]): number => files.reduce((sum, each) => sum + sizeOf(each), 0);

/** The first files that go together; a file that is larger than the limit goes alone. */
export function firstBatch(files: readonly PathFile[], most: BatchLimits): PathFile[] {
  let bytes = 0;
  const end = files.findIndex((each, at) => {
    bytes += sizeOf(each);
    return at >= most.files || (at > 0 && bytes > most.bytes);
  });
  return files.slice(0, end < 0 ? files.length : end);
}

export function batchCount(files: readonly PathFile[], most: BatchLimits): number {
  let count = 0;
  for (let rest = files; rest.length > 0; rest = rest.slice(firstBatch(rest, most).length)) count += 1;
  return count;
}

/** The file that an error names; the only one if it is alone; undefined if it isn't known. */
export function refusedOf(batch: readonly PathFile[], detail: string): PathFile | undefined {
  if (batch.length === 1) return batch[0];
  const named = batch.filter(({ path }) => detail.endsWith(path));
  return named.sort((a, b) => b.path.length - a.path.length)[0];
}

/** What a name ends with, by which formats are told apart. */
const endOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? name : name.slice(dot).toLowerCase();
};

/** Of these, the files that are refused as this one was: for their format. The others need not be sent to know that. */
export const refusedLike = (refused: PathFile, detail: string, files: readonly PathFile[]): PathFile[] =>
  detail.startsWith('Unsupported file format') ? files.filter(({ path }) => endOf(path) === endOf(refused.path)) : [];

/** A path that is chosen again stands for the file that was chosen last. */
export const withMore = (files: readonly PathFile[], more: readonly PathFile[]): PathFile[] => [
  ...new Map([...files, ...more].map((each) => [each.path, each])).values(),
];

export const isArchive = ({ path }: PathFile): boolean => /\.(?:zip|tar|tar\.gz|tgz)$/i.test(path);
