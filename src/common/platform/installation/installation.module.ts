import { Global, Inject, Module, type DynamicModule, type InjectionToken, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIGURATION, type Configuration } from '../config/configuration';
import type { ObjectStore } from '../storage/object-store';
import { OBJECT_STORE, StorageModule } from '../storage/storage.module';
import { assertSecretKey } from './assert-secret-key';
import { InstallationEntity } from './persistence/installation.entity';
import { InstallationRepository } from './persistence/installation.repository';
import { StoreIdentity, type StoreContents } from './store-identity';

export interface StoreContentsProvider {
  readonly inject: readonly InjectionToken[];
  readonly useFactory: (...parts: never[]) => StoreContents;
}

const STORE_CONTENTS = Symbol('StoreContents');

/** Checks at startup, before anything is written, that the store and the key belong to this installation. */
@Global()
@Module({
  imports: [StorageModule, TypeOrmModule.forFeature([InstallationEntity])],
  providers: [
    InstallationRepository,
    {
      provide: StoreIdentity,
      inject: [OBJECT_STORE, CONFIGURATION, InstallationRepository, STORE_CONTENTS],
      useFactory: (
        store: ObjectStore,
        { storageUrl }: Configuration,
        installations: InstallationRepository,
        contents: StoreContents,
      ) => new StoreIdentity({ store, storageUrl, installations, contents }),
    },
  ],
  exports: [StoreIdentity],
})
export class InstallationModule implements OnModuleInit {
  static with({ inject, useFactory }: StoreContentsProvider): DynamicModule {
    return {
      module: InstallationModule,
      providers: [{ provide: STORE_CONTENTS, inject: [...inject], useFactory }],
    };
  }

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly installations: InstallationRepository,
    private readonly identity: StoreIdentity,
  ) {}

  async onModuleInit(): Promise<void> {
    await assertSecretKey(this.installations, this.configuration);
    await this.identity.claim();
  }
}
