import { addressOf, displayNameOf, identityOf } from './identity';

describe('an identity from claims', () => {
  it('takes each claim from the first token that has it, and roles from all', () => {
    const identity = identityOf('s', [
      { email: 'a@example.com', realm_access: { roles: ['b', 'a'] } },
      { email: 'b@example.com', email_verified: true, preferred_username: 'ann', given_name: 'Ann' },
      { realm_access: { roles: ['a', 'c'] }, resource_access: { 'realm-management': { roles: ['view-users'] } } },
    ]);
    expect(identity).toEqual({
      subject: 's',
      email: 'a@example.com',
      isEmailVerified: false,
      username: 'ann',
      name: null,
      firstName: 'Ann',
      lastName: null,
      realmRoles: ['a', 'b', 'c', 'view-users'],
    });
  });

  it.each([
    {},
    { email: 7, email_verified: 'true', realm_access: 'admin', resource_access: [] },
    { email: '  ', realm_access: { roles: 'admin' }, resource_access: { 'realm-management': null } },
    { email: null, realm_access: { roles: [1, null, {}] }, resource_access: { account: { roles: ['manage-users'] } } },
  ])('ignores malformed claims: %j', (claims) => {
    expect(identityOf('s', [claims])).toMatchObject({ email: null, isEmailVerified: false, realmRoles: [] });
  });

  it('has a verified address only if email_verified is true in the token with the address', () => {
    expect(identityOf('s', [{ email: 'a@b.c', email_verified: 'true' }]).isEmailVerified).toBe(false);
    expect(identityOf('s', [{ email_verified: true }, { email: 'a@b.c' }]).isEmailVerified).toBe(false);
    expect(identityOf('s', [{ email: 'a@b.c', email_verified: true }]).isEmailVerified).toBe(true);
  });

  it.each([
    [{ email: 'a@b.c', preferred_username: 'ann', name: 'Ann B.' }, 'a@b.c', 'Ann B.'],
    [{ preferred_username: 'ann', given_name: 'Ann', family_name: 'Bee' }, 'ann', 'Ann Bee'],
    [{ preferred_username: 'ann', family_name: 'Bee' }, 'ann', 'Bee'],
    [{ email: 'a@b.c' }, 'a@b.c', 'a@b.c'],
    [{}, 's', 's'],
  ])('%j is called %s, %s', (claims, address, name) => {
    const identity = identityOf('s', [claims]);
    expect([addressOf(identity), displayNameOf(identity)]).toEqual([address, name]);
  });
});
