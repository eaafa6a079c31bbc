import type { Pictures } from './annotation-format';
import { withoutExtension } from '../../platform/text/file-names';

/** Annotations whose texts are in memory at once, unless one sequence has more. */
const MOST_TOGETHER = 200_000;

/** The frames of a video, or another folder whose pictures have tracks. */
export interface Sequence {
  readonly folder: string;
  /** From 0, by path. */
  readonly frames: ReadonlyMap<string, number>;
  readonly last: number;
  readonly tracks: ReadonlySet<string>;
  /** Those with a track. */
  readonly annotations: number;
}

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

interface Gathered {
  readonly paths: string[];
  readonly tracks: Set<string>;
  annotations: number;
}

/** The folders that have tracks. */
export async function sequencesOf(pictures: Pictures): Promise<Sequence[]> {
  const folders = new Map<string, Gathered>();
  for await (const batch of pictures())
    for (const { path, annotations } of batch) {
      const folder = folderOf(path);
      const known = folders.get(folder) ?? { paths: [], tracks: new Set(), annotations: 0 };
      folders.set(folder, known);
      known.paths.push(path);
      for (const { trackId } of annotations)
        if (trackId !== undefined) {
          known.tracks.add(trackId);
          known.annotations += 1;
        }
    }
  return Array.from(folders).flatMap(([folder, { paths, tracks, annotations }]) => {
    if (annotations === 0) return [];
    const frames = framesOf(paths);
    let last = 0;
    for (const frame of frames.values()) last = Math.max(last, frame);
    return { folder, frames, last, tracks, annotations };
  });
}

const LAST_NUMBER = /(\d{1,9})$/;
/** The number at the end of a name; NaN if there is none. */
export const frameNumberIn = (path: string): number => Number(LAST_NUMBER.exec(withoutExtension(path))?.[1] ?? NaN);

const order = new Intl.Collator('en', { numeric: true });

/** By the numbers at the end of the names, which begin with 1, or 0 if there is one; without such numbers by the order of the names. */
function framesOf(paths: readonly string[]): ReadonlyMap<string, number> {
  const numbers = paths.map(frameNumberIn);
  const first = numbers.includes(0) ? 0 : 1;
  if (!numbers.some(Number.isNaN) && new Set(numbers).size === paths.length)
    return new Map(paths.map((path, at) => [path, numbers[at]! - first]));
  return new Map(paths.toSorted((a, b) => order.compare(a, b)).map((path, at) => [path, at]));
}

/** Sequences that are written in one walk over the pictures. */
export function inGroups(sequences: readonly Sequence[]): Sequence[][] {
  const groups: Sequence[][] = [];
  let room = 0;
  for (const sequence of sequences) {
    if (sequence.annotations > room) {
      groups.push([]);
      room = MOST_TOGETHER;
    }
    groups.at(-1)!.push(sequence);
    room -= sequence.annotations;
  }
  return groups;
}

const TRACK_NUMBER = /^(?:0|[1-9]\d{0,8})$/;
export const isTrackNumber = (track: string): boolean => TRACK_NUMBER.test(track);

/** The tracks of a sequence as numbers: their names, if those are numbers. */
export function trackNumbers({ tracks }: Sequence): (track: string) => number {
  const numbers = new Map([...tracks].filter(isTrackNumber).map((track) => [track, Number(track)]));
  const taken = new Set(numbers.values());
  let next = 1;
  for (const track of tracks) {
    if (numbers.has(track)) continue;
    while (taken.has(next)) next += 1;
    numbers.set(track, next++);
  }
  return (track) => numbers.get(track)!;
}
