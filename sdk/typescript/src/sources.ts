import { answered, type Connection } from './connection.js';
import type { components, operations } from './generated/api.js';

type Schemas = components['schemas'];
export type SourceDetails = Schemas['AnnotationSource'];
/** An annotation as it is sent: a label with a shape, or of the whole picture. */
export type GivenAnnotation = Schemas['GivenAnnotation'];
export type SourceAnnotation = Schemas['Annotation'];
export type SourceChange = Schemas['SourceChange'];

export type LabelSet = Schemas['LabelSet'];
/** A label of a set as it is sent. */
export type SetLabel = Schemas['SetLabel'];
export type AnnotationChange = Schemas['AnnotationChange'];
export type AnnotationUndo = Schemas['AnnotationUndo'];

export type HistoryQuery = NonNullable<operations['annotationHistoryList']['parameters']['query']>;
type ListQuery = NonNullable<operations['annotationList']['parameters']['query']>;

export interface PushOptions {
  /** `add` leaves annotations with a known id as they are (default), `merge` changes them. */
  readonly mode?: 'add' | 'merge' | 'replace' | 'delete';
  /** Of the coordinates; pixels by default. */
  readonly unit?: 'pixels' | 'fractions';
  /** Of a new source; predictions by default. */
  readonly kind?: 'truth' | 'predictions';
  /** Of a new source: the model that found the annotations. */
  readonly modelId?: string;
}

export interface ImportOptions extends Omit<PushOptions, 'unit'> {
  /** Of the files, such as `coco`; told by their content if it is absent. */
  readonly format?: string;
}

/** A named set of annotations of a dataset. */
export class AnnotationSource {
  constructor(
    private readonly connection: Connection,
    private readonly datasetId: string,
    readonly name: string,
  ) {}

  /** Changes up to 10,000 annotations, all of them or none, and returns when they can be seen. */
  async push(annotations: readonly GivenAnnotation[], options: PushOptions = {}): Promise<SourceChange> {
    const { mode = 'add', unit = 'pixels', kind = 'predictions', modelId } = options;
    const body = {
      ...{ source: this.name, mode, unit, kind, annotations: [...annotations] },
      ...(modelId !== undefined && { model_id: modelId }),
    };
    const params = { path: { dataset_id: this.datasetId } };
    const answer = await answered(
      this.connection.api.POST('/api/v1/dataset/{dataset_id}/annotations', { params, body }),
    );
    return answer as SourceChange;
  }

  async *annotations(query: Omit<ListQuery, 'source' | 'cursor'> = {}): AsyncGenerator<SourceAnnotation> {
    let cursor: string | null = null;
    do {
      const params = {
        path: { dataset_id: this.datasetId },
        query: { ...query, source: this.name, ...(cursor !== null && { cursor }) },
      };
      const page: Schemas['AnnotationPage'] = await answered(
        this.connection.api.GET('/api/v1/dataset/{dataset_id}/annotations', { params }),
      );
      yield* page.annotations;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  async rename(name: string): Promise<AnnotationSource> {
    const params = { path: { dataset_id: this.datasetId, source: this.name } };
    const route = '/api/v1/dataset/{dataset_id}/annotation_sources/{source}';
    await answered(this.connection.api.PATCH(route, { params, body: { name } }));
    return new AnnotationSource(this.connection, this.datasetId, name);
  }

  async remove(): Promise<void> {
    const params = { path: { dataset_id: this.datasetId, source: this.name } };
    await answered(this.connection.api.DELETE('/api/v1/dataset/{dataset_id}/annotation_sources/{source}', { params }));
  }
}
