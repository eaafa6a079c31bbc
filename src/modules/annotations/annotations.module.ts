import { Module, type OnModuleInit } from '@nestjs/common';
import { AuditModule } from '../audit';
import { DatasetsModule } from '../datasets';
import { IngestionModule } from '../ingestion';
import { TaskActions, TasksModule } from '../tasks';
import { AnnotateMediaUseCase } from './annotate-media.use-case';
import { AnnotationController } from './http/annotation.controller';
import { ANNOTATING, AnnotateMediaJob } from './jobs/annotate-media.job';

@Module({
  imports: [AuditModule, DatasetsModule, TasksModule, IngestionModule],
  controllers: [AnnotationController],
  providers: [AnnotateMediaUseCase, AnnotateMediaJob],
})
export class AnnotationsModule implements OnModuleInit {
  constructor(private readonly actions: TaskActions) {}

  onModuleInit(): void {
    this.actions.register(ANNOTATING);
  }
}
