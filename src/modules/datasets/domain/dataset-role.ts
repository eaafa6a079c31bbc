import type { DatasetRight } from '../../../common/http/access';
import type { Principal } from '../../../common/http/principal';
import type { Dataset } from './dataset';

export type DatasetRole = 'owner' | 'editor' | 'viewer';

const RIGHTS: Readonly<Record<DatasetRole, readonly DatasetRight[]>> = {
  owner: ['read', 'write', 'own'],
  editor: ['read', 'write'],
  viewer: ['read'],
};

/** What the caller is to a dataset; undefined when it must not even be seen. */
export function roleOf(
  principal: Principal,
  dataset: Pick<Dataset, 'workspaceId' | 'ownerId'>,
): DatasetRole | undefined {
  if (dataset.workspaceId !== principal.workspaceId) return undefined;
  if (principal.workspaceRole === 'admin') return 'owner';
  return dataset.ownerId === principal.userId && principal.workspaceRole === 'editor' ? 'owner' : undefined;
}

export const grants = (role: DatasetRole, right: DatasetRight): boolean => RIGHTS[role].includes(right);
