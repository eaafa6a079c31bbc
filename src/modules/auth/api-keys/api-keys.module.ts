import { Logger, Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { Sealer } from '../../../common/platform/config/sealer';
import { AuditModule } from '../../audit';
import { WorkspacesModule } from '../../workspaces';
import { RenewalsModule } from '../renewals';
import { ApiKeyAuthenticator, LastUse } from './api-key.authenticator';
import { ApiKeys } from './api-keys';
import { API_SECRETS } from './domain/api-key';
import { ApiCredentialsController } from './http/api-credentials.controller';
import { apiKeysPersistence } from './persistence/schema';
import { ApiKeyRepository } from './persistence/api-key.repository';

const sealer = (configuration: Configuration): Sealer => Sealer.with(configuration, API_SECRETS);

@Module({
  imports: [TypeOrmModule.forFeature(apiKeysPersistence.entities), AuditModule, WorkspacesModule, RenewalsModule],
  controllers: [ApiCredentialsController],
  providers: [
    { provide: Sealer, inject: [CONFIGURATION], useFactory: sealer },
    ApiKeyRepository,
    ApiKeys,
    LastUse,
    ApiKeyAuthenticator,
  ],
  exports: [ApiKeys, ApiKeyAuthenticator],
})
export class ApiKeysModule implements OnModuleInit {
  private readonly logger = new Logger(ApiKeysModule.name);

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly sealing: Sealer,
  ) {}

  async onModuleInit(): Promise<void> {
    const lost = await this.keys.countSealedOtherwise(this.sealing.keyIds);
    if (lost > 0)
      this.logger.warn(
        `${lost} API keys were sealed with another SECRET_KEY and are refused. Run "npm run rotate-secret-key" to seal them with the current one.`,
      );
  }
}
