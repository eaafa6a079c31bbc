import { z } from 'zod';

export const apiCredentialsResponse = z
  .object({ api_key: z.string(), api_secret: z.string(), message: z.string() })
  .meta({ id: 'ApiCredentials' });

export const apiCredentialsListResponse = z
  .object({
    api_credentials: z.array(
      z.object({ api_key: z.string(), created_at: z.string(), last_used_at: z.string().nullable() }),
    ),
  })
  .meta({ id: 'ApiCredentialsList' });

export const revokedResponse = z.object({ message: z.string() });

export const apiKeyPath = z.object({ api_key: z.string().describe('The name of the API key.') });
export type ApiKeyPath = z.infer<typeof apiKeyPath>;
