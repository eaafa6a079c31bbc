/** What is to become so at the identity provider. Somebody's copy here is refreshed after it, whatever it was. */
export interface Wanted {
  readonly adminRoles?: 'grant' | 'revoke';
  readonly logout?: boolean;
  /** Of the user here too; whatever they come to own until then is the heir's. */
  readonly deletion?: { readonly heirId: string };
}

/** All that is wanted of one user of the provider. */
export interface PendingWork {
  readonly subject: string;
  /** Another one whenever more is wanted. */
  readonly token: string;
  readonly adminRoles: 'grant' | 'revoke' | null;
  readonly logout: boolean;
  readonly deletion: boolean;
  readonly heirId: string | null;
  readonly failures: number;
}

const SECOND_MS = 1000;
const LONGEST_WAIT_MS = 10 * 60 * SECOND_MS;

/** After so many failures. */
export const retryAt = (failures: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(5 * SECOND_MS * 2 ** failures, LONGEST_WAIT_MS));
