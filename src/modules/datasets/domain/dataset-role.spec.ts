import type { WorkspaceRoleName } from '../../../common/platform/http/access';
import { grants, roleOf, type DatasetRole, type GrantedRole } from './dataset-role';

const DATASET = { workspaceId: 'here', ownerId: 'owner' };

/** The user's workspace role, the granted role, and the resulting role on the dataset. */
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
  ] as const)('its owner, as %s of the workspace: %s', (workspaceRole, role) => {
    expect(roleOf({ userId: 'owner', workspaceId: 'here', workspaceRole }, DATASET, undefined)).toBe(role);
  });

  it.each(['owner', 'other'])('gives no access to %s of another workspace', (userId) => {
    expect(roleOf({ userId, workspaceId: 'there', workspaceRole: 'admin' }, DATASET, 'editor')).toBeUndefined();
  });

  it('grants a viewer only reading', () => {
    expect(grants('viewer', 'read')).toBe(true);
    expect(grants('viewer', 'write')).toBe(false);
    expect(grants('editor', 'own')).toBe(false);
    expect(grants('owner', 'own')).toBe(true);
  });
});
