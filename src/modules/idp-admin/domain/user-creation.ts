import type { ProviderUser } from './provider-user';

/** Written down before the provider is asked to create somebody, gone with the commit that makes them known here. */
export interface UserCreation {
  readonly id: string;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly startedAt: Date;
}

const MINUTE_MS = 60_000;
/** Longer than any creation takes that is still going on. */
export const CREATION_TAKES_MS = 2 * MINUTE_MS;
/** By which the clocks of the provider and of this service may differ. */
const CLOCKS_DIFFER_MS = 5 * MINUTE_MS;

/** Whether somebody at the provider is who this creation has made, and not another of the same name. */
export function hasMade({ username, firstName, lastName, startedAt }: UserCreation, user: ProviderUser): boolean {
  const after = (user.createdTimestamp ?? 0) - startedAt.getTime();
  return (
    user.username.toLowerCase() === username.toLowerCase() &&
    user.firstName === firstName &&
    user.lastName === lastName &&
    after >= -CLOCKS_DIFFER_MS &&
    after <= CREATION_TAKES_MS + CLOCKS_DIFFER_MS
  );
}
