import type { components, operations } from './generated/api.js';

type Schemas = components['schemas'];
export type ReviewQueue = Schemas['ReviewQueue'];
export type ReviewProgress = Schemas['ReviewProgress'];
export type ReviewDecision = Schemas['ReviewDecisionPage']['decisions'][number];
export type NewReviewQueue = operations['reviewQueueCreate']['requestBody']['content']['application/json'];
