/** Objects that the cases of the table can refer to, created once before the first case. */
export interface World {
  /** READY, made from a folder with one unreadable file. */
  readonly ready: string;
  /** An image of it with an object. */
  readonly withObject: string;
  /** READY, made from the same folder; one case annotates it. */
  readonly annotated: string;
  /** READY, six pictures, some with captions and labels. */
  readonly captioned: string;
  /** A copy of it with a vector of each picture that texts are compared with. */
  readonly pictured: string;
  /** Of a picture uploaded to search the dataset that is READY with. */
  readonly anchor: string;
  /** PARTIAL INDEX. */
  readonly partial: string;
  /** DRAFT, without files. */
  readonly draft: string;
  readonly emptyTransaction: number;
  readonly processedTransaction: number;
  readonly processedDataset: string;
  readonly completedTask: string;
  /** The enrichment context of the dataset that is READY. */
  readonly context: string;
  readonly folder: string;
  readonly emptyFolder: string;
  readonly picture: Uint8Array;
  /** Of the dataset that is READY. */
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
    /** Of the dataset that is READY; the current one. */
    readonly known: string;
    readonly doomed: string;
    /** Of the processed dataset. */
    readonly restorable: string;
  };
  /** Of a dataset of its own. */
  readonly fields: {
    readonly dataset: string;
    /** The task of a field without values. */
    readonly declared: string;
    readonly sent: string;
    /** Has a value. */
    readonly media: string;
  };
  /** Of the dataset that is READY. */
  readonly views: { readonly known: string; readonly doomed: string };
  /** Of the dataset that is READY. */
  readonly webhooks: { readonly known: string; readonly doomed: string };
}

export interface Case {
  readonly it: string;
  readonly path: (world: World) => string;
  readonly body?: (world: World) => FormData | object;
  readonly status: number;
  /** The `detail` of an error, or part of the response. */
  readonly detail?: string | RegExp;
  /** In addition to a `detail` whose wording is fixed. */
  readonly reason?: RegExp;
  readonly locations?: readonly (readonly (string | number)[])[];
  readonly answers?: (world: World) => unknown;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH';
  /** As the API description spells it. */
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
