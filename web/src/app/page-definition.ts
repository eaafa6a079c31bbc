import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import type { IconName } from '../design/icon';

/** A page of a dataset. `useDataset()` is the dataset that it is about. */
export interface DatasetPage {
  /** Below `/datasets/:datasetId/`; may have parameters. */
  readonly path: string;
  readonly page: LazyExoticComponent<ComponentType>;
  /** How the navigation offers it; pages without are reached from others. */
  readonly entry?: { readonly label: string; readonly icon: IconName };
}

/** Its code is loaded when it is first opened. */
export const lazyPage = (load: () => Promise<ComponentType>): DatasetPage['page'] =>
  lazy(async () => ({ default: await load() }));
