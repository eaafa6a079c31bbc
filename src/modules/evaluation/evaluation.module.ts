import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { DatasetsModule } from '../datasets';
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
import { EvaluationController } from './http/evaluation.controller';
import { EvaluationJob } from './jobs/evaluation.job';
import { StartEvaluationUseCase } from './start-evaluation.use-case';

@Module({
  imports: [
    EvaluationRecordsModule,
    AuditModule,
    DatasetsModule,
    TasksModule,
    SearchModule,
    SnapshotsModule,
    VersionsModule,
  ],
  controllers: [EvaluationController],
  providers: [
    EvaluationReader,
    EvaluatedStates,
    ComparedSources,
    StartEvaluationUseCase,
    ChangeEvaluationUseCase,
    EvaluationJob,
    EvaluationSweep,
    CopiedEvaluations,
  ],
})
export class EvaluationModule {}
