import { DatasetStatusError, type DatasetStatus } from '../../datasets';
import type { SearchQuery } from './domain/search-query';

const VISUAL_SEARCH: readonly DatasetStatus[] = ['READY'];

/** Browsing works while a dataset changes; search by image does not. */
export function assertSearchable({ ranking }: SearchQuery, status: DatasetStatus): void {
  if (ranking?.kind === 'anchor' && !VISUAL_SEARCH.includes(status))
    throw new DatasetStatusError('visual_search', status, VISUAL_SEARCH);
}
