import { Module } from '@nestjs/common';
import { DatasetsModule } from '../datasets';
import { VersionsModule } from '../versions';
import { SettingsModule } from '../settings';
import { TasksModule } from '../tasks';
import { CloneCompanions, CloneSnapshotUseCase } from './clone-snapshot.use-case';
import { CreateSnapshotUseCase, DeleteSnapshotUseCase, DescribeSnapshotUseCase } from './snapshot.use-cases';
import { SnapshotDiffController, SnapshotController } from './http/snapshot.controller';
import { CloneSnapshotJob } from './jobs/clone-snapshot.job';
import { RestoreSnapshotJob, ReturnToSnapshotStep } from './jobs/restore-snapshot.job';
import { RestoreSnapshotUseCase, RunningRestorations } from './restore-snapshot.use-case';
import { SnapshotDiffService } from './snapshot-diff.service';
import { SnapshotBefore } from './snapshot-before';
import { SnapshotRecordsModule } from './snapshot-records.module';
import { SnapshotFeature } from './snapshot-feature';

@Module({
  imports: [SnapshotRecordsModule, SettingsModule, DatasetsModule, TasksModule, VersionsModule],
  controllers: [SnapshotController, SnapshotDiffController],
  providers: [
    SnapshotFeature,
    CloneCompanions,
    RunningRestorations,
    CreateSnapshotUseCase,
    DescribeSnapshotUseCase,
    RestoreSnapshotUseCase,
    CloneSnapshotUseCase,
    DeleteSnapshotUseCase,
    ReturnToSnapshotStep,
    RestoreSnapshotJob,
    CloneSnapshotJob,
    SnapshotDiffService,
    SnapshotBefore,
  ],
  exports: [CloneCompanions, SnapshotBefore],
})
export class SnapshotsModule {}
