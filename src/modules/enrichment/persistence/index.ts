import { AppliedChunkEntity } from './applied-chunk.repository';
import { CreateAppliedChunk1763700004000 } from './migrations/1763700004000-create-applied-chunk';
import { CountFoundObjects1763700004100 } from './migrations/1763700004100-count-found-objects';

export const enrichmentPersistence = {
  entities: [AppliedChunkEntity],
  migrations: [CreateAppliedChunk1763700004000, CountFoundObjects1763700004100],
};
