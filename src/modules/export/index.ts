export { ExportModule } from './export.module';
export { EXPORT_JOBS } from './jobs';
export { exportPersistence } from './persistence';
