import { Module, type OnModuleInit } from '@nestjs/common';
import { AuditModule } from '../audit';
import { DatasetsModule } from '../datasets';
import { DuplicatesModule } from '../duplicates';
import { TablesModule } from '../tables';
import { SearchModule } from '../search';
import { SettingsModule } from '../settings';
import { SnapshotsModule } from '../snapshots';
import { SnapshotRecordsModule } from '../snapshots/records';
import { TaskActions, TasksModule } from '../tasks';
import { ChosenRows } from './chosen-rows';
import { CopyMediaUseCase } from './copy-media.use-case';
import { SubsetController } from './http/subset.controller';
import { COPYING, KeepRowsJob, REMOVAL } from './jobs/keep-rows.job';
import { RemoveMediaUseCase } from './remove-media.use-case';
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
  ],
  controllers: [SubsetController],
  providers: [ChosenRows, StartSubset, CopyMediaUseCase, RemoveMediaUseCase, KeepRowsJob],
})
export class SubsetsModule implements OnModuleInit {
  constructor(private readonly actions: TaskActions) {}

  onModuleInit(): void {
    this.actions.register(REMOVAL);
    this.actions.register(COPYING);
  }
}
