import { randomUUID } from 'node:crypto';
import type { Annotation } from '../../../common/engine/annotations/annotation';
import type { AttributeTests } from '../../../common/engine/annotations/attribute-tests';
import { ID_WORDS, putId } from '../../../common/engine/annotations/segment';
import { SegmentBuilder } from '../../../common/engine/annotations/segment-builder';
import { Random } from '../../../../test/support/random';
import { mergedWith, NO_SHAPES, type AnnotationSource, type SegmentRecord } from './domain/annotation-state';
import { MediaIds } from './domain/media-ids';
import { PlacedSource } from './placed-source';
import { FilePart } from './source-part';

const ROWS = 200;
const WHEN = '2026-03-01T10:00:00.000Z';

const said = (id: string, label: string): Annotation => ({
  ...{ id, label, createdBy: 'someone', createdAt: WHEN, updatedAt: WHEN, version: 1 },
});

/** A source that is written as edits write it. */
class WrittenSource {
  private readonly opened = new Map<string, FilePart>();
  private readonly said = new Map<string, readonly Annotation[]>();
  source: AnnotationSource = {
    ...{ name: 's', kind: 'predictions', modelId: null, createdAt: WHEN, counts: NO_SHAPES, segments: [] },
  };

  constructor(readonly ids: readonly string[]) {}

  async write(rows: readonly number[], label: string, more: Partial<Annotation> = {}): Promise<void> {
    const first = { ...said('1', label), ...more };
    const lists = new Map(rows.map((row) => [this.ids[row]!, [first, said('2', `${label}-2`)]]));
    const { segments } = this.source;
    const kept = segments.length - mergedWith(segments, 3 * lists.size);
    const own = new Map(segments.slice(kept).flatMap(({ id }) => [...this.pictures.get(id)!]));
    for (const [id, list] of lists) own.set(id, list);
    const builder = new SegmentBuilder();
    for (const [id, list] of own) await builder.add(id, list);
    const { segment, shapes } = await builder.build();
    const record: SegmentRecord = {
      id: randomUUID(),
      size: segment.size,
      pictures: segment.pictures,
      replaced: segments.slice(kept).map(({ id }) => id),
    };
    const read = (start: number, end: number): Promise<Buffer> => Promise.resolve(shapes.subarray(start, end + 1));
    this.opened.set(record.id, new FilePart(record.id, segment, read));
    this.pictures.set(record.id, own);
    for (const [id, list] of lists) this.said.set(id, list);
    this.source = { ...this.source, segments: [...segments.slice(0, kept), record] };
  }

  private readonly pictures = new Map<string, Map<string, readonly Annotation[]>>();

  segments(): FilePart[] {
    return this.source.segments.map(({ id }) => this.opened.get(id)!);
  }

  expected(): (readonly Annotation[])[] {
    return this.ids.map((id) => this.said.get(id) ?? []);
  }
}

async function tableOf(ids: readonly string[]): Promise<{ version: string; ids: MediaIds }> {
  const words = new Uint32Array(ids.length * ID_WORDS);
  ids.forEach((id, row) => putId(words, row, id));
  return { version: 'v', ids: await MediaIds.of(words) };
}

describe('a source placed on the rows of a table', () => {
  const ids = Array.from({ length: ROWS }, () => randomUUID());
  const all = Array.from({ length: ROWS }, (_, row) => row);

  it('has the latest of each picture, also when it follows from an earlier state', async () => {
    const random = new Random(11);
    const table = await tableOf(ids);
    const written = new WrittenSource(ids);
    let before: PlacedSource | undefined;
    const states: { source: AnnotationSource; segments: FilePart[]; expected: (readonly Annotation[])[] }[] = [];
    for (let change = 0; change < 60; change++) {
      const count = 1 + Math.floor(random.between(0, change % 7 === 0 ? 80 : 4));
      const rows = [...new Set(Array.from({ length: count }, () => Math.floor(random.between(0, ROWS))))];
      await written.write(rows, `label-${change}`);
      const placed = await PlacedSource.over(written.source, written.segments(), table, before);
      expect(await placed.annotationsOf(all)).toEqual(written.expected());
      expect(JSON.parse((await placed.jsonOf(all)).toString())).toEqual(written.expected());
      const listed: Annotation[] = [];
      for await (const { lists } of placed.inFileOrder()) listed.push(...lists.flat());
      expect(listed.map(({ label }) => label).sort()).toEqual(
        written
          .expected()
          .flat()
          .map(({ label }) => label)
          .sort(),
      );
      for (const label of [`label-${change}`, 'label-0'])
        expect([...(await placed.rowsWith([label, 'none'], {})).toArray()]).toEqual(
          all.filter((row) => written.expected()[row]!.some((annotation) => annotation.label === label)),
        );
      expect((await placed.rowsWith(undefined, { count: 2 })).size).toBe(
        written.expected().filter((annotations) => annotations.length >= 2).length,
      );
      before = placed;
      states.push({ source: written.source, segments: written.segments(), expected: written.expected() });
    }
    // As after a restore.
    for (const { source, segments, expected } of [states[3]!, states[40]!, states[0]!, states[59]!]) {
      const placed = await PlacedSource.over(source, segments, table, before);
      expect(await placed.annotationsOf(all)).toEqual(expected);
      before = placed;
    }
    expect(states[59]!.segments.length).toBeLessThan(10);
  });

  it('finds annotations by their attributes, also in several files', async () => {
    const many = Array.from({ length: 3_000 }, () => randomUUID());
    const written = new WrittenSource(many);
    await written.write([...many.keys()], 'cat', { attributes: { age: 5, colour: 'red' } });
    await written.write([7, 1_500, 2_999], 'cat', { attributes: { age: 9, colour: 'blue' } });
    await written.write([8], 'dog', { attributes: { age: 9 } });
    expect(written.segments().length).toBeGreaterThan(1);
    const placed = await PlacedSource.over(written.source, written.segments(), await tableOf(many));
    const found = async (tests: AttributeTests, rest: object = {}): Promise<number[]> => [
      ...(await placed.rowsWith(undefined, { attributes: tests, ...rest })).toArray(),
    ];
    expect(await found({ age: 9 })).toEqual([7, 8, 1_500, 2_999]);
    expect(await found({ age: [8, 20], colour: ['blue', 'green'] })).toEqual([7, 1_500, 2_999]);
    expect(await found({ age: 5 })).toHaveLength(many.length - 4);
    expect(await found({ age: 5 }, { count: 2 })).toEqual([]);
    expect([...(await placed.rowsWith(['dog'], { attributes: { age: 9 } })).toArray()]).toEqual([8]);
    expect([...(await placed.rowsWith(['dog-2', 'cat-2'], { attributes: { age: 9 } })).toArray()]).toEqual([]);
    const either = await placed.rowsWith(['cat-2', 'dog', 'cat'], { attributes: { age: 9 } });
    expect([...either.toArray()]).toEqual([7, 8, 1_500, 2_999]);
    const both = await placed.rowsWith(['cat', 'cat-2'], { attributes: { colour: 'red' }, confidence: [0, 1] });
    expect(both.size).toBe(0);
  });

  it('ignores media that are gone, and counts by label', async () => {
    const written = new WrittenSource(ids);
    await written.write(all, 'cat');
    await written.write([3], 'dog');
    const [kept, gone] = [ids.slice(100), ids.slice(0, 100)];
    const fewer = await tableOf([...kept, randomUUID()]);
    const placed = await PlacedSource.over(written.source, written.segments(), fewer);
    expect(await placed.annotationsOf([0, 100])).toEqual([[said('1', 'cat'), said('2', 'cat-2')], []]);
    expect((await placed.jsonOf([100])).toString()).toBe('[[]]');
    expect((await placed.jsonOf([])).toString()).toBe('[]');
    expect(fewer.ids.rowOfText(gone[0]!)).toBe(-1);
    const whole = await PlacedSource.over(written.source, written.segments(), await tableOf(ids));
    const labels = [undefined, 'dog', 'cat', 'none'];
    expect(labels.map((label) => whole.countAt(3, label))).toEqual([2, 1, 0, 0]);
    const counted = await Promise.all(labels.map((label) => whole.countedRows(label)));
    expect(counted.map(({ total }) => total)).toEqual([2 * all.length, 1, all.length - 1, 0]);
    expect([...counted[2]!.rows]).toEqual(all.filter((row) => row !== 3));
    expect([counted[2]!.placeOf(3), counted[0]!.before(3)]).toEqual([3, 6]);
  });

  it('compares confidences to the last digit, of a label as of all', async () => {
    const next = 0.1 + 2 ** -56;
    const given = [0.1, next, 0.5, 1, undefined];
    const written = new WrittenSource(ids);
    for (const [row, confidence] of given.entries())
      await written.write([row], 'cat', confidence === undefined ? {} : { confidence });
    const placed = await PlacedSource.over(written.source, written.segments(), await tableOf(ids));
    for (const labels of [undefined, ['cat'], ['cat', 'dog']])
      for (const least of [0, 0.1, next, 1])
        for (const most of [0.1, next, 0.7, 1]) {
          const expected = given.flatMap((each, row) => (each! >= least && each! <= most ? [row] : []));
          const found = await placed.rowsWith(labels, { confidence: [least, most] });
          expect([...found.toArray()]).toEqual(expected);
          const marked = await placed.rowsWith(labels, { confidence: [least, most], marked: true });
          expect(marked.size).toBe(0);
        }
  });

  it('finds the rows with so many annotations with any of some labels', async () => {
    const random = new Random(7);
    const written = new WrittenSource(ids);
    for (const label of ['cat', 'dog', 'cat', 'bird', 'dog'])
      await written.write(
        all.filter(() => random.integer(2) === 0),
        label,
      );
    const placed = await PlacedSource.over(written.source, written.segments(), await tableOf(ids));
    for (const labels of [undefined, ['cat'], ['dog', 'bird-2'], ['dog-2', 'dog', 'cat'], ['none']])
      for (const count of [1, 2, 3]) {
        const expected = written
          .expected()
          .flatMap((list, row) =>
            list.filter(({ label }) => labels?.includes(label) ?? true).length >= count ? [row] : [],
          );
        expect([...(await placed.rowsWith(labels, { count })).toArray()]).toEqual(expected);
      }
  });
});
