import { DatasetMemberEntity, DatasetEntity } from './dataset.entity';
import { GenerationEntity } from './generation.entity';
import { CreateDatasets1763700000200 } from './migrations/1763700000200-create-datasets';
import { AddTagsFile1763700000500 } from './migrations/1763700000500-add-tags-file';
import { AddHistory1763700000900 } from './migrations/1763700000900-add-history';
import { AddEnrichments1763700003900 } from './migrations/1763700003900-add-enrichments';
import { AddTextModel1763700000600 } from './migrations/1763700000600-add-text-model';
import { AddObjectClustering1763700004200 } from './migrations/1763700004200-add-object-clustering';
import { CreateRemovedFiles1763700005010 } from './migrations/1763700005010-create-removed-files';
import { RemovedFilesEntity } from './removed-files.repository';
import { MetadataFieldEntity } from './metadata-field.repository';
import { CreateMetadataField1763700005000 } from './migrations/1763700005000-create-metadata-field';
import { CreateDatasetMember1763700002100 } from './migrations/1763700002100-create-dataset-member';

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
