import { answered, type Connection } from './connection.js';
import type { components, operations } from './generated/api.js';
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

/** What one source of annotations says, compared with another one, which is right. */
export class Evaluation {
  private readonly params: { readonly path: { readonly dataset_id: string; readonly evaluation_id: string } };

  constructor(
    private readonly connection: Connection,
    datasetId: string,
    readonly id: string,
  ) {
    this.params = { path: { dataset_id: datasetId, evaluation_id: id } };
  }

  /** Its figures, which are those of the run before while it runs again. */
  get(): Promise<EvaluationDetails> {
    const { params } = this;
    return answered(this.connection.api.GET('/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}', { params }));
  }

  /** Waits for the end of its last run. Throws `TaskFailedError` if that did not succeed. */
  async wait(options: WaitOptions = {}): Promise<EvaluationDetails> {
    const now = await this.get();
    if (now.task_id === null || now.status === 'COMPLETED') return now;
    await waitForTask(this.connection, now.task_id, options);
    return this.get();
  }

  /** Compares the sources as they are now. The figures stay until the new ones are there. */
  async runAgain(): Promise<void> {
    const { params } = this;
    const route = '/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}/runs';
    await answered(this.connection.api.POST(route, { params }));
  }

  rename(name: string): Promise<EvaluationDetails> {
    const [{ params }, body] = [this, { name }];
    const route = '/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}';
    return answered(this.connection.api.PATCH(route, { params, body }));
  }

  /** One that is running ends. */
  async delete(): Promise<void> {
    const { params } = this;
    await this.connection.api.DELETE('/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}', { params });
  }
}
