import { ApiClient } from '../support/api-client';
import type { Dataset } from '../support/snapshot-client';
import { waitUntil } from '../support/wait-until';
import { KnownFindings } from './history-findings';
import { HistoryMaterial, type Batch, type SourceFolder } from './history-material';
import type { HistoryModels } from './history-models';
import { contentOf, differences, seenAs, type Content, type DatasetState, type Observed } from './history-state';
import type { Outcome } from './history-step';
import { anyStep } from './history-steps';
import { hasJobs, observe, type RunningService } from './observed-dataset';

const MIN_DATASETS = 3;
const MAX_DATASETS = 6;

/** A request for a dataset. Without a response, the service may not have received it. */
interface Pending {
  readonly name: string;
  outcomes: readonly Outcome[];
  isAccepted: boolean;
}

interface KnownDataset {
  readonly id: string;
  readonly name: string;
  readonly source: SourceFolder;
  /** Undefined until it has been observed completely. */
  state: DatasetState | undefined;
  pending: Pending | undefined;
}

/** A dataset that a request creates. */
interface Awaited {
  readonly name: string;
  readonly sourceDatasetId: string | null;
  readonly source: SourceFolder;
  readonly content: Content;
  isAccepted: boolean;
}

/** The suffix of the name of an enriched copy. */
const COPY = ' (enriched)';

export class HistoryViolation extends Error {}

/** The requests that were sent and the resulting expected state, across kills. */
export class History {
  /** The number of accepted requests of each kind. */
  readonly accepted = new Map<string, number>();
  /** The number of requests without a response that had no effect. */
  unaccepted = 0;
  readonly datasets = new Map<string, KnownDataset>();
  private readonly deleted = new Set<string>();
  private awaited: Awaited[] = [];
  private readonly batches: Batch[] = [];
  private readonly findings = new KnownFindings();
  private number = 0;

  constructor(
    private readonly material: HistoryMaterial,
    private readonly models: HistoryModels,
  ) {}

  /** Creates datasets until there are enough. */
  async makeDatasets(api: ApiClient): Promise<void> {
    while (this.datasets.size < MIN_DATASETS) {
      const source = await this.material.source();
      this.number += 1;
      const media = new Map([...source.files].map(([path, sha256]) => [path, { id: null, sha256, isOfSource: true }]));
      const name = `Dataset ${this.number}`;
      const content = { media, tags: new Map(), said: new Map(), applied: new Map() };
      const awaited = { name, sourceDatasetId: null, source, content, isAccepted: false };
      this.awaited.push(awaited);
      source.readers.add(name);
      await api.createFromFolder(name, source.place);
      awaited.isAccepted = true;
      this.count('create');
      await this.observeAll(api);
    }
  }

  /** Checks that each existing dataset was requested, and that each accepted one exists exactly once. */
  async observeAll(api: ApiClient): Promise<void> {
    const promised = this.awaited.filter(({ isAccepted }) => isAccepted);
    const listed = await api.must<Dataset[]>(200, 'GET', '/api/v1/datasets');
    for (const { id, display_name: name, source_dataset_id: sourceDatasetId } of listed) {
      // Copies are checked when their sources are idle.
      if (this.isKnown(id) || name.endsWith(COPY)) continue;
      const at = this.awaited.findIndex((each) => each.name === name && each.sourceDatasetId === sourceDatasetId);
      if (at < 0) throw new HistoryViolation(`Nobody asked for ${name} (${id}), or it was made twice`);
      const [{ source, content }] = this.awaited.splice(at, 1) as [Awaited];
      this.begin({ id, name, source }, (found) => newState(content, found));
    }
    const lost = promised.filter((each) => this.awaited.includes(each));
    if (lost.length > 0) throw new HistoryViolation(`Lost: ${lost.map(({ name }) => name).join(', ')}`);
  }

  /** Drops requests without a response that had no effect. */
  dropUnaccepted(): void {
    this.unaccepted += this.awaited.length;
    this.awaited = [];
  }

  /** Waits until the dataset is idle and compares it with the expected state. Returns false if it was deleted. */
  async settle(service: RunningService, dataset: KnownDataset, signal: AbortSignal): Promise<boolean> {
    const { id } = dataset;
    let status = '';
    await waitUntil(async () => {
      if (signal.aborted) throw new HistoryViolation(`${dataset.name} is ${status} for too long`);
      const { status: code, body } = await service.api.ask('GET', `/api/v1/dataset/${id}`);
      status = code === 404 ? 'gone' : (body as Dataset).status_new;
      return !['INDEXING', 'READ ONLY', 'DRAFT'].includes(status) && !(await hasJobs(service, id));
    });
    if (status === 'gone') return this.forget(dataset);
    const found = await observe(service, id);
    const copies = await this.copiesOf(service.api, dataset);
    dataset.state = this.outcomeOf(dataset, found, copies);
    dataset.pending = undefined;
    dataset.source.readers.delete(id);
    dataset.source.readers.delete(dataset.name);
    return true;
  }

  /** The observed outcome of the pending request, or the previous state if there was no response. */
  private outcomeOf(dataset: KnownDataset, found: Observed, copies: readonly Dataset[]): DatasetState {
    const { name, state: before, pending } = dataset;
    for (const outcome of pending?.outcomes ?? []) {
      if (outcome.after === 'gone' || this.problemsOf(outcome, found, copies).length > 0) continue;
      const state = this.withCopies(dataset, seenAs(stateOf(outcome.after, found), found), outcome, copies);
      return before === undefined ? withFirstSnapshot(state) : state;
    }
    if (pending !== undefined && !pending.isAccepted) this.unaccepted += 1;
    const must: Outcome = pending?.isAccepted === true ? pending.outcomes[0]! : { after: before ?? 'gone' };
    const problems = this.problemsOf(must, found, copies);
    if (problems.length > 0)
      throw new HistoryViolation(`${name} after ${pending?.name ?? 'nothing'}:\n${problems.join('\n')}`);
    return before!;
  }

  private problemsOf({ after, published }: Outcome, found: Observed, copies: readonly Dataset[]): string[] {
    if (after === 'gone') return ['it should be gone'];
    const state = stateOf(after, found);
    const wanted = [...(isCopyFailed(state) ? ['ERROR'] : []), ...(published === undefined ? [] : ['READY'])].join();
    const seen = copies
      .map(({ status_new: status }) => status)
      .sort()
      .join();
    const problems = differences(state, found, this.findings);
    return seen === wanted ? problems : [...problems, `copies: [${seen}] instead of [${wanted}]`];
  }

  /** The unpublished copies, and the one that was published last. */
  private async copiesOf(api: ApiClient, { id, name }: KnownDataset): Promise<Dataset[]> {
    const listed = await api.must<Dataset[]>(200, 'GET', '/api/v1/datasets');
    return listed.filter(
      (each) => each.source_dataset_id === id && each.display_name === `${name}${COPY}` && !this.isKnown(each.id),
    );
  }

  /** Adds the published copy to the datasets, and records the failed one. */
  private withCopies(
    { source }: KnownDataset,
    state: DatasetState,
    { published }: Outcome,
    copies: readonly Dataset[],
  ): DatasetState {
    const copyOf = (status: string): Dataset => copies.find((each) => each.status_new === status)!;
    if (published !== undefined) {
      const { id, display_name: name } = copyOf('READY');
      this.begin({ id, name, source }, (found) => withoutSnapshot(published, found));
    }
    return isCopyFailed(state) ? { ...state, failed: { ...state.failed!, copyId: copyOf('ERROR').id } } : state;
  }

  private isKnown(id: string): boolean {
    return this.datasets.has(id) || this.deleted.has(id);
  }

  private begin(dataset: Pick<KnownDataset, 'id' | 'name' | 'source'>, after: (found: Observed) => DatasetState): void {
    const pending = { name: 'making', outcomes: [{ after }], isAccepted: true };
    this.datasets.set(dataset.id, { ...dataset, state: undefined, pending });
  }

  /** Requests a random operation on an idle dataset. */
  async requestAnything({ api }: RunningService, dataset: KnownDataset): Promise<void> {
    this.number += 1;
    const { id, source, state } = dataset;
    const step = await anyStep({
      id,
      state: state!,
      source,
      material: this.material,
      models: this.models,
      batches: this.batches,
      number: this.number,
      mayClone: this.datasets.size < MAX_DATASETS,
      mayDelete: this.datasets.size > MIN_DATASETS,
    });
    const pending: Pending = { name: step.name, outcomes: step.outcomes, isAccepted: false };
    dataset.pending = pending;
    const awaited: Awaited[] = [];
    if (step.made !== undefined)
      awaited.push({
        name: `${dataset.name} (cloned)`,
        sourceDatasetId: id,
        source,
        content: step.made,
        isAccepted: false,
      });
    this.awaited.push(...awaited);
    pending.outcomes = await step.send(api, () => (pending.isAccepted = true));
    pending.isAccepted = true;
    for (const each of awaited) each.isAccepted = true;
    this.count(step.name);
    if (awaited.length > 0) await this.observeAll(api);
  }

  private forget({ id, name, source, pending }: KnownDataset): false {
    if (pending?.outcomes.some(({ after }) => after === 'gone') !== true) throw new HistoryViolation(`${name} is gone`);
    this.datasets.delete(id);
    this.deleted.add(id);
    source.readers.delete(id);
    return false;
  }

  private count(name: string): void {
    this.accepted.set(name, (this.accepted.get(name) ?? 0) + 1);
  }
}

/** A dataset starts with one snapshot, named at creation. A copy may have the views of its source. */
function newState(content: Content, found: Observed): DatasetState {
  const [first] = found.snapshots;
  const name = first?.name ?? 'a first snapshot';
  const snapshots = new Map([[name, content]]);
  return { ...content, status: 'READY', snapshots, current: name, views: found.views, exported: [], ended: [] };
}

const stateOf = (after: DatasetState | ((found: Observed) => DatasetState), found: Observed): DatasetState =>
  typeof after === 'function' ? after(found) : after;

const isCopyFailed = ({ failed }: DatasetState): boolean => failed !== undefined && failed.copyId !== null;

/** An enriched copy starts without a snapshot. */
const withoutSnapshot = (content: Content, { views }: Observed): DatasetState => ({
  ...content,
  status: 'READY',
  snapshots: new Map(),
  current: '',
  views,
  exported: [],
  ended: [],
});

/** The state with a first snapshot, using the observed ids. */
const withFirstSnapshot = (state: DatasetState): DatasetState =>
  state.snapshots.size === 0 ? state : { ...state, snapshots: new Map([[state.current, contentOf(state)]]) };
