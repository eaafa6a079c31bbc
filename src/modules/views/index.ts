export { viewsPersistence } from './persistence';
export { ViewReader } from './view.reader';
export { ViewsModule } from './views.module';
