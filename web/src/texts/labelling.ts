import { counted, formatNumber } from './format';

const pictures = (count: number): string => counted(count, 'picture', 'pictures');

/** How labels of a selection are changed. */
export const labelling = {
  action: 'Labels',
  title: 'Labels of the selection',
  label: 'Label',
  suggestions: 'Suggested labels',
  what: 'What happens to the label',
  actions: { add: 'Add', set: 'Set', remove: 'Remove' },
  confirm: { add: 'Add the label', set: 'Set the label', remove: 'Remove the label' },
  hints: {
    add: 'Pictures keep their other labels.',
    set: 'Pictures lose all other labels that people gave them.',
    remove: 'From the pictures that have it. Shapes with this label stay.',
  },
  notInSet: (label: string) =>
    `The label set of the dataset is closed, and ${label} is not in it. Choose a label of the set.`,
  finding: 'Looking for the media of the selection …',
  progress: (done: number, total: number) => `${formatNumber(done)} of ${formatNumber(total)}`,
  done: {
    add: (count: number, label: string) => `The label ${label} was added to ${pictures(count)}.`,
    set: (count: number, label: string) =>
      `${pictures(count)} now ${count === 1 ? 'has' : 'have'} the label ${label} alone.`,
    remove: (count: number, label: string) => `The label ${label} was removed from ${pictures(count)}.`,
  },
  nothing: 'No picture had to be changed.',
  leftOut: (count: number) =>
    `${counted(count, 'medium was', 'media were')} left out: only images and frames have labels of their own.`,
  stopped: (count: number) => `It was stopped when ${pictures(count)} ${count === 1 ? 'was' : 'were'} changed.`,
  failed: (count: number, failure: string) =>
    `It ended when ${pictures(count)} ${count === 1 ? 'was' : 'were'} changed: ${failure}`,
  conflict: 'Somebody changed these labels at the same time. Do it again.',
  undo: 'Undo',
  undone: 'The labels are what they were before.',
  notUndone: (failure: string) => `Not all of it could be undone: ${failure}`,
} as const;
