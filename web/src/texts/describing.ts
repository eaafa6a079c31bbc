import { counted, formatNumber } from './format';

const media = (count: number): string => counted(count, 'medium', 'media');

/** How captions, fields and attributes are changed. */
export const describing = {
  attributes: 'Attributes',
  attribute: (name: string, value: string | number | boolean) => `${name}: ${value}`,
  remove: (name: string) => `Remove ${name}`,
  noValue: 'None',
  noNumber: 'This is no number.',
  booleans: ['No', 'Yes'],
  datetimeHint: 'With its zone, such as 2026-01-31T12:00:00Z',
  description: 'Caption and fields',
  caption: 'Caption',
  save: 'Save caption and fields',
  saving: 'Saving. The dataset is read only meanwhile.',
  saved: 'Saved.',
  undo: 'Undo',
  redo: 'Redo',
  ofSelection: {
    action: 'Fields',
    title: 'Caption or field of the selection',
    what: 'What is set',
    hint: 'All media of the selection get this value. Without one, they lose theirs. The dataset is read only until that is done, and it cannot be undone: take a snapshot first.',
    confirm: 'Set for all',
    finding: 'Looking for the media of the selection …',
    progress: (done: number, total: number) => `${formatNumber(done)} of ${formatNumber(total)}`,
    done: (count: number) => `${media(count)} ${count === 1 ? 'has' : 'have'} the value now.`,
  },
} as const;
