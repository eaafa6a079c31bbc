import { z } from 'zod';

export const apiCredentialsResponse = z
  .object({ api_key: z.string(), api_secret: z.string(), message: z.string() })
  .meta({
    id: 'ApiCredentials',
    example: {
      api_key: 'dms_3f9c1b7a2d',
      api_secret: 'r4vXbN8w0uQ2yK5tJ7eP1sL9',
      message: 'Keep the secret: it is not shown again.',
    },
  });

export const apiCredentialsListResponse = z
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

export const revokedResponse = z.object({ message: z.string() }).meta({ example: { message: 'Revoked' } });

export const apiKeyPath = z.object({
  api_key: z.string().meta({ description: 'The name of the API key.', example: 'dms_3f9c1b7a2d' }),
});
export type ApiKeyPath = z.infer<typeof apiKeyPath>;
