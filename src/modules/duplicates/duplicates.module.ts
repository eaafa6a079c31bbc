import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AnnotationsModule } from '../annotations';
import { AuditModule } from '../audit';
import { DatasetsModule } from '../datasets';
import { SearchModule } from '../search';
import { SnapshotsModule } from '../snapshots';
import { TasksModule } from '../tasks';
import { VersionsModule } from '../versions';
import { CarryAnnotationsUseCase, CopiedDecisions } from './carry-annotations.use-case';
import { DecideGroupsUseCase } from './decide-groups.use-case';
import { DecidedMediaReader, DecidedRowsCache } from './decided-rows.cache';
import { DecisionListReader } from './decision-list.reader';
import { DuplicateGroupsReader } from './duplicate-groups.reader';
import { DuplicateReview } from './duplicate-review';
import { DecisionController } from './http/decision.controller';
import { DuplicateController } from './http/duplicate.controller';
import { KeepColumnsCache } from './keep-columns.cache';
import { duplicatesPersistence } from './persistence/schema';
import { DuplicateDecisionRepository } from './persistence/duplicate-decision.repository';
import { RecordDecisions } from './record-decisions';
import { RemovalListReader } from './removal-list.reader';
import { UndoDecisionsUseCase } from './undo-decisions.use-case';

@Module({
  imports: [
    TypeOrmModule.forFeature(duplicatesPersistence.entities),
    AnnotationsModule,
    AuditModule,
    DatasetsModule,
    SearchModule,
    SnapshotsModule,
    TasksModule,
    VersionsModule,
  ],
  controllers: [DuplicateController, DecisionController],
  providers: [
    DuplicateDecisionRepository,
    KeepColumnsCache,
    DecidedMediaReader,
    DecidedRowsCache,
    DuplicateReview,
    DuplicateGroupsReader,
    DecisionListReader,
    RemovalListReader,
    RecordDecisions,
    DecideGroupsUseCase,
    UndoDecisionsUseCase,
    CarryAnnotationsUseCase,
    CopiedDecisions,
  ],
  exports: [DecidedMediaReader],
})
export class DuplicatesModule {}
