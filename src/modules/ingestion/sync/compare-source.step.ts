import { Inject, Injectable } from '@nestjs/common';
import { pMapIterable } from 'p-map';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { SourceNotAllowedError, SourceNotFoundError } from '../../../common/platform/storage/sources/source-files';
import { withoutRole } from '../../../common/platform/storage/sources/source-location';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { RemovedFilesRepository } from '../../datasets';
import { Settings } from '../../settings';
import { tooManyMedia } from '../sources/domain/source-location';
import {
  classifyFileName,
  type DatasetUpdate,
  isAnnotationFileName,
  type ListedSource,
  PART_WEIGHT,
  type SourceFile,
  writeFileList,
  isFile,
  REMOVED_FILE_BYTES,
} from '../../tables';
import { UnreadablePlaces } from '../sources/domain/unreadable-places';
import { SourceMedia } from '../sources/source-media';
import { KnownSources } from './known-sources';
import { MissingFiles, type MissingList, leftOutWarnings } from './missing-files';
import { OwnBatches } from './own-batches';
import { inList } from '../../../common/engine/media-table/literal';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { kindCode } from '../../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../../common/engine/media-table/media-table';

/** Whether a file belongs to the dataset's own source. The location is passed without the role. */
type IsOfSource = (file: Pick<MediaRow, 'source' | 'batchId'>) => boolean;

/** Small, so that other requests run between batches. */
const BATCH_ROWS = 2_048;
const FIELDS = ['kind', 'source', 'sourceVersion', 'sizeBytes', 'batchId'] as const;

const STATS_AT_ONCE = 16;

/** The files that are new or may have changed, and those that are missing. */
export interface ComparedSource extends ListedSource {
  readonly missing: MissingList;
}

/** `gone` marks a file that a manifest lists and that does not exist. */
interface FileOnSource {
  readonly file: SourceFile;
  readonly state: 'there' | 'gone' | 'hidden';
}

/** Lists a dataset's source and finds new, changed and missing files. */
@Injectable()
export class CompareSourceStep {
  constructor(
    private readonly settings: Settings,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly ownBatches: OwnBatches,
    private readonly sources: SourceMedia,
    private readonly missingFiles: MissingFiles,
    private readonly removedFiles: RemovedFilesRepository,
  ) {}

  async compare(
    { dataset, table }: Pick<DatasetUpdate, 'dataset' | 'table'>,
    key: string,
    signal: AbortSignal,
  ): Promise<ComparedSource> {
    const { id, sourceUri: uri, labelsFromFolders } = dataset;
    if (uri === null) throw new PermanentJobError('The dataset has no source to sync with');
    try {
      const root = await this.sources.rootOf(uri);
      const removed: Buffer[] = [];
      for await (const record of this.removedFiles.read(id)) removed.push(record);
      const known = await readKnownSources(
        table,
        removed,
        root === undefined ? await this.ofOwnBatches(id) : below(root),
        signal,
      );
      const unreadable = new UnreadablePlaces();
      const listed = await this.list(uri, key, known, unreadable, signal);
      const missing = await this.missingFiles.keep(
        table,
        known.missing(),
        `${key}-missing`,
        root !== undefined,
        signal,
      );
      const warnings = [
        ...unreadable.sentences(),
        ...unreadable.extensionWarnings(),
        ...leftOutWarnings(known.leftOut),
      ];
      return { ...listed, key, labelsFromFolders, warnings, missing };
    } catch (error) {
      const isGone = error instanceof SourceNotFoundError || error instanceof SourceNotAllowedError;
      if (isGone) await this.sources.assertReachable(uri);
      throw isGone ? new PermanentJobError(error.message, { cause: error }) : error;
    }
  }

  /** The ordinals of the missing files. */
  readMissing(missing: MissingList): Promise<Int32Array> {
    return this.missingFiles.read(missing);
  }

  /** Writes the list of files to read while the source is being listed. */
  private async list(
    uri: string,
    key: string,
    known: KnownSources,
    unreadable: UnreadablePlaces,
    signal: AbortSignal,
  ): Promise<Pick<ListedSource, 'files' | 'partWeight' | 'annotations'>> {
    const annotations: ListedSource['annotations'][number][] = [];
    const maxImages = this.settings.number('MAX_NUM_OF_IMAGES');
    let files = 0;
    let media = 0;
    const listing = this.sources.list(uri, unreadable);
    const checkedFiles = pMapIterable(listing, (file) => this.statIfUnversioned(file), { concurrency: STATS_AT_ONCE });
    async function* toRead(): AsyncGenerator<SourceFile> {
      for await (const { file, state } of checkedFiles) {
        signal.throwIfAborted();
        const kind = classifyFileName(file.path);
        if (kind === 'annotation' && isAnnotationFileName(file.path)) annotations.push({ ...file, name: file.path });
        if (kind === 'unsupported') unreadable.skipByExtension(file.path);
        if (kind !== 'image' && kind !== 'video') continue;
        if (++media > maxImages) throw new PermanentJobError(tooManyMedia(maxImages));
        if (isAsKnown(known, file, state)) continue;
        files += 1;
        yield file;
      }
    }
    await writeFileList(this.store, key, toRead());
    // An unmounted folder looks empty and must not empty the dataset, even if it was unmounted during the listing.
    await this.sources.assertReachable(uri);
    if (media === 0)
      throw new PermanentJobError(
        unreadable.sentences().join(' ') || 'The source contains no supported image or video',
      );
    return { files, partWeight: PART_WEIGHT, annotations };
  }

  /** Manifests have no versions of their files. */
  private async statIfUnversioned(file: SourceFile): Promise<FileOnSource> {
    if (file.version !== null) return { file, state: 'there' };
    try {
      const stat = await this.sources.statOf(file.source);
      if (stat === undefined) {
        await this.sources.assertReachable(file.source);
        return { file, state: 'gone' };
      }
      return { file: { ...file, size: stat.size, version: stat.etag }, state: 'there' };
    } catch (error) {
      if (!(error instanceof SourceNotAllowedError)) throw error;
      await this.sources.assertReachable(file.source);
      return { file, state: 'hidden' };
    }
  }

  /** For manifests, whose files can't be recognised by their location. */
  private async ofOwnBatches(datasetId: string): Promise<IsOfSource> {
    const batches = await this.ownBatches.ids(datasetId);
    return ({ batchId }) => batches.has(batchId);
  }
}

const below = (root: string): IsOfSource => {
  const folder = `${root}/`;
  return ({ source }) => source === root || source.startsWith(folder);
};

function isAsKnown(known: KnownSources, file: SourceFile, state: FileOnSource['state']): boolean {
  const source = withoutRole(file.source);
  if (state === 'there') return ['same', 'removed'].includes(known.observe({ ...file, source }));
  if (state === 'hidden') known.markPresent(source);
  return known.has(source);
}

/** Reads the files of a table that are stored outside the service. `removed` has the records of files that users removed from the table. */
async function readKnownSources(
  table: MediaTable,
  removed: readonly Buffer[],
  isOfSource: IsOfSource,
  signal: AbortSignal,
): Promise<KnownSources> {
  const files = await table.countRows(`kind IN ${inList([kindCode('IMAGE'), kindCode('VIDEO')])}`);
  const known = new KnownSources(files + removed.reduce((sum, { length }) => sum + length / REMOVED_FILE_BYTES, 0));
  for (const record of removed) known.addRemoved(record);
  let ordinal = 0;
  for await (const rows of table.readRows(FIELDS, { batchRows: BATCH_ROWS })) {
    signal.throwIfAborted();
    for (const { kind, source, sourceVersion, sizeBytes, batchId } of rows) {
      if (isFile({ kind }) && !source.startsWith('store:')) {
        const place = withoutRole(source);
        known.add({
          source: place,
          version: sourceVersion,
          size: sizeBytes,
          ordinal,
          isOfSource: isOfSource({ source: place, batchId }),
        });
      }
      ordinal += 1;
    }
  }
  return known;
}
