import { randomUUID } from 'node:crypto';
import { putId } from '../annotations/segment';
import { decodeOutcomes, encodeOutcomes } from './outcome-file';
import { annotationKey, codeOf, NONE, type OutcomeColumns } from './outcomes';

const ids = new Uint32Array(8);
[randomUUID(), randomUUID()].forEach((id, at) => putId(ids, at, id));

const COLUMNS: OutcomeColumns = {
  ids,
  truthFirsts: Int32Array.of(0, 1, 2),
  truthLabels: Int32Array.of(1, 0),
  truthAreas: Float32Array.of(NaN, 12.5),
  truthCounts: Uint8Array.of(1, 0),
  truthPartners: Int32Array.of(0, NONE),
  truthClaims: Int32Array.of(NONE, NONE),
  truthKeys: Uint32Array.of(annotationKey({ id: 'a', version: 1 }), 2 ** 32 - 1),
  predictionFirsts: Int32Array.of(0, 2, 2),
  predictionLabels: Int32Array.of(1, 0),
  predictionAreas: Float32Array.of(3, 4),
  confidences: Float64Array.of(0.1 + 0.2, 1),
  outcomes: Uint8Array.of(codeOf('tp'), codeOf('background')),
  partners: Int32Array.of(0, NONE),
  ious: Float32Array.of(0.75, 0),
  predictionKeys: Uint32Array.of(0, 7),
};

describe('a file of outcomes', () => {
  it('returns what was written', async () => {
    const outcomes = { columns: COLUMNS, labels: ['Hund', 'Katze ü\u0000'] };
    expect(await decodeOutcomes(await encodeOutcomes(outcomes))).toEqual(outcomes);
  });

  it('returns columns that several threads share', async () => {
    const shared = new Float64Array(new SharedArrayBuffer(16));
    shared.set(COLUMNS.confidences);
    const read = await decodeOutcomes(
      await encodeOutcomes({ columns: { ...COLUMNS, confidences: shared }, labels: [] }),
    );
    expect(read.columns.confidences).toEqual(COLUMNS.confidences);
  });

  it('is refused if a byte of it is another one, or it ends in the middle', async () => {
    const file = await encodeOutcomes({ columns: COLUMNS, labels: ['Hund'] });
    for (let at = 0; at < file.length; at += 7) {
      const damaged = Buffer.from(file);
      damaged[at]! ^= 1 << (at % 8);
      await expect(decodeOutcomes(damaged)).rejects.toThrow(Error);
      await expect(decodeOutcomes(file.subarray(0, at | 1))).rejects.toThrow(Error);
    }
  });

  it('is read without a checksum, as older files of annotations are', async () => {
    const file = await encodeOutcomes({ columns: COLUMNS, labels: [] });
    expect(await decodeOutcomes(file.subarray(0, file.length - 8))).toEqual({ columns: COLUMNS, labels: [] });
  });

  it('returns that of no pictures', async () => {
    const names = Object.entries(COLUMNS).map(([name, column]) => [name, (column as Uint8Array).subarray(0, 0)]);
    const outcomes = { columns: Object.fromEntries(names) as unknown as OutcomeColumns, labels: [] };
    expect(await decodeOutcomes(await encodeOutcomes(outcomes))).toEqual(outcomes);
  });
});
