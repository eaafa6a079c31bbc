import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface ConsoleFile {
  readonly type: string;
  readonly etag: string;
  /** Whether its name changes with its content. */
  readonly isHashed: boolean;
  readonly plain: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
};

const HASHED_FOLDER = 'assets/';

/** The built console, by path. Only what is listed here is served, so no path leads anywhere else. Empty without a build. */
export function readConsoleFiles(folder: string): ReadonlyMap<string, ConsoleFile> {
  if (!existsSync(join(folder, 'index.html'))) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const compressed = (name: string, ending: string): Buffer | undefined =>
    names.includes(`${name}${ending}`) ? readFileSync(join(folder, `${name}${ending}`)) : undefined;
  const files = new Map<string, ConsoleFile>();
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const plain = readFileSync(join(folder, name));
    files.set(`/${name}`, {
      type,
      etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
      isHashed: name.startsWith(HASHED_FOLDER),
      plain,
      br: compressed(name, '.br'),
      gzip: compressed(name, '.gz'),
    });
  }
  return files;
}
