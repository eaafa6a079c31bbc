import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import type { IconName } from '../design/icon';

/** Its code is loaded when it is first opened, or before by `load`. */
type LazyPage = LazyExoticComponent<ComponentType> & { readonly load: () => Promise<unknown> };

/** A page of a dataset, about which `useDataset()` tells it, or a page about all of them. */
export interface PageDefinition {
  /** Below `/datasets/:datasetId/`, or below `/` if it is about all; may have parameters. */
  readonly path: string;
  readonly page: LazyPage;
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

export const lazyPage = (load: () => Promise<ComponentType>): LazyPage =>
  Object.assign(
    lazy(async () => ({ default: await load() })),
    { load },
  );
