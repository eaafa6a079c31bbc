import { Injectable } from '@nestjs/common';
import { Sealer } from '../../../common/platform/config/sealer';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import type { Principal } from '../../../common/platform/http/principal';
import { AuditLog } from '../../audit';
import { ApiKeyNotFoundError, isApiKey, newApiKey, newApiSecret, type ApiKey } from './domain/api-key';
import { ApiKeyRepository } from './persistence/api-key.repository';

export interface NewApiKey {
  readonly apiKey: string;
  /** Returned only here. */
  readonly secret: string;
}

type Owner = Pick<Principal, 'userId' | 'email'>;

/** API keys, with which a user's programs sign their tokens. */
@Injectable()
export class ApiKeys {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly sealer: Sealer,
    private readonly audit: AuditLog,
    private readonly transactions: TransactionRunner,
  ) {}

  /** Adds a key; existing ones stay valid. */
  async create(owner: Owner): Promise<NewApiKey> {
    const [apiKey, secret] = [newApiKey(), newApiSecret()];
    await this.transactions.run(async () => {
      await this.keys.insert({
        apiKey,
        userId: owner.userId,
        sealedSecret: this.sealer.seal(secret, apiKey),
        keyId: this.sealer.keyId,
        createdAt: new Date(),
        lastUsedAt: null,
      });
      await this.audit.recordBy(owner, 'api_key_created', apiKey);
    });
    return { apiKey, secret };
  }

  list(userId: string): Promise<ApiKey[]> {
    return this.keys.listOfUser(userId);
  }

  /** Runs in the caller's transaction. */
  async revokeAllOf(userId: string): Promise<void> {
    await this.keys.deleteOfUser(userId);
  }

  /** Takes effect at the next request. */
  async revoke(owner: Owner, apiKey: string): Promise<void> {
    if (!isApiKey(apiKey)) throw new ApiKeyNotFoundError();
    await this.transactions.run(async () => {
      if (!(await this.keys.delete(apiKey, owner.userId))) throw new ApiKeyNotFoundError();
      await this.audit.recordBy(owner, 'api_key_revoked', apiKey);
    });
  }
}
