import type { ApiClient } from './api-client';

export interface Snapshot {
  readonly snapshot_id: string;
  readonly description: string;
  readonly snapshot_name: string;
  readonly reason: string;
  readonly is_current: boolean;
  readonly is_restoring: boolean;
  readonly n_images: number;
}

export interface Tag {
  readonly id: string;
  readonly name: string;
  readonly n_items: number;
}

export interface Dataset {
  readonly id: string;
  readonly display_name: string;
  readonly status_new: string;
  readonly n_images: number;
  readonly source_dataset_id: string | null;
  readonly fatal_error_msg: string | null;
  readonly progress: number;
}

interface Task {
  readonly dataset_id: string;
  readonly status: string;
  readonly status_message: string | null;
  readonly error_message: string | null;
  readonly progress_percentage: number;
}

export interface MediaList {
  readonly count: number;
  readonly media_ids: readonly string[];
}

export interface Diff {
  readonly added: MediaList;
  readonly removed: MediaList;
  readonly changed: { readonly labels: MediaList; readonly tags: MediaList; readonly captions: MediaList };
  readonly annotations: readonly {
    readonly source: string;
    readonly added: number;
    readonly removed: number;
    readonly changed: number;
    readonly media: MediaList;
  }[];
}

export interface Preview {
  readonly media_id: string;
  readonly caption: string | null;
  readonly media_uri: string;
  readonly media_thumb_uri: string;
  readonly user_tags: Record<string, { name: string }> | null;
}

/** The snapshot requests of a client program, and reads of the data in snapshots. */
export class SnapshotClient {
  constructor(private readonly api: ApiClient) {}

  pathOf(id: string, rest = ''): string {
    return `/api/v1/dataset/${id}/snapshot${rest}`;
  }

  list(id: string): Promise<Snapshot[]> {
    return this.api.must(200, 'GET', this.pathOf(id));
  }

  keep(id: string, name?: string): Promise<Snapshot> {
    return this.api.must(200, 'POST', this.pathOf(id), name === undefined ? {} : { name });
  }

  async indexed(name: string, source: string): Promise<string> {
    return this.api.indexed(name, source);
  }

  dataset(id: string): Promise<Dataset> {
    return this.api.must(200, 'GET', `/api/v1/dataset/${id}`);
  }

  async restore(id: string, snapshot: string): Promise<void> {
    await this.api.must(202, 'POST', this.pathOf(id, `/${snapshot}/restore`));
    await this.api.untilStatus(id, ['READY']);
  }

  async clone(id: string, snapshot: string, query = ''): Promise<Dataset> {
    const before = new Set((await this.clonesOf(id)).map((each) => each.id));
    await this.api.must(202, 'POST', this.pathOf(id, `/${snapshot}/clone${query}`));
    const made = (await this.clonesOf(id)).find((each) => !before.has(each.id))!;
    await this.api.untilStatus(made.id, ['READY']);
    return this.dataset(made.id);
  }

  async tasks(id: string, type: string): Promise<Task[]> {
    const path = `/api/v1/tasks?dataset_id=${id}&task_type=${type}`;
    return (await this.api.must<{ tasks: Task[] }>(200, 'GET', path)).tasks;
  }

  diff(id: string, snapshot: string, query = ''): Promise<Diff> {
    return this.api.must(200, 'GET', this.pathOf(id, `/${snapshot}/diff?${query}`));
  }

  async previews(id: string, query = ''): Promise<Preview[]> {
    const path = `/api/v1/explore/${id}?threshold=0&${query}`;
    const { clusters } = await this.api.must<{ clusters: { previews: Preview[] }[] }>(200, 'GET', path);
    return clusters.flatMap((cluster) => cluster.previews);
  }

  /** In ascending order. */
  async mediaIds(id: string, query = ''): Promise<string[]> {
    return (await this.previews(id, query)).map((each) => each.media_id).sort();
  }

  async tags(id: string): Promise<Tag[]> {
    return (await this.api.must<{ tags: Tag[] }>(200, 'GET', `/api/v1/dataset/${id}/tags`)).tags;
  }

  makeTag(id: string, name: string): Promise<Tag> {
    return this.api.must(200, 'POST', `/api/v1/dataset/${id}/tags`, { name });
  }

  assign(id: string, tag: Tag, verb: 'assign' | 'unassign', media: readonly string[]): Promise<void> {
    return this.api.must(200, 'POST', `/api/v1/dataset/${id}/tags/${tag.id}/${verb}`, {
      media_selection: [{ type: 'media', payload: { media_ids: media } }],
    });
  }

  taggedWith(id: string, tag: Tag, query = ''): Promise<string[]> {
    return this.mediaIds(id, `tags=[${tag.id}]&${query}`);
  }

  private async clonesOf(id: string): Promise<Dataset[]> {
    const all = await this.api.must<Dataset[]>(200, 'GET', '/api/v1/datasets');
    return all.filter((each) => each.source_dataset_id === id);
  }
}
