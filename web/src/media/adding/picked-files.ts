/** A file of this computer, and its path in a dataset. */
export interface PathFile {
  readonly path: string;
  readonly file: File;
}

export interface DroppedFiles {
  readonly files: readonly PathFile[];
  /** Paths of files and folders that the browser may not read. */
  readonly unreadable: readonly string[];
}

/**
 * Files and folders of a drop, with their paths. Call it during the event: the list is empty afterwards. Browsers take a minute for a
 * hundred thousand files, so it tells how many it has found.
 */
export async function droppedFiles(
  { items }: DataTransfer,
  onFound: (count: number) => void = () => undefined,
): Promise<DroppedFiles> {
  const files: PathFile[] = [];
  const unreadable: string[] = [];
  const folders: FileSystemDirectoryEntry[] = [];
  const take = async (entry: FileSystemEntry): Promise<void> => {
    if (!isFile(entry)) folders.push(entry as FileSystemDirectoryEntry);
    else
      await fileOf(entry).then(
        (file) => files.push(file),
        () => unreadable.push(pathOf(entry)),
      );
  };
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  await Promise.all(entries.map(take));
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    try {
      for await (const some of entriesOf(folder)) {
        await Promise.all(some.map(take));
        onFound(files.length);
      }
    } catch {
      unreadable.push(pathOf(folder));
    }
  }
  return { files, unreadable };
}

/** Of an input; those of a folder begin with its name. */
export const chosenFiles = (files: FileList | null): PathFile[] =>
  [...(files ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }));

/** The suggested name of a dataset of these files: that of their common folder. */
export function commonFolder(files: readonly PathFile[]): string | undefined {
  const first = files[0]?.path.split('/');
  if (first === undefined || first.length < 2) return undefined;
  return files.every(({ path }) => path.startsWith(`${first[0]!}/`)) ? first[0] : undefined;
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const pathOf = ({ fullPath }: FileSystemEntry): string => fullPath.replace(/^\//, '');

const fileOf = (entry: FileSystemFileEntry): Promise<PathFile> =>
  new Promise((resolve, reject) => entry.file((file) => resolve({ file, path: pathOf(entry) }), reject));

/** Browsers hand out a hundred entries at a time. */
async function* entriesOf(folder: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry[]> {
  const reader = folder.createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    yield some;
  }
}
