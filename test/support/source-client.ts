import type { ApiClient } from './api-client';

export interface ListedAnnotation {
  readonly id: string;
  readonly media_id: string;
  readonly file_path: string;
  readonly source: string;
  readonly label: string;
  readonly shape: object | null;
  readonly confidence: number | null;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly version: number;
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

interface Page {
  readonly annotations: readonly ListedAnnotation[];
  readonly next_cursor: string | null;
  readonly total: number;
}

/** Sends and reads annotations of the sources of a dataset. */
export class SourceClient {
  constructor(
    private readonly api: ApiClient,
    private readonly dataset: string,
  ) {}

  path(rest = 'annotations'): string {
    return `/api/v1/dataset/${this.dataset}/${rest}`;
  }

  send(body: object): Promise<Record<string, unknown>> {
    return this.api.must(200, 'POST', this.path(), body);
  }

  list(query = ''): Promise<Page> {
    return this.api.must(200, 'GET', this.path(`annotations${query}`));
  }

  /** Those that are not of the table. */
  async further(): Promise<Record<string, unknown>[]> {
    const path = this.path('annotation_sources');
    const { sources } = await this.api.must<{ sources: Record<string, unknown>[] }>(200, 'GET', path);
    return sources.filter(({ name }) => name !== 'ground_truth');
  }

  remove(source: string): Promise<unknown> {
    return this.api.must(204, 'DELETE', this.path(`annotation_sources/${source}`));
  }
}

/** 1 for an annotation as it was added, 2 for one that was changed since. */
export const editionOf = (annotation: Pick<ListedAnnotation, 'created_at' | 'updated_at'>): number =>
  annotation.updated_at === annotation.created_at ? 1 : 2;
