import { Controller, Delete, Get, Header, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ChangesState, SessionOnly } from '../../../../common/platform/http/access';
import { CurrentPrincipal, type Principal } from '../../../../common/platform/http/principal';
import { RateLimited } from '../../../../common/platform/http/rate-limited';
import { formatTimestamp, formatTimestampOrNull } from '../../../../common/platform/http/query-values';
import { ApiKeys } from '../api-keys';

const apiCredentialsResponse = z.object({ api_key: z.string(), api_secret: z.string(), message: z.string() }).meta({
  id: 'ApiCredentials',
  example: {
    api_key: 'dms_3f9c1b7a2d',
    api_secret: 'r4vXbN8w0uQ2yK5tJ7eP1sL9',
    message: 'Keep the secret: it is not shown again.',
  },
});

const apiCredentialsListResponse = z
  .object({
    api_credentials: z.array(
      z.object({ api_key: z.string(), created_at: z.string(), last_used_at: z.string().nullable() }),
    ),
  })
  .meta({
    id: 'ApiCredentialsList',
    example: {
      api_credentials: [{ api_key: 'dms_3f9c1b7a2d', created_at: '2026-11-24T09:30:00.000000', last_used_at: null }],
    },
  });

const revokedResponse = z.object({ message: z.string() }).meta({ example: { message: 'Revoked' } });

const apiKeyPath = z.object({
  api_key: z.string().meta({ description: 'The name of the API key.', example: 'dms_3f9c1b7a2d' }),
});
type ApiKeyPath = z.infer<typeof apiKeyPath>;

const SHOWN_ONCE =
  'Save the secret now: it is shown only once. If it is lost, revoke this key and create another one, or contact your administrator.';

@ApiTags('Credentials')
@Controller('api/v1/api_credentials')
@SessionOnly()
@RateLimited('credentials')
export class ApiCredentialsController {
  constructor(private readonly keys: ApiKeys) {}

  @Get()
  @ChangesState()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Create an API key; its secret is shown only once' })
  @ApiOkResponse({ standardSchema: apiCredentialsResponse })
  async create(@CurrentPrincipal() principal: Principal): Promise<z.infer<typeof apiCredentialsResponse>> {
    const { apiKey, secret } = await this.keys.create(principal);
    return { api_key: apiKey, api_secret: secret, message: SHOWN_ONCE };
  }

  @Get('list')
  @ApiOperation({ summary: "The caller's API keys, newest first, without their secrets" })
  @ApiOkResponse({ standardSchema: apiCredentialsListResponse })
  async list(@CurrentPrincipal() { userId }: Principal): Promise<z.infer<typeof apiCredentialsListResponse>> {
    const keys = await this.keys.list(userId);
    return {
      api_credentials: keys.map(({ apiKey, createdAt, lastUsedAt }) => ({
        api_key: apiKey,
        created_at: formatTimestamp(createdAt),
        last_used_at: formatTimestampOrNull(lastUsedAt),
      })),
    };
  }

  @Delete(':api_key')
  @ApiOperation({ summary: "Revoke one of the caller's API keys, effective immediately" })
  @ApiOkResponse({ standardSchema: revokedResponse })
  async revoke(
    @Param({ schema: apiKeyPath }) { api_key: apiKey }: ApiKeyPath,
    @CurrentPrincipal() principal: Principal,
  ): Promise<z.infer<typeof revokedResponse>> {
    await this.keys.revoke(principal, apiKey);
    return { message: 'API key revoked' };
  }
}
