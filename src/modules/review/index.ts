export { reviewPersistence } from './persistence/schema';
export { ReviewModule } from './review.module';
