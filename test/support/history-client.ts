import type { ApiClient } from './api-client';
import type { ListedAnnotation } from './source-client';

export interface ListedChange {
  readonly change_id: string;
  readonly source: string;
  readonly mode: string;
  readonly created_by: string;
  readonly undoes: string | null;
  readonly undone_by: string | null;
  readonly can_be_undone: boolean;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly n_media: number | null;
  readonly media: readonly {
    readonly media_id: string;
    readonly file_path: string;
    readonly before: readonly ListedAnnotation[];
    readonly after: readonly ListedAnnotation[];
  }[];
}

interface Page {
  readonly changes: readonly ListedChange[];
  readonly next_cursor: string | null;
}

/** Reads the changes of the annotations of a dataset, and undoes them. */
export class HistoryClient {
  constructor(
    private readonly api: ApiClient,
    private readonly dataset: string,
  ) {}

  page(query = ''): Promise<Page> {
    return this.api.must(200, 'GET', `${this.path}/history${query}`);
  }

  async all(query = ''): Promise<readonly ListedChange[]> {
    return (await this.page(query)).changes;
  }

  async undo(change: string): Promise<string> {
    const body = { change_id: change };
    return (await this.api.must<{ change_id: string }>(200, 'POST', `${this.path}/undo`, body)).change_id;
  }

  refusedUndo(change: string): Promise<{ readonly status: number; readonly body: unknown }> {
    return this.api.ask('POST', `${this.path}/undo`, { change_id: change });
  }

  private get path(): string {
    return `/api/v1/dataset/${this.dataset}/annotations`;
  }
}
