import { Module, type OnModuleInit } from '@nestjs/common';
import { AuditModule } from '../audit';
import { DatasetsModule } from '../datasets';
import { IngestionModule } from '../ingestion';
import { SearchModule } from '../search';
import { TaskActions, TasksModule } from '../tasks';
import { AnnotateMediaUseCase } from './annotate-media.use-case';
import { AnnotationController } from './http/annotation.controller';
import { AnnotationFileController } from './http/annotation-file.controller';
import { ANNOTATING, AnnotateMediaJob } from './jobs/annotate-media.job';
import { CutObjectsStep } from './jobs/cut-objects.step';
import { WriteAnnotationsStep } from './jobs/write-annotations.step';

@Module({
  imports: [AuditModule, DatasetsModule, TasksModule, IngestionModule, SearchModule],
  controllers: [AnnotationController, AnnotationFileController],
  providers: [AnnotateMediaUseCase, AnnotateMediaJob, CutObjectsStep, WriteAnnotationsStep],
  exports: [AnnotateMediaUseCase],
})
export class AnnotationsModule implements OnModuleInit {
  constructor(private readonly actions: TaskActions) {}

  onModuleInit(): void {
    this.actions.register(ANNOTATING);
  }
}
