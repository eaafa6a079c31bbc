import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import type { Figure } from '../bench';

const PAGE = join(__dirname, '..', '..', 'docs', 'benchmarks.md');

const INTRODUCTION = `# Benchmarks
The figures of the last run of each bench. \`npm run bench -- NAME\` writes the section of its bench; a run with other sizes has a section of its own. Do not edit this page by hand. Times
say something only where the load average is well below the number of cores; counts and qualities hold on a busy machine too.
`;

/** Environment variables that change what a bench measures. */
const SETTINGS = [
  ...[
    'BOXES',
    'BYTES',
    'CONNECTIONS',
    'FILES',
    'IMAGES',
    'LADDER',
    'LARGE',
    'MINUTES',
    'MODEL',
    'PER_FAMILY',
    'PER_SET',
  ],
  ...['PICTURES', 'READS', 'ROWS', 'SIZES', 'STREAMS', 'VIEWS'],
];

function titleOf(bench: string): string {
  const given = SETTINGS.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [`${name}=${basename(value)}`];
  });
  return [bench, ...given].join(' ');
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: __dirname, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

/** The commit that the bench was built from. */
function currentCommit(): string {
  try {
    const changed = git('status', '--porcelain', '--', ':/', ':(top,exclude)docs/benchmarks.md') !== '';
    return `commit ${git('rev-parse', '--short=8', 'HEAD')}${changed ? ' with changes' : ''}`;
  } catch {
    return 'no commit';
  }
}

/** The commit and the state of the machine. Call it before the bench loads the machine. */
export function conditions(): string {
  const cores = `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'})`;
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GiB of memory`;
  return `${currentCommit()}; ${cores}, ${memory}, load average ${loadavg()[0]!.toFixed(1)} at the start`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

const rowOf = ({ metric, value, unit, reach, ok }: Figure): string =>
  `| ${cell(metric)} | ${value}${unit === '' ? '' : ` ${unit}`} | ${cell(reach)} | ${ok ? 'yes' : 'no'} |\n`;

/** The page with this section in place of an earlier one of the same bench. */
function withSection(page: string, title: string, text: string): string {
  const sections = page.split(/^## /m).slice(1);
  const others = sections.filter((section) => !section.startsWith(`${title}\n`));
  const sorted = [...others, `${title}\n${text}`].map((section) => section.trim()).sort();
  return `${INTRODUCTION}${sorted.map((section) => `\n## ${section}\n`).join('')}`;
}

export async function writeFigures(bench: string, ran: string, figures: readonly Figure[]): Promise<void> {
  if (figures.length === 0) return;
  const text = `${ran}

| metric | value | goal | reached |
|---|---|---|---|
${figures.map(rowOf).join('')}`;
  const page = await readFile(PAGE, 'utf8').catch(() => '');
  await writeFile(PAGE, withSection(page, titleOf(bench), text));
}
