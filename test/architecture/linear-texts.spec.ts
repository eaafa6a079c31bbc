import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { OWN_TEXTS, TEXT_READERS } from '../support/hostile-texts';

const ROOT = join(__dirname, '..', '..');
const SHORT = 8_000;
const LONG = 4 * SHORT;
/** A quadratic algorithm takes a second or more for such a text. */
const AT_ONCE_MS = 100;
/** The growth is 4 if linear and 16 if quadratic. */
const MAX_GROWTH = 11;

const UNITS = [
  ...[
    '/',
    './',
    '\\',
    ' ',
    '\t',
    '\r\n',
    '\0',
    '"',
    '\\"',
    "'",
    "\\'",
    "'a',",
    '"a" ',
    '[',
    '[]',
    '{',
    '}',
    '(',
    ')',
    '(a OR ',
  ],
  ...[
    '-',
    '+-',
    '.',
    ',',
    ';',
    ':',
    '=',
    '%',
    '%2f',
    '@',
    'a@',
    '#',
    '?',
    '<',
    '0',
    '1.',
    '-1',
    'a',
    'A',
    'y',
    'ay',
    'a.',
    'a/',
  ],
  ...['ä', '\ud800', '\u0301', '\u0301\u0323', '\u0344', '\ufdfa', '한', 'ก', '一'],
];

/** Repeats a unit, then ends with characters that the expression does not match. */
function textOf(unit: string, length: number): string {
  // Marks of one combining class, which must be sorted before those of another.
  if (unit === '\u0301\u0323') return `a${'\u0301'.repeat(length / 2)}${'\u0323'.repeat(length / 2)}`;
  return `${unit.repeat(Math.ceil(length / unit.length))}\u0001`;
}

/** CPU time, because other programs on the machine affect the elapsed time. */
async function millisecondsOf(read: (text: string) => unknown, text: string): Promise<number> {
  const start = process.cpuUsage();
  await read(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** The minimum of several runs, which excludes garbage collection. */
async function leastOf(times: number, measure: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let i = 0; i < times; i++) least = Math.min(least, await measure());
  return least;
}

async function growth(read: (text: string) => unknown, unit: string): Promise<string | undefined> {
  const [short, long] = [textOf(unit, SHORT), textOf(unit, LONG)];
  if ((await millisecondsOf(read, long)) < AT_ONCE_MS) return undefined;
  const slow = await leastOf(3, () => millisecondsOf(read, long));
  const quick = await leastOf(3, () => millisecondsOf(read, short));
  if (slow < AT_ONCE_MS || slow < MAX_GROWTH * quick) return undefined;
  return `${JSON.stringify(unit)}: ${quick.toFixed(1)} ms for ${SHORT}, ${slow.toFixed(1)} ms for ${LONG}`;
}

/** The files with a regular expression. */
async function filesWithExpressions(): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(join(ROOT, 'src'), { recursive: true })) {
    if (!name.endsWith('.ts') || /\.(spec|contract)\.ts$/.test(name)) continue;
    const text = await readFile(join(ROOT, 'src', name), 'utf8');
    const holdsOne = (node: ts.Node): boolean =>
      ts.isRegularExpressionLiteral(node) ||
      (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') ||
      (ts.forEachChild(node, (child) => holdsOne(child) || undefined) ?? false);
    if (holdsOne(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true))) found.push(`src/${name}`);
  }
  return found.sort();
}

describe('untrusted texts', () => {
  it.each(Object.entries(TEXT_READERS))('are processed in linear time: %s', async (_name, { read }) => {
    const slow: string[] = [];
    for (const unit of UNITS) {
      const found = await growth(read, unit);
      if (found !== undefined) slow.push(found);
    }
    expect(slow).toEqual([]);
  });

  it('have a test for every file with a regular expression', async () => {
    const measured = Object.values(TEXT_READERS).flatMap(({ files }) => files);
    const known = new Set([...measured, ...Object.keys(OWN_TEXTS)]);
    expect((await filesWithExpressions()).filter((file) => !known.has(file))).toEqual([]);
    expect([...known].filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
