import { z } from 'zod';
import { DomainError } from '../../../common/platform/errors/domain-error';
import {
  IdentityProviderError,
  ProviderUserNotFoundError,
  RefusedByProviderError,
  UsernameTakenError,
} from '../domain/identity-provider-errors';

/** Keycloak refuses the service account. */
export class ServiceAccountRefusedError extends Error {}

/** The error that Keycloak's client rejects with for an unsuccessful response. */
const refusal = z.object({ response: z.object({ status: z.number() }), responseData: z.unknown() });

const brokenRule = z.object({ field: z.string(), errorMessage: z.string() });
const explanation = z
  .object({
    errors: z.array(brokenRule),
    field: z.string(),
    errorMessage: z.string(),
    error: z.string(),
    error_description: z.string(),
  })
  .partial();

const FIELDS: Readonly<Record<string, string>> = { firstName: 'first name', lastName: 'last name' };

const RULES: Readonly<Record<string, string>> = {
  'error-username-invalid-character': 'has a character that is not allowed',
  'error-person-name-invalid-character': 'has a character that is not allowed',
  'error-user-attribute-read-only': 'may not be changed',
  'error-user-attribute-required': 'is missing',
  'error-invalid-length': 'is too short or too long',
  'error-invalid-length-too-short': 'is too short',
  'error-invalid-length-too-long': 'is too long',
};

const ruleInWords = ({ field, errorMessage }: z.infer<typeof brokenRule>): string =>
  `the ${FIELDS[field] ?? field} ${RULES[errorMessage] ?? `breaks the rule ${errorMessage}`}`;

function reasonOf(data: unknown): string {
  const said = explanation.safeParse(data).data ?? {};
  if (said.errors !== undefined) return said.errors.map(ruleInWords).join('; ');
  if (said.field !== undefined) return ruleInWords({ field: said.field, errorMessage: said.errorMessage ?? '' });
  return said.error_description ?? said.errorMessage ?? said.error ?? 'it gave no reason';
}

export const statusOf = (error: unknown): number | undefined => refusal.safeParse(error).data?.response.status;

function fromAnswer(attempt: string, error: unknown, takenUsername: string | undefined): DomainError | undefined {
  const answer = refusal.safeParse(error).data;
  if (answer === undefined) return undefined;
  const { status } = answer.response;
  const reason = reasonOf(answer.responseData);
  if (status === 404 && reason === 'User not found') return new ProviderUserNotFoundError();
  if (status === 409 && takenUsername !== undefined) return new UsernameTakenError(takenUsername);
  if (status === 400) return new RefusedByProviderError(attempt, reason);
  if (status === 403) return new IdentityProviderError(attempt, 'its service account lacks a role for this', error);
  return new IdentityProviderError(attempt, `it answered with status ${status} (${reason})`, error);
}

/** Checked by shape: errors of Node may belong to another JavaScript realm. */
const thrown = z.object({ name: z.string(), message: z.string() });

/** Errors of fetch for a missing or truncated response. */
const LOST: readonly string[] = ['fetch failed', 'terminated'];

/** Converts the error of a failed call to a domain error. */
export function asDomainError(attempt: string, error: unknown, takenUsername?: string): DomainError {
  if (error instanceof DomainError) return error;
  const failed = (reason: string): DomainError => new IdentityProviderError(attempt, reason, error);
  if (error instanceof ServiceAccountRefusedError) return failed('it refused the service account');
  const answered = fromAnswer(attempt, error, takenUsername);
  if (answered !== undefined) return answered;
  const { name, message } = thrown.safeParse(error).data ?? { name: '', message: '' };
  if (name === 'TimeoutError') return failed('it did not answer in time');
  return failed(LOST.includes(message) ? 'it cannot be reached' : 'its answer was not understood');
}
