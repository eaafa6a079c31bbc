import { Global, Module, type DynamicModule } from '@nestjs/common';

/** Hands each part of the program its settings: a token and its value. */
@Global()
@Module({})
export class ConfigurationModule {
  static with(settings: readonly (readonly [symbol, unknown])[]): DynamicModule {
    return {
      module: ConfigurationModule,
      providers: settings.map(([provide, useValue]) => ({ provide, useValue })),
      exports: settings.map(([token]) => token),
    };
  }
}
