import { hash } from 'node:crypto';
import { versionName } from '../../../../common/engine/media-table/table-version';
import type { DatasetPointer } from '../../../datasets';
import type { Filter } from '../../query/domain/filter';
import type { SearchQuery } from '../../query/domain/search-query';
import type { MapColour } from './map-colours';

export interface MapView {
  readonly query: SearchQuery;
  readonly colour: MapColour;
}

/** Names a published state: its table and its tags, which change by themselves. */
export function mapVersionOf(pointer: DatasetPointer | null): string {
  return pointer === null ? EMPTY : `${nameOf(versionName(pointer))}-${nameOf(pointer.tagsFile ?? '')}`;
}

const EMPTY = 'empty';
const nameOf = (text: string): string => hash('sha256', text).slice(0, 16);

/** Whether a view of one state is the same in another: tags matter only to views that show or ask for them. */
export function isSameMap(asked: string, current: string, view?: MapView): boolean {
  if (asked === current) return true;
  return (view === undefined || !needsTags(view)) && asked.split('-')[0] === current.split('-')[0];
}

const needsTags = ({ query, colour }: MapView): boolean => colour === 'tag' || query.filters.some(asksForTags);

function asksForTags(filter: Filter): boolean {
  if (filter.kind === 'not') return asksForTags(filter.filter);
  if (filter.kind === 'and' || filter.kind === 'or') return filter.filters.some(asksForTags);
  return filter.kind === 'tags' || filter.kind === 'untagged';
}
