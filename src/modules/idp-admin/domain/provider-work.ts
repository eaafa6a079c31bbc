/** The state to reach at the identity provider. The user's copy here is refreshed afterwards in any case. */
export interface Wanted {
  readonly adminRoles?: 'grant' | 'revoke';
  readonly logout?: boolean;
  /** Deletes the user here too; datasets that they own then go to the heir. */
  readonly deletion?: { readonly heirId: string };
}

/** All pending work for one user of the provider. */
export interface PendingWork {
  readonly subject: string;
  /** Changes whenever work is added. */
  readonly token: string;
  readonly adminRoles: 'grant' | 'revoke' | null;
  readonly logout: boolean;
  readonly deletion: boolean;
  readonly heirId: string | null;
  readonly failures: number;
}

const SECOND_MS = 1000;
const LONGEST_WAIT_MS = 10 * 60 * SECOND_MS;

/** Exponential backoff. */
export const retryDelayMs = (failures: number): number => Math.min(5 * SECOND_MS * 2 ** failures, LONGEST_WAIT_MS);
