import type { components } from 'dataset-media-service-sdk';
import { postForm } from '../../api/client';
import { keys } from '../../api/keys';
import { GROUND_TRUTH } from '../annotations/annotation-view';
import type { PathFile } from './picked-files';

type AnnotationSource = components['schemas']['AnnotationSource'];
export type FilePreview = components['schemas']['AnnotationFilePreview'];
export type ReadFormat = FilePreview['format'];

/** Of one request. */
export const MOST_SOURCE_FILES = 1_000;
/** The longest name of a source. */
export const MOST_SOURCE_NAME = 100;

export const SOURCE_MODES = ['add', 'merge', 'replace', 'delete'] as const;
export const SOURCE_KINDS = ['predictions', 'truth'] as const;

/** Where the annotations of files go, and how. */
export interface SourceImport {
  readonly source: string;
  /** Of a new source. */
  readonly kind: (typeof SOURCE_KINDS)[number];
  readonly mode: (typeof SOURCE_MODES)[number];
  /** Told by the content if it is null. */
  readonly format: ReadFormat | null;
}

/** What a model found is changed by the model only. */
export const isImportedInto = ({ name, created_at: createdAt }: AnnotationSource): boolean =>
  name === GROUND_TRUTH || createdAt !== null;

/** The fields come before the files, so that the service can refuse a file before it is sent. */
export function importForm(
  { format, ...fields }: SourceImport,
  files: readonly PathFile[],
  more: Readonly<Record<string, string>> = {},
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, ...more })) form.set(name, value);
  if (format !== null) form.set('format', format);
  for (const { path, file } of files) form.append('files', file, path);
  return form;
}

const MOST_PREVIEW_BYTES = 64 * 1024 * 1024;

export const isPreviewed = (files: readonly PathFile[]): boolean =>
  files.reduce((sum, { file }) => sum + file.size, 0) <= MOST_PREVIEW_BYTES;

/** What the files have, whatever source they are for. */
export const previewQuery = (datasetId: string, format: ReadFormat | null, files: readonly PathFile[]) => ({
  queryKey: keys.of(
    datasetId,
    'annotation_files',
    format,
    files.map(({ path, file }) => [path, file.size, file.lastModified]),
  ),
  queryFn: async () => {
    const asked = { source: GROUND_TRUTH, kind: 'truth', mode: 'add', format } as const;
    const answer = await postForm(
      `/api/v1/dataset/${datasetId}/annotations/files`,
      importForm(asked, files, { preview: 'true' }),
      () => undefined,
    );
    return (await answer.json()) as FilePreview;
  },
  enabled: files.length > 0 && isPreviewed(files),
});

/** Whether an import would change nothing. */
export const isInVain = ({ annotations, unmatched, is_complete: isComplete }: FilePreview): boolean =>
  isComplete && annotations === unmatched.count;
