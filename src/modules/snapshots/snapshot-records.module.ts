import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatasetsModule } from '../datasets';
import { EventsModule } from '../events';
import { SnapshotRepository, snapshotsPersistence } from './persistence/snapshot.repository';
import { TakeSnapshot } from './take-snapshot';

@Module({
  imports: [TypeOrmModule.forFeature(snapshotsPersistence.entities), DatasetsModule, EventsModule],
  providers: [SnapshotRepository, TakeSnapshot],
  exports: [SnapshotRepository, TakeSnapshot],
})
export class SnapshotRecordsModule {}
