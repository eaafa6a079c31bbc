import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  InvalidKeyError,
  ObjectExistsError,
  ObjectNotFoundError,
  RangeNotSatisfiableError,
  type ByteRange,
  type ObjectStore,
} from './object-store';

const text = (value: string): Buffer => Buffer.from(value);
const inPieces = (whole: Buffer, size: number): Readable =>
  Readable.from(
    (function* () {
      for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
    })(),
    { objectMode: false },
  );

async function allKeys(store: ObjectStore, prefix: string, limit: number): Promise<string[]> {
  const keys: string[] = [];
  let after: string | undefined;
  do {
    const page = await store.list(prefix, { limit, ...(after === undefined ? {} : { after }) });
    expect(page.objects.length).toBeLessThanOrEqual(limit);
    keys.push(...page.objects.map(({ key }) => key));
    after = page.next;
  } while (after !== undefined);
  return keys;
}

/** The contract of every object store. `make` creates an empty store for each test. */
export function describeObjectStore(name: string, make: () => Promise<ObjectStore>): void {
  describe(`${name} as an object store`, () => {
    let store: ObjectStore;
    const read = async (key: string, range?: ByteRange) => {
      const bytes = await store.read(key, range);
      expect((await buffer(await store.get(key, range))).equals(bytes)).toBe(true);
      return bytes;
    };

    beforeEach(async () => {
      store = await make();
    });

    it('passes its own check', async () => {
      await expect(store.check()).resolves.toBeUndefined();
      expect(await allKeys(store, '', 10)).toEqual([]);
    });

    it('returns the bytes that were put, with their metadata', async () => {
      const put = await store.put('a/b.jpg', text('hello'));
      expect(await read('a/b.jpg')).toEqual(text('hello'));
      expect(put).toMatchObject({ key: 'a/b.jpg', size: 5, contentType: 'image/jpeg' });
      expect(await store.head('a/b.jpg')).toMatchObject({
        key: 'a/b.jpg',
        size: 5,
        etag: put.etag,
        contentType: 'image/jpeg',
      });
      expect(Math.abs(Date.now() - put.lastModified.getTime())).toBeLessThan(3_600_000);
    });

    it.each([0, 1, 70_000, 8 * 1024 * 1024, 20 * 1024 * 1024 + 3])(
      'streams %i bytes in and out unchanged',
      async (size) => {
        const body = randomBytes(size);
        const put = await store.put('blob.bin', inPieces(body, 65_521));
        expect(put.size).toBe(size);
        expect((await read('blob.bin')).equals(body)).toBe(true);
      },
    );

    it('replaces an object, and changes its etag', async () => {
      const first = await store.put('k', text('first, and longer'));
      const second = await store.put('k', text('second'));
      expect(await read('k')).toEqual(text('second'));
      expect(second.etag).not.toBe(first.etag);
    });

    it('writes only if the key is absent with ifAbsent', async () => {
      await store.put('once', text('1'), { ifAbsent: true });
      await expect(store.put('once', text('2'), { ifAbsent: true })).rejects.toBeInstanceOf(ObjectExistsError);
      const large = inPieces(randomBytes(9 * 1024 * 1024), 1 << 20);
      await expect(store.put('once', large, { ifAbsent: true })).rejects.toBeInstanceOf(ObjectExistsError);
      expect(await read('once')).toEqual(text('1'));
    });

    it('accepts exactly one of many concurrent writes with ifAbsent', async () => {
      const tries = Array.from({ length: 12 }, (_, i) => store.put('race', text(`writer ${i}`), { ifAbsent: true }));
      const outcomes = await Promise.allSettled(tries);
      const winners = outcomes.flatMap((outcome, i) => (outcome.status === 'fulfilled' ? [i] : []));
      expect(winners).toHaveLength(1);
      expect(await read('race')).toEqual(text(`writer ${winners[0]!}`));
    });

    it('stores nothing when the stream of a put fails', async () => {
      const broken = Readable.from(
        (function* () {
          yield randomBytes(9 * 1024 * 1024);
          throw new Error('the client went away');
        })(),
      );
      await expect(store.put('half', broken)).rejects.toThrow('the client went away');
      expect(await store.head('half')).toBeUndefined();
      expect(await allKeys(store, '', 10)).toEqual([]);
    });

    it('reads ranges, clipped at the end of the object', async () => {
      await store.put('digits', text('0123456789'));
      expect(await read('digits', { start: 0, end: 0 })).toEqual(text('0'));
      expect(await read('digits', { start: 2, end: 5 })).toEqual(text('2345'));
      expect(await read('digits', { start: 7, end: 99 })).toEqual(text('789'));
      for (const ask of [store.get.bind(store), store.read.bind(store)])
        await expect(ask('digits', { start: 10, end: 12 })).rejects.toBeInstanceOf(RangeNotSatisfiableError);
    });

    it('reports a missing object', async () => {
      await store.put('folder/file', text('x'));
      for (const key of ['none', 'folder', 'folder/none', 'folder/file/below']) {
        expect(await store.head(key)).toBeUndefined();
        await expect(store.get(key)).rejects.toBeInstanceOf(ObjectNotFoundError);
        await expect(store.read(key)).rejects.toBeInstanceOf(ObjectNotFoundError);
      }
      await expect(store.copy('none', 'there')).rejects.toBeInstanceOf(ObjectNotFoundError);
    });

    it('lists in pages, ordered by UTF-8 bytes', async () => {
      const keys = [
        'p/a-b',
        'p/a/1',
        'p/a/2/x',
        'p/a/2-',
        'p/a.txt',
        'p/a0',
        'p/007',
        'p/1e3',
        'p/1.0',
        'p/ü',
        'p/\uffee',
        'p/😀',
        'p/Z',
        'q',
        'p',
      ].filter((key) => key !== 'p');
      await Promise.all(keys.map((key) => store.put(key, text(key))));
      const sorted = [...keys].sort((a, b) => Buffer.compare(text(a), text(b)));
      for (const limit of [1, 2, 5, 100]) expect(await allKeys(store, '', limit)).toEqual(sorted);
      expect(await allKeys(store, 'p/a', 2)).toEqual(sorted.filter((key) => key.startsWith('p/a')));
      expect(await allKeys(store, 'p/a/', 2)).toEqual(sorted.filter((key) => key.startsWith('p/a/')));
      expect(await allKeys(store, 'nothing/', 2)).toEqual([]);
    });

    it('lists the same size and etag as head', async () => {
      await store.put('x/1.json', text('{}'));
      const [listed] = (await store.list('x/')).objects;
      expect(listed).toMatchObject({
        key: 'x/1.json',
        size: 2,
        etag: (await store.head('x/1.json'))!.etag,
        contentType: 'application/json',
      });
    });

    it('keeps keys with unusual characters apart', async () => {
      const keys = [
        'a b',
        "a'b",
        'a"b',
        'a%20b',
        'a+b',
        'a&b',
        'a#b',
        'a?b',
        'a<b>',
        'ä',
        'a\u0308',
        '日本',
        '😀',
        '~',
        '$(x)',
        '*',
        'a:b',
        '{x}',
        ' a',
      ];
      await Promise.all(keys.map((key) => store.put(`odd/${key}`, text(key))));
      for (const key of keys) expect((await read(`odd/${key}`)).toString()).toBe(key);
      expect((await allKeys(store, 'odd/', 3)).sort()).toEqual(keys.map((key) => `odd/${key}`).sort());
      await store.copy('odd/a%20b', 'odd/copy of a+b & c');
      expect((await read('odd/copy of a+b & c')).toString()).toBe('a%20b');
      await store.delete(keys.map((key) => `odd/${key}`));
      expect(await allKeys(store, 'odd/', 10)).toEqual(['odd/copy of a+b & c']);
    });

    it.each([
      '',
      '/a',
      'a/',
      'a//b',
      '.',
      '..',
      'a/../b',
      '../a',
      'a/.',
      'nul\0',
      'line\nbreak',
      'a\\b',
      '\ud800',
      'x'.repeat(256),
      `${'x/'.repeat(600)}x`,
    ])('refuses the key %j', async (key) => {
      await expect(store.put(key, text('x'))).rejects.toBeInstanceOf(InvalidKeyError);
      await expect(store.get(key)).rejects.toBeInstanceOf(InvalidKeyError);
      await expect(store.head(key)).rejects.toBeInstanceOf(InvalidKeyError);
      await expect(store.delete([key])).rejects.toBeInstanceOf(InvalidKeyError);
    });

    it('accepts keys up to the maximum length', async () => {
      const key = `${'ä'.repeat(127)}/${'x'.repeat(255)}`;
      await store.put(key, text('long'));
      expect((await store.list('')).objects.map((object) => object.key)).toEqual([key]);
      expect(await read(key)).toEqual(text('long'));
    });

    it('copies, also to an existing key', async () => {
      await store.put('from.png', text('picture'));
      await store.put('to/there.png', text('old'));
      await store.copy('from.png', 'to/there.png');
      expect(await read('to/there.png')).toEqual(text('picture'));
      expect(await read('from.png')).toEqual(text('picture'));
    });

    it('deletes objects, and ignores missing keys', async () => {
      await Promise.all(['a/1', 'a/2', 'b'].map((key) => store.put(key, text(key))));
      await store.delete(['a/1', 'never/was', 'b', 'a']);
      expect(await allKeys(store, '', 10)).toEqual(['a/2']);
      await store.delete([]);
    });

    it('deletes by prefix, which may end within a part of a key', async () => {
      const keys = ['w/job-1/a', 'w/job-1/b/c', 'w/job-10/a', 'w/job-2/a', 'w/other'];
      await Promise.all(keys.map((key) => store.put(key, text(key))));
      await store.deletePrefix('w/job-1/');
      expect(await allKeys(store, '', 10)).toEqual(['w/job-10/a', 'w/job-2/a', 'w/other']);
      await store.deletePrefix('w/job-');
      expect(await allKeys(store, '', 10)).toEqual(['w/other']);
      await store.deletePrefix('absent/');
      await expect(store.deletePrefix('')).rejects.toBeInstanceOf(InvalidKeyError);
    });

    it('can put into a folder that is emptied concurrently', async () => {
      await Promise.all(
        Array.from({ length: 40 }, async (_, i) => {
          await store.put(`busy/deep/folder/${i}`, text('x'));
          await store.delete([`busy/deep/folder/${i}`]);
        }),
      );
      expect(await allKeys(store, 'busy/', 10)).toEqual([]);
    });
  });
}
