import { Global, Module, type DynamicModule } from '@nestjs/common';

/** Provides each part of the configuration by token. */
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
