import { DatasetMemberEntity, DatasetEntity } from './dataset.entity';
import { GenerationEntity } from './generation.entity';
import {
  CreateDatasets1763700000200,
  AddTagsFile1763700000500,
  AddTextModel1763700000600,
  AddHistory1763700000900,
  CreateDatasetMember1763700002100,
  AddEnrichments1763700003900,
  AddObjectClustering1763700004200,
  CreateMetadataField1763700005000,
  CreateRemovedFiles1763700005010,
} from './migrations';
import { RemovedFilesEntity } from './removed-files.repository';
import { MetadataFieldEntity } from './metadata-field.repository';

export const datasetsPersistence = {
  entities: [DatasetEntity, GenerationEntity, DatasetMemberEntity, MetadataFieldEntity, RemovedFilesEntity],
  migrations: [
    CreateDatasets1763700000200,
    AddTagsFile1763700000500,
    AddTextModel1763700000600,
    AddHistory1763700000900,
    CreateDatasetMember1763700002100,
    AddEnrichments1763700003900,
    AddObjectClustering1763700004200,
    CreateMetadataField1763700005000,
    CreateRemovedFiles1763700005010,
  ],
};
