import { duplicatesPages } from '../features/duplicates/pages';
import { adminPages } from '../features/admin/pages';
import { apiKeyPages } from '../features/api-keys/pages';
import { enrichPages } from '../features/enrich/pages';
import { evaluatePages } from '../features/evaluate/pages';
import { explorePages } from '../features/explore/pages';
import { historyPages } from '../features/history/pages';
import { mapPages } from '../features/map/pages';
import { notificationPages } from '../features/notifications/pages';
import { allTaskPages, datasetTaskPages } from '../features/tasks/pages';
import { qualityPages } from '../features/quality/pages';
import { reviewPages } from '../features/review/pages';
import { viewPages } from '../features/views/pages';
import { webhookPages } from '../features/webhooks/pages';
import type { DatasetPage, PageDefinition } from './page-definition';

/** The pages of a dataset, in the order of the navigation. The first one opens by itself. */
export const DATASET_PAGES: readonly DatasetPage[] = [
  ...explorePages,
  ...mapPages,
  ...duplicatesPages,
  ...qualityPages,
  ...evaluatePages,
  ...reviewPages,
  ...viewPages,
  ...historyPages,
  ...enrichPages,
  ...datasetTaskPages,
  ...webhookPages,
];

/** Pages about all datasets. */
export const GLOBAL_PAGES: readonly PageDefinition[] = [
  ...allTaskPages,
  ...notificationPages,
  ...apiKeyPages,
  ...adminPages,
];
