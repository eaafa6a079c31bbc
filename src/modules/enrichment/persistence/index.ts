import { AppliedChunkEntity } from './applied-chunk.entity';
import { CreateAppliedChunk1763700004000 } from './migrations/1763700004000-create-applied-chunk';

export const enrichmentPersistence = {
  entities: [AppliedChunkEntity],
  migrations: [CreateAppliedChunk1763700004000],
};
