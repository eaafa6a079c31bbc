import { REPLACE_EMBEDDINGS } from './jobs/replace-embeddings.job';

export { EmbeddingsModule } from './embeddings.module';
export const EMBEDDING_JOBS = [REPLACE_EMBEDDINGS];
