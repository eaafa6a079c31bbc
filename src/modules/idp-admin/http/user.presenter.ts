import type { z } from 'zod';
import type { ProviderSession, ProviderUser } from '../domain/provider-user';
import type { sessionResponse, UserResponse } from './user.schemas';

export const presentUser = (user: ProviderUser): UserResponse => ({
  id: user.id,
  username: user.username,
  firstName: user.firstName,
  lastName: user.lastName,
  enabled: user.enabled,
  createdTimestamp: user.createdTimestamp,
  roles: [...user.roles],
  lastAccess: user.lastAccess,
});

export const presentSession = (session: ProviderSession): z.infer<typeof sessionResponse> => ({
  id: session.id,
  username: session.username,
  ipAddress: session.ipAddress,
  start: session.start,
  lastAccess: session.lastAccess,
  clients: { ...session.clients },
});
