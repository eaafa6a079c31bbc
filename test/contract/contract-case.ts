/** Objects that the cases of the table can refer to, created once before the first case. */
export interface World {
  /** READY, created from a folder with one unreadable file. */
  readonly ready: string;
  /** An image of that dataset with an object. */
  readonly withObject: string;
  /** READY, created from the same folder; one case annotates it. */
  readonly annotated: string;
  /** READY, with six pictures, some of which have captions and labels. */
  readonly captioned: string;
  /** One of them. */
  readonly captionedMedia: string;
  /** A copy of it in which each picture has a vector that can be compared with texts. */
  readonly pictured: string;
  /** The anchor of a picture that was uploaded to search the READY dataset. */
  readonly anchor: string;
  /** A dataset with the status PARTIAL INDEX. */
  readonly partial: string;
  /** A DRAFT dataset without files. */
  readonly draft: string;
  readonly emptyTransaction: number;
  readonly processedTransaction: number;
  readonly processedDataset: string;
  readonly completedTask: string;
  /** The enrichment context of the READY dataset. */
  readonly context: string;
  readonly folder: string;
  readonly emptyFolder: string;
  readonly picture: Uint8Array;
  /** Tags of the READY dataset. */
  readonly tags: {
    readonly known: string;
    readonly other: string;
    readonly doomed: string;
    readonly cluster: string;
    readonly clusterSize: number;
    readonly media: string;
    readonly otherMedia: string;
  };
  readonly snapshots: {
    /** The current snapshot of the READY dataset. */
    readonly known: string;
    readonly doomed: string;
    /** A snapshot of the processed dataset. */
    readonly restorable: string;
  };
  /** Fields of a separate dataset. */
  readonly fields: {
    readonly dataset: string;
    /** The task of a field without values. */
    readonly declared: string;
    readonly sent: string;
    /** A media item with a value. */
    readonly media: string;
  };
  /** Views of the READY dataset. */
  readonly views: { readonly known: string; readonly doomed: string };
  /** Review queues of the READY dataset, with an item of the known one and one that the caller has decided on. */
  readonly review: {
    readonly known: string;
    readonly item: string;
    readonly reviewed: string;
    readonly decided: string;
    readonly doomed: string;
  };
  /** Evaluations of the annotated dataset. */
  readonly evaluations: { readonly known: string; readonly doomed: string };
  /** Webhooks of the READY dataset. */
  readonly webhooks: { readonly known: string; readonly doomed: string };
}

export interface Case {
  readonly it: string;
  readonly path: (world: World) => string;
  readonly body?: (world: World) => FormData | object;
  readonly status: number;
  /** The `detail` of an error, or a part of the response. */
  readonly detail?: string | RegExp;
  /** Sent in addition to a `detail` with fixed wording. */
  readonly reason?: RegExp;
  readonly locations?: readonly (readonly (string | number)[])[];
  readonly answers?: (world: World) => unknown;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH';
  /** In the format of the API description. */
  readonly route: string;
  readonly cases: readonly Case[];
}

export const NOBODY = '11111111-2222-4333-8444-555555555555';
export const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/) as string;
export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/) as string;

export const unknownDataset = (path: (id: string) => string, detail = 'Dataset not found'): Case[] => [
  { it: 'rejects an unknown dataset', path: () => path(NOBODY), status: 404, detail },
  { it: 'requires a UUID', path: () => path('not-a-uuid'), status: 422, locations: [['path', 'dataset_id']] },
];
