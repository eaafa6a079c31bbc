import type { PathFile } from './picked-files';

export interface FolderLabel {
  readonly value: string;
  readonly count: number;
}

/** The name of the folder of a file, as the service reads it; empty at the root. */
function labelOf(path: string): string {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return folder
    .slice(folder.lastIndexOf('/') + 1)
    .normalize('NFC')
    .trim();
}

const byCount = (a: FolderLabel, b: FolderLabel): number => b.count - a.count || (a.value < b.value ? -1 : 1);

/** The labels of folders with the number of their files, those with most first. */
export function folderLabels(folders: readonly FolderLabel[]): readonly FolderLabel[] {
  const counts = new Map<string, number>();
  for (const { value: folder, count } of folders) {
    const label = labelOf(`${folder}/`);
    if (label !== '') counts.set(label, (counts.get(label) ?? 0) + count);
  }
  return Array.from(counts, ([value, count]) => ({ value, count })).sort(byCount);
}

export const labelsOfFiles = (files: readonly PathFile[]): readonly FolderLabel[] =>
  folderLabels(files.map(({ path }) => ({ value: path.slice(0, Math.max(0, path.lastIndexOf('/'))), count: 1 })));
