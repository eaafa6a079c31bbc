import { errorMessage } from '../../common/platform/errors/error-code';
import { type ObjectStore, everyObject } from '../../common/platform/storage/object-store';
import { DamagedBackupError, readLines, writeLines, type LineFile } from './line-file';
import { BACKUPS, folderOf, type CopiedObject } from './manifest';

/** An interrupted backup causes at most this many bytes to be copied again. */
const PART_OBJECTS = 128;
const PART_BYTES = 256 * 1024 * 1024;
/** Each backup that is never completed leaves a journal. */
const READ_AT_MOST = 8;

const FOLDER = 'copied/';
type Part = Pick<LineFile, 'file' | 'size'>;

const PART = /^backups\/([^/]+)\/copied\/([^/]+)\/\d+\.ndjson\.gz$/;

export const isOfJournal = (key: string): boolean => PART.test(key);

/** The objects that a backup has copied and verified so far, in the order of its list. After an interruption, the next backup does not copy them again. */
export class CopyJournal {
  private readonly folder: string;
  private part: CopiedObject[] = [];
  private bytes = 0;
  private parts = 0;

  constructor(
    private readonly target: ObjectStore,
    backup: string,
    installation: string,
  ) {
    this.folder = `${folderOf(backup)}${FOLDER}${installation}/`;
  }

  async add(object: CopiedObject): Promise<void> {
    this.part.push(object);
    this.bytes += object.size;
    if (this.part.length < PART_OBJECTS && this.bytes < PART_BYTES) return;
    this.parts += 1;
    const file = `${this.folder}${String(this.parts).padStart(9, '0')}.ndjson.gz`;
    await writeLines(
      this.target,
      file,
      this.part.map((each) => JSON.stringify(each)),
    );
    [this.part, this.bytes] = [[], 0];
  }
}

/** The journals of interrupted backups of this installation. Objects of unreadable parts are copied again. */
export async function readJournals(
  target: ObjectStore,
  installation: string,
  print: (line: string) => void,
): Promise<AsyncIterable<CopiedObject>[]> {
  const journals = new Map<string, Part[]>();
  for await (const { key, size } of everyObject(target, BACKUPS)) {
    const [, backup, owner] = PART.exec(key) ?? [];
    if (backup === undefined || owner !== installation) continue;
    journals.set(backup, [...(journals.get(backup) ?? []), { file: key, size }]);
  }
  return [...journals.values()].slice(-READ_AT_MOST).map((parts) => readParts(target, parts, print));
}

async function* readParts(
  target: ObjectStore,
  parts: readonly Part[],
  print: (line: string) => void,
): AsyncGenerator<CopiedObject> {
  for (const part of parts) {
    try {
      for await (const line of readLines(target, part)) yield JSON.parse(line) as CopiedObject;
    } catch (error) {
      if (!(error instanceof DamagedBackupError)) throw error;
      print(`What ${part.file} lists is copied again, for it cannot be read: ${errorMessage(error.cause)}`);
    }
  }
}
