import { Global, Inject, Module, type DynamicModule, type InjectionToken, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIGURATION, type Configuration } from '../config/configuration';
import type { ObjectStore } from '../storage/object-store';
import { OBJECT_STORE, StorageModule } from '../storage/storage.module';
import { InstallationEntity, InstallationRepository } from './persistence/installation.repository';
import { StoreIdentity, type StoreContents } from './store-identity';
import type { InstallationKeys } from '../config/sealer';
import { secretKeyDigest } from '../config/secret-key';
import { StartError } from '../config/configuration-error';

export class WrongSecretKeyError extends StartError {}

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

/** The key of the first start is the key of the installation until it is rotated. */
export async function assertSecretKey(
  installations: InstallationRepository,
  { secretKey, acceptedSecretKey }: InstallationKeys,
): Promise<void> {
  await installations.ensure();
  const kept = await installations.keepSecretKeyDigest(secretKeyDigest(secretKey));
  const known = [secretKey, ...(acceptedSecretKey === null ? [] : [acceptedSecretKey])];
  if (!known.some((key) => secretKeyDigest(key) === kept))
    throw new WrongSecretKeyError(
      "SECRET_KEY is not the key of this installation. Use the same key for all processes (where it is not set, each DATA_DIR has its own in secret.key), or run npm run rotate-secret-key to replace the installation's key.",
    );
}
