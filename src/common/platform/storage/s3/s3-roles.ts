import { createRequire } from 'node:module';
import type { Client } from 'minio';
import type { AssumeRoleProvider } from 'minio/dist/main/AssumeRoleProvider.js';
import { BoundedCache } from '../../cache/bounded-cache';
import { connectS3, type S3Connection } from './s3-connection';
import { s3Failure } from './s3-outage';
import { SourceNotAllowedError } from '../sources/source-location';

/** The S3 store does not allow this service to assume the role. The message is one sentence for the caller. */
export class RoleRefusedError extends SourceNotAllowedError {}

interface Role {
  readonly client: Client;
  readonly provider: AssumeRoleProvider;
}

const KEPT_ROLES = 64;
const SESSION_SECONDS = 3600;
const SESSION_NAME = 'dataset-media-service';

const minioRoles = () =>
  createRequire(__filename)(
    'minio/dist/main/AssumeRoleProvider.js',
  ) as typeof import('minio/dist/main/AssumeRoleProvider.js');

/** S3 clients that read with an assumed role. The temporary credentials come from the STS of the store and are renewed. */
export class S3Roles {
  private readonly known = new BoundedCache<Role>(KEPT_ROLES);

  constructor(private readonly connection: S3Connection) {}

  async clientOf(name: string): Promise<Client> {
    const role = await this.known.getOrLoad(name, () => Promise.resolve(this.makeRole(name)));
    await credentialsOf(role, name);
    return role.client;
  }

  async assume(name: string): Promise<void> {
    await this.clientOf(name);
  }

  private makeRole(name: string): Role {
    const { endpoint, region, accessKey, secretKey } = this.connection;
    const provider = new (minioRoles().AssumeRoleProvider)({
      stsEndpoint: endpoint,
      accessKey,
      secretKey,
      region,
      roleArn: name,
      roleSessionName: SESSION_NAME,
      durationSeconds: SESSION_SECONDS,
    });
    shareRenewals(provider);
    return { provider, client: connectS3(this.connection, provider) };
  }
}

/** Many reads notice an expired session at the same time; only one of them renews it. */
function shareRenewals(provider: AssumeRoleProvider): void {
  const renew = provider.refreshCredentials.bind(provider);
  let underway: ReturnType<typeof renew> | undefined;
  provider.refreshCredentials = () => {
    underway ??= renew().finally(() => {
      underway = undefined;
    });
    return underway;
  };
}

async function credentialsOf({ provider }: Role, name: string): Promise<void> {
  try {
    await provider.getCredentials();
  } catch (error) {
    const reason = reasonOf(error);
    // The store did not respond, so waiting may help.
    if (reason === undefined) throw s3Failure(rootOf(error));
    throw new RoleRefusedError(`The role ${name} can't be assumed at the S3 store: ${reason}.`, { cause: error });
  }
}

function reasonOf(error: unknown): string | undefined {
  const root = rootOf(error);
  const answer = root as { readonly ErrorResponse?: { readonly Error?: { Code?: unknown; Message?: unknown } } };
  const said = answer.ErrorResponse?.Error;
  if (said !== undefined) return [said.Code, said.Message].filter((part) => typeof part === 'string').join(', ');
  return 'code' in root ? undefined : 'the store does not support roles (STS)';
}

function rootOf(error: unknown): object {
  let root: unknown = error;
  while (root instanceof Error && root.cause !== undefined) root = root.cause;
  return typeof root === 'object' && root !== null ? root : {};
}
