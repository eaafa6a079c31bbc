export { EnrichmentModule } from './enrichment.module';
export { enrichmentPersistence } from './persistence/schema';
