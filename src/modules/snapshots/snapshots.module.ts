import { Module } from '@nestjs/common';
import { DatasetsModule } from '../datasets';
import { VersionsModule } from '../versions';
import { SettingsModule } from '../settings';
import { TasksModule } from '../tasks';
import { CloneCompanions } from './clone-companions';
import { CloneSnapshotUseCase } from './clone-snapshot.use-case';
import { CreateSnapshotUseCase } from './create-snapshot.use-case';
import { DeleteSnapshotUseCase } from './delete-snapshot.use-case';
import { DescribeSnapshotUseCase } from './describe-snapshot.use-case';
import { SnapshotDiffController } from './http/snapshot-diff.controller';
import { SnapshotController } from './http/snapshot.controller';
import { CloneSnapshotJob } from './jobs/clone-snapshot.job';
import { RestoreSnapshotJob } from './jobs/restore-snapshot.job';
import { ReturnToSnapshotStep } from './jobs/return-to-snapshot.step';
import { RestoreSnapshotUseCase } from './restore-snapshot.use-case';
import { RunningRestorations } from './running-restorations';
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
