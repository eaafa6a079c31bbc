import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '../support/api-client';
import type { SourceFolder } from './history-material';
import type { FailingModel, Models } from './history-models';
import { contentOf, type Content, type DatasetState, type FailedEnrichment, type Observed } from './history-state';
import { datasetPath, request, type Outcome, type Situation, type Step, type StepMaker } from './history-step';

/** The maximum delay of the request after the start of an enrichment. */
const LATEST_MS = 600;
const FAILED = 'ENRICHMENT FAILED';

interface Started {
  readonly id: string;
  readonly state: DatasetState;
  readonly models: Models;
  readonly isInPlace: boolean;
}

/** Sends the next request, and returns the outcomes that its response still allows. */
type Sequel = (api: ApiClient, copyId: string) => Promise<readonly Outcome[]>;

/** Whether the files of the source are those in the dataset, so that models can read them. */
const hasFiles = ({ media }: Content, { files }: SourceFolder): boolean =>
  [...media].every(([path, { isOfSource, sha256 }]) => !isOfSource || files.get(path) === sha256);

function started({ id, state, source, models, mayClone }: Situation, more: Models = new Map()): Started | undefined {
  if (state.status !== 'READY' || !hasFiles(state, source)) return undefined;
  const isInPlace = Math.random() < 0.5;
  if (!isInPlace && !mayClone) return undefined;
  source.readers.add(id);
  return { id, state, models: new Map([...models.any(state.applied), ...more]), isInPlace };
}

const contentAfter = ({ state, models }: Started): Content => ({
  ...contentOf(state),
  applied: new Map([...state.applied, ...models]),
});

/** An enrichment in place takes a snapshot first, which remains regardless of the outcome. */
function stateBehind({ state, isInPlace }: Started, found: Observed): DatasetState {
  if (!isInPlace) return state;
  const name = found.snapshots.find((each) => !state.snapshots.has(each.name))?.name ?? 'a snapshot before';
  return { ...state, snapshots: new Map([...state.snapshots, [name, contentOf(state)] as const]), current: name };
}

function completed(started: Started): Outcome {
  const content = contentAfter(started);
  return started.isInPlace
    ? { after: (found) => ({ ...stateBehind(started, found), ...content }) }
    : { after: started.state, published: content };
}

function ended(started: Started, how: string, failed?: FailedEnrichment): Outcome {
  return {
    after: (found) => {
      const state = stateBehind(started, found);
      return { ...state, ended: [...state.ended, how], ...(failed === undefined ? {} : { failed }) };
    },
  };
}

function step(name: string, from: Started, outcomes: readonly Outcome[], sequel?: Sequel): Step {
  const { id, models, isInPlace } = from;
  return {
    name: `${name} ${isInPlace ? 'in place' : 'in a copy'}`,
    outcomes,
    send: async (api, accepted) => {
      const path = datasetPath(id, `/enrich_dataset?in_place=${isInPlace}`);
      const body = { enrichment_models: Object.fromEntries(models) };
      const { dataset_id: copyId } = await api.must<{ dataset_id: string }>(200, 'POST', path, body);
      accepted();
      if (sequel === undefined) return outcomes;
      await delay(Math.random() * LATEST_MS);
      return sequel(api, copyId);
    },
  };
}

export const enrich: StepMaker = (situation) => {
  const from = started(situation);
  return from && step('enrich', from, [completed(from)]);
};

/** The response shows whether the enrichment or the abort ended first. */
export const enrichAndAbort: StepMaker = (situation) => {
  const from = started(situation);
  if (from === undefined) return undefined;
  const [end, abort] = [completed(from), ended(from, 'ENRICHMENT ABORTED')];
  return step('enrich and abort', from, [end, abort], async (api) => {
    const isAborted = await (Math.random() < 0.5 ? abortByContext : abortByTask)(api, from.id);
    return [isAborted ? abort : end];
  });
};

/** The copy of a running enrichment cannot be deleted. */
export const enrichAndDelete: StepMaker = (situation) => {
  const from = started(situation);
  if (from === undefined || from.isInPlace) return undefined;
  const [kept, deleted] = [completed(from), { after: from.state }];
  return step('enrich and delete', from, [kept, deleted], async (api, copyId) => {
    const { status } = await api.ask('DELETE', datasetPath(copyId));
    expect([204, 409]).toContain(status);
    return [status === 204 ? deleted : kept];
  });
};

export const failToEnrich: StepMaker = async (situation) => {
  if (situation.state.failed !== undefined) return undefined;
  const model: FailingModel = await situation.models.addFailing();
  const from = started(situation, new Map([['CAPTION_IMAGES', model.id]]));
  if (from === undefined) return undefined;
  const failed = { model, content: contentAfter(from), copyId: from.isInPlace ? null : 'not known yet' };
  return step('fail to enrich', from, [ended(from, FAILED, failed)]);
};

/** Publishes the result of the failed enrichment, even if the source of its copy has changed. */
export function retry(
  { id, state, source }: Situation,
  { model, content, copyId }: FailedEnrichment,
): Step | undefined {
  if (!hasFiles(content, source)) return undefined;
  source.readers.add(id);
  const at = state.ended.indexOf(FAILED);
  const settled: DatasetState = { ...state, ended: state.ended.toSpliced(at, 1), failed: undefined };
  const outcomes = copyId === null ? [{ after: { ...settled, ...content } }] : [{ after: settled, published: content }];
  return {
    name: `retry ${copyId === null ? 'in place' : 'in a copy'}`,
    outcomes,
    send: async (api) => {
      model.recover();
      await api.must(200, 'POST', `/api/v1/tasks/${await latestOf(api, id, 'FAILED')}/retry`);
      return outcomes;
    },
  };
}

export const deleteFailedCopy = ({ state }: Situation, copyId: string): Step =>
  request('delete a failed copy', { ...state, failed: undefined }, (api) =>
    api.must(204, 'DELETE', datasetPath(copyId)),
  );

async function latestOf(api: ApiClient, datasetId: string, status?: string): Promise<string> {
  const { tasks } = await api.must<{ tasks: { task_id: string; status: string }[] }>(
    200,
    'GET',
    `/api/v1/tasks?dataset_id=${datasetId}&task_type=ENRICHMENT`,
  );
  return tasks.find((task) => status === undefined || task.status === status)!.task_id;
}

async function abortByContext(api: ApiClient, id: string): Promise<boolean> {
  const context = await api.must<{ enrichment_context_id: string }>(200, 'GET', `/api/v1/enrichment/${id}/context`);
  const path = `/api/v1/enrichment/${id}/${context.enrichment_context_id}/abort`;
  return (await api.must<{ status: string }>(200, 'DELETE', path)).status === 'ABORTED';
}

async function abortByTask(api: ApiClient, id: string): Promise<boolean> {
  const { status } = await api.ask('POST', `/api/v1/tasks/${await latestOf(api, id)}/abort`);
  expect([200, 400, 409]).toContain(status);
  return status === 200;
}
