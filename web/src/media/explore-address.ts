import type { VqlFilter } from 'dataset-media-service-sdk';
import { meaningOf, wordsOf } from './simple-filters';
import { SORTS, type Sort } from './sort';

export const ENTITY_TYPES = ['IMAGES', 'OBJECTS', 'VIDEOS'] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

export interface Anchor {
  readonly type: 'MEDIA' | 'UPLOAD';
  readonly id: string;
}

/** Videos are found by their frames, which are images. */
export const pictured = (entity: EntityType): 'IMAGES' | 'OBJECTS' => (entity === 'VIDEOS' ? 'IMAGES' : entity);

/** The state of Explore. All of it is in the address. */
export interface ExploreState {
  readonly entity: EntityType;
  /** 0, the finest clusters, to 4. */
  readonly level: number;
  readonly caption: string;
  readonly filters: readonly VqlFilter[];
  /** In the address instead of filters: not a list of them. The service is asked with it all the same, and says what is wrong. */
  readonly unreadable?: string | undefined;
  readonly anchor: Anchor | null;
  /** Of what is not ranked by a text or a picture; the largest clusters first without it. */
  readonly sort: Sort | null;
  /** Which part of a large result. */
  readonly block: number;
}

type Searched = Pick<ExploreState, 'caption' | 'anchor' | 'filters'>;

/** Whether a text or a picture orders the results, whatever sort is asked for. */
export const isRanked = ({ caption, anchor }: Pick<ExploreState, 'caption' | 'anchor'>): boolean =>
  caption !== '' || anchor !== null;

/** Whether results have a likeness to a text or a picture. */
export const hasLikeness = (state: Searched): boolean => isRanked(state) || meaningOf(state.filters) !== null;

const LEVELS = 5;

/** Single pictures, the best first, where something is searched for; groups of related ones elsewhere. */
const defaultLevel = (state: Searched): number => (hasLikeness(state) || wordsOf(state.filters) !== '' ? 0 : 3);

const wholeNumber = (text: string | null, otherwise: number, most: number): number => {
  const value = Number(text ?? NaN);
  return Number.isInteger(value) && value >= 0 && value < most ? value : otherwise;
};

/** Undefined unless it is a list of objects. */
export function parseFilters(text: string): readonly VqlFilter[] | undefined {
  const parsed: unknown = JSON.parse(text);
  const isList = Array.isArray(parsed) && parsed.every((each) => typeof each === 'object' && each !== null);
  return isList ? (parsed as VqlFilter[]) : undefined;
}

function filtersOf(text: string | null): Pick<ExploreState, 'filters' | 'unreadable'> {
  if (text === null || text === '') return { filters: [] };
  try {
    const filters = parseFilters(text);
    if (filters !== undefined) return { filters };
  } catch {
    // Not JSON.
  }
  return { filters: [], unreadable: text };
}

function anchorOf(text: string | null): Anchor | null {
  const [, type, id] = /^(MEDIA|UPLOAD):([\w-]{1,64})$/.exec(text ?? '') ?? [];
  return type === undefined || id === undefined ? null : { type: type as Anchor['type'], id };
}

export function readState(params: URLSearchParams): ExploreState {
  const searched = {
    caption: params.get('caption') ?? '',
    ...filtersOf(params.get('vql')),
    anchor: anchorOf(params.get('anchor')),
  };
  return {
    ...searched,
    entity: ENTITY_TYPES.find((each) => each === params.get('type')) ?? 'IMAGES',
    level: wholeNumber(params.get('level'), defaultLevel(searched), LEVELS),
    sort: SORTS.find((each) => each === params.get('sort')) ?? null,
    block: wholeNumber(params.get('block'), 0, 1e6),
  };
}

/** Without default values, so that addresses stay short. */
export function writeState(state: ExploreState): URLSearchParams {
  const { entity, level, caption, filters, unreadable, anchor, sort, block } = state;
  const params = new URLSearchParams();
  if (entity !== 'IMAGES') params.set('type', entity);
  if (level !== defaultLevel(state)) params.set('level', String(level));
  if (caption !== '') params.set('caption', caption);
  const vql = unreadable ?? (filters.length === 0 ? undefined : JSON.stringify(filters));
  if (vql !== undefined) params.set('vql', vql);
  if (anchor !== null) params.set('anchor', `${anchor.type}:${anchor.id}`);
  if (sort !== null) params.set('sort', sort);
  if (block > 0) params.set('block', String(block));
  return params;
}

type Filters = ExploreState['filters'];

/** Filters may follow from those in the address at that moment: a page is drawn a moment later, and its filters may be older. */
export interface ExploreChange extends Partial<Omit<ExploreState, 'filters'>> {
  readonly filters?: Filters | ((current: Filters) => Filters);
}

/** At the beginning of the result, and at the level that is usual for it, unless the change or the state says otherwise. */
export function changed(state: ExploreState, { filters, ...part }: ExploreChange): ExploreState {
  const next = {
    ...state,
    block: 0,
    ...part,
    ...(filters !== undefined && {
      filters: typeof filters === 'function' ? filters(state.filters) : filters,
      unreadable: undefined,
    }),
  };
  const isUsual = part.level === undefined && state.level === defaultLevel(state);
  return isUsual ? { ...next, level: defaultLevel(next) } : next;
}

export interface ExploreNavigation {
  readonly state: ExploreState;
  /** Also goes back to the beginning of the result, unless it says which part. */
  readonly change: (part: ExploreChange, options?: { readonly replace?: boolean }) => void;
}

/** The parameters of explore, of the members of a cluster, of facets and of the map. */
export const queryOf = ({ entity, level, caption, filters, unreadable, anchor }: ExploreState) => ({
  entity_type: entity,
  threshold: level,
  ...(caption === '' ? {} : { caption }),
  ...(unreadable === undefined && filters.length === 0 ? {} : { vql: unreadable ?? JSON.stringify(filters) }),
  ...(anchor === null ? {} : { anchor_type: anchor.type, anchor_media_id: anchor.id }),
});

/** The parameters of explore and of the members of a cluster. */
export const orderedQueryOf = (state: ExploreState) => ({
  ...queryOf(state),
  ...(state.sort === null || isRanked(state) ? {} : { sort: state.sort }),
});
