import { ExportTaskEntity } from './export-task.entity';
import { CreateExportTask1763700001500 } from './migrations/1763700001500-create-export-task';

export const exportPersistence = {
  entities: [ExportTaskEntity],
  migrations: [CreateExportTask1763700001500],
};
