export { AnnotationListReader } from './annotation-list.reader';
export { AnnotateMediaUseCase, type ReceivedFile } from './annotate-media.use-case';
export { AnnotationFileForms } from './http/annotation-file-forms';
export { sourceFileFields, sourceImportForm } from './http/annotation-file.schemas';
export {
  ChangeSourceUseCase,
  type EditContext,
  type EditOutcome,
  type PictureEdits,
  type SourceEdits,
} from './change-source.use-case';
export { UndoChangeUseCase, type UndoOutcome } from './undo-change.use-case';
export { ChangeNotFoundError } from './domain/annotation-change';
export { SOURCE_MODES, type Edit, type SourceMode } from './domain/source-change';
export type { Annotation } from './domain/annotation';
export { AnnotationsModule } from './annotations.module';
export { annotationsPersistence } from './persistence/schema';
