import { lstat, opendir, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../../errors/error-code';
import { OutageError } from '../../outage/outage';
import { parseSource } from './source-location';

const PROBE_LIMIT_MS = 10_000;

/** The error codes of a failing disk or mount; those of a missing or forbidden file are not among them. */
const FAILURES: ReadonlySet<string> = new Set([
  'EIO',
  'EREMOTEIO',
  'EBADMSG',
  'ESTALE',
  'ENOTCONN',
  'ENODEV',
  'ENXIO',
  'ETIMEDOUT',
  'ECONNRESET',
  'ECONNREFUSED',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
]);

export const isFileSystemFailure = (error: unknown): boolean => FAILURES.has(errorCode(error) ?? '');

export const isInside = (root: string, path: string): boolean => {
  const below = relative(root, path);
  return below === '' || (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below));
};

/** Why files below a folder cannot be read at the moment; undefined if they can. */
type Absence = 'is missing' | 'is empty' | 'does not answer' | 'fails' | undefined;

export class MediaRootOutageError extends OutageError {
  constructor(root: string, absence: NonNullable<Absence>) {
    const sentence = `The media folder ${root} ${absence}: check that its file system is mounted.`;
    super(`the media folder ${root}`, sentence, sentence);
  }
}

/** Distinguishes a missing file from a missing folder of MEDIA_ROOTS, for example because its network share is not mounted. */
export class MediaRoots {
  /** A call to a dead mount may never return, so there is at most one per root. */
  private readonly probes = new Map<string, Promise<Absence>>();

  constructor(
    private readonly roots: readonly string[],
    private readonly limitMs = PROBE_LIMIT_MS,
    private readonly look: (root: string) => Promise<Absence> = lookAt,
  ) {}

  /** Throws MediaRootOutageError if a root that contains the local file is unavailable. */
  async assertReachable(source: string): Promise<void> {
    const location = parseSource(source);
    if (location.kind !== 'file') return;
    for (const root of await this.around(resolve(location.path))) {
      const absence = await this.probe(root);
      if (absence !== undefined) throw new MediaRootOutageError(root, absence);
    }
  }

  /** Finds the roots that contain the path, by their names or else by their real paths; a root whose link is broken may contain it. */
  private async around(path: string): Promise<readonly string[]> {
    const named = this.roots.filter((root) => isInside(root, path));
    if (named.length > 0) return named;
    const isAround = await Promise.all(this.roots.map(async (root) => isInside((await realPlace(root)) ?? path, path)));
    return this.roots.filter((_, i) => isAround[i]);
  }

  private async probe(root: string): Promise<Absence> {
    const late = new AbortController();
    const tooLate = delay(this.limitMs, 'does not answer' as const, { ref: false, signal: late.signal });
    try {
      return await Promise.race([this.shared(root), tooLate]);
    } finally {
      late.abort();
      tooLate.catch(() => undefined);
    }
  }

  private shared(root: string): Promise<Absence> {
    const going = this.probes.get(root);
    if (going !== undefined) return going;
    const probe = this.look(root).finally(() => this.probes.delete(root));
    this.probes.set(root, probe);
    return probe;
  }
}

/** The real path of a root, or the path that it would have if it existed; undefined if a link is broken or cannot be read. */
async function realPlace(root: string): Promise<string | undefined> {
  try {
    return await realpath(root);
  } catch {
    const isMissing = await lstat(root).then(
      () => false,
      (error: unknown) => errorCode(error) === 'ENOENT',
    );
    const parent = isMissing ? await realPlace(dirname(root)) : undefined;
    return parent === undefined ? undefined : join(parent, basename(root));
  }
}

async function lookAt(root: string): Promise<Absence> {
  try {
    const folder = await opendir(root, { bufferSize: 1 });
    try {
      return (await folder.read()) === null ? 'is empty' : undefined;
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'is missing';
    return isFileSystemFailure(error) ? 'fails' : undefined;
  }
}
