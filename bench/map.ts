import { setTimeout } from 'node:timers/promises';
import { OrdinalSet } from '../src/common/engine/media-table/ordinal-set';
import { structureOfVectors } from '../test/support/structures';
import { principalPlane } from '../src/common/engine/similarity/projection/principal-plane';
import type { MapLayout } from '../src/common/engine/similarity/similarity-structure';
import type { MapPolygon } from '../src/modules/search/query/domain/filter';
import { rowsWithin } from '../src/modules/search/map/domain/map-area';
import { ColourColumn } from '../src/modules/search/map/domain/map-colours';
import { MapIndex, MAX_ZOOM, type MapTile } from '../src/modules/versions/map/domain/map-index';
import { tileBytes } from '../src/modules/search/map/domain/tile-bytes';
import { POINTS_PER_TILE } from '../src/modules/search/map/map.service';
import { knownGroups, type KnownGroups } from '../test/support/known-groups';
import { Random } from '../test/support/random';
import type { Bench, Report } from './bench';
import { longestTurn } from './support/longest-turn';
import { mapQuality } from './support/map-quality';
import { quantile } from './support/quantile';
import { umapPlaces } from './support/umap';

const ROWS = process.env['LARGE'] === '1' ? 1_000_000 : 100_000;
const DIMENSION = 512;
const GROUPS = ROWS / 50;
const THREADS = 2;
const LADDER = [0.95, 0.85, 0.7, 0.6, 0.5] as const;
/** The set whose maps are compared. */
const COMPARED = { count: 12_000, dimension: 64, groups: 200, seed: 7 };
const PYTHON = process.env['UMAP_PYTHON'];
const TILES = 200;
const MOST_SHARE = 0.15;
const AREA: MapPolygon = Array.from({ length: 256 }, (_, corner) => {
  const angle = (corner / 256) * 2 * Math.PI;
  const radius = corner % 2 === 0 ? 0.5 : 0.3;
  return [0.5 + radius * Math.cos(angle), 0.5 + radius * Math.sin(angle)] as const;
});

interface Timed<T> {
  readonly result: T;
  readonly seconds: number;
  /** CPU time. */
  readonly cpuSeconds: number;
}

async function timed<T>(run: () => Promise<T>): Promise<Timed<T>> {
  const started = performance.now();
  const before = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (performance.now() - started) / 1000, cpuSeconds: (user + system) / 1e6 };
}

/** Long enough for the last turn to count. */
const turnOf = (run: () => Promise<unknown>): Promise<number> =>
  longestTurn(async () => {
    await run();
    await setTimeout(20);
  });

const layoutOf = async (known: KnownGroups, isMapped: boolean): Promise<Timed<MapLayout>> =>
  timed(async () => (await structureOfVectors({ ...known, ladder: LADDER, threads: THREADS, isMapped })).layout);

async function measureProjection(report: Report): Promise<MapLayout> {
  const known = knownGroups({ count: ROWS, dimension: DIMENSION, groups: GROUPS });
  const without = await layoutOf(known, false);
  const { result: layout, ...mapped } = await layoutOf(known, true);
  const told = ({ seconds, cpuSeconds }: Omit<Timed<unknown>, 'result'>): string =>
    `${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} of processors)`;
  report.note(`${ROWS} vectors of ${DIMENSION}: ${told(without)} without a map, ${told(mapped)} with one`);
  const share = mapped.cpuSeconds / without.cpuSeconds - 1;
  report.figure('processor time of the map', share, 'of the structure', `at most ${MOST_SHARE}`, share <= MOST_SHARE);
  return layout;
}

async function measureTiles(report: Report, places: MapLayout): Promise<void> {
  const all = OrdinalSet.all(ROWS);
  let index: MapIndex | undefined;
  const building = await timed(() => turnOf(async () => (index = await MapIndex.build(places, all))));
  report.note(`index of ${ROWS} rows: ${(1000 * building.seconds).toFixed(0)} ms`);
  report.figure('longest turn while the index is built', building.result, 'ms', 'at most 20', building.result <= 20);
  const random = new Random(5);
  const deep = (): MapTile => {
    const row = random.integer(ROWS);
    const [x, y] = [places.x[row]!, places.y[row]!].map((part) => Math.floor(part * 2 ** MAX_ZOOM)) as [number, number];
    return { z: MAX_ZOOM, x, y };
  };
  const times = (tileAt: () => MapTile): number[] =>
    Array.from({ length: TILES }, () => {
      const tile = tileAt();
      const started = performance.now();
      const points = index!.tile(tile, POINTS_PER_TILE);
      tileBytes({ tile, points, places, colours: ColourColumn.none, matches: all });
      return performance.now() - started;
    });
  const root = times(() => ({ z: 0, x: 0, y: 0 }));
  const fine = times(deep);
  report.figure('p50 of the root tile', quantile(root, 0.5), 'ms', 'at most 20', quantile(root, 0.5) <= 20);
  report.figure('p50 of a tile at the deepest zoom', quantile(fine, 0.5), 'ms', 'at most 1', quantile(fine, 0.5) <= 1);
  const area = await timed(() => turnOf(() => rowsWithin(places, AREA)));
  report.note(`area of 256 corners: ${(1000 * area.seconds).toFixed(0)} ms`);
  report.figure('longest turn while an area is found', area.result, 'ms', 'at most 20', area.result <= 20);
}

function planeOf(known: KnownGroups): MapLayout {
  const { count, dimension, vectors } = known;
  const [x, y] = principalPlane(known, 20).map((axis) =>
    Float32Array.from({ length: count }, (_, row) => {
      let sum = 0;
      for (let k = 0; k < dimension; k++) sum += axis[k]! * vectors[row * dimension + k]!;
      return sum;
    }),
  ) as [Float32Array, Float32Array];
  return { x, y };
}

async function compare(report: Report): Promise<void> {
  const known = knownGroups(COMPARED);
  const maps: [string, () => Promise<MapLayout>][] = [
    ['here', async () => (await layoutOf(known, true)).result],
    ['principal plane', () => Promise.resolve(planeOf(known))],
    ...(PYTHON === undefined
      ? []
      : [['umap-learn', () => Promise.resolve(umapPlaces(PYTHON, known))] as [string, () => Promise<MapLayout>]]),
  ];
  const measured = new Map<string, ReturnType<typeof mapQuality>>();
  const rows = [];
  for (const [name, placesOf] of maps) {
    const { result: places, seconds } = await timed(placesOf);
    const quality = mapQuality(places, known);
    measured.set(name, quality);
    rows.push({
      map: name,
      'trustworthiness@15': quality.trustworthiness.toFixed(4),
      'recall@15': quality.recall.toFixed(3),
      'same family of 10 nearest': quality.sameFamily.toFixed(3),
      seconds: seconds.toFixed(1),
    });
  }
  report.note(`${COMPARED.count} vectors of ${COMPARED.dimension} in ${COMPARED.groups} families`);
  report.table(rows);
  const { trustworthiness: here, sameFamily } = measured.get('here')!;
  const other = measured.get(PYTHON === undefined ? 'principal plane' : 'umap-learn')!.trustworthiness;
  report.figure('trustworthiness@15', here, '', `at least ${(other - 0.01).toFixed(4)}`, here >= other - 0.01);
  report.figure('same family among the 10 nearest', sameFamily, '', 'at least 0.9', sameFamily >= 0.9);
}

export const bench: Bench = {
  name: 'map',
  summary: 'the map of a dataset: its time beside that of the structure, its tiles, and how true it is',
  async run(report) {
    await compare(report);
    await measureTiles(report, await measureProjection(report));
  },
};
