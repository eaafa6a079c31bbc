import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileSource, storeSource } from '../../../common/platform/storage/sources/source-location';
import { DELETION_HEAD, deletionLine, deletionTail } from './deletion-script';

const HOSTILE = [
  "it's.jpg",
  "'; touch pwned; '.jpg",
  '$(touch pwned).jpg',
  '`touch pwned`.jpg',
  '-rf',
  '--',
  'a b\\.jpg',
  '"quoted".jpg',
  '*.jpg',
  '!history.jpg',
  'صورة\u202egpj.jpg',
  '~.jpg',
  '#comment.jpg',
  '%s%n.jpg',
];

describe('the script that deletes files', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dms-script-'));
    mkdirSync(join(folder, 'in'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const place = (name: string): string => join(folder, 'in', name);
  const write = (name: string, text = 'picture') => writeFileSync(place(name), text);
  const file = (name: string, sizeBytes = 'picture'.length) => ({ source: fileSource(place(name)), sizeBytes });
  const run = (...lines: (string | undefined)[]): void => {
    execFileSync('sh', ['-s'], { cwd: folder, input: DELETION_HEAD + lines.join(''), stdio: ['pipe', 'pipe', 'pipe'] });
  };
  const left = (): string[] => readdirSync(join(folder, 'in')).sort();

  it('deletes files with hostile names, and nothing else', () => {
    write('kept.jpg');
    write('other.jpg');
    for (const name of HOSTILE) write(name);
    run(...HOSTILE.map((name) => deletionLine(file(name), file('kept.jpg'))));
    expect(left()).toEqual(['kept.jpg', 'other.jpg']);
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });

  it('does not delete files that have changed or of which no copy remains', () => {
    for (const name of ['a', 'changed', 'b', 'linked', 'c']) write(name);
    linkSync(place('linked'), place('link'));
    run(
      deletionLine(file('changed', 6), file('a')),
      deletionLine(file('b'), file('not there')),
      deletionLine(file('linked'), file('link')),
      deletionLine(file('c'), file('c')),
      deletionLine(file('a'), { source: storeSource('blobs/kept'), sizeBytes: 7 }),
    );
    expect(left()).toEqual(['b', 'c', 'changed', 'link', 'linked']);
  });

  it('keeps one of two files that would be deleted as copies of each other', () => {
    write('one');
    write('two');
    run(deletionLine(file('one'), file('two')), deletionLine(file('two'), file('one')));
    expect(left()).toEqual(['two']);
  });

  it('lists objects of buckets without the role, and omits uploads and control characters', () => {
    const stays = file('kept.jpg');
    const of = (source: string) => deletionLine({ source, sizeBytes: 1 }, stays);
    expect(of("s3://role@bucket/it's/a.jpg")).toBe("aws s3 rm 's3://bucket/it'\\''s/a.jpg'\n");
    expect(of(storeSource('blobs/a'))).toBeUndefined();
    expect(of('s3://bucket/a\u001b[201~\nb')).toBeUndefined();
    expect(of(fileSource('/data/a\nrm -rf b'))).toBeUndefined();
    expect([deletionTail(0), deletionTail(2)]).toEqual(['', expect.stringMatching(/^# 2 more media .*\n$/)]);
  });
});
