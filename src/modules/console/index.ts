export { ConsoleMiddleware } from './console.middleware';
export { ConsoleModule } from './console.module';
