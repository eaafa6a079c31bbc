import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rm, type FileHandle } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { LocalFile } from './folder.js';
import { LockFile } from './lock-file.js';

/** The target of an upload. An indexed dataset receives files by tasks, without a transaction. */
export interface Target {
  readonly datasetId: string;
  readonly transactionId: number | null;
}

type Line = { readonly target: Target } | { readonly sent: readonly string[] };

/** Changes with the file, so that a file changed in the meantime is sent again. */
const markOf = ({ path, size, modifiedMs }: LocalFile): string => `${size} ${modifiedMs} ${path}`;

/** The user's folder for the state of programs. */
export function stateFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_STATE_HOME: state, LOCALAPPDATA: local } = environment;
  if (state !== undefined && state !== '') return join(state, 'dms');
  if (process.platform === 'win32' && local !== undefined) return join(local, 'dms', 'state');
  return join(homedir(), '.local', 'state', 'dms');
}

/** The journal of the upload of a folder to a dataset of a service. */
export function journalPath(url: string, dataset: string, folder: string): string {
  const name = createHash('sha256')
    .update(JSON.stringify([url, dataset, folder]))
    .digest('hex')
    .slice(0, 32);
  return join(stateFolder(), 'uploads', `${name}.jsonl`);
}

/**
 * Records the files that the service has received, one line per batch. An incomplete line, left by a killed program, is ignored, and its batch is
 * sent again. Only one upload at a time can use a journal.
 */
export class Journal {
  private isClosed = false;

  private constructor(
    private readonly path: string,
    private readonly lock: LockFile,
    private readonly file: FileHandle,
    readonly target: Target | undefined,
    private readonly sent: ReadonlySet<string>,
  ) {}

  /** Throws UploadRunningError while another upload uses the journal. */
  static async open(path: string): Promise<Journal> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const lock = await LockFile.take(`${resolve(path)}.lock`);
    try {
      const lines = await readLines(path);
      const file = await open(path, 'a', 0o600);
      const target = lines.flatMap((line) => ('target' in line ? [line.target] : [])).at(-1);
      const sent = new Set(lines.flatMap((line) => ('sent' in line ? line.sent : [])));
      return new Journal(path, lock, file, target, sent);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  has(file: LocalFile): boolean {
    return this.sent.has(markOf(file));
  }

  begin(target: Target): Promise<void> {
    return this.write({ target });
  }

  received(files: readonly LocalFile[]): Promise<void> {
    return this.write({ sent: files.map(markOf) });
  }

  /** May be called twice. */
  close(): Promise<void> {
    return this.end(false);
  }

  /** Deletes the journal after the upload is complete. */
  finish(): Promise<void> {
    return this.end(true);
  }

  private async end(isComplete: boolean): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.file.close();
    if (isComplete) await rm(this.path, { force: true });
    await this.lock.release();
  }

  /** Starts with a line break, because the line before it may be incomplete. */
  private async write(line: Line): Promise<void> {
    await this.file.appendFile(`\n${JSON.stringify(line)}`);
  }
}

async function readLines(path: string): Promise<Line[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Line];
    } catch {
      return [];
    }
  });
}
