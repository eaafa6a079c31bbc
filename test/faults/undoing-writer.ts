import type { ApiClient } from '../support/api-client';
import { HistoryClient, type ListedChange } from '../support/history-client';
import { SourceClient } from '../support/source-client';
import { EditingWriter, WriterViolation, type Request, type Said } from './annotation-writers';

const SHARE_OF_UNDOS = 0.5;

/** Undoes its last edit, and does it again. */
export class UndoingWriter extends EditingWriter {
  /** Its last change, and what it had said before. Undefined if it is not known whether there was one. */
  private last: { readonly change: string; readonly before: Said } | undefined;
  /** What it had said before its last request. */
  private before: Said = new Map();

  protected override next(label: string): Request {
    const { last } = this;
    this.last = undefined;
    this.before = this.said;
    if (last === undefined || Math.random() >= SHARE_OF_UNDOS) return super.next(label);
    return this.change('undo', '/annotations/undo', { change_id: last.change }, last.before);
  }

  protected override changed(answer: { readonly status: number; readonly body: unknown }): void {
    super.changed(answer);
    const { change_id: change = null } = answer.body as { change_id?: string | null };
    if (change !== null) this.last = { change, before: this.before };
  }

  /** The history of each annotation of this writer ends with what there is. */
  async compareHistory(api: ApiClient): Promise<void> {
    const { annotations } = await new SourceClient(api, this.dataset).list(`?source=${this.source}&limit=1000`);
    const now = new Map(annotations.map(({ id, file_path: file, version }) => [`${file} ${id}`, version]));
    const latest = new Map<string, number | undefined>();
    const history = new HistoryClient(api, this.dataset);
    let cursor = '';
    for (;;) {
      const { changes, next_cursor: next } = await history.page(`?source=${this.source}&limit=100${cursor}`);
      for (const change of changes) this.keepLatest(change, latest);
      if (next === null) break;
      cursor = `&cursor=${next}`;
    }
    const own = [...now.keys()].filter((key) => this.isOwn(key));
    for (const key of new Set([...own, ...latest.keys()]))
      if (now.get(key) !== latest.get(key))
        throw new WriterViolation(
          `${this.source}: ${key} is ${now.get(key)}, its history ends with ${latest.get(key)}`,
        );
  }

  private isOwn(key: string): boolean {
    return key.includes(` ${this.name}-`);
  }

  private keepLatest({ media }: ListedChange, latest: Map<string, number | undefined>): void {
    for (const { file_path: file, before, after } of media) {
      const versions = new Map<string, number | undefined>();
      for (const { id } of before) versions.set(`${file} ${id}`, undefined);
      for (const { id, version } of after) versions.set(`${file} ${id}`, version);
      for (const [key, version] of versions) if (this.isOwn(key) && !latest.has(key)) latest.set(key, version);
    }
  }
}
