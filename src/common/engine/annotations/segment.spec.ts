import { randomUUID } from 'node:crypto';
import type { Annotation } from './annotation';
import { SHAPE_KINDS } from './annotation';
import { textsOf } from './attribute-columns';
import { textOfRuns } from './mask-runs';
import { ID_WORDS, putId, type Segment } from './segment';
import { SegmentBuilder } from './segment-builder';
import { decodeSegment, encodeSegment } from './segment-file';

const WHEN = '2026-03-01T10:00:00.000Z';
const said = (id: string, label: string, rest: Partial<Annotation> = {}): Annotation => ({
  id,
  label,
  createdBy: 'someone',
  createdAt: WHEN,
  updatedAt: WHEN,
  version: 1,
  ...rest,
});

async function built(pictures: readonly (readonly [string, readonly Annotation[]])[]) {
  const builder = new SegmentBuilder();
  for (const [id, annotations] of pictures) await builder.add(id, annotations);
  const { segment, shapes } = await builder.build();
  const read = (start: number, end: number): Promise<Buffer> => Promise.resolve(shapes.subarray(start, end + 1));
  return { segment: await decodeSegment(await encodeSegment(segment)), read };
}

function attributesIn({ columns }: Segment): unknown[][] {
  const { attributeFirsts: firsts, attributeCodes: codes } = columns;
  const textAt = textsOf(columns);
  return Array.from(columns.labels, (_, at) =>
    Array.from(codes.subarray(firsts[at], firsts[at + 1]), (code): unknown => JSON.parse(textAt(code))),
  );
}

describe('a segment of annotations', () => {
  it('returns what was put in, to the last digit', async () => {
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    const shapes = [
      said('1', 'cat', { box: [0.1 + 0.2, 1 / 3, 1e-17, 12345.678901234567], confidence: 0.30000000000000004 }),
      said('2', 'Katze ü', {
        polygon: [
          [0, 0, 10, 0, 10, 10, 0, 10],
          [2, 2, 4, 2, 4, 4],
        ],
        rotation: 12.5,
      }),
      said('3', 'cat', { mask: { width: 4, height: 2, counts: textOfRuns([1, 2, 5]) }, crowd: true }),
      said('4', 'person', { keypoints: [1, 2, 2, 3, 4, 0], box: [0, 0, 5, 6], area: 17.25, ignored: true }),
      said('5', 'outdoors', { attributes: { night: true, people: 2, weather: 'rain' }, trackId: 'a' }),
    ];
    const { segment, read } = await built([
      [first, shapes],
      [second, []],
      [third, [said('1', 'dog', { box: [1, 1, 2, 2] })]],
    ]);
    expect(await segment.annotationsOf([2, 0, 1], read)).toEqual([
      [said('1', 'dog', { box: [1, 1, 2, 2] })],
      shapes,
      [],
    ]);
    const { columns, labels } = segment;
    expect([...columns.firsts]).toEqual([0, 5, 5, 6]);
    expect([...columns.labels].map((label) => labels[label])).toEqual([
      'cat',
      'Katze ü',
      'cat',
      'person',
      'outdoors',
      'dog',
    ]);
    expect([...columns.kinds].map((kind) => SHAPE_KINDS[kind])).toEqual([
      'box',
      'polygon',
      'mask',
      'keypoints',
      'label',
      'box',
    ]);
    expect(columns.confidences[0]).toBe(0.30000000000000004);
    expect([...columns.areas]).toEqual([1e-17 * 12345.678901234567, 102, 2, 17.25, NaN, 4]);
    expect([...columns.flags]).toEqual([0, 0, 1, 2, 0, 0]);
    const ids = new Uint32Array(3 * ID_WORDS);
    [first, second, third].forEach((id, at) => putId(ids, at, id));
    expect(columns.ids).toEqual(ids);
  });

  it('reads only the blocks of the pictures', async () => {
    const boxes = Array.from({ length: 40 }, (_, at) => said(`${at}`, 'thing', { box: [at, at / 7, 1.5, 2] }));
    const ids = Array.from({ length: 400 }, () => randomUUID());
    const { segment, read } = await built(ids.map((id) => [id, boxes]));
    const reads: number[] = [];
    const counted = (start: number, end: number): Promise<Buffer> => {
      reads.push(end - start + 1);
      return read(start, end);
    };
    expect(await segment.annotationsOf([200, 201], counted)).toEqual([boxes, boxes]);
    expect(reads.length).toBeLessThanOrEqual(2);
    expect(segment.columns.offsets.length).toBeGreaterThan(10);
    expect(segment.size).toBe(16_400);
  });

  it('holds nothing', async () => {
    const { segment } = await built([]);
    expect([segment.pictures, segment.size]).toEqual([0, 0]);
  });

  it('has the attributes of copies with codes of its own, and decodes each once', async () => {
    const colours = ['red', 'grün', '__proto__', 'grey'];
    const given = (at: number): object =>
      at >= 200 || at % 50 >= 25
        ? {}
        : { colour: colours[at % 4], number: at % 3, ...(at % 5 === 0 && { own: `${at}` }) };
    const pictures = Array.from({ length: 300 }, (_, at) => {
      const annotations = [said('1', 'cat', { attributes: { ...given(at) } }), said('2', 'dog')];
      return [randomUUID(), annotations] as const;
    });
    const builder = new SegmentBuilder();
    await builder.add(randomUUID(), [said('1', 'cat', { attributes: { ...given(3), also: true } })]);
    const expected: object[] = [{ ...given(3), also: true }];
    const decoded = jest.spyOn(Buffer.prototype, 'toString');
    for (const first of [100, 0, 200]) {
      const source = await built(pictures.slice(first, first + 100));
      const kept = Array.from({ length: 100 }, (_, at) => at).filter((at) => at % 7 !== 0);
      decoded.mockClear();
      for await (const block of source.segment.storedBlocks(kept, source.read)) await builder.copy(block);
      const copied = kept.map((at) => given(first + at));
      expect(decoded).toHaveBeenCalledTimes(new Set(copied.flatMap(Object.entries).map(String)).size);
      for (const each of copied) expected.push(each, {});
    }
    decoded.mockRestore();
    const { segment } = await builder.build();
    const read = await decodeSegment(await encodeSegment(segment));
    expect(attributesIn(read)).toEqual(expected.map((each) => Object.entries(each)));
    expect(read.columns).toEqual(segment.columns);
    expect(read.size).toBe(builder.size);
  });

  it('is as large without attributes as before, and grows with their texts', async () => {
    const picture = (rest: Partial<Annotation>) => built([[randomUUID(), [said('1', 'cat', rest)]]]);
    const [none, few, long] = await Promise.all([
      picture({}),
      picture({ attributes: { occluded: true } }),
      picture({ attributes: { text: 'x'.repeat(6_400) } }),
    ]);
    const bytes = async ({ segment }: typeof none) => (await encodeSegment(segment)).length;
    expect(await bytes(await picture({ attributes: {} }))).toBe(await bytes(none));
    expect([none.segment.size, few.segment.size, long.segment.size]).toEqual([2, 2, 102]);
    expect(long.segment.bytes - none.segment.bytes).toBeGreaterThan(6_400);
  });

  it('is copied as a whole or in part, again and again', async () => {
    const pictures = Array.from(
      { length: 500 },
      (_, at) =>
        [
          randomUUID(),
          Array.from({ length: at % 7 }, (_annotation, i) =>
            said(`${at}-${i}`, `label ${(at * i) % 11}`, { confidence: at / 500 }),
          ),
        ] as const,
    );
    let source = await built(pictures);
    let expected = pictures.map(([, annotations]) => annotations);
    for (const keeps of [() => true, (at: number) => at % 97 !== 0, (at: number) => at < 400, () => true]) {
      const kept = expected.flatMap((_, at) => (keeps(at) ? [at] : []));
      const builder = new SegmentBuilder();
      await builder.add(randomUUID(), [said('first', 'another')]);
      for await (const block of source.segment.storedBlocks(kept, source.read)) await builder.copy(block);
      const { segment, shapes } = await builder.build();
      source = { segment, read: (start, end) => Promise.resolve(shapes.subarray(start, end + 1)) };
      expected = [[said('first', 'another')], ...kept.map((at) => expected[at]!)];
      const all = expected.map((_, at) => at);
      expect(await segment.annotationsOf(all, source.read)).toEqual(expected);
      const { firsts, labels, confidences } = segment.columns;
      expect([...labels].map((label) => segment.labels[label])).toEqual(expected.flat().map(({ label }) => label));
      expect([...confidences]).toEqual(expected.flat().map(({ confidence }) => confidence ?? NaN));
      expect(firsts.at(-1)).toBe(expected.flat().length);
    }
  });
});
