import { CreateTags1763700000800 } from './migrations/1763700000800-create-tags';
import { TagFileEntity } from './tag-file.entity';
import { TagEntity } from './tag.entity';

export const tagsPersistence = {
  entities: [TagEntity, TagFileEntity],
  migrations: [CreateTags1763700000800],
};
