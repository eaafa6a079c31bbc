export { SuggestionsModule } from './suggestions.module';
export { suggestionsPersistence } from './persistence/schema';
