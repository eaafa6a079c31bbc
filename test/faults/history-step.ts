import type { ApiClient } from '../support/api-client';
import type { Batch, HistoryMaterial, SourceFolder } from './history-material';
import type { HistoryModels } from './history-models';
import type { Content, DatasetState, Observed } from './history-state';

/** A possible outcome of a request. */
export interface Outcome {
  readonly after: DatasetState | ((found: Observed) => DatasetState) | 'gone';
  /** The content of an enriched copy that completes with this outcome. */
  readonly published?: Content;
}

/** One or several requests. */
export interface Step {
  readonly name: string;
  readonly outcomes: readonly Outcome[];
  /** The content of the clone that it creates. */
  readonly made?: Content;
  /** Returns the outcomes that the responses allow, by default all. `accepted` is called at the first response. */
  send(api: ApiClient, accepted: () => void): Promise<readonly Outcome[]>;
}

export interface Situation {
  readonly id: string;
  readonly state: DatasetState;
  readonly source: SourceFolder;
  readonly material: HistoryMaterial;
  readonly models: HistoryModels;
  /** Already added to some dataset. */
  readonly batches: Batch[];
  /** Makes names unique. */
  readonly number: number;
  readonly mayClone: boolean;
  readonly mayDelete: boolean;
}

export type StepMaker = (situation: Situation) => Promise<Step | undefined> | Step | undefined;

export const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!;
export const datasetPath = (id: string, rest = ''): string => `/api/v1/dataset/${id}${rest}`;

/** One request with one outcome. */
export function request(
  name: string,
  after: DatasetState | 'gone',
  send: (api: ApiClient) => Promise<unknown>,
  made?: Content,
): Step {
  const outcomes = [{ after }];
  return {
    name,
    outcomes,
    ...(made === undefined ? {} : { made }),
    send: async (api) => {
      await send(api);
      return outcomes;
    },
  };
}
