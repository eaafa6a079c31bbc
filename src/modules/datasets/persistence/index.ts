import { DatasetEntity } from './dataset.entity';
import { GenerationEntity } from './generation.entity';
import { CreateDatasets1763700000200 } from './migrations/1763700000200-create-datasets';

export const datasetsPersistence = {
  entities: [DatasetEntity, GenerationEntity],
  migrations: [CreateDatasets1763700000200],
};
