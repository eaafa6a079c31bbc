import type { IconName } from '../design/icon';
import type { LazyPart } from '../design/lazy-part';

/** A page of a dataset, about which `useDataset()` tells it, or a page about all of them. */
export interface PageDefinition {
  /** Below `/datasets/:datasetId/`, or below `/` if it is about all; may have parameters. */
  readonly path: string;
  readonly page: LazyPart;
  /** Asks for what it shows first, while a dataset that nothing is known of yet is asked for itself. */
  readonly prepare?: (datasetId: string, search: URLSearchParams) => Promise<unknown>;
  /** The path of the page that it belongs to, for the navigation. */
  readonly within?: string;
  /** How the navigation offers it; pages without are reached from others. */
  readonly entry?: {
    readonly label: string;
    readonly icon: IconName;
    /** A hook, where not everybody may use the page. */
    readonly useIsOffered?: () => boolean;
  };
}

export type DatasetPage = PageDefinition;
