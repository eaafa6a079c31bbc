import { hasOtherAdmin, planRoleChange, type MemberRole } from './role-change';

const MEMBERS: readonly MemberRole[] = [
  { userId: 'ada', role: 'admin' },
  { userId: 'bea', role: 'admin' },
  { userId: 'eve', role: 'editor' },
  { userId: 'vic', role: 'viewer' },
];

const NOTHING = { roles: [], granted: [], revoked: [], loggedOut: [], reduced: [] };

describe('a change of role', () => {
  it('makes the promoted user the only admin of a single workspace', () => {
    expect(planRoleChange(MEMBERS, { userId: 'eve', role: 'admin' }, true)).toEqual({
      roles: [
        { userId: 'ada', role: 'editor' },
        { userId: 'bea', role: 'editor' },
        { userId: 'eve', role: 'admin' },
      ],
      granted: ['eve'],
      revoked: ['ada', 'bea'],
      loggedOut: ['ada', 'bea', 'eve'],
      reduced: [],
    });
  });

  it('does not demote other admins if the user has several workspaces', () => {
    expect(planRoleChange(MEMBERS, { userId: 'eve', role: 'admin' }, false)).toEqual({
      ...NOTHING,
      roles: [{ userId: 'eve', role: 'admin' }],
    });
  });

  it('changes nothing for the only admin', () => {
    expect(planRoleChange(MEMBERS, { userId: 'ada', role: 'admin' }, true)).toEqual({
      ...NOTHING,
      roles: [{ userId: 'bea', role: 'editor' }],
      revoked: ['bea'],
      loggedOut: ['bea'],
    });
  });

  it('removes what a viewer may not have', () => {
    expect(planRoleChange(MEMBERS, { userId: 'eve', role: 'viewer' }, true)).toEqual({
      ...NOTHING,
      roles: [{ userId: 'eve', role: 'viewer' }],
      reduced: ['eve'],
    });
    expect(planRoleChange(MEMBERS, { userId: 'ada', role: 'viewer' }, true)).toEqual({
      ...NOTHING,
      roles: [{ userId: 'ada', role: 'viewer' }],
      revoked: ['ada'],
      reduced: ['ada'],
    });
  });

  it.each(['eve', 'vic'])('to the current role of %s has no effect', (userId) => {
    const { role } = MEMBERS.find((member) => member.userId === userId)!;
    expect(planRoleChange(MEMBERS, { userId, role }, true)).toEqual(NOTHING);
  });

  it('detects the last admin', () => {
    expect(hasOtherAdmin(MEMBERS, 'ada')).toBe(true);
    expect(hasOtherAdmin(MEMBERS.slice(1), 'bea')).toBe(false);
  });
});
