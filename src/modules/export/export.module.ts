import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit';
import { DatasetsModule } from '../datasets';
import { SearchModule } from '../search';
import { TasksModule } from '../tasks';
import { VersionsModule } from '../versions';
import { CancelExportUseCase, StartExportUseCase } from './start-export.use-case';
import { ExportInfoReader, ExportReader } from './export.reader';
import { ExportPreviewReader } from './export-preview.reader';
import { ExportSweep } from './export.sweep';
import { ExportController, MediaIdList } from './http/export.controller';
import { DropArchivesJob } from './jobs/drop-archives.job';
import { ExportJob } from './jobs/export.job';
import { ItemReaders } from './jobs/item-readers';
import { exportPersistence } from './persistence/schema';
import { ExportRepository } from './persistence/export.repository';

@Module({
  imports: [
    TypeOrmModule.forFeature(exportPersistence.entities),
    AuditModule,
    DatasetsModule,
    TasksModule,
    SearchModule,
    VersionsModule,
  ],
  controllers: [ExportController],
  providers: [
    ExportRepository,
    ExportReader,
    ExportInfoReader,
    ExportPreviewReader,
    ExportSweep,
    ExportJob,
    DropArchivesJob,
    ItemReaders,
    MediaIdList,
    StartExportUseCase,
    CancelExportUseCase,
  ],
})
export class ExportModule {}
