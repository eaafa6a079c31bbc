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
    text: 'The surest first in each group of alike media, with the label that their neighbours have.',
    media: 'Medium',
    label: 'Label',
    suggested: 'Neighbours say',
    confidence: 'Sure',
    nothing: 'No other label',
    open: (name: string) => `Details of ${name}`,
  },
  unlabelled: 'This dataset has no labels, so labels cannot be judged.',
};
