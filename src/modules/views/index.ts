export { VIEW_JOBS } from './jobs';
export { viewsPersistence } from './persistence';
export { ViewsModule } from './views.module';
