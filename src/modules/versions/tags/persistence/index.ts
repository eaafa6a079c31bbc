import { CreateTags1763700000800 } from './migrations/1763700000800-create-tags';
import { KeepTagsOfDeletedUsers1763700002002 } from './migrations/1763700002002-keep-tags-of-deleted-users';
import { TagFileEntity } from './tag-file.repository';
import { TagEntity } from './tag.repository';

export const tagsPersistence = {
  entities: [TagEntity, TagFileEntity],
  migrations: [CreateTags1763700000800, KeepTagsOfDeletedUsers1763700002002],
};
