import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { ConsoleMiddleware } from './console.middleware';

/** The pages of the service. They use the public API alone, which works the same without them. */
@Module({ providers: [ConsoleMiddleware], exports: [ConsoleMiddleware] })
export class ConsoleModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(ConsoleMiddleware).forRoutes('{*path}');
  }
}
