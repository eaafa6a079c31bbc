/** A file of this computer, and its path in a dataset. */
export interface PathFile {
  readonly path: string;
  readonly file: File;
}

/** Files and folders of a drop, with their paths. Call it during the event: the list is empty afterwards. */
export async function droppedFiles({ items }: DataTransfer): Promise<PathFile[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  return (await Promise.all(entries.map(filesOf))).flat();
}

/** Of an input; those of a folder begin with its name. */
export const chosenFiles = (files: FileList | null): PathFile[] =>
  [...(files ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }));

/** What a dataset of these files may be called: as the folder that all are in. */
export function commonFolder(files: readonly PathFile[]): string | undefined {
  const first = files[0]?.path.split('/');
  if (first === undefined || first.length < 2) return undefined;
  return files.every(({ path }) => path.startsWith(`${first[0]!}/`)) ? first[0] : undefined;
}

async function filesOf(entry: FileSystemEntry): Promise<PathFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ file, path: entry.fullPath.replace(/^\//, '') }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: PathFile[] = [];
  // Browsers hand out a hundred entries at a time.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    for (const each of some) found.push(...(await filesOf(each)));
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
