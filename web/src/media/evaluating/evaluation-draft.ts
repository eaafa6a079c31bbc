import type { ApiError, components } from 'dataset-media-service-sdk';
import { texts } from '../../texts';
import { GROUND_TRUTH } from '../annotations/annotation-view';
import { queryOf, type ExploreState } from '../explore-address';
import { listed } from '../reviewing/listed';
import type { EvaluationTask, NewEvaluation, Protocol } from './evaluation';

type Source = components['schemas']['AnnotationSource'];

const { invalid } = texts.evaluate.create;

/** The fields of the dialog, as people write them. */
export interface EvaluationDraft {
  /** Empty for the usual one. */
  readonly name: string;
  readonly truth: string;
  readonly predictions: string;
  readonly task: EvaluationTask;
  readonly protocol: Protocol;
  readonly isOfSearch: boolean;
  readonly isOfTruth: boolean;
  readonly isKeptUpToDate: boolean;
  /** In percent, as the next ones. */
  readonly iou: string;
  readonly confidence: string;
  readonly classConfidences: string;
  readonly maxDetections: string;
  readonly isClassAgnostic: boolean;
  readonly vocPoints: 'all' | '11';
  readonly hierarchy: string;
  readonly isVerified: boolean;
  readonly sigmas: string;
  readonly k: string;
  readonly labels: 'auto' | 'single' | 'multi';
}

export const EMPTY_DRAFT: EvaluationDraft = {
  name: '',
  truth: '',
  predictions: '',
  task: 'detection',
  protocol: 'coco',
  isOfSearch: true,
  isOfTruth: false,
  isKeptUpToDate: false,
  iou: '50',
  confidence: '',
  classConfidences: '',
  maxDetections: '',
  isClassAgnostic: false,
  vocPoints: 'all',
  hierarchy: '',
  isVerified: false,
  sigmas: '',
  k: '1, 5',
  labels: 'auto',
};

const PROTOCOLS: Readonly<Record<EvaluationTask, readonly Protocol[]>> = {
  detection: ['coco', 'voc', 'open_images'],
  segmentation: ['coco', 'voc', 'open_images'],
  keypoints: ['coco'],
  classification: ['coco'],
};

export const protocolsOf = (task: EvaluationTask): readonly Protocol[] => PROTOCOLS[task];

const COUNTED: Readonly<Record<EvaluationTask, (source: Source) => number>> = {
  detection: (source) => source.n_boxes,
  segmentation: (source) => source.n_polygons + source.n_masks,
  keypoints: (source) => source.n_keypoints,
  classification: (source) => source.n_labels,
};

/** Boxes are also around other shapes. */
const boxed = (source: Source): number => source.n_boxes + source.n_polygons + source.n_masks + source.n_keypoints;

/** What both sources have, and last the boxes around what they have. */
export function tasksOf(truth: Source | undefined, predictions: Source | undefined): readonly EvaluationTask[] {
  if (truth === undefined || predictions === undefined) return [];
  const both = (count: (source: Source) => number): boolean => count(truth) > 0 && count(predictions) > 0;
  const own = (Object.keys(COUNTED) as EvaluationTask[]).filter((task) => both(COUNTED[task]));
  return own.includes('detection') || !both(boxed) ? own : [...own, 'detection'];
}

/** What a source can be compared by. */
export const tasksIn = (source: Source): readonly EvaluationTask[] => tasksOf(source, source);

/** With other sources or another task: what does not fit them any more gets what does. */
export function changed(
  draft: EvaluationDraft,
  part: Partial<EvaluationDraft>,
  sources: readonly Source[],
): EvaluationDraft {
  const next = { ...draft, ...part };
  const named = (name: string): Source | undefined => sources.find((each) => each.name === name);
  const tasks = tasksOf(named(next.truth), named(next.predictions));
  const isChosen = part.task !== undefined || (part.truth ?? part.predictions) === undefined;
  const isKept = tasks.includes(next.task) && (isChosen || next.task !== 'detection');
  const task = isKept ? next.task : (tasks[0] ?? next.task);
  const protocol = protocolsOf(task).includes(next.protocol) ? next.protocol : 'coco';
  return { ...next, task, protocol };
}

/** What people say against the newest predictions, unless the page says otherwise. */
export function firstDraft(sources: readonly Source[], predictions?: string): EvaluationDraft {
  const names = (kind: Source['kind']): readonly string[] =>
    sources.filter((source) => source.kind === kind).map(({ name }) => name);
  const chosen = predictions ?? names('predictions').at(-1) ?? names('truth').find((name) => name !== GROUND_TRUTH);
  const others = names('truth').filter((name) => name !== chosen);
  const truth = others.includes(GROUND_TRUTH) ? GROUND_TRUTH : others[0];
  return changed(EMPTY_DRAFT, { truth: truth ?? '', predictions: chosen ?? '' }, sources);
}

export interface DraftErrors {
  readonly iou?: string | undefined;
  readonly confidence?: string | undefined;
  readonly maxDetections?: string | undefined;
  readonly classConfidences?: string | undefined;
  readonly hierarchy?: string | undefined;
  readonly sigmas?: string | undefined;
  readonly k?: string | undefined;
}

/** Lines of a name and a value; throws a sentence. */
function pairsIn(text: string): [string, string][] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const at = line.lastIndexOf('=');
    const [name, value] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    if (at < 0 || name === '' || value === '') throw new Error(invalid.pairs(line));
    return [name, value];
  });
}

function percentsIn(text: string): Record<string, number> {
  const all = pairsIn(text).map(([name, value]) => {
    const percent = Number(value);
    if (!(percent >= 0 && percent <= 100)) throw new Error(invalid.percent(`${name} = ${value}`));
    return [name, percent / 100] as const;
  });
  return Object.fromEntries(all);
}

function numbersIn(text: string): number[] {
  const numbers = listed(text).map(Number);
  if (!numbers.every((each) => Number.isFinite(each) && each > 0)) throw new Error(invalid.numbers);
  return numbers;
}

const errorOf = (read: () => unknown): string | undefined => {
  try {
    read();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

export const errorsOf = (draft: EvaluationDraft): DraftErrors => ({
  classConfidences: errorOf(() => percentsIn(draft.classConfidences)),
  hierarchy: errorOf(() => pairsIn(draft.hierarchy)),
  sigmas: errorOf(() => numbersIn(draft.sigmas)),
  k: errorOf(() => numbersIn(draft.k)),
});

const FIELDS: Readonly<Record<string, keyof DraftErrors | 'name'>> = {
  ...{ name: 'name', iou: 'iou', confidence: 'confidence', max_detections: 'maxDetections' },
  ...{ class_confidences: 'classConfidences', hierarchy: 'hierarchy', sigmas: 'sigmas', k: 'k' },
};

interface RefusedFields {
  readonly name?: string;
  readonly options: DraftErrors;
  /** About another field, or none. */
  readonly other?: string;
}

/** What the service says is wrong, at its fields. */
export function refusedFields(error: Error | null): RefusedFields {
  if (error === null) return { options: {} };
  const { items = [] } = error as Partial<ApiError>;
  const placed = items.map(({ loc, msg }) => [loc.map((part) => FIELDS[part]).find(Boolean), msg] as const);
  if (placed.length === 0 || placed.some(([field]) => field === undefined))
    return { options: {}, other: error.message };
  const { name, ...options } = Object.fromEntries(placed) as DraftErrors & { readonly name?: string };
  return { ...(name !== undefined && { name }), options };
}

export const isWhole = (draft: EvaluationDraft, sources: readonly Source[]): boolean => {
  const named = (name: string): Source | undefined => sources.find((each) => each.name === name);
  return (
    draft.truth !== draft.predictions &&
    tasksOf(named(draft.truth), named(draft.predictions)).includes(draft.task) &&
    Object.values(errorsOf(draft)).every((error) => error === undefined)
  );
};

export const usualName = ({ predictions, task }: EvaluationDraft): string =>
  texts.evaluate.create.nameOf(predictions, texts.evaluate.tasks[task]);

/** Options of the task alone; what has its usual value is left out. */
function optionsOf(draft: EvaluationDraft): NonNullable<NewEvaluation['options']> {
  const { task, protocol, isOfTruth, iou, confidence, maxDetections } = draft;
  const [cuts, sigmas] = [percentsIn(draft.classConfidences), numbersIn(draft.sigmas)];
  const hasShapes = task !== 'classification';
  return {
    ...(hasShapes && iou !== '' && { iou: Number(iou) / 100 }),
    ...(confidence !== '' && { confidence: Number(confidence) / 100 }),
    ...(Object.keys(cuts).length > 0 && { class_confidences: cuts }),
    ...(hasShapes && protocol === 'coco' && maxDetections !== '' && { max_detections: Number(maxDetections) }),
    ...(hasShapes && draft.isClassAgnostic && { class_agnostic: true }),
    ...(protocol === 'voc' && { voc_points: draft.vocPoints }),
    ...(protocol === 'open_images' && draft.hierarchy.trim() !== '' && { hierarchy: pairsIn(draft.hierarchy) }),
    ...(protocol === 'open_images' && draft.isVerified && { verified: true }),
    ...(task === 'keypoints' && sigmas.length > 0 && { sigmas }),
    ...(task === 'classification' && { k: numbersIn(draft.k) }),
    ...(task === 'classification' && draft.labels !== 'auto' && { labels: draft.labels }),
    ...(isOfTruth && { pictures: 'with_truth' as const }),
  };
}

/** Undefined of a search that finds all pictures, or that the service does not understand. */
export function searchFilterOf(search: ExploreState | undefined): NewEvaluation['filter'] | undefined {
  if (search === undefined || search.entity !== 'IMAGES' || search.unreadable !== undefined) return undefined;
  if (search.filters.length === 0 && search.caption === '' && search.anchor === null) return undefined;
  const { vql, ...query } = queryOf(search);
  return { ...query, ...(vql !== undefined && { vql: [...search.filters] }) };
}

/** `filter` is the search that the page shows, if there is one. */
export const bodyOf = (draft: EvaluationDraft, filter: NewEvaluation['filter']): NewEvaluation => ({
  ...importedBody(draft, filter),
  predictions: draft.predictions,
});

/** Without the predictions, where they are what is imported. */
export function importedBody(
  draft: EvaluationDraft,
  filter?: NewEvaluation['filter'],
): Omit<NewEvaluation, 'predictions'> {
  const { name, truth, task, protocol, isOfSearch, isKeptUpToDate } = draft;
  return {
    ...{ name: name.trim() === '' ? usualName(draft) : name.trim(), truth, task, protocol },
    options: optionsOf(draft),
    ...(isOfSearch && filter !== undefined && { filter }),
    ...(isKeptUpToDate && { keep_up_to_date: true }),
  };
}
