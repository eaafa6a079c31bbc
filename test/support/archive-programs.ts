import { spawnSync } from 'node:child_process';

export interface ArchiveProgram {
  readonly name: string;
  readonly isInstalled: boolean;
  /** Reads and checks every member and returns their names; throws the message of the program on errors. */
  readonly members: (path: string) => string[];
}

const READ_ALL = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    bad = archive.testzip()
    if bad is not None: sys.exit('broken: ' + bad)
    sys.stdout.buffer.write('\\n'.join(archive.namelist()).encode())
`;
const MAX_OUTPUT = 2 ** 28;

function outputOf(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: MAX_OUTPUT });
  if (status !== 0) throw new Error(`${command} answered ${status}: ${stdout.slice(-1_000)} ${stderr}`);
  return stdout;
}

const answers = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

/** External programs that read archives; they may be missing on a machine. */
export const ARCHIVE_PROGRAMS: readonly ArchiveProgram[] = [
  {
    name: 'unzip -t',
    isInstalled: answers('unzip', '-v'),
    members: (path) =>
      [...outputOf('unzip', ['-UU', '-t', path]).matchAll(/^\s+testing: (.*?)\s+OK$/gm)].map(([, name]) => name!),
  },
  {
    name: "Python's zipfile",
    isInstalled: answers('python3', '-c', 'import zipfile'),
    members: (path) => outputOf('python3', ['-c', READ_ALL, path]).split('\n'),
  },
];
