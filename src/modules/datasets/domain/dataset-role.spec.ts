import type { WorkspaceRoleName } from '../../../common/platform/http/access';
import { grants, roleOf, type DatasetRole, type GrantedRole } from './dataset-role';

const DATASET = { workspaceId: 'here', ownerId: 'owner' };

/** Workspace role of somebody of the dataset's workspace, what the dataset is shared with them as, and what they are to it. */
const OTHERS: readonly (readonly [WorkspaceRoleName, GrantedRole | undefined, DatasetRole | undefined])[] = [
  ['admin', undefined, 'owner'],
  ['admin', 'viewer', 'owner'],
  ['editor', undefined, undefined],
  ['editor', 'viewer', 'viewer'],
  ['editor', 'editor', 'editor'],
  ['viewer', undefined, undefined],
  ['viewer', 'viewer', 'viewer'],
  ['viewer', 'editor', 'viewer'],
];

describe('dataset role', () => {
  it.each(OTHERS)('%s of the workspace, shared as %s: %s', (workspaceRole, granted, role) => {
    expect(roleOf({ userId: 'other', workspaceId: 'here', workspaceRole }, DATASET, granted)).toBe(role);
  });

  it.each([
    ['admin', 'owner'],
    ['editor', 'owner'],
    ['viewer', 'viewer'],
  ] as const)('whoever owns it, as %s of the workspace: %s', (workspaceRole, role) => {
    expect(roleOf({ userId: 'owner', workspaceId: 'here', workspaceRole }, DATASET, undefined)).toBe(role);
  });

  it.each(['owner', 'other'])('is nothing to %s in another workspace', (userId) => {
    expect(roleOf({ userId, workspaceId: 'there', workspaceRole: 'admin' }, DATASET, 'editor')).toBeUndefined();
  });

  it('grants a viewer nothing but reading', () => {
    expect(grants('viewer', 'read')).toBe(true);
    expect(grants('viewer', 'write')).toBe(false);
    expect(grants('editor', 'own')).toBe(false);
    expect(grants('owner', 'own')).toBe(true);
  });
});
