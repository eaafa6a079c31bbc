import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { DatasetsModule } from '../datasets';
import { DuplicatesModule } from '../duplicates';
import { TablesModule } from '../tables';
import { SearchModule } from '../search';
import { SettingsModule } from '../settings';
import { SnapshotsModule } from '../snapshots';
import { VersionsModule } from '../versions';
import { SnapshotRecordsModule } from '../snapshots/records';
import { TasksModule } from '../tasks';
import { ChosenRows } from './chosen-rows';
import { CopyMediaUseCase, RemoveMediaUseCase } from './subset.use-cases';
import { SubsetController } from './http/subset.controller';
import { KeepRowsJob } from './jobs/keep-rows.job';
import { StartSubset } from './start-subset';

/** Some of the media of a dataset, as a new one or instead of all. */
@Module({
  imports: [
    AuditModule,
    SettingsModule,
    DatasetsModule,
    TasksModule,
    TablesModule,
    SearchModule,
    SnapshotRecordsModule,
    SnapshotsModule,
    DuplicatesModule,
    VersionsModule,
  ],
  controllers: [SubsetController],
  providers: [ChosenRows, StartSubset, CopyMediaUseCase, RemoveMediaUseCase, KeepRowsJob],
})
export class SubsetsModule {}
