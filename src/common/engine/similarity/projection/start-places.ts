import { sharedFloat32 } from '../../arithmetic/shared-arrays';
import type { MapLayout } from '../similarity-structure';
import { NamedRows } from '../rows/named-rows';
import type { FiledRows, LoadedRows } from '../rows/filed-rows';
import type { TopLists } from '../vectors/top-lists';
import type { Crowd } from './crowd';
import { hashedRandom } from './hashed-random';
import { principalPlane } from './principal-plane';
import { fitUnitSquare } from './unit-square';

/** The number of vectors that a plane is computed from, and of iterations. */
interface PlaneEffort {
  readonly sample: number;
  readonly rounds: number;
}

const OF_ALL: PlaneEffort = { sample: 2048, rounds: 15 };
const OF_CELL: PlaneEffort = { sample: 32, rounds: 5 };
/** The width of the starting layout, in units of the distance beyond which the pull weakens. */
const START_WIDTH = 10;
/** Separates rows that have the same place on the plane. */
const NOISE = 0.001;
/** The decay of a cell's weight, as a difference of cosines. */
const NEAR_CELLS = 0.05;
/** The width in which the rows of a cell start, in units of the distance between two cells. */
const CELL_WIDTH = 0.7;

/** All rows are in the table. */
export function startOnPlane(loaded: LoadedRows): MapLayout {
  const { count, place } = loaded;
  const plane = onPlane(loaded, place, OF_ALL);
  const [x, y] = [sharedFloat32(count), sharedFloat32(count)];
  for (let row = 0; row < count; row++) {
    x[row] = START_WIDTH * (plane.x[row]! + NOISE * hashedRandom(row, 1));
    y[row] = START_WIDTH * (plane.y[row]! + NOISE * hashedRandom(row, 2));
  }
  return { x, y };
}

/** Starts each row between its nearest cells, offset by its place within its own cell. `scale` is the size relative to the map of the cells. */
export async function startInCells(
  store: FiledRows,
  cells: TopLists,
  { members, start }: Crowd,
  map: MapLayout,
  scale: number,
): Promise<MapLayout> {
  const places = { x: sharedFloat32(members.length), y: sharedFloat32(members.length) };
  const batches = new NamedRows(store).batches({ from: 0, to: start.length - 1 }, (cell, name) => {
    for (let at = start[cell]!; at < start[cell + 1]!; at++) name(members[at]!);
  });
  for await (const { from, to, loaded } of batches) {
    for (let cell = from; cell < to; cell++) {
      const rows = members.subarray(start[cell], start[cell + 1]);
      placeCell(rows, onPlane(loaded, rows, OF_CELL), cells, map, scale, places);
    }
  }
  return places;
}

function placeCell(
  rows: Int32Array,
  within: MapLayout,
  { keys, scores, length }: TopLists,
  map: MapLayout,
  scale: number,
  { x, y }: MapLayout,
): void {
  rows.forEach((row, i) => {
    let [sumX, sumY, sum] = [0, 0, 0];
    for (let at = row * length; at < (row + 1) * length && keys[at] !== -1; at++) {
      const weight = Math.exp((scores[at]! - scores[row * length]!) / NEAR_CELLS);
      sumX += weight * map.x[keys[at]!]!;
      sumY += weight * map.y[keys[at]!]!;
      sum += weight;
    }
    x[row] = scale * (sumX / sum + CELL_WIDTH * (within.x[i]! - 0.5));
    y[row] = scale * (sumY / sum + CELL_WIDTH * (within.y[i]! - 0.5));
  });
}

/** Places in the unit square on the plane in which the rows vary most. */
function onPlane({ table, place }: LoadedRows, rows: Int32Array, effort: PlaneEffort): MapLayout {
  const { dimension } = table;
  const vectorOf = (row: number): Float32Array => table.row(place[row]!);
  const size = Math.min(effort.sample, rows.length);
  const sample = new Float32Array(size * dimension);
  for (let at = 0; at < size; at++) sample.set(vectorOf(rows[Math.floor((at * rows.length) / size)]!), at * dimension);
  const axes = principalPlane({ count: size, dimension, vectors: sample }, effort.rounds);
  const [x, y] = axes.map((axis) => {
    const along = new Float32Array(rows.length);
    rows.forEach((row, i) => {
      const vector = vectorOf(row);
      let sum = 0;
      for (let k = 0; k < dimension; k++) sum += axis[k]! * vector[k]!;
      along[i] = sum;
    });
    return along;
  }) as [Float32Array, Float32Array];
  fitUnitSquare({ x, y });
  return { x, y };
}
