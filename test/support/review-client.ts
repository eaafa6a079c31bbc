import type { ApiClient } from './api-client';

export interface QueuedItem {
  readonly item_id: string;
  readonly position: number;
  readonly media_id: string;
  readonly annotation_id: string | null;
  readonly state: string;
  readonly answer: object | null;
  readonly change_id: string | null;
}

export interface HandedOut {
  readonly items: readonly QueuedItem[];
  readonly finished: boolean;
}

export interface QueueFigures {
  readonly id: string;
  readonly n_items: number;
  readonly n_left: number;
  readonly n_leased: number;
  readonly finished_at: string | null;
  readonly feed_error: string | null;
  readonly states: Readonly<Record<string, number>>;
  readonly agreement_figures: {
    readonly observed: number | null;
    readonly cohen_kappa: number | null;
    readonly krippendorff_alpha: number | null;
  };
  readonly people_figures: readonly Readonly<Record<string, unknown>>[];
  readonly label_figures: readonly Readonly<Record<string, unknown>>[];
}

/** A review queue as one person uses it. */
export class ReviewClient {
  constructor(
    readonly api: ApiClient,
    readonly dataset: string,
    readonly queue: string,
  ) {}

  static async make(api: ApiClient, dataset: string, body: object): Promise<ReviewClient> {
    const path = `/api/v1/dataset/${dataset}/review_queues`;
    const { id } = await api.must<{ id: string }>(201, 'POST', path, body);
    return new ReviewClient(api, dataset, id);
  }

  as(api: ApiClient): ReviewClient {
    return new ReviewClient(api, this.dataset, this.queue);
  }

  path(rest = ''): string {
    return `/api/v1/dataset/${this.dataset}/review_queues/${this.queue}${rest}`;
  }

  next(limit = 1): Promise<HandedOut> {
    return this.api.must(200, 'POST', this.path('/next'), { limit });
  }

  /** The one item that is next. */
  async one(): Promise<QueuedItem> {
    return (await this.next()).items[0]!;
  }

  decide(item: string, body: object): Promise<QueuedItem> {
    return this.api.must(200, 'POST', this.path(`/items/${item}/decision`), body);
  }

  tryToDecide(item: string, body: object) {
    return this.api.ask('POST', this.path(`/items/${item}/decision`), body);
  }

  takeBack(item: string): Promise<QueuedItem & { readonly undone: boolean | null }> {
    return this.api.must(200, 'DELETE', this.path(`/items/${item}/decision`));
  }

  review(item: string, body: object): Promise<QueuedItem & { readonly undone: boolean | null }> {
    return this.api.must(200, 'POST', this.path(`/items/${item}/review`), body);
  }

  async items(query = ''): Promise<readonly QueuedItem[]> {
    return (await this.api.must<{ items: QueuedItem[] }>(200, 'GET', this.path(`/items${query}`))).items;
  }

  progress(): Promise<QueueFigures> {
    return this.api.must(200, 'GET', this.path());
  }
}
