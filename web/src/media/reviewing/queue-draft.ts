import type { components, operations } from 'dataset-media-service-sdk';
import { listed } from './listed';

export type Queue = components['schemas']['ReviewQueue'];
export type Question = Queue['question'];
export type NewQueue = operations['reviewQueueCreate']['requestBody']['content']['application/json'];
export type QueueItems = Pick<NewQueue, 'query' | 'media_ids' | 'annotations' | 'view_id'>;
export type Honeypot = NonNullable<NewQueue['honeypots']>[number];

/** What a queue is about, where the page decides that. */
export interface ChosenItems {
  /** In words. */
  readonly what: string;
  /** Whether they may be fewer than there are. */
  readonly isLimited: boolean;
  readonly find: (limit: number) => QueueItems | Promise<QueueItems>;
  /** What is usual for them. */
  readonly draft?: Partial<QueueDraft>;
}

export type ItemsOf = 'mislabels' | 'random' | 'unlabeled' | 'source' | 'view';

/** The fields of the dialog, as people write them. */
export interface QueueDraft {
  readonly name: string;
  readonly of: ItemsOf;
  readonly source: string;
  /** The id of a view. */
  readonly view: string;
  /** Of the annotations; all of them if it is empty. */
  readonly label: string;
  /** In percent; empty without a limit. */
  readonly least: string;
  readonly most: string;
  readonly limit: string;
  readonly type: Question['type'];
  readonly text: string;
  readonly options: string;
  readonly agreement: string;
  readonly consensus: Queue['consensus'];
  readonly reviewed: boolean;
  /** E-mail addresses; none for all editors. */
  readonly people: readonly string[];
  /** In local time. */
  readonly due: string;
  /** The tag of media with a known answer; empty without them. */
  readonly known: string;
}

const USUAL_LIMIT = 500;

export const EMPTY_DRAFT: QueueDraft = {
  name: '',
  of: 'mislabels',
  source: '',
  view: '',
  label: '',
  least: '',
  most: '',
  limit: String(USUAL_LIMIT),
  type: 'labels',
  text: '',
  options: '',
  agreement: '1',
  consensus: 'vote',
  reviewed: false,
  people: [],
  due: '',
  known: '',
};

/** What is asked about where the page does not decide it. */
export function itemsOf({ of, source, view, label, least, most, limit: written }: QueueDraft): QueueItems {
  const limit = Number(written);
  if (of === 'view') return { view_id: view };
  if (of === 'random') return { query: { sort: 'random', limit } };
  if (of === 'unlabeled') return { query: { vql: [{ labels: { op: 'one_of', value: ['unlabeled'] } }], limit } };
  if (of === 'mislabels')
    return { query: { vql: [{ issues: { op: 'issue', value: ['mislabels'] } }], sort: '-mislabels', limit } };
  const hasRange = least !== '' || most !== '';
  const confidence: [number, number] = [Number(least) / 100, most === '' ? 1 : Number(most) / 100];
  const annotations = { source, order: 'confidence' as const, limit };
  return { annotations: { ...annotations, ...(label !== '' && { label }), ...(hasRange && { confidence }) } };
}

export function bodyOf(draft: QueueDraft, items: QueueItems, honeypots: readonly Honeypot[]): NewQueue {
  const { name, type, text, agreement, consensus, reviewed, people, due } = draft;
  return {
    ...{ name, ...items, agreement: Number(agreement), consensus, reviewed },
    question: {
      type,
      options: hasOptions(draft) ? listed(draft.options) : [],
      ...(text.trim() !== '' && { text: text.trim() }),
    },
    ...(people.length > 0 && { people: [...people] }),
    ...(due !== '' && { due_at: new Date(due).toISOString() }),
    ...(honeypots.length > 0 && { honeypots: [...honeypots] }),
  };
}

export const hasOptions = ({ type }: QueueDraft): boolean => type === 'choose' || type === 'labels';

/** Of labels, people see those that a picture has: its answer would be known to them, too. Annotations have none. */
export const takesHoneypots = ({ type, of }: QueueDraft): boolean => type === 'choose' && of !== 'source';

export const isWhole = (draft: QueueDraft, hasChosen: boolean): boolean =>
  draft.name.trim() !== '' &&
  (hasChosen || draft.of !== 'source' || draft.source !== '') &&
  (hasChosen || draft.of !== 'view' || draft.view !== '') &&
  (draft.type !== 'choose' || listed(draft.options).length > 1);

/** Of a medium with these labels: undefined unless just one is an option. */
export function knownChoice(labels: readonly string[], options: readonly string[]): string | undefined {
  const chosen = [...new Set(labels)].filter((label) => options.includes(label));
  return chosen.length === 1 ? chosen[0] : undefined;
}
