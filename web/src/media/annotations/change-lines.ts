import type { components } from 'dataset-media-service-sdk';
import { texts } from '../../texts';

export type Change = components['schemas']['AnnotationChange'];
type Said = Pick<components['schemas']['Annotation'], 'id' | 'label' | 'shape'>;

const { timeline: words } = texts.annotations;
const MOST_LINES = 5;

/** What a change did to a picture, in words. */
export function linesOf({ before, after }: { readonly before: readonly Said[]; readonly after: readonly Said[] }) {
  const earlier = new Map(before.map((each) => [each.id, each]));
  const left = new Set(after.map(({ id }) => id));
  const lines = [
    ...before.filter(({ id }) => !left.has(id)).map(({ label }) => words.removed(label)),
    ...after.map(({ id, label, shape }) => {
      const was = earlier.get(id);
      if (was === undefined) return words.added(label);
      if (was.label !== label) return words.relabelled(was.label, label);
      return JSON.stringify(was.shape) === JSON.stringify(shape) ? words.changed(label) : words.moved(label);
    }),
  ];
  return lines.length <= MOST_LINES
    ? lines
    : [...lines.slice(0, MOST_LINES - 1), words.more(lines.length - MOST_LINES + 1)];
}
