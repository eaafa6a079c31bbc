export { viewsPersistence } from './persistence/schema';
export { ViewReader } from './view.reader';
export { ViewsModule } from './views.module';
