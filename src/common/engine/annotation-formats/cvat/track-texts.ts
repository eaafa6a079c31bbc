import type { Pictures } from '../annotation-format';
import type { FileAnnotation } from '../file-picture';
import { folderOf, trackNumbers, type Sequence } from '../sequences';
import { xmlAttributes } from '../xml-text';
import { elementOf, type Skeletons } from './element-texts';

interface Placed {
  readonly frame: number;
  readonly annotation: FileAnnotation;
}

interface TracksOfSequence {
  readonly sequence: Sequence;
  readonly tracks: Iterable<string>;
}

/** The elements of the tracks of some sequences. */
export async function trackTexts(
  group: readonly Sequence[],
  pictures: Pictures,
  skeletons: Skeletons,
): Promise<TracksOfSequence[]> {
  const byFolder = new Map(group.map((sequence) => [sequence.folder, { sequence, placed: [] as Placed[] }]));
  for await (const batch of pictures())
    for (const { path, annotations } of batch) {
      const own = byFolder.get(folderOf(path));
      if (own === undefined) continue;
      const frame = own.sequence.frames.get(path)!;
      for (const annotation of annotations)
        if (annotation.trackId !== undefined) own.placed.push({ frame, annotation });
    }
  return Array.from(byFolder.values(), ({ sequence, placed }) => ({
    sequence,
    tracks: textsOf(sequence, placed, skeletons),
  }));
}

function* textsOf(sequence: Sequence, placed: readonly Placed[], skeletons: Skeletons): Generator<string> {
  const numberOf = trackNumbers(sequence);
  const last = sequence.last;
  const tracks = new Map<string, Placed[]>();
  for (const each of placed) {
    const key = JSON.stringify([each.annotation.trackId, each.annotation.label]);
    const known = tracks.get(key);
    if (known === undefined) tracks.set(key, [each]);
    else known.push(each);
  }
  for (const own of tracks.values()) {
    const { trackId, label } = own[0]!.annotation;
    const inOrder = own.toSorted((a, b) => a.frame - b.frame);
    const elements = inOrder.map(({ frame, annotation }, at) => {
      const element = elementOf(annotation, skeletons, { frame, outside: 0, keyframe: 1 });
      const isGap = frame < last && inOrder[at + 1]?.frame !== frame + 1;
      return isGap
        ? element + elementOf(annotation, skeletons, { frame: frame + 1, outside: 1, keyframe: 1 })
        : element;
    });
    yield `<track${xmlAttributes({ id: numberOf(trackId!), label, source: 'manual' })}>\n${elements.join('')}</track>\n`;
  }
}
