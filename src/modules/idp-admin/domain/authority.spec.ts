import type { WorkspaceRoleName } from '../../../common/platform/http/access';
import {
  assertHoldsAllRolesOf,
  assertMayGiveRole,
  assertNotOutranked,
  isAdminOver,
  realmRolesToKeep,
} from './authority';

const is = (role: WorkspaceRoleName, workspaceId = 'here') => ({ workspaceId, role });
const ROLES = ['viewer', 'editor', 'admin'] as const;

describe('the permission to manage a user', () => {
  it('is decided by rank', () => {
    const allowed = ROLES.flatMap((own) => ROLES.map((theirs) => [own, theirs] as const)).filter(([own, theirs]) => {
      try {
        assertNotOutranked([is(own)], [is(theirs)]);
        return true;
      } catch {
        return false;
      }
    });
    expect(allowed.map((pair) => pair.join(' over '))).toEqual([
      'viewer over viewer',
      'editor over viewer',
      'editor over editor',
      'admin over viewer',
      'admin over editor',
      'admin over admin',
    ]);
  });

  it('is decided in every workspace of the target', () => {
    const admin = [is('admin')];
    expect(() => assertNotOutranked(admin, [is('viewer'), is('viewer', 'elsewhere')])).toThrow('yours is none');
    expect(isAdminOver(admin, [is('admin')])).toBe(true);
    expect(isAdminOver(admin, [])).toBe(true);
    expect(isAdminOver(admin, [is('viewer'), is('viewer', 'elsewhere')])).toBe(false);
    expect(isAdminOver([is('editor')], [])).toBe(false);
    expect(isAdminOver([], [])).toBe(false);
  });

  it('requires every realm role of the target', () => {
    expect(() => assertHoldsAllRolesOf(['manage-users', 'annotator'], ['annotator'])).not.toThrow();
    expect(() => assertHoldsAllRolesOf(['manage-users'], ['annotator', 'reviewer'])).toThrow('annotator and reviewer');
  });

  it.each([
    ['viewer', ['viewer']],
    ['editor', ['viewer']],
    ['admin', ['viewer', 'editor', 'admin']],
  ] as const)('allows a workspace %s to grant %j', (own, given) => {
    for (const role of ROLES) {
      const give = () => assertMayGiveRole([is(own)], 'here', role);
      if ((given as readonly string[]).includes(role)) expect(give).not.toThrow();
      else expect(give).toThrow(`Only an admin of the workspace may give the role ${role}, and your role is ${own}`);
    }
    expect(() => assertMayGiveRole([is(own)], 'elsewhere', 'viewer')).toThrow('your role is none');
  });

  it('allows users to grant their own roles, except those for administering users', () => {
    const own = ['manage-users', 'annotator'];
    const keep = (asked: readonly string[], held: readonly string[] = []) =>
      realmRolesToKeep(asked, { held, grantable: ['manage-users', 'annotator', 'reviewer'], own });
    expect(keep(['annotator', 'emperor'])).toEqual({ kept: [], added: ['annotator'] });
    expect(keep(['view-users', 'annotator'], ['view-users'])).toEqual({ kept: ['view-users'], added: ['annotator'] });
    expect(() => keep(['reviewer'])).toThrow('reviewer');
    expect(() => keep(['manage-users'])).toThrow('manage-users');
  });
});
