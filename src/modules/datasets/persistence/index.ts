import { DatasetMemberEntity, DatasetEntity } from './dataset.entity';
import { GenerationEntity } from './generation.entity';
import { MIGRATIONS } from './migrations';
import { RemovedFilesEntity } from './removed-files.repository';
import { MetadataFieldEntity } from './metadata-field.repository';

export const datasetsPersistence = {
  entities: [DatasetEntity, GenerationEntity, DatasetMemberEntity, MetadataFieldEntity, RemovedFilesEntity],
  migrations: MIGRATIONS,
};
