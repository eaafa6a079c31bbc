export { EmbeddingsModule } from './embeddings.module';
