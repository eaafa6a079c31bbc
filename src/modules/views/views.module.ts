import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatasetsModule } from '../datasets';
import { EvaluationRecordsModule } from '../evaluation/records';
import { EventsModule } from '../events';
import { TablesModule } from '../tables';
import { NotificationsModule } from '../notifications';
import { SearchModule } from '../search';
import { SettingsModule } from '../settings';
import { SnapshotsModule } from '../snapshots';
import { ViewEvaluationListener } from './view-evaluation.listener';
import { ChangeViewUseCase } from './change-view.use-case';
import { CopiedViews } from './copied-views';
import { CreateViewUseCase } from './create-view.use-case';
import { ViewController } from './http/view.controller';
import { AlertStep } from './jobs/alert.step';
import { EvaluateViewsJob } from './jobs/evaluate-views.job';
import { RecordEvaluationStep } from './jobs/record-evaluation.step';
import { ResumeViewsJob } from './jobs/resume-views.job';
import { WaitingViews } from './jobs/waiting-views.step';
import { viewsPersistence } from './persistence/schema';
import { SavedViewRepository } from './persistence/saved-view.repository';
import { ViewEvaluationRepository } from './persistence/view-evaluation.repository';
import { ViewReader } from './view.reader';

@Module({
  imports: [
    TypeOrmModule.forFeature(viewsPersistence.entities),
    DatasetsModule,
    EvaluationRecordsModule,
    EventsModule,
    SearchModule,
    TablesModule,
    NotificationsModule,
    SettingsModule,
    SnapshotsModule,
  ],
  controllers: [ViewController],
  providers: [
    SavedViewRepository,
    ViewEvaluationRepository,
    CreateViewUseCase,
    ChangeViewUseCase,
    ViewReader,
    ViewEvaluationListener,
    CopiedViews,
    AlertStep,
    RecordEvaluationStep,
    WaitingViews,
    EvaluateViewsJob,
    ResumeViewsJob,
  ],
  exports: [ViewReader],
})
export class ViewsModule {}
