import type { ApiClient } from './api-client';
import { UNHURRIED_MS, waitUntil } from './wait-until';

export interface ShownEvaluation {
  readonly id: string;
  readonly name: string;
  readonly status: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'ABORTED';
  readonly error: string | null;
  readonly task_id: string | null;
  readonly n_pictures: number | null;
  readonly n_truth: number | null;
  readonly n_predictions: number | null;
  readonly keep_up_to_date: boolean;
  readonly up_to_date: boolean | null;
  readonly changed: readonly string[];
  readonly metrics: Readonly<Record<string, number | null>> | null;
  readonly previous_metrics: Readonly<Record<string, number | null>> | null;
  readonly intervals?: Readonly<Record<string, readonly [number, number]>>;
  readonly per_class: readonly { readonly label: string; readonly AP: number }[];
}

export interface StartedEvaluation {
  readonly evaluation_id: string;
  readonly task_id: string;
}

/** Makes and reads the evaluations of a dataset. */
export class EvaluationClient {
  constructor(
    private readonly api: ApiClient,
    private readonly dataset: string,
  ) {}

  path(rest = ''): string {
    return `/api/v1/dataset/${this.dataset}/evaluations${rest}`;
  }

  start(body: object): Promise<StartedEvaluation> {
    return this.api.must(202, 'POST', this.path(), { name: 'Test', task: 'detection', ...body });
  }

  runAgain(id: string): Promise<StartedEvaluation> {
    return this.api.must(202, 'POST', this.path(`/${id}/runs`));
  }

  get(id: string): Promise<ShownEvaluation> {
    return this.api.must(200, 'GET', this.path(`/${id}`));
  }

  async list(): Promise<readonly ShownEvaluation[]> {
    const path = this.path();
    return (await this.api.must<{ evaluations: ShownEvaluation[] }>(200, 'GET', path)).evaluations;
  }

  async untilOver(id: string): Promise<ShownEvaluation> {
    let shown = await this.get(id);
    await waitUntil(async () => (shown = await this.get(id)).status !== 'RUNNING', UNHURRIED_MS);
    return shown;
  }

  async completed(body: object): Promise<ShownEvaluation> {
    const shown = await this.untilOver((await this.start(body)).evaluation_id);
    if (shown.status !== 'COMPLETED') throw new Error(`${shown.status}: ${shown.error}`);
    return shown;
  }
}
