import { duplicates } from './duplicates';
import { counted, formatNumber, formatPercent } from './format';

export const quality = {
  title: 'Quality',
  note: (count: number) => counted(count, 'medium', 'media'),
  entity: { label: 'Show', IMAGES: 'Images', OBJECTS: 'Objects' },
  issues: {
    blur: { name: 'Blurred', text: 'Little detail in the picture.' },
    dark: { name: 'Too dark', text: 'Low mean brightness.' },
    bright: { name: 'Too bright', text: 'High mean brightness.' },
    outliers: { name: 'Unusual', text: 'Unlike everything else in the dataset.' },
    duplicates: { name: 'Copies', text: 'Has a near copy in the dataset.' },
    mislabels: { name: 'Label looks wrong', text: 'Media that look alike have another label.' },
    class_outliers: { name: 'Unlike its label', text: 'Looks unlike others with the same label.' },
  },
  found: (count: number, total: number) =>
    `${formatNumber(count)} of ${formatNumber(total)}${total === 0 ? '' : `, ${formatPercent(count / total)}`}`,
  /** As on Duplicates, where some may be decided. */
  copies: ({ total, open, media }: { readonly total: number; readonly open: number; readonly media: number }) =>
    open === 0
      ? `${counted(total, 'group', 'groups')}, all decided`
      : `${duplicates.found(open, media)}${open < total ? ' to review' : ''}`,
  threshold: {
    label: 'From',
    confidence: (value: number) => `${formatPercent(value)} sure`,
    alike: (value: number) => `${formatPercent(value)} alike`,
  },
  usual: 'Usual',
  reset: (name: string) => `${name}: back to the usual threshold`,
  explore: 'Open in Explore',
  review: 'Review duplicates',
  none: 'None at this threshold',
  examples: (name: string) => `Examples: ${name}`,
  byLabel: 'By label',
  ofLabel: (label: string, count: number) => `${label}, ${formatNumber(count)}: open in Explore`,
  suggestions: {
    title: 'Labels that look wrong',
    text: 'A label, and the one that media which look alike have instead. Press a picture to keep its label; the others get the suggested one.',
    pairs: 'Label and suggestion',
    looksLike: ', looks like',
    morePairs: (shown: number) => `The ${formatNumber(shown)} most frequent pairs are shown.`,
    several: (count: number) =>
      `${counted(count, 'further medium has', 'further media have')} several labels, of which it is not known which one is wrong.`,
    none: 'No label looks wrong at this threshold, or all were decided.',
    shown: (shown: number, total: number) => `The surest ${formatNumber(shown)} of ${formatNumber(total)} are shown.`,
    stays: (label: string) => `stays ${label}`,
    decide: (taken: number, kept: number) =>
      kept === 0 ? `Take over ${formatNumber(taken)}` : `Take over ${formatNumber(taken)}, keep ${formatNumber(kept)}`,
    keepAll: 'Keep all',
    takeOverAll: (total: number) => `Take over all ${formatNumber(total)}`,
    done: (taken: number, kept: number) => {
      const keptText = kept === 0 ? [] : [`${counted(kept, 'label', 'labels')} kept`];
      return [...(taken === 0 ? [] : [`${counted(taken, 'label', 'labels')} taken over`]), ...keptText].join(', ');
    },
    undo: 'Undo',
    unmatched: (count: number) =>
      `${counted(count, 'medium has', 'media have')} another label by now and stayed as they are.`,
    failed: (reason: string) => `The labels were not changed: ${reason}`,
    open: (name: string) => `Details of ${name}`,
  },
  unlabelled: 'This dataset has no labels, so labels cannot be judged.',
};
