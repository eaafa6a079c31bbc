import { Table } from 'apache-arrow';
import fc from 'fast-check';
import { ENTITY_KINDS, METADATA_TYPES, type MediaRow } from './media-row';
import { CARD_COLUMN, CARD_FIELDS } from './row-card';
import { decodeChunk, encodeChunk, fromRecordBatch, toRecordBatch } from './row-batch';

const DIMENSION = 5;
const DIMENSIONS = { embedding: DIMENSION, captionEmbedding: 3, generatedCaptionEmbedding: 3, multimodalEmbedding: 2 };
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'it\'s "quoted"', 'nul\u0000in', '\u202ertl\u202c', 'a%b_c\\d', '🐕‍🦺', 'zeile\n\r\tzwei'),
);
const f32 = fc.float({ noNaN: true });
/** Without negative zero, which JSON does not support. */
const f64 = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const point = fc.record({ x: f64, y: f64 }, { noNullPrototype: true });
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

const mediaRow: fc.Arbitrary<MediaRow> = fc.record(
  {
    id: anyText,
    kind: fc.constantFrom(...ENTITY_KINDS),
    parentId: orNull(anyText),
    fileName: anyText,
    path: anyText,
    source: anyText,
    sourceVersion: orNull(anyText),
    mimeType: anyText,
    sizeBytes: fc.maxSafeNat(),
    width: int32,
    height: int32,
    sha256: anyText,
    perceptualHash: orNull(anyText),
    thumbnailKey: orNull(anyText),
    batchId: anyText,
    box: orNull(fc.record({ x: f64, y: f64, width: f64, height: f64 }, { noNullPrototype: true })),
    frameTimestamp: orNull(f64),
    durationSeconds: orNull(f64),
    caption: orNull(anyText),
    generatedCaption: orNull(anyText),
    labels: fc.array(anyText, { maxLength: 4 }),
    generatedLabels: orNull(
      fc.array(fc.record({ label: anyText, confidence: f64, given: fc.boolean() }, { noNullPrototype: true }), {
        maxLength: 3,
      }),
    ),
    matchedObjects: orNull(
      fc.array(
        fc.record(
          { id: anyText, label: anyText, confidence: f64, box: fc.tuple(f64, f64, f64, f64) },
          { noNullPrototype: true },
        ),
        { maxLength: 3 },
      ),
    ),
    objectSource: orNull(anyText),
    textLines: orNull(
      fc.array(
        fc.record(
          { text: anyText, confidence: f64, corners: fc.tuple(point, point, point, point) },
          { noNullPrototype: true },
        ),
        { maxLength: 3 },
      ),
    ),
    customMetadata: orNull(
      fc.array(
        fc.record(
          {
            name: anyText,
            type: fc.constantFrom(...METADATA_TYPES),
            value: fc.oneof(anyText, f64, fc.boolean()),
          },
          { noNullPrototype: true },
        ),
        { maxLength: 3 },
      ),
    ),
    sharpness: orNull(f32),
    meanIntensity: orNull(f32),
    blurConfidence: f32,
    darkConfidence: f32,
    brightConfidence: f32,
    outlierConfidence: f32,
    mislabelConfidence: orNull(f32),
    suggestedLabel: orNull(anyText),
    classOutlierConfidence: orNull(f32),
    uniqueness: f32,
    nearestSimilarity: orNull(f32),
    clusters: fc.tuple(int32, int32, int32, int32, int32),
    mapPlace: orNull(fc.record({ x: f32, y: f32 }, { noNullPrototype: true })),
    embedding: orNull(fc.float32Array({ minLength: DIMENSION, maxLength: DIMENSION })),
    captionEmbedding: orNull(fc.float32Array({ minLength: 3, maxLength: 3 })),
    generatedCaptionEmbedding: orNull(fc.float32Array({ minLength: 3, maxLength: 3 })),
    multimodalEmbedding: orNull(fc.float32Array({ minLength: 2, maxLength: 2 })),
  },
  { noNullPrototype: true },
);

const someRows = fc.array(mediaRow, { maxLength: 20 });

describe('rows in columns', () => {
  it('round-trip through a record batch', () => {
    fc.assert(
      fc.property(someRows, (rows) => expect(fromRecordBatch(toRecordBatch(rows, DIMENSIONS))).toEqual(rows)),
      { numRuns: 200 },
    );
  });

  it('round-trip through a chunk file', () => {
    fc.assert(
      fc.property(someRows, (rows) => expect(decodeChunk(encodeChunk(rows))).toEqual(rows)),
      { numRuns: 200 },
    );
  });

  it('reject an embedding of another dimension', () => {
    fc.assert(
      fc.property(mediaRow, (row) => {
        const odd = { ...row, embedding: new Float32Array(DIMENSION + 1) };
        expect(() => toRecordBatch([odd], DIMENSIONS)).toThrow('The embedding has 6 numbers, but the table requires 5');
      }),
      { numRuns: 5 },
    );
  });

  it('reject an embedding for which the table has no column', () => {
    fc.assert(
      fc.property(mediaRow, (row) => {
        const dimensions = { embedding: DIMENSION, captionEmbedding: 3 };
        const without = { ...row, generatedCaptionEmbedding: null, multimodalEmbedding: null };
        expect(fromRecordBatch(toRecordBatch([without], dimensions))).toEqual([without]);
        const odd = { ...without, multimodalEmbedding: new Float32Array(2) };
        expect(() => toRecordBatch([odd], dimensions)).toThrow('The table has no column multimodal_embedding');
      }),
      { numRuns: 5 },
    );
  });

  it('round-trip through their cards', () => {
    fc.assert(
      fc.property(someRows, (rows) => {
        const cards = new Table([toRecordBatch(rows, DIMENSIONS)]).select([CARD_COLUMN]).batches[0]!;
        const picked = rows.map((row) => Object.fromEntries(CARD_FIELDS.map((field) => [field, row[field]])));
        expect(fromRecordBatch(cards, CARD_FIELDS)).toEqual(picked);
        expect(() => fromRecordBatch(cards, ['mimeType'])).toThrow('The batch has no column mime_type');
      }),
    );
  });

  it('can be read partially', () => {
    fc.assert(
      fc.property(someRows, (rows) => {
        const part = fromRecordBatch(toRecordBatch(rows, DIMENSIONS), ['caption', 'clusters']);
        expect(part).toEqual(rows.map(({ caption, clusters }) => ({ caption, clusters })));
      }),
    );
  });
});
