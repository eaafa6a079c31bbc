import { duplicatesPages } from '../features/duplicates/pages';
import { explorePages } from '../features/explore/pages';
import { qualityPages } from '../features/quality/pages';
import type { DatasetPage } from './page-definition';

/** The pages of a dataset, in the order of the navigation. The first one opens by itself. */
export const DATASET_PAGES: readonly DatasetPage[] = [...explorePages, ...duplicatesPages, ...qualityPages];
