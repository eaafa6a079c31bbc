import { ExportTaskEntity } from './export.repository';
import { AddEmbeddingModelToExport1763700004800 } from './migrations/1763700004800-add-embedding-model-to-export';
import { CreateExportTask1763700001500 } from './migrations/1763700001500-create-export-task';

export const exportPersistence = {
  entities: [ExportTaskEntity],
  migrations: [CreateExportTask1763700001500, AddEmbeddingModelToExport1763700004800],
};
