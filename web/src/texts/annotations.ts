import { counted, formatNumber, formatPercent } from './format';

interface Filtered {
  readonly source: string;
  readonly labels: readonly string[];
  readonly confidence: readonly [least: number, most: number];
  readonly count: number;
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

interface Said {
  readonly track: string | null;
  readonly crowd: boolean;
  readonly ignored: boolean;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

export const annotations = {
  title: 'Annotations',
  timeline: {
    title: 'Changes',
    open: 'Who changed the annotations',
    none: 'No annotation of this picture was changed.',
    earlier: 'Earlier changes',
    added: (label: string) => `+ ${label}`,
    removed: (label: string) => `− ${label}`,
    relabelled: (before: string, after: string) => `${before} → ${after}`,
    moved: (label: string) => `${label}: another shape`,
    changed: (label: string) => `${label}: changed`,
    more: (count: number) => `${formatNumber(count)} more`,
    queue: (name: string | undefined) => (name === undefined ? 'in a queue that was deleted' : `in the queue ${name}`),
    isUndo: 'undo of another change',
    wasUndone: 'undone',
    undo: (pictures: number) => (pictures === 1 ? 'Undo' : `Undo in all ${counted(pictures, 'picture', 'pictures')}`),
    undone: (pictures: number) => `Undone in ${counted(pictures, 'picture', 'pictures')}`,
    notUndone: (reason: string) => `The change was not undone: ${reason}`,
  },
  show: (source: string) => `Show ${source}`,
  confidence: 'Confidence',
  from: (least: number) => (least === 0 ? 'any' : `from ${formatPercent(least)}`),
  named: (label: string, confidence: number | null, outcome?: string) =>
    [
      confidence === null ? label : `${label} ${formatPercent(confidence)}`,
      ...(outcome === undefined ? [] : [outcome]),
    ].join(' · '),
  sources: 'Annotations of sources',
  anyLabel: 'Any label',
  labelsOf: (source: string) => `Labels of ${source}`,
  labelsHint: 'One label, or several with commas between them',
  confidenceFrom: (source: string) => `Confidence of ${source} from`,
  confidenceTo: (source: string) => `Confidence of ${source} to`,
  atLeast: 'At least',
  countOf: (source: string) => `At least so many of ${source}`,
  attribute: 'Attribute',
  value: 'Value',
  attributeOf: (source: string) => `Attribute of ${source}`,
  newValueOf: (source: string) => `Value of the attribute of ${source}`,
  valueOf: (name: string, source: string) => `${name} of ${source}`,
  valueHint: 'true or false; a number; 3..10 for a range; a text, or several with commas between them. "3" is a text.',
  addAttribute: (source: string) => `Add the attribute of ${source}`,
  removeAttribute: (name: string, source: string) => `Remove ${name} of ${source}`,
  filtered: ({ source, labels, confidence: [least, most], count, attributes }: Filtered) =>
    [
      `${source}: ${labels.length === 0 ? 'any label' : labels.join(' or ')}`,
      ...(least > 0 && most < 1 ? [`confidence ${formatPercent(least)} to ${formatPercent(most)}`] : []),
      ...(least > 0 && most === 1 ? [`confidence from ${formatPercent(least)}`] : []),
      ...(least === 0 && most < 1 ? [`confidence up to ${formatPercent(most)}`] : []),
      ...(count > 1 ? [`at least ${formatNumber(count)}`] : []),
      ...attributes.map(([name, value]) => `${name}: ${value}`),
    ].join(', '),
  makeObjects: 'Make objects',
  makeObjectsOf: (source: string) => `Make objects of ${source}`,
  objectsStarted: (source: string) => `Objects of ${source} are being made.`,
  /** What an annotation says besides its label and shape. */
  more: ({ track, crowd, ignored, attributes }: Said) => [
    ...(track === null ? [] : [`track ${track}`]),
    ...(crowd ? ['a crowd'] : []),
    ...(ignored ? ['ignored'] : []),
    ...Object.entries(attributes).map(([name, value]) =>
      value === true ? name : value === false ? `not ${name}` : `${name}: ${value}`,
    ),
  ],
  cut: (sources: readonly { readonly source: string; readonly shown: number; readonly total: number }[]) =>
    `Too many to show all: ${sources
      .map(({ source, shown, total }) => `${formatNumber(shown)} of ${formatNumber(total)} of ${source}`)
      .join(', ')}.`,
  listed: (listed: number, shown: number) =>
    `The list has the first ${formatNumber(listed)} of ${formatNumber(shown)}; all are drawn.`,
  failed: (why: string) => `The annotations could not be read: ${why}`,
};
