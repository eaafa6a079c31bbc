import { useCallback, useMemo } from 'react';
import type { VqlFilter } from 'dataset-media-service-sdk';
import { useParameters } from '../../design/parameters';

export const RULES = ['largest', 'oldest', 'sharpest', 'folder'] as const;
export type Rule = (typeof RULES)[number];

/** The reviewed groups, and the rule. All of it is in the address. */
export interface ReviewState {
  readonly tab: 'open' | 'decided';
  readonly similarity: number;
  readonly rule: Rule;
  /** Preferred ones first. */
  readonly folders: readonly string[];
  /** Null for all. */
  readonly folder: string | null;
  readonly label: string | null;
  readonly view: string | null;
  readonly page: number;
}

const DEFAULT_SIMILARITY = 0.95;
const LEAST_SIMILARITY = 0.8;

function numberIn(text: string | null, least: number, most: number, otherwise: number): number {
  const value = text === null ? NaN : Number(text);
  return value >= least && value <= most ? value : otherwise;
}

export const readState = (params: URLSearchParams): ReviewState => ({
  tab: params.get('tab') === 'decided' ? 'decided' : 'open',
  similarity: numberIn(params.get('similarity'), LEAST_SIMILARITY, 1, DEFAULT_SIMILARITY),
  rule: RULES.find((each) => each === params.get('rule')) ?? 'largest',
  folders: params.getAll('prefer'),
  folder: params.get('folder'),
  label: params.get('label'),
  view: params.get('view'),
  page: Math.floor(numberIn(params.get('page'), 0, 1e6, 0)),
});

function writeState({ tab, similarity, rule, folders, page, ...scope }: ReviewState): URLSearchParams {
  const params = new URLSearchParams();
  if (tab === 'decided') params.set('tab', tab);
  if (similarity !== DEFAULT_SIMILARITY) params.set('similarity', String(similarity));
  if (rule !== 'largest') params.set('rule', rule);
  for (const folder of folders) params.append('prefer', folder);
  for (const [name, value] of Object.entries(scope)) if (value !== null) params.set(name, value);
  if (page > 0) params.set('page', String(page));
  return params;
}

export interface ReviewNavigation {
  readonly state: ReviewState;
  /** Also goes back to the first page, unless it says which one. */
  readonly change: (part: Partial<ReviewState>) => void;
}

export function useReviewState(): ReviewNavigation {
  const [params, changeParams] = useParameters();
  const state = useMemo(() => readState(params), [params]);
  const change = useCallback<ReviewNavigation['change']>(
    (part) => changeParams((current) => writeState({ ...readState(current), page: 0, ...part }), { replace: true }),
    [changeParams],
  );
  return { state, change };
}

/** The filters of a view, as far as they apply to groups. */
export interface ViewSearch {
  readonly caption: string | null;
  readonly vql: readonly VqlFilter[];
}

export function filtersOf({ folder, label }: ReviewState, view: ViewSearch | undefined): readonly VqlFilter[] {
  return [
    ...(folder === null ? [] : [{ folders: { op: 'one_of', value: [folder === '' ? '/' : folder] } } as VqlFilter]),
    ...(label === null ? [] : [{ labels: { op: 'one_of', value: [label] } } as VqlFilter]),
    ...(view?.vql ?? []),
  ];
}
