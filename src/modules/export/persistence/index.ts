import { ExportTaskEntity } from './export.repository';
import { CreateExportTask1763700001500, AddEmbeddingModelToExport1763700004800 } from './migrations';

export const exportPersistence = {
  entities: [ExportTaskEntity],
  migrations: [CreateExportTask1763700001500, AddEmbeddingModelToExport1763700004800],
};
