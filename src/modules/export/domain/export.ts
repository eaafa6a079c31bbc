import type { NamedTag, VersionPlace } from '../../datasets';
import type { ExportFormat } from '../archive/formats';
import { ConflictError, ForbiddenError, NotFoundError } from '../../../common/platform/errors/domain-error';

export class ExportNotFoundError extends NotFoundError {
  constructor() {
    super('Export task not found');
  }
}

export class ExportOverError extends ConflictError {
  constructor() {
    super('The export has ended and can no longer be cancelled');
  }
}

export class ForeignExportError extends ForbiddenError {
  constructor() {
    super('Only the user who started this export, and users who may change the dataset, can cancel it');
  }
}

export class SourceNotFoundError extends NotFoundError {
  constructor(name: string) {
    super(`Annotation source '${name}' not found`);
  }
}

/** Every attempt to start conflicted with another change. */
export class DatasetChangedError extends ConflictError {
  constructor() {
    super('The dataset is being changed by others. Try again.');
  }
}

/** The version that an export reads, pinned whatever happens to the dataset. */
export interface ExportedVersion extends VersionPlace {
  readonly clusteringId: string;
  readonly tags: readonly NamedTag[];
}

/** Belongs to the task with the same id, which has the progress. */
export interface Export {
  readonly taskId: string;
  readonly datasetId: string;
  /** Name of the archive. */
  readonly fileName: string;
  readonly format: ExportFormat;
  readonly includeImages: boolean;
  /** The model of the vectors in the metadata; null without vectors. */
  readonly embeddingModel: string | null;
  /** Whose annotations it has; null if those of the table only. */
  readonly source: string | null;
  readonly entitiesCount: number;
  /** Full name. */
  readonly exportedBy: string;
  readonly resultMessage: string | null;
  readonly archiveKey: string | null;
  readonly expiresAt: Date | null;
}

/** With the version and rows to read. */
export interface RunningExport extends Export {
  readonly version: ExportedVersion;
  /** One bit for each row of the version; null for all rows. */
  readonly selection: Uint8Array | null;
}

export const EXPORTS_PREFIX = 'exports/';

export const exportFolder = (taskId: string): string => `${EXPORTS_PREFIX}${taskId}/`;

export const archiveKey = (taskId: string, attempt: number): string => `${exportFolder(taskId)}${attempt}.zip`;

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** Undefined for keys that this service didn't write. */
export const exportOfKey = (key: string): string | undefined =>
  new RegExp(`^${EXPORTS_PREFIX}(${UUID})/\\d+\\.zip$`).exec(key)?.[1];

export const archiveName = (name: string): string => (/\.zip$/i.test(name) ? name : `${name}.zip`);
