import type { ProviderUser } from './provider-user';

/** Recorded before the provider is called, and deleted in the transaction that adds the user here. */
export interface UserCreation {
  readonly id: string;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly startedAt: Date;
}

const MINUTE_MS = 60_000;
/** Upper bound for a creation, before it is undone. */
export const MAX_CREATION_MS = 2 * MINUTE_MS;
/** Allowed difference between the clocks of the provider and of this service. */
const MAX_CLOCK_SKEW_MS = 5 * MINUTE_MS;

/** Whether a user at the provider was made by this creation, and not another user with the same name. */
export function isCreatedUser({ username, firstName, lastName, startedAt }: UserCreation, user: ProviderUser): boolean {
  const after = (user.createdTimestamp ?? 0) - startedAt.getTime();
  return (
    user.username.toLowerCase() === username.toLowerCase() &&
    user.firstName === firstName &&
    user.lastName === lastName &&
    after >= -MAX_CLOCK_SKEW_MS &&
    after <= MAX_CREATION_MS + MAX_CLOCK_SKEW_MS
  );
}
