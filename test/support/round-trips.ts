import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import type { AnnotationFormat } from '../../src/common/engine/annotation-formats/annotation-format';
import type { FileAnnotation, FilePicture, Skeleton } from '../../src/common/engine/annotation-formats/file-picture';
import { fitted, Losses } from '../../src/common/engine/annotation-formats/fit-annotations';
import { membersOf } from '../../src/common/engine/annotation-formats/given-files';
import { readFormat, type ReadableFormat } from '../../src/common/engine/annotation-formats/read-format';
import { shapeKindOf, type Shape } from '../../src/common/engine/annotations/annotation';
import { textOfRuns } from '../../src/common/engine/annotations/mask-runs';
import { inPixels } from '../../src/modules/annotations/domain/in-pixels';

const [WIDTH, HEIGHT] = [40, 30];

export interface RoundTrip {
  readonly format: AnnotationFormat;
  readonly read: ReadableFormat;
  /** Whether numbers come back to the last digit. */
  readonly isExact?: true;
  /** What is written even if it was not given. */
  readonly adds?: readonly ('area' | 'box')[];
  /** The number of keypoints that all annotations have. */
  readonly points?: number;
  /** What is kept of the skeletons of labels. */
  readonly skeletons?: 'names' | 'edges';
}

type Files = readonly (readonly [name: string, bytes: Buffer])[];

async function written(
  { format }: RoundTrip,
  pictures: readonly FilePicture[],
  skeletons: readonly Skeleton[] = [],
): Promise<Files> {
  const batches = async function* () {
    for (const picture of pictures) yield await Promise.resolve([fitted(picture, format.holds, new Losses())]);
  };
  const files: [string, Buffer][] = [];
  for await (const member of format.write(batches, { dataset: 'd', name: 's', skeletons }))
    files.push([
      member.name,
      'bytes' in member ? Buffer.from(member.bytes) : await buffer(Readable.from(member.stream)),
    ]);
  return files;
}

/** The picture by its path, without an extension, or by its number in its folder. */
function placeOf({ path, frame }: FilePicture, pictures: readonly FilePicture[]): number {
  const name =
    frame === undefined ? path.replace(/^images\//, '').replace(/\.jpg$/, '') : `${frame.of}/${frame.number}`;
  const place = pictures.findIndex((picture) => picture.path === `${name}.jpg`);
  if (place < 0) throw new Error(`${name} is not a picture`);
  return place;
}

async function* everythingIn(files: Files, format: ReadableFormat) {
  const given = files.map(([name, bytes]) => ({ name, open: () => Promise.resolve(Readable.from([bytes])) }));
  for await (const each of readFormat(membersOf(given), format)) {
    if ('fault' in each) throw new Error(JSON.stringify(each.fault));
    yield each;
  }
}

/** The annotations of each of the pictures. */
async function readBack({ read }: RoundTrip, files: Files, pictures: readonly FilePicture[]): Promise<FilePicture[]> {
  const found = pictures.map((): FileAnnotation[] => []);
  for await (const each of everythingIn(files, read)) {
    if (each.annotations.length === 0) continue;
    const pixels = each.annotations.map((annotation) => inPixels(annotation, { width: WIDTH, height: HEIGHT }));
    found[placeOf(each, pictures)]!.push(...pixels);
  }
  return pictures.map((picture, at) => ({ ...picture, annotations: found[at]! }));
}

const quarters = fc.nat(160).map((number) => number / 4);
const digits = fc.double({ min: 0, max: 40, noNaN: true }).map((value) => value + 0);

function shapes(coordinate: fc.Arbitrary<number>, points: { minLength: number; maxLength: number }) {
  const box = fc.tuple(coordinate, coordinate, coordinate, coordinate);
  const ring = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 6 }).map((pairs) => pairs.flat());
  // Formats by pixels know no runs without length.
  const length = fc.integer({ min: 1, max: 200 });
  const mask = fc.tuple(fc.nat(200), fc.array(length, { maxLength: 3 })).map(([first, further]) => {
    const runs = [first, ...further];
    const rest = WIDTH * HEIGHT - runs.reduce((sum, run) => sum + run, 0);
    return { width: WIDTH, height: HEIGHT, counts: textOfRuns([...runs, rest]) };
  });
  const keypoints = fc
    .array(fc.tuple(coordinate, coordinate, fc.constantFrom(0, 1, 2)), points)
    .filter((all) => all.some(([, , visibility]) => visibility > 0))
    .map((all) => all.flat());
  const beside = <T extends Shape>(shape: fc.Arbitrary<T>): fc.Arbitrary<Shape> =>
    fc.tuple(box, shape).map(([given, other]) => ({ box: given, ...other }));
  return fc.oneof(
    fc.constant({}),
    box.map((given): Shape => ({ box: given })),
    beside(fc.record({ rotation: fc.constantFrom(15, 90, -30.5) })),
    beside(fc.record({ polygon: fc.array(ring, { minLength: 1, maxLength: 2 }) })),
    beside(fc.record({ mask })),
    beside(fc.record({ keypoints })),
  );
}

const text = fc.oneof(
  fc.constantFrom('a <b> & "c"', '&amp;#38;', 'null', '__proto__', '- a: b # c', "'=1,2", 'größer 日本語 🦩'),
  fc.string({ minLength: 1, maxLength: 10 }).map((each) => each.trim() || 'x'),
);

const skeletonOfThree = fc.record<Skeleton>({
  label: text,
  points: fc.uniqueArray(text, { minLength: 3, maxLength: 3 }),
  edges: fc.subarray([
    [0, 1],
    [1, 2],
    [2, 0],
  ]),
});

function picturesFor({ isExact, points, format: { holds } }: RoundTrip): fc.Arbitrary<FilePicture[]> {
  const isNumbered = holds.tracks === 'numbers' || holds.tracks === 'only';
  const fields = fc.record(
    {
      label: text,
      confidence: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })).map((value) => value + 0),
      attributes: fc.constantFrom<NonNullable<FileAnnotation['attributes']>>({
        hidden: true,
        count: 3,
        colour: 'r"&<d',
      }),
      area: quarters,
      trackId: isNumbered ? fc.nat(9).map(String) : text,
      crowd: fc.constant(true as const),
      ignored: fc.constant(true as const),
    },
    { requiredKeys: ['label'] },
  );
  const length = points === undefined ? { minLength: 1, maxLength: 4 } : { minLength: points, maxLength: points };
  const annotation = fc.tuple(shapes(isExact ? digits : quarters, length), fields);
  return fc.array(fc.array(annotation, { maxLength: 4 }), { minLength: 1, maxLength: 3 }).map((lists) =>
    lists.map((all, at) => ({
      path: `a/${at}.jpg`,
      width: WIDTH,
      height: HEIGHT,
      annotations: all.map(([shape, rest], place) => ({ ...shape, ...rest, id: `${at}-${place}` })),
    })),
  );
}

/** Of numbers that a format writes as fractions, or as the far corner of a box. */
const TOLERANCE = 1e-7;

function isSame(a: unknown, b: unknown, tolerance: number): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= tolerance;
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  const [keys, others] = [Object.keys(a!), Object.keys(b!)];
  return keys.length === others.length && keys.every((key) => isSame(a![key as never], b![key as never], tolerance));
}

/** Those of the first list that are not in the second, and the reverse. */
function differences({ isExact }: RoundTrip, read: readonly FileAnnotation[], given: readonly FileAnnotation[]) {
  const missing = [...given];
  const added = read.filter((annotation) => {
    const place = missing.findIndex((each) => isSame(annotation, each, isExact ? 0 : TOLERANCE));
    if (place >= 0) missing.splice(place, 1);
    return place < 0;
  });
  return { missing, added };
}

/** Without ids, the same label of a picture is said once. */
const oneOfEachLabel = (annotations: readonly FileAnnotation[]): FileAnnotation[] =>
  annotations.filter(
    (annotation, at) =>
      shapeKindOf(annotation) !== 'label' || annotations.findIndex((each) => isSame(each, annotation, 0)) === at,
  );

/** Its corners have no end of digits. */
const TURNED: FilePicture = {
  path: 'a/0.jpg',
  width: WIDTH,
  height: HEIGHT,
  annotations: [{ box: [0, 10.25, 15.75, 35], rotation: -30.5, label: 'x', id: '0-0' }],
};

/** What is written is read as it was, up to what the format says that it cannot hold. */
export function describeRoundTrips(formats: Readonly<Record<string, RoundTrip>>): void {
  describe.each(Object.keys(formats))('%s', (name) => {
    const trip = formats[name]!;

    it('is read as it was written', async () => {
      await fc.assert(
        fc.asyncProperty(picturesFor(trip), async (given) => {
          const read = await readBack(trip, await written(trip, given), given);
          for (const [at, picture] of given.entries()) {
            const { annotations } = fitted(picture, trip.format.holds, new Losses());
            const told = read[at]!.annotations.map((each) => withoutAdded(trip, each, annotations));
            expect(differences(trip, oneOfEachLabel(told), oneOfEachLabel(annotations))).toEqual({
              missing: [],
              added: [],
            });
          }
        }),
      );
    });

    if (trip.skeletons !== undefined)
      it('has the names of keypoints', async () => {
        await fc.assert(
          fc.asyncProperty(skeletonOfThree, async (skeleton) => {
            const { label, points, edges } = skeleton;
            const annotation = { label, keypoints: [1, 1, 2, 2, 2, 1, 3, 3, 2] };
            const picture = { path: 'a.jpg', width: WIDTH, height: HEIGHT, annotations: [annotation] };
            const read: Skeleton[] = [];
            for await (const each of everythingIn(await written(trip, [picture], [skeleton]), trip.read))
              read.push(...(each.skeletons ?? []));
            expect(read).toEqual([{ label, points, edges: trip.skeletons === 'edges' ? edges : [] }]);
          }),
        );
      });

    it('is written the same after it was read', async () => {
      await fc.assert(
        fc.asyncProperty(picturesFor(trip), async (given) => {
          const once = await readBack(trip, await written(trip, given), given);
          const files = await written(trip, once);
          const again = await written(trip, await readBack(trip, files, given));
          expect(again.map(([file, bytes]) => [file, bytes.toString('latin1')])).toEqual(
            files.map(([file, bytes]) => [file, bytes.toString('latin1')]),
          );
        }),
        { examples: [[[TURNED]]] },
      );
    });
  });
}

function withoutAdded(
  { adds = [] }: RoundTrip,
  annotation: FileAnnotation,
  given: readonly FileAnnotation[],
): FileAnnotation {
  const before = given.find(({ id }) => id === annotation.id);
  const isAdded = (field: string): boolean => adds.some((each) => each === field && before?.[each] === undefined);
  return Object.fromEntries(
    Object.entries(annotation).filter(([field]) => !isAdded(field)),
  ) as unknown as FileAnnotation;
}
