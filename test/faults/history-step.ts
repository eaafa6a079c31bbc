import type { ApiClient } from '../support/api-client';
import type { Batch, HistoryMaterial, SourceFolder } from './history-material';
import type { HistoryModels } from './history-models';
import type { Content, DatasetState, Observed } from './history-state';

/** How a request may end. */
export interface Outcome {
  readonly after: DatasetState | ((found: Observed) => DatasetState) | 'gone';
  /** The contents of an enriched copy that is complete then. */
  readonly published?: Content;
}

/** A request, or several. */
export interface Step {
  readonly name: string;
  readonly outcomes: readonly Outcome[];
  /** The contents of a clone that it makes. */
  readonly made?: Content;
  /** Returns the outcomes that the answers leave, by default all; `accepted` is called at the first answer. */
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
