import { ExportTaskEntity } from './export.repository';
import { MIGRATIONS } from './migrations';

export const exportPersistence = {
  entities: [ExportTaskEntity],
  migrations: MIGRATIONS,
};
