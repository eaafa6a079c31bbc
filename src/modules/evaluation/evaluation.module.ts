import { Module } from '@nestjs/common';
import { AnnotationsModule } from '../annotations';
import { AuditModule } from '../audit';
import { DatasetsModule } from '../datasets';
import { EventsModule } from '../events';
import { SearchModule } from '../search';
import { SnapshotsModule } from '../snapshots';
import { TasksModule } from '../tasks';
import { VersionsModule } from '../versions';
import { ChangeEvaluationUseCase } from './change-evaluation.use-case';
import { ComparedSources } from './compared-sources';
import { CopiedEvaluations } from './copied-evaluations';
import { EvaluatedStates } from './evaluated-states';
import { EvaluationReader } from './evaluation.reader';
import { EvaluationRecordsModule } from './evaluation-records.module';
import { EvaluationSweep } from './evaluation.sweep';
import { EvaluationFiguresReader } from './evaluation-figures.reader';
import { EvaluationImportController } from './http/evaluation-import.controller';
import { EvaluationController } from './http/evaluation.controller';
import { FiguresController } from './http/figures.controller';
import { SliceController } from './http/slice.controller';
import { KeptEvaluations } from './kept-evaluations';
import { ImportListener } from './import.listener';
import { CompareStep } from './jobs/compare.step';
import { EvaluationJob } from './jobs/evaluation.job';
import { MeasureStep } from './jobs/measure.step';
import { ConditionReader } from './slices/condition-reader';
import { EvaluationComparison } from './slices/evaluation-comparison';
import { FailureGroups } from './slices/failure-groups';
import { EvaluationSlices } from './slices/evaluation-slices';
import { StartEvaluationUseCase } from './start-evaluation.use-case';

@Module({
  imports: [
    EvaluationRecordsModule,
    AnnotationsModule,
    AuditModule,
    DatasetsModule,
    EventsModule,
    TasksModule,
    SearchModule,
    SnapshotsModule,
    VersionsModule,
  ],
  controllers: [EvaluationController, EvaluationImportController, FiguresController, SliceController],
  providers: [
    EvaluationReader,
    EvaluationFiguresReader,
    EvaluatedStates,
    ComparedSources,
    StartEvaluationUseCase,
    ChangeEvaluationUseCase,
    EvaluationJob,
    CompareStep,
    MeasureStep,
    EvaluationSweep,
    ImportListener,
    KeptEvaluations,
    CopiedEvaluations,
    ConditionReader,
    EvaluationSlices,
    EvaluationComparison,
    FailureGroups,
  ],
})
export class EvaluationModule {}
