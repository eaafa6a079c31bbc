import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '../support/api-client';
import { UNHURRIED_MS, waitUntil } from '../support/wait-until';
import { datasetPath, pick } from './history-step';

/** What a writer has said: the label of each annotation, by picture and id. */
export type Said = ReadonlyMap<string, string>;

interface Listed {
  readonly id: string;
  readonly file_path: string;
  readonly label: string;
  readonly version: number;
}

export interface Request {
  readonly name: string;
  readonly after: Said;
  /** Returns the status. */
  send(api: ApiClient): Promise<number>;
  /** Waits until its task is over. */
  finish?(api: ApiClient): Promise<void>;
  /** What else there is after it was acknowledged, and is over. */
  check?(api: ApiClient): Promise<void>;
}

export class WriterViolation extends Error {}

const PAUSE_MS = 50;
const SHARE_READ = 0.2;
const IDS = ['a', 'b', 'c'];
const BOX = { type: 'box', x: 10, y: 10, width: 50, height: 50 };

/** What became of the requests of each kind. */
export class Tally {
  private readonly counts: Record<string, number> = {};
  acknowledged = 0;

  add(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  get result(): Readonly<Record<string, number>> {
    return Object.fromEntries(Object.entries(this.counts).sort());
  }
}

/** Sends one request after the other. No other writer uses its ids and labels. */
export abstract class SourceWriter {
  protected said: Said = new Map();
  /** By picture, id and label, which each request has of its own: what is applied twice gets another version. */
  private readonly versions = new Map<string, number>();
  private pending: { readonly request: Request; isAcknowledged: boolean } | undefined;
  private requests = 0;

  constructor(
    protected readonly dataset: string,
    protected readonly source: string,
    protected readonly name: string,
    protected readonly pictures: readonly string[],
    private readonly tally: Tally,
  ) {}

  protected abstract next(label: string): Request;

  /** Compares what is there with what was acknowledged. What was not answered is there as a whole, or not at all. */
  async settle(api: ApiClient): Promise<void> {
    const { pending } = this;
    if (pending === undefined) {
      await this.compare(api, [this.said]);
      return;
    }
    const { request } = pending;
    const isWholeOnly = pending.isAcknowledged && request.finish === undefined;
    await this.compare(api, isWholeOnly ? [request.after] : [this.said, request.after]);
    await request.finish?.(api);
    if (pending.isAcknowledged) await request.check?.(api);
    const found = await this.compare(api, pending.isAcknowledged ? [request.after] : [request.after, this.said]);
    this.end(pending.isAcknowledged ? 'acknowledged' : found === request.after ? 'unanswered' : 'unheard', found);
  }

  /** Sends one request. */
  async write(api: ApiClient): Promise<void> {
    this.requests += 1;
    const request = this.next(`${this.name}/${this.requests}`);
    const pending = { request, isAcknowledged: false };
    this.pending = pending;
    const status = await request.send(api);
    if (status === 409) {
      // Media are being changed.
      this.end('refused', this.said);
      await delay(PAUSE_MS);
      return;
    }
    if (status !== 200 && status !== 202) throw new WriterViolation(`${this.name}: ${request.name} answered ${status}`);
    pending.isAcknowledged = true;
    await request.finish?.(api);
    await request.check?.(api);
    this.end('acknowledged', request.after);
    this.tally.acknowledged += 1;
    if (Math.random() < SHARE_READ) await this.compare(api, [this.said]);
  }

  protected edit(mode: string, annotations: readonly object[], after: Said): Request {
    return this.change(mode, '/annotations', { source: this.source, mode, annotations }, after);
  }

  protected change(name: string, rest: string, body: object, after: Said): Request {
    const send = async (api: ApiClient): Promise<number> => {
      const answer = await api.ask('POST', datasetPath(this.dataset, rest), body);
      this.changed(answer);
      return answer.status;
    };
    return { name, after, send };
  }

  /** Called with the answer to each change. */
  protected changed(answer: { readonly status: number; readonly body: unknown }): void {
    if (answer.status === 409 && (answer.body as { conflicts?: object }).conflicts !== undefined)
      throw new WriterViolation(`${this.name}: another writer changed its annotations: ${JSON.stringify(answer.body)}`);
  }

  protected anyPictures(): string[] {
    const some = this.pictures.filter(() => Math.random() < 0.5);
    return some.length === 0 ? [pick(this.pictures)] : some;
  }

  /** Waits until no task of this type is left. */
  protected async tasksEnd(api: ApiClient, type: string): Promise<void> {
    const path = `/api/v1/tasks?dataset_id=${this.dataset}&task_type=${type}&limit=1`;
    await waitUntil(async () => {
      const { tasks } = await api.must<{ tasks: { status: string; error_message: string | null }[] }>(200, 'GET', path);
      const [{ status, error_message: error } = { status: 'COMPLETED', error_message: null }] = tasks;
      if (['FAILED', 'ABORTED'].includes(status)) throw new WriterViolation(`${type} is ${status}: ${error}`);
      return status === 'COMPLETED';
    }, UNHURRIED_MS);
  }

  private end(outcome: string, said: Said): void {
    this.tally.add(`${this.pending!.request.name} ${outcome}`);
    this.pending = undefined;
    this.said = said;
  }

  /** Returns the one of them that is there. */
  private async compare(api: ApiClient, allowed: readonly Said[]): Promise<Said> {
    const found = await this.found(api);
    const same = allowed.find((said) => textOf(said) === textOf(found));
    if (same !== undefined) return same;
    const wanted = allowed.map((said) => `[${textOf(said)}]`).join(' or ');
    throw new WriterViolation(`${this.source} of ${this.name}: [${textOf(found)}] instead of ${wanted}`);
  }

  private async found(api: ApiClient): Promise<Said> {
    const path = datasetPath(this.dataset, `/annotations?source=${this.source}&limit=1000`);
    const { annotations } = await api.must<{ annotations: readonly Listed[] }>(200, 'GET', path);
    const found = new Map<string, string>();
    for (const { id, file_path: file, label, version } of annotations) {
      if (!label.startsWith(`${this.name}/`)) continue;
      // Ids that the service gives are not known beforehand.
      const key = id.startsWith(`${this.name}-`) ? `${file} ${id}` : `${file} ${label}`;
      if (found.has(key)) throw new WriterViolation(`${this.source} has ${key} twice`);
      found.set(key, label);
      const before = this.versions.get(`${key} ${label}`);
      if (before !== undefined && before !== version)
        throw new WriterViolation(`${this.source} of ${this.name}: ${key} was changed twice to ${label}`);
      this.versions.set(`${key} ${label}`, version);
    }
    return found;
  }
}

const textOf = (said: Said): string =>
  Array.from(said, ([key, value]) => `${key}=${value}`)
    .sort()
    .join(', ');

/** Changes annotations with ids of its own in a source that others change, too. */
export class EditingWriter extends SourceWriter {
  protected next(label: string): Request {
    const mode = pick(['merge', 'merge', 'delete']);
    const after = new Map(this.said);
    const annotations = this.anyPictures().flatMap((file) =>
      IDS.filter(() => Math.random() < 0.7).map((letter) => {
        const id = `${this.name}-${letter}`;
        if (mode === 'delete') after.delete(`${file} ${id}`);
        else after.set(`${file} ${id}`, label);
        return { file_name: file, id, ...(mode === 'merge' && { label, shape: BOX }) };
      }),
    );
    return annotations.length === 0 ? this.next(label) : this.edit(mode, annotations, after);
  }
}

/** Adds annotations without ids to a source of its own, and replaces and removes all of pictures. */
export class ReplacingWriter extends SourceWriter {
  protected next(label: string): Request {
    const mode = pick(['add', 'add', 'replace', 'delete']);
    const files = this.anyPictures();
    const stays = ([key]: [string, string]): boolean =>
      mode === 'add' || !files.some((file) => key.startsWith(`${file} `));
    const after = new Map([...this.said].filter(stays));
    if (mode !== 'delete') for (const file of files) after.set(`${file} ${label}`, label);
    const given = files.map((file) => ({ file_name: file, ...(mode !== 'delete' && { label }) }));
    return this.edit(mode, given, after);
  }
}

/** Imports files into a source; only one for each dataset, so that the tasks are its own. */
export class ImportingWriter extends SourceWriter {
  protected next(label: string): Request {
    const mode = pick(['merge', 'merge', 'merge', 'delete']);
    const after = new Map(this.said);
    const id = `${this.name}-${pick(IDS)}`;
    const files = this.anyPictures();
    for (const file of files) {
      if (mode === 'delete') after.delete(`${file} ${id}`);
      else after.set(`${file} ${id}`, label);
    }
    const form = new FormData();
    for (const [name, value] of Object.entries({ source: this.source, mode, format: 'table' })) form.set(name, value);
    const lines = files.map((file) => `${file},${id},${label}\n`);
    form.append('files', new Blob([`filename,id,label\n${lines.join('')}`]), 'said.csv');
    const path = datasetPath(this.dataset, '/annotations/files');
    return {
      name: `import to ${mode}`,
      after,
      send: async (api) => (await api.ask('POST', path, form)).status,
      finish: (api) => this.tasksEnd(api, 'ANNOTATION_IMPORT'),
    };
  }
}

/** Makes objects of a source. */
export class ObjectsWriter extends EditingWriter {
  /** Of its requests. */
  share = 0;

  protected override next(label: string): Request {
    if (Math.random() >= this.share) return super.next(label);
    const path = datasetPath(this.dataset, `/annotation_sources/${this.source}/objects`);
    return {
      name: 'make objects',
      after: this.said,
      send: async (api) => {
        const { status } = await api.ask('POST', path);
        // Nothing was said yet.
        return status === 404 ? 409 : status;
      },
      finish: (api) => this.tasksEnd(api, 'ANNOTATION'),
      check: (api) => this.compareObjects(api),
    };
  }

  private async compareObjects(api: ApiClient): Promise<void> {
    const path = datasetPath(this.dataset, '/facets?entity_type=OBJECTS');
    const { labels } = await api.must<{ labels: { value: string; count: number }[] }>(200, 'GET', path);
    const found = labels.filter(({ count }) => count > 0).map(({ value, count }) => `${value} ${count}`);
    const counts = new Map<string, number>();
    for (const label of this.said.values()) counts.set(label, (counts.get(label) ?? 0) + 1);
    const wanted = Array.from(counts, ([label, count]) => `${label} ${count}`);
    if (found.sort().join() !== wanted.sort().join())
      throw new WriterViolation(`Objects: [${found.join(', ')}] instead of [${wanted.join(', ')}]`);
  }
}
