import { json } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { MetadataFieldRepository, type MetadataField } from '../../datasets';
import { AnnotationFiles, type IndexingRun, folderLabels, type AnnotationIndex } from '../../tables';
import {
  type Annotation,
  type SentAnnotation,
  type GivenObject,
  type Unmatched,
  MAX_NAMES,
} from '../domain/annotation';
import { KnownFields, type GivenMetadata, type TypedMetadata } from '../domain/custom-metadata';
import {
  annotationFileKey,
  annotationsKey,
  type AnnotationParameters,
  ListedAnnotations,
  namedRows,
  type GivenAnnotations,
  isPicture,
  type NamedRow,
} from './given-annotations';
import type { MetadataValue } from '../../../common/engine/media-table/media-row';

/** The annotations of files; everything else stays unchanged. */
class AnnotationsOfFiles implements GivenAnnotations {
  readonly byPath = true;
  readonly changesLabels: boolean;
  readonly changesRows: boolean;

  constructor(private readonly index: AnnotationIndex) {
    this.changesLabels = index.hasLabels;
    this.changesRows = index.hasLabels || index.hasCaptions || index.hasFields;
  }

  get hasObjects(): boolean {
    return this.index.objectCount > 0;
  }

  about(row: NamedRow): readonly Annotation[] {
    const found = isPicture(row) ? this.index.get(row.path) : undefined;
    if (found === undefined) return [];
    const { labels, caption, objects, fields } = found;
    return [
      {
        ...(labels.length > 0 && { labels }),
        ...(caption !== null && { caption }),
        // Each has its type by now.
        ...(fields !== undefined && { metadata: fields as readonly MetadataValue[] }),
        ...(objects.length > 0 && {
          objects: objects.map(({ label, confidence = null, ...box }): GivenObject => ({
            label,
            box,
            unit: 'pixels',
            confidence,
          })),
        }),
      },
    ];
  }

  async unmatched(rows: AsyncIterable<NamedRow>): Promise<Unmatched> {
    const { count, examples } = await this.index.unknownFiles(pathsOf(rows), MAX_NAMES);
    return { names: examples, count, total: this.index.fileCount };
  }
}

/** The names of the folders that files lie in, as labels; frames lie where their video does. */
class LabelsOfFolders implements GivenAnnotations {
  readonly byPath = true;
  readonly changesLabels = true;
  readonly changesRows = true;
  readonly hasObjects = false;

  about(row: NamedRow): readonly Annotation[] {
    if (!isPicture(row)) return [];
    const labels = folderLabels(row.kind === 'FRAME' ? row.path.slice(0, row.path.lastIndexOf('/')) : row.path);
    return labels.length === 0 ? [] : [{ labels }];
  }

  /** Nothing is named that could be missing. */
  unmatched(): Promise<Unmatched> {
    return Promise.resolve({ names: [], count: 0, total: 1 });
  }
}

interface Given {
  readonly given: GivenAnnotations;
  readonly warnings: readonly string[];
  /** Fields that the dataset did not have. */
  readonly fields: readonly MetadataField[];
}

/** Reads the annotations of a task, and gives each value the type of its field. */
@Injectable()
export class ReadGivenStep {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly files: AnnotationFiles,
    private readonly fields: MetadataFieldRepository,
  ) {}

  async read(run: IndexingRun, table: MediaTable, { files, folders }: AnnotationParameters): Promise<Given> {
    if (folders === true) return ofFolders(table, run.context.signal);
    if (files !== undefined) return this.ofFiles(run, table, files);
    const sent = (await json(await this.store.get(annotationsKey(run.taskId)))) as SentAnnotation[];
    const isPlain = sent.every(({ metadata }) => metadata === undefined);
    const known = new KnownFields(isPlain ? [] : await this.knownFields(run, table));
    const given = sent.map((each): Annotation => ({
      ...each,
      metadata: each.metadata?.map((one) => typed(known, one)),
    }));
    return { given: new ListedAnnotations(given), warnings: [], fields: known.added };
  }

  private async ofFiles(
    run: IndexingRun,
    table: MediaTable,
    files: NonNullable<AnnotationParameters['files']>,
  ): Promise<Given> {
    const sources = files.map(({ name, size }) => ({
      name,
      size,
      source: `store:${annotationFileKey(run.taskId, name)}`,
      withConfidence: true,
      withFields: true,
    }));
    const { index, warnings } = await this.files.read(sources);
    if (index.fileCount === 0) throw new PermanentJobError(noAnnotations(files, warnings));
    if (!index.hasFields) return { given: new AnnotationsOfFiles(index), warnings, fields: [] };
    const known = new KnownFields(await this.knownFields(run, table));
    const refused = new RefusedValues();
    index.replaceFields((field) => {
      const read = known.typed(field);
      if (!('reason' in read)) return read.value === null ? undefined : read;
      refused.add(field.name, read.reason);
      return undefined;
    });
    return { given: new AnnotationsOfFiles(index), warnings: [...warnings, ...refused.warnings], fields: known.added };
  }

  /** The declared fields, and those of values that are older than declarations. */
  private async knownFields({ datasetId, context }: IndexingRun, table: MediaTable): Promise<readonly MetadataField[]> {
    const known = new Map((await this.fields.list(datasetId)).map((field) => [field.name, field]));
    if (table.has('customMetadata'))
      for await (const batch of table.readRows(['customMetadata'])) {
        context.signal.throwIfAborted();
        for (const { customMetadata } of batch)
          for (const { name, type, value } of customMetadata ?? [])
            if (!known.has(name))
              known.set(name, { name, type, enumOptions: null, isMulti: typeof value === 'object' });
      }
    return [...known.values()];
  }
}

async function ofFolders(table: MediaTable, signal: AbortSignal): Promise<Given> {
  const given = new LabelsOfFolders();
  for await (const row of namedRows(table, signal))
    if (given.about(row).length > 0) return { given, warnings: [], fields: [] };
  throw new PermanentJobError('No image of the dataset is in a folder, so there are no folder names to use as labels.');
}

/** Values of files that their fields do not take, counted by field. */
class RefusedValues {
  private readonly fields = new Map<string, { count: number; readonly reason: string }>();

  add(name: string, reason: string): void {
    const known = this.fields.get(name);
    if (known === undefined) this.fields.set(name, { count: 1, reason });
    else known.count += 1;
  }

  get warnings(): string[] {
    return Array.from(this.fields.values(), ({ count, reason }) =>
      count === 1 ? `A value is left out: ${reason}` : `${count} values are left out: ${reason}`,
    );
  }
}

function typed(known: KnownFields, given: GivenMetadata): TypedMetadata {
  const read = known.typed(given);
  if ('reason' in read) throw new PermanentJobError(read.reason);
  return read;
}

const noAnnotations = (files: readonly { readonly name: string }[], warnings: readonly string[]): string =>
  [`There is no annotation in ${files.map(({ name }) => name).join(', ')}.`, ...warnings].join(' ');

async function* pathsOf(rows: AsyncIterable<NamedRow>): AsyncGenerator<string> {
  for await (const row of rows) if (isPicture(row)) yield row.path;
}
