import { answered, type Connection } from './connection.js';
import { MediaServiceError } from './errors.js';
import { Evaluation, type EvaluationsQuery, type ListedEvaluation, type NewEvaluation } from './evaluation.js';
import type { components, operations } from './generated/api.js';
import { paged } from './paging.js';
import type { NewReviewQueue, ReviewDecision, ReviewProgress, ReviewQueue } from './review.js';
import {
  AnnotationSource,
  type AnnotationChange,
  type AnnotationUndo,
  type HistoryQuery,
  type ImportOptions,
  type LabelSet,
  type SetLabel,
  type SourceDetails,
} from './sources.js';
import { notifications, type Notification, type StreamOptions } from './stream.js';
import {
  isOver,
  listTasks,
  poll,
  startedTask,
  waitForTask,
  type Task,
  type TaskFilter,
  type WaitOptions,
} from './tasks.js';

type Schemas = components['schemas'];
export type AnnotationFilePreview = Schemas['AnnotationFilePreview'];
export type DatasetDetails = Schemas['Dataset'];
export type MediaCluster = Schemas['MediaCluster'];
export type MediaPreview = Schemas['MediaPreview'];
export type Snapshot = Schemas['Snapshot'];
export type Export = Schemas['ExportTask'];
export type VqlFilter = Schemas['VqlFilter'];
export type UnderstoodText = NonNullable<Schemas['ExploreResult']['understood']>[number];

type ExploreQuery = NonNullable<operations['exploreSearch']['parameters']['query']>;
/** An annotation of a medium, which is named by its id or by its path in the dataset. */
export type Annotation = Schemas['MediaAnnotation'];
/** A custom field to declare. */
export type NewField = operations['customMetadataDeclare']['requestBody']['content']['application/json'];
export type MetadataField = operations['customMetadataSchema']['responses'][200]['content']['application/json'][number];
type ExportQuery = operations['exportExportContext']['parameters']['query'];

/** The parameters of explore, with lists and filters as values. */
export interface SearchQuery extends Omit<
  ExploreQuery,
  'vql' | 'labels' | 'tags' | 'page_number' | 'duplicate_threshold' | 'textual_similarity_threshold'
> {
  readonly vql?: readonly VqlFilter[];
  readonly labels?: readonly string[];
  readonly tags?: readonly string[];
  readonly duplicate_threshold?: number;
  readonly textual_similarity_threshold?: number;
}

export interface ExportOptions {
  readonly format: ExportQuery['export_format'];
  readonly includeImages?: boolean;
  /** Whether the Parquet metadata includes the vectors of the images. */
  readonly withEmbeddings?: boolean;
  /** The annotations of this source. */
  readonly source?: string | undefined;
  /** The file name of the archive. */
  readonly fileName?: string;
}

export interface Sources {
  /** A folder, a bucket or a manifest that the service can read. */
  readonly location?: string;
  readonly files?: readonly File[];
  /** A .zip, .tar, .tar.gz or .tgz file. */
  readonly archive?: File;
  readonly autoReindex?: boolean;
}

export interface Embeddings {
  /** The name of the vectors. */
  readonly id: string;
  /** For a .npy file, for each row: the path of a medium in the dataset, or its id. */
  readonly names?: readonly string[];
  readonly mediaIds?: readonly string[];
  /** The cosines at which media join into clusters, for five levels, finest first. */
  readonly ladder?: readonly number[];
  readonly allowMissing?: boolean;
}

/** A selection of media: the union of the given conditions. */
export interface ChosenMedia {
  readonly mediaIds?: readonly string[];
  /** All matching media of its entity type. */
  readonly query?: Pick<SearchQuery, 'entity_type' | 'vql' | 'labels' | 'tags' | 'duplicate_threshold'>;
  /** Media to be dropped by the decisions about near duplicates. */
  readonly decidedDuplicates?: boolean;
}

/** A name by default is that of the predictions, and the task is detection. */
export interface EvaluateOptions extends Omit<NewEvaluation, 'name' | 'task' | 'filter'> {
  readonly name?: string;
  readonly task?: NewEvaluation['task'];
  /** Only images and frames that it finds. */
  readonly query?: Pick<SearchQuery, 'vql' | 'labels' | 'tags'>;
}

export interface CopyOptions {
  /** Whether the new dataset gets the chosen media (the default) or all others. */
  readonly keep?: 'chosen' | 'others';
  readonly name?: string;
  readonly description?: string;
  readonly withViews?: boolean;
}

type RemovalBody = operations['subsetRemove']['requestBody']['content']['application/json'];

const mediaSelection = (ids: readonly string[]): NonNullable<RemovalBody['media_selection']> => [
  { type: 'media', payload: { media_ids: [...ids] } },
];

const EVALUATIONS_PAGE = 100;
const MEMBERS_PAGE = 100;
const QUARANTINE_PAGE = 1000;

function queryOf({ vql, labels, tags, duplicate_threshold, textual_similarity_threshold, ...rest }: SearchQuery) {
  return {
    ...rest,
    ...(vql === undefined ? {} : { vql: JSON.stringify(vql) }),
    ...(labels === undefined ? {} : { labels: JSON.stringify(labels) }),
    ...(tags === undefined ? {} : { tags: JSON.stringify(tags) }),
    ...(duplicate_threshold === undefined ? {} : { duplicate_threshold: String(duplicate_threshold) }),
    ...(textual_similarity_threshold === undefined
      ? {}
      : { textual_similarity_threshold: String(textual_similarity_threshold) }),
  };
}

/** In a request body, filters are a list. */
function searchOf({ vql, labels, tags, duplicate_threshold, ...rest }: NonNullable<ChosenMedia['query']>) {
  return {
    ...rest,
    ...(vql === undefined ? {} : { vql: [...vql] }),
    ...(labels === undefined ? {} : { labels: JSON.stringify(labels) }),
    ...(tags === undefined ? {} : { tags: JSON.stringify(tags) }),
    ...(duplicate_threshold === undefined ? {} : { duplicate_threshold: String(duplicate_threshold) }),
  };
}

const chosenBody = ({ mediaIds, query, decidedDuplicates }: ChosenMedia): RemovalBody => ({
  ...(mediaIds === undefined ? {} : { media_selection: mediaSelection(mediaIds) }),
  ...(query === undefined ? {} : { search: searchOf(query) }),
  ...(decidedDuplicates === undefined ? {} : { decided_duplicates: decidedDuplicates }),
});

const newEvaluation = ({ query, ...asked }: EvaluateOptions): NewEvaluation => ({
  ...{ name: asked.predictions, task: 'detection' as const, ...asked },
  ...(query === undefined ? {} : { filter: searchOf(query) }),
});

type SourceImport = ImportOptions & { readonly source: string };

/** Fields come before the files: they are read first. */
function annotationForm(
  files: readonly File[],
  { source, mode = 'add', kind = 'predictions', modelId, format }: SourceImport,
  others: Readonly<Record<string, string>>,
): FormData {
  const form = new FormData();
  const fields = { source, mode, kind, model_id: modelId, format, ...others };
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value);
  for (const file of files) form.append('files', file, file.name);
  return form;
}

/** One dataset, by its id. */
export class Dataset {
  private readonly path: { readonly dataset_id: string };

  constructor(
    readonly connection: Connection,
    readonly id: string,
  ) {
    this.path = { dataset_id: id };
  }

  get(): Promise<DatasetDetails> {
    return answered(this.connection.api.GET('/api/v1/dataset/{dataset_id}', { params: { path: this.path } }));
  }

  /** Changes the name, the description or both. */
  describe(words: { readonly display_name?: string; readonly description?: string }): Promise<DatasetDetails> {
    const params = { path: this.path };
    return answered(this.connection.api.PATCH('/api/v1/dataset/{dataset_id}', { params, body: words }));
  }

  async delete(): Promise<void> {
    await this.connection.api.DELETE('/api/v1/dataset/{dataset_id}', { params: { path: this.path } });
  }

  /** Waits until the dataset is READY or PARTIAL INDEX. Throws if it becomes ERROR. */
  async waitUntilReady(options: WaitOptions = {}): Promise<DatasetDetails> {
    const isDone = ({ status_new: status }: DatasetDetails): boolean =>
      status === 'READY' || status === 'PARTIAL INDEX' || status === 'ERROR';
    const dataset = await poll(() => this.get(), isDone, `The dataset ${this.id}`, options);
    if (dataset.status_new === 'ERROR')
      throw new MediaServiceError(
        `The dataset "${dataset.display_name}" failed: ${dataset.fatal_error_msg ?? 'unknown reason'}`,
      );
    return dataset;
  }

  tasks(filter: Omit<TaskFilter, 'dataset_id'> = {}): AsyncGenerator<Task, void, undefined> {
    return listTasks(this.connection, { ...filter, dataset_id: this.id });
  }

  waitFor(task: Task | string, options: WaitOptions = {}): Promise<Task> {
    return waitForTask(this.connection, task, options);
  }

  /** Waits until no task of the dataset is running. */
  async waitUntilIdle(options: WaitOptions = {}): Promise<void> {
    const running = async (): Promise<Task | undefined> => {
      for await (const task of this.tasks()) if (!isOver(task)) return task;
      return undefined;
    };
    const read = async (): Promise<Task | undefined> => {
      const task = await running();
      if (task !== undefined) options.onProgress?.(task);
      return task;
    };
    await poll(read, (task) => task === undefined, `A task of the dataset ${this.id}`, options);
  }

  /** Yields the clusters of a search page by page, best first. */
  search(query: SearchQuery = {}): AsyncGenerator<MediaCluster, void, undefined> {
    return paged(0, async (page) => {
      const found = await answered(
        this.connection.api.GET('/api/v1/explore/{dataset_id}', {
          params: { path: this.path, query: { ...queryOf(query), page_number: page } },
        }),
      );
      return { items: found.clusters, hasMore: page + 1 < found.total_pages };
    });
  }

  /** The parts of the texts of a search, with the classes that they were understood as; undefined if they were not compared by classes. */
  async understood(query: SearchQuery): Promise<UnderstoodText[] | undefined> {
    const params = { path: this.path, query: queryOf(query) };
    return (await answered(this.connection.api.GET('/api/v1/explore/{dataset_id}', { params }))).understood;
  }

  /** Yields the members of a cluster of a search. */
  members(clusterId: string, query: SearchQuery = {}): AsyncGenerator<MediaPreview, void, undefined> {
    return paged(0, async (page) => {
      const found = await answered(
        this.connection.api.GET('/api/v1/explore/{dataset_id}/clusters/{cluster_id}', {
          params: {
            path: { ...this.path, cluster_id: clusterId },
            query: { ...queryOf(query), page_number: page, limit: MEMBERS_PAGE },
          },
        }),
      );
      return { items: found.members, hasMore: page + 1 < found.total_pages };
    });
  }

  /** Uploads a query picture. Pass its `anchor_media_id` and `anchor_type` to `search`. */
  async uploadQueryImage(
    picture: Blob,
    query: { readonly entity_type?: 'IMAGES' | 'OBJECTS' | 'VIDEOS'; readonly threshold?: number } = {},
  ): Promise<Schemas['SearchAnchor']> {
    const form = new FormData();
    form.set('file', picture, 'query');
    const parameters = new URLSearchParams({
      entity_type: query.entity_type ?? 'IMAGES',
      threshold: String(query.threshold ?? 0),
    });
    const at = `/api/v1/dataset/${this.id}/search-image-similarity?${parameters.toString()}`;
    return (await (
      await this.connection.request(at, { method: 'POST', body: form })
    ).json()) as Schemas['SearchAnchor'];
  }

  media(mediaId: string): Promise<Schemas['MediaDetail']> {
    return answered(
      this.connection.api.GET('/api/v1/dataset/{dataset_id}/media/{media_id}', {
        params: { path: { ...this.path, media_id: mediaId } },
      }),
    );
  }

  async similar(mediaId: string, limit = 10): Promise<MediaPreview[]> {
    const params = { path: { ...this.path, media_id: mediaId }, query: { limit } };
    const found = this.connection.api.GET('/api/v1/dataset/{dataset_id}/media/{media_id}/similar', { params });
    return (await answered(found)).similar;
  }

  /**
   * With `search`, only labels, tags, folders and field values that contain it; use it where long lists are truncated. With `source`, the labels are
   * those of its annotations.
   */
  facets(query: SearchQuery = {}, search?: string, source?: string): Promise<Schemas['Facets']> {
    const params = {
      path: this.path,
      query: {
        ...queryOf(query),
        ...(search === undefined ? {} : { search }),
        ...(source === undefined ? {} : { source }),
      },
    };
    return answered(this.connection.api.GET('/api/v1/dataset/{dataset_id}/facets', { params }));
  }

  /** The files that could not be read, with the reasons. */
  quarantine(): AsyncGenerator<Schemas['Quarantine']['files'][number], void, undefined> {
    return paged(1, async (page) => {
      const params = { path: this.path, query: { page, page_size: QUARANTINE_PAGE } };
      const found = await answered(this.connection.api.GET('/api/v1/dataset/{dataset_id}/quarantine', { params }));
      return { items: found.files, hasMore: page * QUARANTINE_PAGE < found.total };
    });
  }

  /** Adds media from exactly one source, and returns the task that indexes them. */
  add({ location, files = [], archive, autoReindex }: Sources): Promise<Task> {
    const form = new FormData();
    if (autoReindex !== undefined) form.set('auto_reindex', String(autoReindex));
    if (location !== undefined) form.set('s3_uri', location);
    for (const file of files) form.append('files', file, file.name);
    if (archive !== undefined) form.set('archive', archive, archive.name);
    return this.start('MEDIA_ADDITION', () =>
      this.connection.request(`/api/v1/dataset/${this.id}/add_media`, { method: 'POST', body: form }),
    );
  }

  reindex(): Promise<Task> {
    return this.start('REINDEX', () =>
      this.connection.api.POST('/api/v1/dataset/{dataset_id}/reindex', { params: { path: this.path } }),
    );
  }

  async sync(options: { readonly prune?: boolean } = {}): Promise<string> {
    const params = { path: this.path, query: options };
    return (await answered(this.connection.api.POST('/api/v1/dataset/{dataset_id}/sync', { params }))).task_id;
  }

  /** Sets labels and captions of existing media, and returns the task. Use `annotationBatches` for more than 10,000. */
  async annotate(annotations: readonly Annotation[], mode: 'add' | 'replace' = 'add'): Promise<Task> {
    const body = { mode, annotations: [...annotations] };
    return this.start('ANNOTATION', () =>
      this.connection.api.POST('/api/v1/dataset/{dataset_id}/annotations', { params: { path: this.path }, body }),
    );
  }

  /** The named sets of annotations beside the labels and objects of people, by name. */
  async sources(): Promise<SourceDetails[]> {
    const route = '/api/v1/dataset/{dataset_id}/annotation_sources';
    return (await answered(this.connection.api.GET(route, { params: { path: this.path } }))).sources;
  }

  /** The source of this name, which need not exist yet. */
  source(name: string): AnnotationSource {
    return new AnnotationSource(this.connection, this.id, name);
  }

  /** The labels that people give. */
  labelSet(): Promise<LabelSet> {
    return answered(this.connection.api.GET('/api/v1/dataset/{dataset_id}/label_set', { params: { path: this.path } }));
  }

  /** Replaces the labels that people give; edits of `ground_truth` with others are refused if the set is closed. */
  setLabels(labels: readonly SetLabel[], closed = false): Promise<LabelSet> {
    const [params, body] = [{ path: this.path }, { labels: [...labels], closed }];
    return answered(this.connection.api.PUT('/api/v1/dataset/{dataset_id}/label_set', { params, body }));
  }

  /** The changes of annotations of sources, latest first. */
  async *annotationHistory(query: Omit<HistoryQuery, 'cursor'> = {}): AsyncGenerator<AnnotationChange> {
    let cursor: string | null = null;
    do {
      const params = { path: this.path, query: { ...query, ...(cursor !== null && { cursor }) } };
      const page: Schemas['AnnotationHistory'] = await answered(
        this.connection.api.GET('/api/v1/dataset/{dataset_id}/annotations/history', { params }),
      );
      yield* page.changes;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /** Makes annotations what they were before a change, all of them or none. The undo of the answer does the change again. */
  async undo(changeId: string): Promise<AnnotationUndo> {
    const [params, body] = [{ path: this.path }, { change_id: changeId }];
    return answered(this.connection.api.POST('/api/v1/dataset/{dataset_id}/annotations/undo', { params, body }));
  }

  /** Queues of media that people answer a question about, newest first. */
  async reviewQueues(): Promise<ReviewQueue[]> {
    const params = { path: this.path };
    return (await answered(this.connection.api.GET('/api/v1/dataset/{dataset_id}/review_queues', { params }))).queues;
  }

  makeReviewQueue(body: NewReviewQueue): Promise<ReviewQueue> {
    const params = { path: this.path };
    return answered(this.connection.api.POST('/api/v1/dataset/{dataset_id}/review_queues', { params, body }));
  }

  /** A queue with what is done, and the agreement of people. */
  reviewProgress(queueId: string): Promise<ReviewProgress> {
    const params = { path: { ...this.path, queue_id: queueId } };
    return answered(this.connection.api.GET('/api/v1/dataset/{dataset_id}/review_queues/{queue_id}', { params }));
  }

  /** All that people said about the items of a queue, oldest first. */
  async *reviewDecisions(queueId: string): AsyncGenerator<ReviewDecision> {
    let cursor: string | null = null;
    do {
      const query = { limit: 1_000, ...(cursor !== null && { cursor: Number(cursor) }) };
      const params = { path: { ...this.path, queue_id: queueId }, query };
      const page: Schemas['ReviewDecisionPage'] = await answered(
        this.connection.api.GET('/api/v1/dataset/{dataset_id}/review_queues/{queue_id}/decisions', { params }),
      );
      yield* page.decisions;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /** Compares a source with another one, `ground_truth` by default, and waits for the figures. */
  async evaluate(asked: EvaluateOptions, options: WaitOptions = {}): Promise<Evaluation> {
    const evaluation = await this.startEvaluation(asked);
    await evaluation.wait(options);
    return evaluation;
  }

  async startEvaluation(asked: EvaluateOptions): Promise<Evaluation> {
    const [params, body] = [{ path: this.path }, newEvaluation(asked)];
    const started = this.connection.api.POST('/api/v1/dataset/{dataset_id}/evaluations', { params, body });
    return this.startedEvaluation(await answered(started));
  }

  /** Reads files of another tool into the source of the predictions, which is evaluated when that is done. `taskId` is that of the import. */
  async importAndEvaluate(
    files: readonly File[],
    asked: EvaluateOptions,
    options: ImportOptions = {},
  ): Promise<Evaluation> {
    const { predictions: source, ...evaluation } = newEvaluation(asked);
    const form = annotationForm(files, { source, ...options }, { evaluation: JSON.stringify(evaluation) });
    const at = `/api/v1/dataset/${this.id}/evaluations/import`;
    const response = await this.connection.request(at, { method: 'POST', body: form });
    return this.startedEvaluation((await response.json()) as Schemas['StartedEvaluation']);
  }

  private startedEvaluation({ evaluation_id: id, task_id: task }: Schemas['StartedEvaluation']): Evaluation {
    return new Evaluation(this.connection, this.id, id, task);
  }

  /** The evaluations, newest first. */
  evaluations(query: EvaluationsQuery = {}): AsyncGenerator<ListedEvaluation, void, undefined> {
    return paged(0, async (page) => {
      const offset = page * EVALUATIONS_PAGE;
      const params = { path: this.path, query: { ...query, limit: EVALUATIONS_PAGE, offset } };
      const found = await answered(this.connection.api.GET('/api/v1/dataset/{dataset_id}/evaluations', { params }));
      return { items: found.evaluations, hasMore: offset + EVALUATIONS_PAGE < found.total };
    });
  }

  evaluation(id: string): Evaluation {
    return new Evaluation(this.connection, this.id, id);
  }

  /** Sets labels, captions and objects from files with the names and columns of annotation files at creation, and returns the task. */
  async annotateByFiles(files: readonly File[], mode: 'add' | 'replace' = 'add'): Promise<Task> {
    const form = new FormData();
    form.set('mode', mode);
    for (const file of files) form.append('files', file, file.name);
    return this.start('ANNOTATION', () =>
      this.connection.request(`/api/v1/dataset/${this.id}/annotations/files`, { method: 'POST', body: form }),
    );
  }

  /** Reads files of another tool into a source, or archives with them, and returns the task. */
  async importAnnotations(files: readonly File[], source: string, options: ImportOptions = {}): Promise<Task> {
    return this.start('ANNOTATION_IMPORT', () => this.sendAnnotations(files, { source, ...options }, 'false'));
  }

  /** What `importAnnotations` would read, up to 64 MiB a file; nothing is changed. */
  async previewAnnotations(
    files: readonly File[],
    source: string,
    options: ImportOptions = {},
  ): Promise<AnnotationFilePreview> {
    const response = await this.sendAnnotations(files, { source, ...options }, 'true');
    return (await response.json()) as AnnotationFilePreview;
  }

  private sendAnnotations(files: readonly File[], source: SourceImport, preview: 'true' | 'false'): Promise<Response> {
    const body = annotationForm(files, source, { preview });
    return this.connection.request(`/api/v1/dataset/${this.id}/annotations/files`, { method: 'POST', body });
  }

  /** Makes objects of what a source marks, removes those that it marks no longer, and returns the task. */
  async makeObjects(source: string): Promise<Task> {
    const route = '/api/v1/dataset/{dataset_id}/annotation_sources/{source}/objects';
    return this.start('ANNOTATION', () =>
      this.connection.api.POST(route, { params: { path: { ...this.path, source } } }),
    );
  }

  /** Labels images with the names of their folders, and returns the task. */
  async annotateByFolders(mode: 'add' | 'replace' = 'add'): Promise<Task> {
    const route = '/api/v1/dataset/{dataset_id}/annotations/folders';
    return this.start('ANNOTATION', () =>
      this.connection.api.POST(route, { params: { path: this.path }, body: { mode } }),
    );
  }

  /** The custom fields of the dataset, by name. */
  fields(): Promise<MetadataField[]> {
    const route = '/api/v1/datasets/{dataset_id}/custom_metadata/schema';
    return answered(this.connection.api.GET(route, { params: { path: this.path } }));
  }

  /** Declares a field before it has values, and returns the id to send values under. `annotate` also accepts values. */
  async declareField(body: NewField): Promise<string> {
    const route = '/api/v1/datasets/{dataset_id}/custom_metadata/tasks';
    return (await answered(this.connection.api.POST(route, { params: { path: this.path }, body }))).task_id;
  }

  /** Replaces the image vectors with a .npy file and `names`, or with a .parquet file, and returns the task. */
  async pushEmbeddings(vectors: File, { id, names, mediaIds, ladder, allowMissing }: Embeddings): Promise<Task> {
    const form = new FormData();
    form.set('id', id);
    const listed = mediaIds ?? names;
    if (listed !== undefined) {
      form.set('named_by', mediaIds === undefined ? 'file_name' : 'media_id');
      form.set('names', new Blob([listed.map((name) => `${name}\n`).join('')]), 'names.txt');
    }
    if (ladder !== undefined) form.set('ladder', ladder.join(','));
    if (allowMissing !== undefined) form.set('allow_missing', String(allowMissing));
    form.set('vectors', vectors, vectors.name);
    return this.start('EMBEDDINGS', () =>
      this.connection.request(`/api/v1/dataset/${this.id}/embeddings`, { method: 'POST', body: form }),
    );
  }

  async tags(): Promise<Schemas['Tag'][]> {
    const params = { path: this.path };
    return (await answered(this.connection.api.GET('/api/v1/dataset/{dataset_id}/tags', { params }))).tags;
  }

  createTag(name: string): Promise<Schemas['Tag']> {
    return answered(
      this.connection.api.POST('/api/v1/dataset/{dataset_id}/tags', { params: { path: this.path }, body: { name } }),
    );
  }

  /** Returns how many of the media did not have the tag. */
  async assignTag(tagId: string, mediaIds: readonly string[]): Promise<number> {
    const answer = this.connection.api.POST('/api/v1/dataset/{dataset_id}/tags/{tag_id}/assign', {
      params: { path: { ...this.path, tag_id: tagId } },
      body: { media_selection: mediaSelection(mediaIds) },
    });
    return (await answered(answer)).count;
  }

  /** Returns how many of the media had the tag. */
  async unassignTag(tagId: string, mediaIds: readonly string[]): Promise<number> {
    const answer = this.connection.api.POST('/api/v1/dataset/{dataset_id}/tags/{tag_id}/unassign', {
      params: { path: { ...this.path, tag_id: tagId } },
      body: { media_selection: mediaSelection(mediaIds) },
    });
    return (await answered(answer)).count;
  }

  renameTag(tagId: string, name: string): Promise<Schemas['Tag']> {
    const params = { path: { ...this.path, tag_id: tagId } };
    const answer = this.connection.api.PATCH('/api/v1/dataset/{dataset_id}/tags/{tag_id}', { params, body: { name } });
    return answered(answer);
  }

  /** Also removes the tag from all media. */
  async deleteTag(tagId: string): Promise<void> {
    const params = { path: { ...this.path, tag_id: tagId } };
    await this.connection.api.DELETE('/api/v1/dataset/{dataset_id}/tags/{tag_id}', { params });
  }

  /** Starts creating a new dataset from some of the media. Wait until it is ready. */
  async copy(chosen: ChosenMedia, { keep, name, description, withViews }: CopyOptions = {}): Promise<Dataset> {
    const body = {
      ...chosenBody(chosen),
      ...(keep === undefined ? {} : { keep }),
      ...(name === undefined ? {} : { display_name: name }),
      ...(description === undefined ? {} : { description }),
      ...(withViews === undefined ? {} : { with_views: withViews }),
    };
    const answer = this.connection.api.POST('/api/v1/dataset/{dataset_id}/copy', { params: { path: this.path }, body });
    return new Dataset(this.connection, (await answered(answer)).dataset_id);
  }

  /** Removes media after taking a snapshot to restore them from, and returns the task. No file is deleted. */
  remove(chosen: ChosenMedia): Promise<Task> {
    const params = { path: this.path };
    const body = chosenBody(chosen);
    return this.start('MEDIA_REMOVAL', () =>
      this.connection.api.POST('/api/v1/dataset/{dataset_id}/remove_media', { params, body }),
    );
  }

  snapshots(): Promise<Snapshot[]> {
    return answered(this.connection.api.GET('/api/v1/dataset/{dataset_id}/snapshot', { params: { path: this.path } }));
  }

  createSnapshot(words: { readonly name?: string; readonly description?: string } = {}): Promise<Snapshot> {
    return answered(
      this.connection.api.POST('/api/v1/dataset/{dataset_id}/snapshot', { params: { path: this.path }, body: words }),
    );
  }

  restoreSnapshot(snapshotId: string): Promise<Task> {
    return this.start('SNAPSHOT_RESTORE', () =>
      this.connection.api.POST('/api/v1/dataset/{dataset_id}/snapshot/{snapshot_id}/restore', {
        params: { path: { ...this.path, snapshot_id: snapshotId } },
      }),
    );
  }

  /** Starts cloning a snapshot. The task belongs to the new dataset. */
  cloneSnapshot(snapshotId: string, options: { readonly with_views?: boolean } = {}): Promise<Task> {
    const params = { path: { ...this.path, snapshot_id: snapshotId }, query: options };
    const start = (): Promise<unknown> =>
      this.connection.api.POST('/api/v1/dataset/{dataset_id}/snapshot/{snapshot_id}/clone', { params });
    const isOurs = async ({ dataset_id: id }: Task): Promise<boolean> =>
      (await new Dataset(this.connection, id).get()).source_dataset_id === this.id;
    return startedTask(this.connection, { task_type: 'SNAPSHOT_CLONE' }, start, isOurs);
  }

  startExport({
    format,
    includeImages = false,
    withEmbeddings = false,
    source,
    fileName = 'export.zip',
  }: ExportOptions): Promise<Export> {
    const query = {
      export_format: format,
      include_images: includeImages,
      with_embeddings: withEmbeddings,
      file_name: fileName,
      ...(source !== undefined && { source }),
    };
    const params = { path: this.path, query };
    return answered(this.connection.api.GET('/api/v1/dataset/{dataset_id}/export_context_async', { params }));
  }

  exportStatus(exportId: string): Promise<Export> {
    const params = { path: this.path, query: { export_task_id: exportId } };
    return answered(this.connection.api.GET('/api/v1/dataset/{dataset_id}/export_status', { params }));
  }

  /** Exports the whole dataset, waits, and returns the response with the archive as its body. */
  async export(
    options: ExportOptions,
    { onProgress, ...wait }: Omit<WaitOptions, 'onProgress'> & { readonly onProgress?: (made: Export) => void } = {},
  ): Promise<Response> {
    const { id } = await this.startExport(options);
    const read = async (): Promise<Export> => {
      const made = await this.exportStatus(id);
      onProgress?.(made);
      return made;
    };
    const isDone = ({ status }: Export): boolean => status === 'COMPLETED' || status === 'FAILED';
    const made = await poll(read, isDone, 'The export', wait);
    if (made.status === 'FAILED' || made.download_uri === null)
      throw new MediaServiceError(`The export failed: ${made.result_message ?? 'unknown reason'}`);
    const response = await fetch(new URL(made.download_uri, this.connection.url));
    if (!response.ok)
      throw new MediaServiceError(`The archive could not be downloaded: ${response.status} ${response.statusText}`);
    return response;
  }

  stream(options: Omit<StreamOptions, 'datasetId'> = {}): AsyncGenerator<Notification, void, undefined> {
    return notifications(this.connection, { ...options, datasetId: this.id });
  }

  private start(type: Task['task_type'], start: () => Promise<unknown>): Promise<Task> {
    return startedTask(this.connection, { dataset_id: this.id, task_type: type }, start);
  }
}
