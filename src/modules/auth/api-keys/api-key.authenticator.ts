import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { Sealer } from '../../../common/platform/config/sealer';
import { PrincipalReader } from '../../workspaces';
import type { Authenticator, Caller } from '../principal-source';
import { newApiKey, newApiSecret, type ApiKey, InvalidTokenError } from './domain/api-key';
import { verifyBearerToken } from './domain/bearer-token';
import { ApiKeyRepository } from './persistence/api-key.repository';
import { errorMessage } from '../../../common/platform/errors/error-code';
import { outageOf } from '../../../common/platform/outage/outage';
import { Renewals } from '../renewals';

const WRITE_INTERVAL_MS = 60_000;

/** Saves when a key was last used, to the minute, without delaying requests. */
@Injectable()
export class LastUse {
  private readonly logger = new Logger(LastUse.name);
  private readonly writing = new Set<string>();

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly renewals: Renewals,
  ) {}

  note({ apiKey, userId, lastUsedAt }: ApiKey): void {
    const now = new Date();
    if (lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() < WRITE_INTERVAL_MS) return;
    if (this.writing.has(apiKey)) return;
    this.writing.add(apiKey);
    this.renewals.note(userId);
    void this.write(apiKey, now);
  }

  private async write(apiKey: string, now: Date): Promise<void> {
    try {
      await this.keys.setLastUsed(apiKey, now);
    } catch (error) {
      if (outageOf(error) === undefined)
        this.logger.warn(`The last use of an API key could not be saved: ${errorMessage(error)}`);
    } finally {
      this.writing.delete(apiKey);
    }
  }
}

const NO_USER = '00000000-0000-0000-0000-000000000000';

/** Stands in for an unknown key, so that its tokens take the same time to refuse as forged ones. */
function decoyKey(sealer: Sealer): ApiKey {
  const apiKey = newApiKey();
  return {
    apiKey,
    userId: NO_USER,
    sealedSecret: sealer.seal(newApiSecret(), apiKey),
    keyId: sealer.keyId,
    createdAt: new Date(),
    lastUsedAt: null,
  };
}

/** Undefined without a bearer token; empty for a malformed one. */
export function bearerOf({ headersDistinct }: Request): string | undefined {
  const given = headersDistinct['authorization'] ?? [];
  const bearers = given.filter((value) => /^bearer\b/i.test(value));
  if (bearers.length === 0) return undefined;
  return given.length === 1 ? (/^bearer +(\S+)$/i.exec(given[0]!)?.[1] ?? '') : '';
}

/** Authenticates programs by a JWT signed with the secret of an API key. */
@Injectable()
export class ApiKeyAuthenticator implements Authenticator {
  private readonly decoy: ApiKey;
  private readonly longestSeconds: number;

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly sealer: Sealer,
    private readonly principals: PrincipalReader,
    private readonly lastUse: LastUse,
    @Inject(CONFIGURATION) { oidc }: Configuration,
  ) {
    this.decoy = decoyKey(sealer);
    this.longestSeconds = oidc?.jwtMaxSeconds ?? Infinity;
  }

  async authenticate(request: Request): Promise<Caller | undefined> {
    const text = bearerOf(request);
    if (text === undefined) return undefined;
    const { key, expiresAt } = await this.keyThatSigned(text);
    const principal = await this.principals.find(key.userId);
    if (principal === undefined) throw new InvalidTokenError();
    this.lastUse.note(key);
    return {
      principal,
      credential: { kind: 'api-key', apiKey: key.apiKey },
      isStillValid: async () => Date.now() / 1000 < expiresAt && (await this.keys.find(key.apiKey)) !== undefined,
    };
  }

  private async keyThatSigned(text: string): Promise<{ readonly key: ApiKey; readonly expiresAt: number }> {
    let key = this.decoy;
    const secretOf = async (apiKey: string): Promise<string> => {
      key = (await this.keys.find(apiKey)) ?? this.decoy;
      // After a change of SECRET_KEY the secret can't be opened; treat the key as unknown.
      return this.sealer.open(key.sealedSecret, key.apiKey) ?? newApiSecret();
    };
    const expiresAt = await verifyBearerToken(text, { secretOf, longestSeconds: this.longestSeconds });
    return { key, expiresAt };
  }
}
