import type { MediaTableStore } from '../../src/common/engine/media-table/media-table-store';
import type { DatasetPointer } from '../../src/modules/datasets';
import type { SearchQuery } from '../../src/modules/search/domain/query/search-query';
import type { OpenedSearch } from '../../test/support/opened-search';

export interface SearchedCollection {
  readonly search: OpenedSearch;
  readonly tables: MediaTableStore;
  readonly pointer: DatasetPointer;
  readonly rows: number;
  readonly ask: (query: SearchQuery, page?: number) => Promise<number>;
}
