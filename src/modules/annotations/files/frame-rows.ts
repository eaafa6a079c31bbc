import { frameNumberIn } from '../../../common/engine/annotation-formats/sequences';
import type { FrameNumber } from '../../../common/engine/annotation-formats/file-picture';
import { withoutExtension } from '../../../common/platform/text/file-names';
import { normalizedPath } from '../../tables';
import { folderOf, type OpenedVersion } from '../../versions';

const NONE = -1;
const FIELDS = ['kind', 'path', 'frameTimestamp', 'durationSeconds'] as const;
/** What exports call a folder without a name. */
const ROOT = ['_', 'frames'];

interface Frames {
  readonly rows: number[];
  /** By the number in the name of the frame. */
  readonly byNumber: Map<number, number>;
  /** In seconds; empty for pictures of a folder. */
  readonly times: number[];
  /** Of the video, in seconds. */
  duration: number | null;
}

const begun = (): Frames => ({ rows: [], byNumber: new Map(), times: [], duration: null });

/** The rows of frames by their number in a video or in a folder of pictures. */
export class FrameRows {
  /** Undefined for a name of several. */
  private readonly byName = new Map<string, Frames | undefined>();

  private constructor(folders: ReadonlyMap<string, Frames>) {
    for (const [folder, frames] of folders) this.byName.set(folder, frames);
    const others = new Map<string, Frames | undefined>();
    for (const [folder, frames] of folders)
      for (const name of otherNames(folder)) others.set(name, others.has(name) ? undefined : frames);
    for (const [name, frames] of others) if (!this.byName.has(name)) this.byName.set(name, frames);
  }

  static async of({ table }: OpenedVersion): Promise<FrameRows> {
    const folders = new Map<string, Frames>();
    const at = (folder: string): Frames => {
      const known = folders.get(folder) ?? begun();
      folders.set(folder, known);
      return known;
    };
    let row = -1;
    for await (const batch of table.readRows(FIELDS))
      for (const { kind, path, frameTimestamp: time, durationSeconds: duration } of batch) {
        row += 1;
        if (kind === 'VIDEO') at(normalizedPath(path)).duration = duration;
        if (kind !== 'IMAGE' && kind !== 'FRAME') continue;
        const frames = at(folderOf(normalizedPath(path)));
        frames.rows.push(row);
        frames.byNumber.set(frameNumberIn(path), row);
        if (time !== null) frames.times.push(time);
      }
    return new FrameRows(folders);
  }

  /** Below 0 if there is none. */
  find({ of, number, rate, total }: FrameNumber): number {
    const name = normalizedPath(of);
    const frames = this.byName.get(name) ?? this.byName.get(lastPart(name));
    if (frames === undefined) return NONE;
    const perSecond = rate ?? (total !== undefined && frames.duration ? total / frames.duration : undefined);
    if (frames.times.length === frames.rows.length && perSecond !== undefined)
      return rowAt(frames, number / perSecond, 0.5 / perSecond);
    const isNumbered = frames.byNumber.size === frames.rows.length;
    const first = frames.byNumber.has(0) ? 0 : 1;
    return (isNumbered ? frames.byNumber.get(number + first) : undefined) ?? NONE;
  }
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

const otherNames = (folder: string): Set<string> =>
  folder === ''
    ? new Set(ROOT)
    : new Set([withoutExtension(folder), lastPart(folder), withoutExtension(lastPart(folder))]);

/** The frame that is nearest to a time, if it is no further away. */
function rowAt({ rows, times }: Frames, time: number, most: number): number {
  let [nearest, distance] = [NONE, most];
  for (const [at, each] of times.entries()) {
    const own = Math.abs(each - time);
    if (own <= distance) [nearest, distance] = [rows[at]!, own];
  }
  return nearest;
}
