import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ARCHIVE_PROGRAMS } from '../../../../test/support/archive-programs';
import { readZip } from '../../../../test/support/read-zip';
import { ZipBytes, type ArchiveMember } from './zip-bytes';

const MANY = 70_000;

const whole = (name: string, text = name): ArchiveMember => ({ name, bytes: Buffer.from(text) });

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

async function* breaking(): AsyncGenerator<Uint8Array> {
  yield* pieces('half');
  throw new Error('The stream failed');
}

async function* listed(members: Iterable<ArchiveMember>): AsyncGenerator<ArchiveMember> {
  for (const member of members) yield await Promise.resolve(member);
}

const written = (members: Iterable<ArchiveMember>): Promise<Buffer> => buffer(new ZipBytes().of(listed(members)));

function* many(): Generator<ArchiveMember> {
  for (let i = 0; i < MANY; i++) yield whole(`images/${i}.jpg`, String(i));
}

const small = (): ArchiveMember[] => [
  whole('images/plain.jpg'),
  whole('images/größer 日本.jpg'),
  whole('images/empty.jpg', ''),
  { name: 'metadata.json', stream: pieces('{"a":', '1'.repeat(500_000), '}'), level: 1 },
  { name: 'stored.bin', stream: pieces('as it ', 'is'), level: 0 },
  { name: 'nothing', stream: pieces(), level: 1 },
];

describe('the bytes of a zip archive', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zip-bytes-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('contain each member', async () => {
    const members = readZip(await written(small()));
    expect([...members.keys()]).toEqual(small().map(({ name }) => name));
    expect(members.get('stored.bin')!.toString()).toBe('as it is');
    expect(members.get('metadata.json')!).toHaveLength(500_006);
  });

  it('omit an optional member whose stream fails, and fail if that of a required member does', async () => {
    let reason: Error | undefined;
    const broken = { name: 'broken', stream: breaking(), level: 0, onBroken: (error: Error) => (reason = error) };
    const members = readZip(await written([whole('before'), broken, whole('after')]));
    expect([...members.keys()]).toEqual(['before', 'after']);
    expect(reason?.message).toBe('The stream failed');
    await expect(written([{ name: 'needed', stream: breaking(), level: 0 }])).rejects.toThrow('The stream failed');
  });

  for (const { name, isInstalled: isThere, members } of ARCHIVE_PROGRAMS) {
    (isThere ? it : it.skip)(`can be read by ${name}, also with more members than 16 bits can count`, async () => {
      const path = join(folder, 'archive.zip');
      await writeFile(path, await written(small()));
      expect(members(path)).toEqual(small().map((member) => member.name));
      await writeFile(path, await written(many()));
      expect(members(path)).toHaveLength(MANY);
    });
  }
});
