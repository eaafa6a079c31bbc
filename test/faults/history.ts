import { ApiClient } from '../support/api-client';
import type { Dataset } from '../support/snapshot-client';
import { waitUntil } from '../support/wait-until';
import { HistoryMaterial, type Batch, type SourceFolder } from './history-material';
import { differences, seenAs, type Content, type DatasetState, type Observed } from './history-state';
import { anyStep } from './history-steps';
import { observe, type RunningService } from './observed-dataset';

const MIN_DATASETS = 3;
const MAX_DATASETS = 6;

/** A request for a dataset. Without a response the service may not have received it. */
interface Pending {
  readonly name: string;
  readonly after: ((found: Observed) => DatasetState) | 'gone';
  isAccepted: boolean;
}

interface KnownDataset {
  readonly id: string;
  readonly name: string;
  readonly source: SourceFolder;
  /** Undefined until it was observed completely. */
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

export class HistoryViolation extends Error {}

/** The requests sent to the service and the state that must result, across kills. */
export class History {
  /** How often each kind of request was accepted. */
  readonly accepted = new Map<string, number>();
  /** How often a request without a response turned out to have had no effect. */
  unaccepted = 0;
  readonly datasets = new Map<string, KnownDataset>();
  private readonly deleted = new Set<string>();
  private awaited: Awaited[] = [];
  private readonly batches: Batch[] = [];
  private number = 0;

  constructor(private readonly material: HistoryMaterial) {}

  /** Creates datasets until there are enough. */
  async makeDatasets(api: ApiClient): Promise<void> {
    while (this.datasets.size < MIN_DATASETS) {
      const source = await this.material.source();
      this.number += 1;
      const media = new Map([...source.files].map(([path, sha256]) => [path, { id: null, sha256, isOfSource: true }]));
      const name = `Dataset ${this.number}`;
      const awaited = { name, sourceDatasetId: null, source, content: { media, tags: new Map() }, isAccepted: false };
      this.awaited.push(awaited);
      source.readers.add(name);
      await api.createFromFolder(name, source.place);
      awaited.isAccepted = true;
      this.count('create');
      await this.observeAll(api);
    }
  }

  /** Checks that each existing dataset was requested, and each accepted one exists, once. */
  async observeAll(api: ApiClient): Promise<void> {
    const promised = this.awaited.filter(({ isAccepted }) => isAccepted);
    const listed = await api.must<Dataset[]>(200, 'GET', '/api/v1/datasets');
    for (const { id, display_name: name, source_dataset_id: sourceDatasetId } of listed) {
      if (this.datasets.has(id) || this.deleted.has(id)) continue;
      const at = this.awaited.findIndex((each) => each.name === name && each.sourceDatasetId === sourceDatasetId);
      if (at < 0) throw new HistoryViolation(`Nobody asked for ${name} (${id}), or it was made twice`);
      const [{ source, content }] = this.awaited.splice(at, 1) as [Awaited];
      const after = (found: Observed): DatasetState => newState(content, found);
      const pending = { name: 'making', after, isAccepted: true };
      this.datasets.set(id, { id, name, source, state: undefined, pending });
    }
    const lost = promised.filter((each) => this.awaited.includes(each));
    if (lost.length > 0) throw new HistoryViolation(`Lost: ${lost.map(({ name }) => name).join(', ')}`);
  }

  /** Drops requests without a response that had no effect. */
  dropUnaccepted(): void {
    this.unaccepted += this.awaited.length;
    this.awaited = [];
  }

  /** Waits until the dataset is idle and compares it with the expected state. False if it was deleted. */
  async settle(service: RunningService, dataset: KnownDataset, signal: AbortSignal): Promise<boolean> {
    const { id, pending } = dataset;
    let status = '';
    await waitUntil(async () => {
      if (signal.aborted) throw new HistoryViolation(`${dataset.name} is ${status} for too long`);
      const { status: code, body } = await service.api.ask('GET', `/api/v1/dataset/${id}`);
      status = code === 404 ? 'gone' : (body as Dataset).status_new;
      return !['INDEXING', 'READ ONLY', 'DRAFT'].includes(status);
    });
    if (status === 'gone') return this.forget(dataset);
    const found = await observe(service, id);
    const wanted = pending === undefined || pending.after === 'gone' ? undefined : pending.after(found);
    if (wanted !== undefined && differences(wanted, found).length === 0) {
      const state = seenAs(wanted, found);
      dataset.state =
        dataset.state === undefined ? { ...state, snapshots: new Map([[state.current, { ...state }]]) } : state;
    } else {
      if (pending !== undefined && !pending.isAccepted) this.unaccepted += 1;
      const must = pending?.isAccepted === true ? wanted : dataset.state;
      const lines = must === undefined ? ['it should be gone'] : differences(must, found);
      if (lines.length > 0)
        throw new HistoryViolation(`${dataset.name} after ${pending?.name ?? 'nothing'}:\n${lines.join('\n')}`);
    }
    dataset.pending = undefined;
    dataset.source.readers.delete(id);
    dataset.source.readers.delete(dataset.name);
    return true;
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
      batches: this.batches,
      number: this.number,
      mayClone: this.datasets.size < MAX_DATASETS,
      mayDelete: this.datasets.size > MIN_DATASETS,
    });
    const { after } = step;
    const pending: Pending = { name: step.name, after: after === 'gone' ? after : () => after, isAccepted: false };
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
    await step.send(api);
    pending.isAccepted = true;
    for (const each of awaited) each.isAccepted = true;
    this.count(step.name);
    if (awaited.length > 0) await this.observeAll(api);
  }

  private forget({ id, name, source, pending }: KnownDataset): false {
    if (pending?.after !== 'gone') throw new HistoryViolation(`${name} is gone`);
    this.datasets.delete(id);
    this.deleted.add(id);
    source.readers.delete(id);
    return false;
  }

  private count(name: string): void {
    this.accepted.set(name, (this.accepted.get(name) ?? 0) + 1);
  }
}

/** A dataset begins with one snapshot, whose name it gets at creation. */
function newState(content: Content, found: Observed): DatasetState {
  const [first] = found.snapshots;
  const name = first?.name ?? 'a first snapshot';
  return { ...content, status: 'READY', snapshots: new Map([[name, content]]), current: name };
}
