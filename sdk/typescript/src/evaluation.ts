import { answered, type Connection } from './connection.js';
import type { components, operations } from './generated/api.js';
import { paged } from './paging.js';
import { waitForTask, type WaitOptions } from './tasks.js';

type Schemas = components['schemas'];
export type EvaluationDetails = Schemas['Evaluation'];
/** Without the figures of labels. */
export type ListedEvaluation = Schemas['ListedEvaluation'];
export type NewEvaluation = operations['evaluationCreate']['requestBody']['content']['application/json'];
export type EvaluationsQuery = Omit<
  NonNullable<operations['evaluationList']['parameters']['query']>,
  'limit' | 'offset'
>;

export type EvaluationSlice = Schemas['EvaluationSlices']['slices'][number];
export type EvaluationComparison = Schemas['EvaluationComparison'];
export type SlicesQuery = Omit<NonNullable<operations['sliceSlices']['parameters']['query']>, 'limit' | 'offset'>;
export type FailuresQuery = NonNullable<operations['sliceFailures']['parameters']['query']>;

const SLICES_PAGE = 100;

export interface AtConfidence {
  /** Predictions below it do not count; by default that of the evaluation. */
  readonly confidence?: number;
}

export interface CountsQuery extends AtConfidence {
  readonly label?: string;
}

export interface ConfusionQuery extends AtConfidence {
  /** By default those with the most annotations and predictions. */
  readonly labels?: readonly string[];
}

export interface CurvesQuery {
  readonly label?: string;
  /** Also looks for the confidence with this precision. */
  readonly precision?: number;
}

/** Numbers in a query are texts. */
const textsOf = <T extends object>(query: T): { readonly [K in keyof T]: string } =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])) as { [K in keyof T]: string };

/** What one source of annotations says, compared with another one, which is right. */
export class Evaluation {
  private readonly params: { readonly path: { readonly dataset_id: string; readonly evaluation_id: string } };

  constructor(
    private readonly connection: Connection,
    datasetId: string,
    readonly id: string,
    /** Of the request that made it: its first run, or the import before that. */
    readonly taskId?: string,
  ) {
    this.params = { path: { dataset_id: datasetId, evaluation_id: id } };
  }

  /** Its figures, which are those of the run before while it runs again. */
  get(): Promise<EvaluationDetails> {
    const { params } = this;
    return answered(this.connection.api.GET('/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}', { params }));
  }

  /** Waits for the end of its last run, and of the import before it. Throws `TaskFailedError` if one of them did not succeed. */
  async wait(options: WaitOptions = {}): Promise<EvaluationDetails> {
    for (;;) {
      const now = await this.get();
      if (now.task_id === null || now.status === 'COMPLETED') return now;
      await waitForTask(this.connection, now.task_id, options);
    }
  }

  /** Compares the sources as they are now. The figures stay until the new ones are there. */
  async runAgain(): Promise<void> {
    const { params } = this;
    const route = '/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}/runs';
    await answered(this.connection.api.POST(route, { params }));
  }

  /** How many are found, wrong and missed, by default at its own confidence. */
  counts(query: CountsQuery = {}): Promise<Schemas['EvaluationCounts']> {
    const params = { ...this.params, query: textsOf(query) };
    const route = '/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}/counts';
    return answered(this.connection.api.GET(route, { params }));
  }

  /** Which label was taken for which; the `vql` of a cell finds its media. */
  confusion({ labels, ...query }: ConfusionQuery = {}): Promise<Schemas['EvaluationConfusion']> {
    const params = { ...this.params, query: { ...textsOf(query), ...(labels && { labels: JSON.stringify(labels) }) } };
    const route = '/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}/confusion';
    return answered(this.connection.api.GET(route, { params }));
  }

  /** Precision and recall, F1 and reliability by confidence. */
  curves(query: CurvesQuery = {}): Promise<Schemas['EvaluationCurves']> {
    const params = { ...this.params, query: textsOf(query) };
    const route = '/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}/curves';
    return answered(this.connection.api.GET(route, { params }));
  }

  /** What became of the annotations of a picture. */
  picture(mediaId: string, query: AtConfidence = {}): Promise<Schemas['EvaluatedPicture']> {
    const params = { path: { ...this.params.path, media_id: mediaId }, query: textsOf(query) };
    const route = '/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}/media/{media_id}';
    return answered(this.connection.api.GET(route, { params }));
  }

  /** Where F1 is worse than elsewhere, the worst first; with `all`, every single condition follows. */
  slices(query: SlicesQuery = {}): AsyncGenerator<EvaluationSlice, void, undefined> {
    return paged(0, async (page) => {
      const offset = page * SLICES_PAGE;
      const params = { ...this.params, query: { ...query, limit: SLICES_PAGE, offset } };
      const route = '/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}/slices';
      const found = await answered(this.connection.api.GET(route, { params }));
      return { items: found.slices, hasMore: offset + SLICES_PAGE < found.total };
    });
  }

  /** This one, A, beside another one with the same truth, B. */
  compare(other: Evaluation | string): Promise<EvaluationComparison> {
    const params = { ...this.params, query: { with: typeof other === 'string' ? other : other.id } };
    const route = '/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}/comparison';
    return answered(this.connection.api.GET(route, { params }));
  }

  /** Groups of media with mistakes that look alike. */
  async failures(query: FailuresQuery = {}): Promise<Schemas['FailureGroups']['groups']> {
    const params = { ...this.params, query };
    const route = '/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}/failures';
    return (await answered(this.connection.api.GET(route, { params }))).groups;
  }

  rename(name: string): Promise<EvaluationDetails> {
    return this.change({ name });
  }

  /** Whether it is run again by itself once its sources or the media have changed. */
  keepUpToDate(isKept = true): Promise<EvaluationDetails> {
    return this.change({ keep_up_to_date: isKept });
  }

  private change(body: { readonly name?: string; readonly keep_up_to_date?: boolean }): Promise<EvaluationDetails> {
    const { params } = this;
    const route = '/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}';
    return answered(this.connection.api.PATCH(route, { params, body }));
  }

  /** One that is running ends. */
  async delete(): Promise<void> {
    const { params } = this;
    await this.connection.api.DELETE('/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}', { params });
  }
}
