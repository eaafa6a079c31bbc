import { accessSync, constants } from 'node:fs';
import { z } from 'zod';
import { errorMessage } from '../errors/error-code';

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'];
const FILES = ['sslrootcert', 'sslcert', 'sslkey'];

/** The value of `sslrootcert` for the certificates that Node trusts. */
const SYSTEM_CERTIFICATES = 'system';

/** The URL of Postgres. `sslmode`, `sslrootcert`, `sslcert` and `sslkey` have the same meaning as in libpq. */
export const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: 'must begin with postgres://' })
  .transform((text, context) => {
    const url = URL.parse(text);
    if (url === null) return text;
    const mistake = mistakeIn(url.searchParams);
    if (mistake === undefined) return libpqUrl(url, text);
    context.addIssue({ code: 'custom', message: mistake });
    return z.NEVER;
  });

function mistakeIn(parameters: URLSearchParams): string | undefined {
  const mode = parameters.get('sslmode');
  if (mode === 'allow' || mode === 'prefer')
    return `has sslmode=${mode}, which an attacker on the network can switch off. Use require, verify-ca or verify-full, or disable on a trusted network.`;
  if (mode !== null && !MODES.includes(mode)) return `has sslmode=${mode}. It must be one of ${MODES.join(', ')}.`;
  const ca = parameters.get('sslrootcert');
  if (mode === 'verify-ca' && (ca === null || ca === SYSTEM_CERTIFICATES))
    return 'has sslmode=verify-ca without a file in sslrootcert. Name the certificate of the authority, or use verify-full.';
  if (mode === null && FILES.some((name) => parameters.has(name)))
    return 'names certificates, but no sslmode. Add sslmode=verify-full.';
  if (parameters.has('sslcert') !== parameters.has('sslkey')) return 'must have both sslcert and sslkey, or neither.';
  return FILES.map((name) => unreadable(name, parameters.get(name))).find((reason) => reason !== undefined);
}

function unreadable(name: string, path: string | null): string | undefined {
  if (path === null || path === SYSTEM_CERTIFICATES) return undefined;
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return `names a file in ${name} that can't be read: ${errorMessage(error)}`;
  }
}

/** Adds the option with which the client interprets `sslmode` like libpq. */
function libpqUrl(url: URL, text: string): string {
  const { searchParams } = url;
  if (!searchParams.has('sslmode')) return text;
  if (searchParams.get('sslrootcert') === SYSTEM_CERTIFICATES) searchParams.delete('sslrootcert');
  searchParams.set('uselibpqcompat', 'true');
  return url.href;
}
