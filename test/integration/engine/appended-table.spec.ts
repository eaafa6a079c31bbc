import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEdges, writeEdges, type NearPairs } from '../../../src/common/engine/media-table/edges-file';
import type { EntityKind, MediaRow } from '../../../src/common/engine/media-table/media-row';
import type { TableVersion } from '../../../src/common/engine/media-table/table-version';
import { MediaTableStore } from '../../../src/common/engine/media-table/media-table-store';
import { structureOfVectors } from '../../support/structures';
import { findKnownCopies, readKnownItems } from '../../../src/common/engine/similarity/placing/known-items';
import { placeNewItems } from '../../../src/common/engine/similarity/placing/place-new-items';
import type { Pairs } from '../../../src/common/engine/similarity/placing/placement';
import { cosineOf, NEAR_DUPLICATES } from '../../../src/common/engine/similarity/near-duplicates';
import type { SimilarityStructure } from '../../../src/common/engine/similarity/similarity-structure';
import { FolderObjectStore } from '../../../src/common/platform/storage/folder/folder-object-store';
import { UrlSigner } from '../../../src/common/platform/storage/links/url-signer';
import { DuplicateGroupsCache } from '../../../src/modules/versions/duplicates/duplicate-groups-cache';
import { mediaRow } from '../../support/media-rows';

const DIMENSION = 16;
const DIMENSIONS = { embedding: DIMENSION, captionEmbedding: 4 };
const LADDER = [0.97, 0.9, 0.8, 0.7, 0.6] as const;
const KINDS: Readonly<Record<'IMAGES' | 'OBJECTS', readonly EntityKind[]>> = {
  IMAGES: ['IMAGE', 'FRAME'],
  OBJECTS: ['OBJECT'],
};

/** A dense group, some isolated pictures, and objects. */
function rowsOf(first: number, count: number): MediaRow[] {
  return Array.from({ length: count }, (_, i) => {
    const seed = first + i;
    if (seed % 10 === 9) return mediaRow(seed, { kind: 'VIDEO', embedding: null, clusters: [-1, -1, -1, -1, -1] });
    const spread = seed % 3 === 0 ? 1 : 0.05;
    const vector = Float32Array.from(
      { length: DIMENSION },
      (_, k) => (k === 0 ? 1 : 0) + spread * Math.sin((seed + 1) * (k + 2) * 1.37),
    );
    const length = Math.hypot(...vector);
    const kind = seed % 10 === 8 ? 'OBJECT' : seed % 10 === 7 ? 'FRAME' : 'IMAGE';
    return mediaRow(seed, { kind, embedding: vector.map((value) => value / length) });
  });
}

describe('a table with appended rows', () => {
  let folder: string;
  let store: FolderObjectStore;
  let tables: MediaTableStore;
  let duplicates: DuplicateGroupsCache;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'growing-'));
    store = new FolderObjectStore({ root: folder, signer: new UrlSigner(Buffer.alloc(32, 7)), baseUrl: '' });
    tables = new MediaTableStore({ uri: join(folder, 'tables'), storageOptions: {} });
    duplicates = new DuplicateGroupsCache(store, 2 ** 24);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  interface Group {
    /** The places of the rows in the table. */
    readonly places: number[];
    readonly vectors: Float32Array;
    readonly contentGroup: Int32Array;
  }

  function groupOf(rows: readonly MediaRow[], kinds: readonly EntityKind[]): Group {
    const places = rows.map((_, at) => at).filter((at) => kinds.includes(rows[at]!.kind));
    const vectors = new Float32Array(new SharedArrayBuffer(places.length * DIMENSION * 4));
    places.forEach((at, i) => vectors.set(rows[at]!.embedding!, i * DIMENSION));
    const contents = [...new Set(rows.map(({ sha256 }) => sha256))];
    return { places, vectors, contentGroup: Int32Array.from(places, (at) => contents.indexOf(rows[at]!.sha256)) };
  }

  const placed = (
    row: MediaRow,
    structure: Omit<SimilarityStructure, 'edges' | 'few' | 'labelIssues'>,
    at: number,
  ): MediaRow => ({
    ...row,
    uniqueness: structure.uniqueness[at]!,
    outlierConfidence: structure.outlier[at]!,
    nearestSimilarity: structure.nearest[at]!,
    clusters: structure.clusters.map((level) => level[at]!) as unknown as MediaRow['clusters'],
    mapPlace: { x: structure.layout.x[at]!, y: structure.layout.y[at]! },
  });

  const moved = (
    { first, second, cosine }: Pairs,
    a: (at: number) => number,
    b: (at: number) => number,
  ): NearPairs => ({
    first: Int32Array.from(first, a),
    second: Int32Array.from(second, b),
    cosine: Float32Array.from(cosine),
  });

  async function index(rows: readonly MediaRow[], nearDuplicates = NEAR_DUPLICATES): Promise<TableVersion> {
    const written = [...rows];
    const lists: NearPairs[] = [];
    for (const kinds of Object.values(KINDS)) {
      const { places, ...group } = groupOf(rows, kinds);
      const compared = { ...group, count: places.length, dimension: DIMENSION };
      const input = { ...compared, ladder: LADDER, nearDuplicates, threads: 1 };
      const structure = await structureOfVectors(input);
      places.forEach((place, at) => (written[place] = placed(rows[place]!, structure, at)));
      lists.push(
        moved(
          structure.edges,
          (at) => places[at]!,
          (at) => places[at]!,
        ),
      );
    }
    const at = await tables.create(randomUUID(), DIMENSIONS, [written]);
    await writeEdges(store, at, lists);
    return at;
  }

  async function grow(
    over: TableVersion,
    rows: readonly MediaRow[],
    nearDuplicates = NEAR_DUPLICATES,
  ): Promise<TableVersion> {
    const table = await tables.open(over);
    const written = [...rows];
    const lists: NearPairs[] = [];
    for (const kinds of Object.values(KINDS)) {
      const { places, ...group } = groupOf(rows, kinds);
      const contents = places.map((at) => rows[at]!.sha256);
      const placement = await placeNewItems({
        known: await readKnownItems(table, kinds),
        added: { ...group, count: places.length, knownCopy: await findKnownCopies(table, kinds, contents) },
        ladder: LADDER,
        nearDuplicates,
        threads: 1,
        scratch: tmpdir(),
      });
      places.forEach((place, at) => (written[place] = placed(rows[place]!, placement, at)));
      const ordinal = (at: number): number => table.rows + places[at]!;
      lists.push(
        moved(placement.among, ordinal, ordinal),
        moved(placement.toKnown, ordinal, (known) => known),
      );
    }
    const at = await tables.append(over, [written]);
    await writeEdges(store, at, lists, over);
    return at;
  }

  const cosine = (a: MediaRow, b: MediaRow): number => {
    if (a.sha256 === b.sha256) return 1;
    let dot = 0;
    for (let k = 0; k < DIMENSION; k++) dot += a.embedding![k]! * b.embedding![k]!;
    return dot;
  };

  /** Checks that exactly the rows with a near enough other row are in groups, and near enough to the centre. */
  async function expectGroups(
    at: TableVersion,
    rows: readonly MediaRow[],
    similarity: number,
    nearDuplicates: number,
  ): Promise<number> {
    const table = await tables.open(at);
    const least = cosineOf(similarity, nearDuplicates);
    expect(table.rows).toBe(rows.length);
    let groups = 0;
    for (const entityType of ['IMAGES', 'OBJECTS'] as const) {
      const found = await duplicates.open({ table, pointer: { nearDuplicates } }, entityType, similarity);
      groups += found.groups;
      const group = rows
        .map((row, ordinal) => ({ row, ordinal }))
        .filter(({ row }) => KINDS[entityType].includes(row.kind));
      for (const one of group) {
        const isNear = group.some((other) => other !== one && cosine(one.row, other.row) >= least);
        expect(found.groupOf[one.ordinal]! >= 0).toBe(isNear);
        if (!isNear) continue;
        const centre = found.centre[found.groupOf[one.ordinal]!]!;
        if (centre !== one.ordinal) expect(cosine(one.row, rows[centre]!)).toBeGreaterThanOrEqual(least);
      }
    }
    return groups;
  }

  it.each([0.95, 0.7])(
    'has the duplicates of all its versions, with near duplicates from a cosine of %d',
    async (cut) => {
      const first = rowsOf(0, 160);
      const second = [...rowsOf(160, 60), { ...first[4]!, id: 'again', path: 'again.jpg' }];
      const third = rowsOf(300, 50);
      const one = await index(first, cut);
      const two = await grow(one, second, cut);
      const three = await grow(two, third, cut);
      const instead = await grow(one, third, cut);
      for (const similarity of [0.8, 0.9, 0.95, 0.99, 1]) {
        await expectGroups(one, first, similarity, cut);
        await expectGroups(two, [...first, ...second], similarity, cut);
        await expectGroups(three, [...first, ...second, ...third], similarity, cut);
        await expectGroups(instead, [...first, ...third], similarity, cut);
      }
      const { groupOf } = await duplicates.copies(await tables.open(two), 'IMAGES');
      expect(groupOf[160 + 60]).toBe(groupOf[4]);
      const newest = { table: await tables.open(three), pointer: { nearDuplicates: cut } };
      const crowd = await duplicates.open(newest, 'IMAGES', 0.9);
      const largest = Math.max(...Array.from(crowd.centre, (_, group) => crowd.members(group).length));
      const near = [...first, ...second, ...third].filter((row, at) => row.kind !== 'VIDEO' && at >= 0).length;
      expect(largest).toBeGreaterThan(near / 3);
      expect((await readEdges(store, three)).first.length).toBeGreaterThan((await readEdges(store, two)).first.length);
    },
  );

  it('returns the data of its rows that new rows are compared with', async () => {
    const rows = rowsOf(0, 60);
    const at = await index(rows);
    const grown = await grow(at, rowsOf(60, 30));
    const table = await tables.open(grown);
    const all = [...rows, ...rowsOf(60, 30)];
    for (const kinds of Object.values(KINDS)) {
      const known = await readKnownItems(table, kinds);
      const ordinals = all.map((_, ordinal) => ordinal).filter((ordinal) => kinds.includes(all[ordinal]!.kind));
      expect(known.count).toBe(ordinals.length);
      const seen: number[] = [];
      for await (const batch of known.batches()) {
        batch.ordinals.forEach((ordinal, i) => {
          seen.push(ordinal);
          expect(batch.vectors.subarray(i * DIMENSION, (i + 1) * DIMENSION)).toEqual(all[ordinal]!.embedding);
        });
      }
      expect(seen).toEqual(ordinals);
      const taken = await table.takeRows(ordinals, ['clusters', 'uniqueness', 'embedding', 'outlierConfidence']);
      taken.forEach(({ clusters }, i) =>
        expect(known.clusters.map((level) => level[ordinals[i]!])).toEqual([...clusters]),
      );
      expect(known.freeCluster).toEqual(
        known.clusters.map((level) => Math.max(...ordinals.map((ordinal) => level[ordinal]!)) + 1),
      );
      const most = taken.reduce((best, row) => (row.uniqueness > best.uniqueness ? row : best));
      expect(known.mostUnique).toEqual(most.embedding);
      expect(known.outlierDistance).toBeGreaterThan(0);
    }
    const contents = [all[89]!.sha256, all[70]!.sha256, 'nobody', all[8]!.sha256, all[70]!.sha256];
    expect([...(await findKnownCopies(table, KINDS.IMAGES, contents))]).toEqual([-1, 70, -1, -1, 70]);
    expect([...(await findKnownCopies(table, KINDS.OBJECTS, contents))]).toEqual([-1, -1, -1, 8, -1]);
    expect([...(await findKnownCopies(table, KINDS.OBJECTS, []))]).toEqual([]);
  });
});
