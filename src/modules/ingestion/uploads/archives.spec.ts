import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  paxHeader,
  tarHeader,
  tarMember,
  tarOf,
  zipOf,
  type TarMember,
  type ZipMember,
} from '../../../../test/support/archive-bytes';
import { memberPath } from './archive.reader';
import { openArchive, type ArchiveLimits } from '../../../common/platform/archives/open-archive';

const GENEROUS: ArchiveLimits = { maxBytes: 1024 ** 3, maxMembers: 1000 };
const FIXTURES = join(__dirname, '../../../../test/fixtures/archives');
const MIB = 1024 * 1024;

function* pieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The paths and bytes of an archive that is read in chunks of this size. */
async function read(bytes: Buffer, piece = 64 * 1024, limits = GENEROUS): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for await (const member of openArchive(Readable.from(pieces(bytes, piece)), limits)) {
    const path = memberPath(member);
    if (path === undefined) continue;
    const parts: Buffer[] = [];
    for await (const part of member.bytes) parts.push(part);
    found.push([path, Buffer.concat(parts).toString('latin1')]);
  }
  return found;
}

const refusal = (bytes: Buffer, limits = GENEROUS): Promise<string> =>
  read(bytes, 64 * 1024, limits).then(
    (found) => `taken: ${JSON.stringify(found).slice(0, 200)}`,
    (error: unknown) => (error as Error).message.replace("The archive can't be taken in: ", ''),
  );

const picture = (text: string) => ({ name: `${text}.jpg`, bytes: Buffer.from(text) });

const zipMembers: fc.Arbitrary<ZipMember[]> = fc
  .array(
    fc.record({
      bytes: fc.uint8Array({ maxLength: 2000 }),
      isStored: fc.boolean(),
      isZip64: fc.boolean(),
      descriptor: fc.constantFrom('narrow', 'wide', 'unmarked', undefined),
    }),
    { maxLength: 8 },
  )
  .map((members) =>
    members.map(({ descriptor, ...member }, at) => ({
      ...member,
      name: `folder/${at}.jpg`,
      // An unmarked descriptor after stored bytes would be ambiguous.
      ...(descriptor === undefined || (descriptor === 'unmarked' && member.isStored) ? {} : { descriptor }),
    })),
  );

describe('a zip', () => {
  it('is read as it was written, for any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(zipMembers, fc.boolean(), fc.integer({ min: 1, max: 3000 }), async (members, isZip64, piece) => {
        const expected = members.map(({ name, bytes }) => [name, Buffer.from(bytes!).toString('latin1')]);
        const bytes = zipOf(members, { isZip64, comment: 'made by a test' });
        if (members.length > 0) expect(await read(bytes, piece)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('may list its members in any order in the central directory', async () => {
    const members = ['a', 'b', 'c'].map(picture);
    expect((await read(zipOf(members, { reversed: true }))).map(([path]) => path)).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
  });

  it('may contain members that look like signatures', async () => {
    const bytes = Buffer.from('PK\x07\x08PK\x07PPK\x07\x08aaaaaaaaaaaaaaaaPK\x03\x04PK\x01\x02PK\x07', 'latin1');
    for (const isStored of [true, false]) {
      const zip = zipOf([{ name: 'a.jpg', bytes, isStored, descriptor: 'narrow' }, picture('b')]);
      for (const piece of [1, 7, 1000])
        expect((await read(zip, piece))[0]).toEqual(['a.jpg', bytes.toString('latin1')]);
    }
  });

  it('yields only media and annotations, with their folders', async () => {
    const names = [
      'a.jpg',
      'deep/er/b.PNG',
      'clip.mp4',
      'annotations.json',
      'deep/',
      'deep/notes.txt',
      'deep/annotations.json',
      '.hidden.jpg',
      '.git/c.jpg',
      'x/.cache/d.jpg',
      '__MACOSX/._a.jpg',
      '__MACOSX/e.jpg',
      './f.jpg',
      'no-extension',
    ];
    const kept = ['a.jpg', 'deep/er/b.PNG', 'clip.mp4', 'annotations.json', 'f.jpg'];
    expect((await read(zipOf(names.map((name) => ({ name }))))).map(([path]) => path)).toEqual(kept);
    const folders = (name: string): TarMember => ({ name, type: name.endsWith('/') ? '5' : '0' });
    expect((await read(tarOf([{ name: './', type: '5' }, ...names.map(folders)]))).map(([path]) => path)).toEqual(kept);
  });

  it('may have member names in an old code page', async () => {
    const zip = zipOf([{ name: Buffer.from([0x81, 0x2e, 0x6a, 0x70, 0x67]), flags: 0 }]);
    expect((await read(zip)).map(([path]) => path)).toEqual(['ü.jpg']);
  });

  it.each<[string, ZipMember[] | Buffer, RegExp]>([
    ['climbs', [{ name: '../../a.jpg' }], /^its member "\.\.\/\.\.\/a\.jpg" leads through '\.\.'$/],
    ['climbs out of a folder', [{ name: 'x/../../a.txt' }], /leads through '\.\.'/],
    ['is absolute', [{ name: '/etc/a.jpg' }], /is not relative/],
    ['has a drive', [{ name: 'C:/a.jpg' }], /is not relative/],
    ['has a backslash', [{ name: '..\\a.jpg' }], /holds a backslash/],
    ['has a NUL', [{ name: 'a.jpg\0.txt' }], /control character/],
    ['has a long name', [{ name: `${'x/'.repeat(600)}a.jpg` }], /is longer than 1024 bytes/],
    ['has a name of no text', [{ name: Buffer.from([0xff, 0x2e]), flags: 0x800 }], /not valid UTF-8/],
    ['is encrypted', [{ ...picture('a'), flags: 0x801 }], /^its member "a\.jpg" is encrypted$/],
    ['is packed by another method', [{ ...picture('a'), method: 14 }], /method \(14\)/],
    ['is a link', [{ ...picture('a'), mode: 0o120777 }], /^its member "a\.jpg" is a link or a device$/],
    ['is a device', [{ ...picture('a'), mode: 0o060644 }], /is a link or a device/],
    ['has another CRC', [{ ...picture('a'), says: { crc: 1 } }], /^its member "a\.jpg" is damaged/],
    ['has another size', [{ ...picture('a'), says: { bytes: 7 } }], /is damaged/],
    ['has another CRC behind', [{ ...picture('a'), descriptor: 'narrow', says: { crc: 1 } }], /is damaged/],
    [
      'is listed by another name',
      [{ ...picture('a'), listedAs: { name: Buffer.from('b.jpg') } }],
      /does not match its entry/,
    ],
    [
      'is listed with another CRC',
      [{ ...picture('a'), listedAs: { crc: 1 } }],
      /does not match its entry in the central directory/,
    ],
    ['is listed with another size', [{ ...picture('a'), listedAs: { bytes: 2 } }], /does not match its entry/],
    ['is listed elsewhere', [{ ...picture('a'), listedAs: { offset: 1 } }], /does not match its entry/],
    ['is listed twice', [picture('a'), { ...picture('a'), listedAs: { offset: 0 } }], /does not match its entry/],
    ['is not in the list', zipOf([picture('a')], { count: 2 }), /its central directory does not match its members/],
    [
      'is followed by bytes',
      Buffer.concat([zipOf([picture('a')]), Buffer.from('x')]),
      /it contains unexpected data after its end/,
    ],
    [
      'follows another',
      Buffer.concat([zipOf([picture('a')]), zipOf([picture('b')])]),
      /it contains unexpected data after its end/,
    ],
    [
      'has a list of nothing',
      Buffer.concat([zipOf([picture('a')]).subarray(0, 38), zipOf([])]),
      /is damaged|does not match its members/,
    ],
  ])('is refused when a member %s', async (_, members, sentence) => {
    expect(await refusal(Buffer.isBuffer(members) ? members : zipOf(members))).toMatch(sentence);
  });

  it('is refused if it is truncated anywhere', async () => {
    const zip = zipOf([picture('a'), { ...picture('b'), descriptor: 'narrow' }, { ...picture('c'), isStored: true }]);
    for (let end = 4; end < zip.length; end++)
      expect(await refusal(zip.subarray(0, end))).toMatch(/^(it|its|the|one) /);
  });

  it('never yields wrong content after any byte is changed', async () => {
    const zip = zipOf([picture('aaaa'), { ...picture('bbbb'), descriptor: 'narrow' }]);
    const right = JSON.stringify(await read(zip));
    for (let at = 0; at < zip.length; at++) {
      const changed = Buffer.from(zip);
      changed[at]! ^= 0x41;
      const found = await read(changed).catch(() => undefined);
      if (found !== undefined) expect(JSON.stringify(found)).toBe(right);
    }
  });
});

describe('a tar', () => {
  const long = `${'deep/'.repeat(40)}a.jpg`;

  it.each([1, 100, 512, 65536])('is read as it was written, in chunks of %d bytes', async (piece) => {
    const body = Buffer.from('x'.repeat(1500));
    const tar = tarOf([
      picture('plain'),
      { ...picture('prefixed'), prefix: 'folder/sub' },
      { ...picture('binary'), binarySize: true },
      paxHeader({ path: long, size: '1500', mtime: '1.5' }),
      { name: 'short.jpg', bytes: body },
      tarMember({ name: '././@LongLink', type: 'L', bytes: Buffer.from(`gnu/${long}\0`), isGnu: true }),
      { ...picture('cut'), isGnu: true },
      paxHeader({ comment: 'of all' }, 'g'),
      { name: 'old/', type: '\0' },
      { ...picture('old/style'), type: '\0' },
    ]);
    const expected = [
      ['plain.jpg', 'plain'],
      ['folder/sub/prefixed.jpg', 'prefixed'],
      ['binary.jpg', 'binary'],
      [long, body.toString()],
      [`gnu/${long}`, 'cut'],
      ['old/style.jpg', 'old/style'],
    ];
    expect(await read(tar, piece)).toEqual(expected);
    expect(await read(gzipSync(tar), piece)).toEqual(expected);
  });

  it.each<[string, (TarMember | Buffer)[], RegExp]>([
    ['climbs', [{ name: '../a.jpg' }], /leads through '\.\.'/],
    ['climbs by its long name', [paxHeader({ path: '../../a.jpg' }), picture('a')], /leads through '\.\.'/],
    ['is absolute', [{ name: '/a.jpg' }], /is not relative/],
    ['is a hard link', [{ name: 'a.jpg', type: '1' }], /is a link/],
    ['is a link', [{ name: 'a.jpg', type: '2' }], /^its member "a\.jpg" is a link$/],
    ['is a device', [{ name: 'a.jpg', type: '3' }], /is a device/],
    ['is a pipe', [{ name: 'a.jpg', type: '6' }], /is a pipe/],
    ['is sparse', [{ name: 'a.jpg', type: 'S' }], /is a sparse file/],
    ['is sparse by its records', [paxHeader({ 'GNU.sparse.major': '1' }), picture('a')], /sparse/],
    ['is of no known kind', [{ name: 'a.jpg', type: 'V' }], /not supported/],
    ['has records without end', [tarHeader({ name: 'x', type: 'x', size: 1024 ** 3 })], /too large/],
    ['has broken records', [tarMember({ name: 'x', type: 'x', bytes: Buffer.from('99 a=b\n') })], /damaged/],
    ['is named for all', [paxHeader({ path: 'b.jpg' }, 'g'), picture('a')], /one name or size/],
    ['has no such size', [paxHeader({ size: '-1' }), picture('a')], /damaged/],
    ['has a broken header', [picture('a'), Buffer.alloc(512, 7)], /headers is damaged/],
  ])('is refused when a member %s', async (_, parts, sentence) => {
    expect(await refusal(tarOf(parts))).toMatch(sentence);
  });

  it('is refused if it is truncated, or continues after its end', async () => {
    const tar = tarOf([picture('a')]);
    for (const end of [100, 512, 600, 1024, 1100, 1536])
      expect(await refusal(tar.subarray(0, end))).not.toMatch(/^taken/);
    expect(await refusal(Buffer.concat([tar, tar]))).toBe('it contains unexpected data after its end');
    expect(await read(Buffer.concat([tar, Buffer.alloc(10_240)]))).toEqual([['a.jpg', 'a']]);
    const packed = gzipSync(tar);
    expect(await refusal(packed.subarray(0, packed.length - 9))).toMatch(/damaged or truncated/);
    expect(await refusal(Buffer.concat([packed.subarray(0, 20), Buffer.alloc(20, 255)]))).toMatch(
      /damaged or truncated/,
    );
  });
});

describe('an archive', () => {
  it.each(readdirSync(FIXTURES))('%s, as another program made it, is read', async (name) => {
    const found = await read(await readFile(join(FIXTURES, name)));
    expect(found.sort()).toEqual([
      ['a.jpg', 'first picture'],
      ['sub/ü.jpg', 'second picture, '.repeat(20)],
    ]);
  });

  it('is recognised by its bytes', async () => {
    expect(await refusal(Buffer.from('not an archive at all'))).toBe('it is neither a zip nor a tar');
    expect(await refusal(Buffer.alloc(0))).toBe('it is neither a zip nor a tar');
    expect(await refusal(gzipSync('not a tar'))).toBe('it is neither a zip nor a tar');
  });

  it('is limited while it is unpacked', async () => {
    const zeros = { name: 'zeros.bmp', bytes: Buffer.alloc(8 * MIB) };
    const small = { ...GENEROUS, maxBytes: 5 * MIB };
    for (const archive of [
      zipOf([zeros]),
      tarOf([zeros]),
      gzipSync(tarOf([zeros])),
      zipOf([{ ...zeros, isStored: true }]),
    ])
      expect(await refusal(archive, small)).toMatch(
        /unpacked, it is larger than 5242880 bytes.*\(MAX_ARCHIVE_BYTES\)$/,
      );
    expect(await refusal(zipOf(['a', 'b', 'c'].map(picture)), { ...GENEROUS, maxMembers: 2 })).toMatch(
      /than 2 members/,
    );
  });

  it('is refused if it is a bomb, even among other members', async () => {
    const bomb = { name: 'bomb.bmp', bytes: Buffer.alloc(110 * MIB) };
    const noise = Buffer.alloc(2 * MIB, 1);
    for (const archive of [
      zipOf([bomb]),
      zipOf([{ name: 'n.jpg', bytes: noise, isStored: true }, bomb]),
      gzipSync(tarOf([bomb])),
    ])
      expect(await refusal(archive)).toBe('it unpacks to more than 200 times its size');
  });
});
