import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { DatasetsModule } from '../datasets';
import { TablesModule } from '../tables';
import { VersionsModule } from '../versions';
import { SettingsModule } from '../settings';
import { SnapshotsModule } from '../snapshots';
import { TasksModule } from '../tasks';
import { VectorFiles } from './files/vector-files';
import { EmbeddingController } from './http/embedding.controller';
import { ReadVectorsStep } from './jobs/read-vectors.step';
import { ReplaceEmbeddingsJob } from './jobs/replace-embeddings.job';
import { UploadEmbeddingsUseCase } from './upload-embeddings.use-case';

@Module({
  imports: [AuditModule, SettingsModule, DatasetsModule, TasksModule, TablesModule, VersionsModule, SnapshotsModule],
  controllers: [EmbeddingController],
  providers: [UploadEmbeddingsUseCase, VectorFiles, ReadVectorsStep, ReplaceEmbeddingsJob],
})
export class EmbeddingsModule {}
