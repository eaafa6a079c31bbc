import { CreateSearchAnchor1763700000700 } from './migrations/1763700000700-create-search-anchor';
import { SearchAnchorEntity } from './search-anchor.repository';

export const anchorsPersistence = {
  entities: [SearchAnchorEntity],
  migrations: [CreateSearchAnchor1763700000700],
};
