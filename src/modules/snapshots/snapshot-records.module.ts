import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatasetsModule } from '../datasets';
import { snapshotsPersistence } from './persistence';
import { SnapshotRepository } from './persistence/snapshot.repository';

@Module({
  imports: [TypeOrmModule.forFeature(snapshotsPersistence.entities), DatasetsModule],
  providers: [SnapshotRepository],
  exports: [SnapshotRepository],
})
export class SnapshotRecordsModule {}
