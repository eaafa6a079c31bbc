import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { DatasetsModule } from '../datasets';
import { IngestionModule } from '../ingestion';
import { TasksModule } from '../tasks';
import { AnnotateMediaUseCase } from './annotate-media.use-case';
import { AnnotationController } from './http/annotation.controller';
import { AnnotateMediaJob } from './jobs/annotate-media.job';

@Module({
  imports: [AuditModule, DatasetsModule, TasksModule, IngestionModule],
  controllers: [AnnotationController],
  providers: [AnnotateMediaUseCase, AnnotateMediaJob],
})
export class AnnotationsModule {}
