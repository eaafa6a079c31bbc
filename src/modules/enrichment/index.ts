export { EnrichmentModule } from './enrichment.module';
export { ENRICHMENT_JOBS } from './enrichment-jobs';
export { enrichmentPersistence } from './persistence';
