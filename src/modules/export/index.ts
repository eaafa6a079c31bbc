export { ExportModule } from './export.module';
export { exportPersistence } from './persistence/schema';
