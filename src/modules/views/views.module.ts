import { Module } from '@nestjs/common';
import { DatasetsModule } from '../datasets';
import { IngestionModule } from '../ingestion';
import { NotificationsModule } from '../notifications';
import { SearchModule } from '../search';
import { WorkspacesModule } from '../workspaces';
import { BatchWatch } from './batch-watch';
import { ChangeViewUseCase } from './change-view.use-case';
import { CreateViewUseCase } from './create-view.use-case';
import { ViewController } from './http/view.controller';
import { EvaluateViewsJob } from './jobs/evaluate-views.job';
import { RecordEvaluationStep } from './jobs/record-evaluation.step';
import { SavedViewRepository } from './persistence/saved-view.repository';
import { ViewEvaluationRepository } from './persistence/view-evaluation.repository';
import { ViewReader } from './view.reader';

@Module({
  imports: [DatasetsModule, SearchModule, IngestionModule, NotificationsModule, WorkspacesModule],
  controllers: [ViewController],
  providers: [
    SavedViewRepository,
    ViewEvaluationRepository,
    CreateViewUseCase,
    ChangeViewUseCase,
    ViewReader,
    BatchWatch,
    RecordEvaluationStep,
    EvaluateViewsJob,
  ],
})
export class ViewsModule {}
