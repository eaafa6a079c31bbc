import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit';
import { DatasetsModule } from '../datasets';
import { EventsModule } from '../events';
import { TablesModule } from '../tables';
import { VersionsModule } from '../versions';
import { TasksModule } from '../tasks';
import { AnnotateMediaUseCase } from './annotate-media.use-case';
import { AnnotationListReader } from './annotation-list.reader';
import { ChangeSourceUseCase } from './change-source.use-case';
import { AnnotationController } from './http/annotation.controller';
import { AnnotationFileController } from './http/annotation-file.controller';
import { CustomMetadataController } from './http/custom-metadata.controller';
import { AnnotationFileForms } from './http/annotation-file-forms';
import { AnnotationHistoryController } from './http/annotation-history.controller';
import { LabelSetController } from './http/label-set.controller';
import { AnnotationSourceController } from './http/annotation-source.controller';
import { AnnotationHistoryReader } from './history/annotation-history.reader';
import { ChangeHistory } from './history/change-history';
import { ImportMetadataUseCase } from './import-metadata.use-case';
import { AnnotateMediaJob, MetadataReportStep } from './jobs/annotate-media.job';
import { FilePreviews } from './files/file-preview';
import { SourceFilePieces } from './files/source-file-pieces';
import { CutObjectsStep } from './jobs/cut-objects.step';
import { ImportAnnotationsJob } from './jobs/import-annotations.job';
import { ImportSourceStep } from './jobs/import-source.step';
import { KeepTruthStep } from './jobs/keep-truth.step';
import { MergeAnnotationFilesJob } from './jobs/merge-annotation-files.job';
import { MakeObjectsStep } from './jobs/make-objects.step';
import { PlaceImportStep } from './jobs/place-import.step';
import { ReadGivenStep } from './jobs/read-given.step';
import { WriteAnnotationsStep } from './jobs/write-annotations.step';
import { PicturesNamed } from './pictures-named';
import { StateChanges } from './state-changes';
import { annotationsPersistence } from './persistence/schema';
import { AnnotationChangeRepository } from './persistence/annotation-change.repository';
import { MetadataImportRepository } from './persistence/metadata-import.repository';
import { LabelSets } from './label-sets';
import { UndoChangeUseCase } from './undo-change.use-case';

@Module({
  imports: [
    TypeOrmModule.forFeature(annotationsPersistence.entities),
    AuditModule,
    DatasetsModule,
    EventsModule,
    TasksModule,
    TablesModule,
    VersionsModule,
  ],
  controllers: [
    AnnotationHistoryController,
    AnnotationController,
    AnnotationSourceController,
    AnnotationFileController,
    CustomMetadataController,
    LabelSetController,
  ],
  providers: [
    AnnotateMediaUseCase,
    AnnotationFileForms,
    ChangeSourceUseCase,
    UndoChangeUseCase,
    ChangeHistory,
    LabelSets,
    AnnotationChangeRepository,
    AnnotationHistoryReader,
    StateChanges,
    PicturesNamed,
    AnnotationListReader,
    ImportMetadataUseCase,
    MetadataImportRepository,
    AnnotateMediaJob,
    MergeAnnotationFilesJob,
    ReadGivenStep,
    MetadataReportStep,
    CutObjectsStep,
    KeepTruthStep,
    WriteAnnotationsStep,
    SourceFilePieces,
    ImportAnnotationsJob,
    FilePreviews,
    ImportSourceStep,
    MakeObjectsStep,
    PlaceImportStep,
  ],
  exports: [AnnotationFileForms, AnnotationListReader, AnnotateMediaUseCase, ChangeSourceUseCase, UndoChangeUseCase],
})
export class AnnotationsModule {}
