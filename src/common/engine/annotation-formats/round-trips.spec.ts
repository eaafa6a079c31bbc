import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import type { Shape } from '../annotations/annotation';
import { textOfRuns } from '../annotations/mask-runs';
import type { AnnotationFormat } from './annotation-format';
import { readCoco } from './coco/read-coco';
import { cocoFormat } from './coco/write-coco';
import type { FileAnnotation, FilePicture } from './file-picture';
import { fitted, Losses } from './fit-annotations';
import type { FromFile } from './from-file';
import type { Members } from './given-files';

const [WIDTH, HEIGHT] = [40, 30];

interface RoundTrip {
  readonly format: AnnotationFormat;
  readonly read: (members: Members) => AsyncGenerator<FromFile>;
}

const FORMATS: Readonly<Record<string, RoundTrip>> = {
  coco: { format: cocoFormat, read: readCoco },
};

type Files = readonly (readonly [name: string, bytes: Buffer])[];

async function written({ format }: RoundTrip, pictures: readonly FilePicture[]): Promise<Files> {
  const batches = async function* () {
    for (const picture of pictures) yield await Promise.resolve([fitted(picture, format.holds, new Losses())]);
  };
  const files: [string, Buffer][] = [];
  for await (const member of format.write(batches, { dataset: 'd', name: 's' }))
    files.push([
      member.name,
      'bytes' in member ? Buffer.from(member.bytes) : await buffer(Readable.from(member.stream)),
    ]);
  return files;
}

/** The annotations of each of the pictures. */
async function readBack({ read }: RoundTrip, files: Files, pictures: readonly FilePicture[]): Promise<FilePicture[]> {
  const byPath = new Map<string, FileAnnotation[]>(pictures.map(({ path }) => [path, []]));
  const members: Members = async function* () {
    for (const [name, bytes] of files) yield await Promise.resolve({ name, bytes: Readable.from([bytes]) });
  };
  for await (const found of read(members)) {
    if ('fault' in found) throw new Error(JSON.stringify(found.fault));
    byPath.get(found.path)!.push(...found.annotations);
  }
  return pictures.map((picture) => ({ ...picture, annotations: byPath.get(picture.path)! }));
}

const coordinate = fc.double({ min: 0, max: 40, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const box = fc.tuple(coordinate, coordinate, coordinate, coordinate);
const ring = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 6 }).map((points) => points.flat());
const mask = fc.array(fc.nat(200), { minLength: 1, maxLength: 4 }).map((runs) => {
  const rest = WIDTH * HEIGHT - runs.reduce((sum, run) => sum + run, 0);
  return { width: WIDTH, height: HEIGHT, counts: textOfRuns([...runs, rest]) };
});
const keypoints = fc
  .array(fc.tuple(coordinate, coordinate, fc.constantFrom(0, 1, 2)), { minLength: 1, maxLength: 4 })
  .map((points) => points.flat());
const shape: fc.Arbitrary<Shape> = fc.oneof(
  fc.constant({}),
  box.map((given) => ({ box: given })),
  fc.tuple(box, fc.array(ring, { minLength: 1, maxLength: 2 })).map(([given, polygon]) => ({ box: given, polygon })),
  fc.tuple(box, mask).map(([given, bitmap]) => ({ box: given, mask: bitmap })),
  fc.tuple(box, keypoints).map(([given, points]) => ({ box: given, keypoints: points })),
);

const text = fc.oneof(
  fc.constantFrom('a <b> & "c"', 'null', '__proto__', '- a: b # c', 'größer 日本語 🦩'),
  fc.string({ minLength: 1, maxLength: 10 }).map((each) => each.trim() || 'x'),
);
const annotation: fc.Arbitrary<FileAnnotation> = fc
  .tuple(
    shape,
    fc.record(
      {
        label: text,
        confidence: fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0),
        attributes: fc.constantFrom<NonNullable<FileAnnotation['attributes']>>({
          occluded: true,
          count: 3,
          colour: 'r"&<d',
        }),
        trackId: text,
        crowd: fc.constant(true as const),
        ignored: fc.constant(true as const),
      },
      { requiredKeys: ['label'] },
    ),
  )
  .map(([of, rest]) => ({ ...of, ...rest }));
const pictures = fc.array(fc.array(annotation, { maxLength: 4 }), { maxLength: 3 }).map((lists) =>
  lists.map((annotations, at): FilePicture => ({
    path: `a/${at}.jpg`,
    width: WIDTH,
    height: HEIGHT,
    annotations: annotations.map((each, place) => ({ ...each, id: `${at}-${place}` })),
  })),
);

const byId = (annotations: readonly FileAnnotation[]): FileAnnotation[] =>
  annotations.toSorted((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1));

describe.each(Object.keys(FORMATS))('%s', (name) => {
  const trip = FORMATS[name]!;
  const { holds } = trip.format;

  it('is read as it was written, with ids and exact masks', async () => {
    await fc.assert(
      fc.asyncProperty(pictures, async (given) => {
        fc.pre(given.length > 0);
        const read = await readBack(trip, await written(trip, given), given);
        for (const [at, picture] of given.entries()) {
          const expected = byId(fitted(picture, holds, new Losses()).annotations);
          expect(byId(read[at]!.annotations)).toMatchObject(expected);
          expect(read[at]!.annotations).toHaveLength(expected.length);
        }
      }),
    );
  });

  it('is written the same after it was read', async () => {
    await fc.assert(
      fc.asyncProperty(pictures, async (given) => {
        fc.pre(given.length > 0);
        const once = await readBack(trip, await written(trip, given), given);
        const files = await written(trip, once);
        expect(await written(trip, await readBack(trip, files, given))).toEqual(files);
      }),
    );
  });
});
