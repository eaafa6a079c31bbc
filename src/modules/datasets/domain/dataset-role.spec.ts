import type { Principal } from '../../../common/http/principal';
import { grants, roleOf } from './dataset-role';

const principal = (changes: Partial<Principal>): Principal => ({
  userId: 'someone',
  email: 'someone@example.com',
  name: 'Someone',
  workspaceId: 'here',
  workspaceRole: 'viewer',
  realmRoles: [],
  ...changes,
});

describe('dataset role', () => {
  it.each([
    ['the owner', { workspaceRole: 'editor' }, 'owner'],
    ['a workspace admin', { userId: 'other', workspaceRole: 'admin' }, 'owner'],
    ['another editor', { userId: 'other', workspaceRole: 'editor' }, undefined],
    ['an admin of another workspace', { workspaceId: 'there', workspaceRole: 'admin' }, undefined],
  ] as const)('%s', (_, changes, role) => {
    expect(roleOf(principal(changes), { workspaceId: 'here', ownerId: 'someone' })).toBe(role);
  });

  it('grants a viewer nothing but reading', () => {
    expect(grants('viewer', 'read')).toBe(true);
    expect(grants('viewer', 'write')).toBe(false);
    expect(grants('editor', 'own')).toBe(false);
    expect(grants('owner', 'own')).toBe(true);
  });
});
