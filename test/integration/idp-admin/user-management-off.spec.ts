import { ADMIN_REALM_ROLES } from '../../../src/modules/idp-admin/domain/provider-user';
import { OIDC_VARIABLES, signedIn } from '../../support/principals';
import { runningApp } from '../../support/test-app';

const USERS = '/api/v1/idp/admin/users';

describe('user management without a provider', () => {
  const running = runningApp(OIDC_VARIABLES);

  it('is disabled', async () => {
    const roles = [...ADMIN_REALM_ROLES];
    const { api, userId } = await signedIn(running, { email: 'a@example.com', role: 'admin', realmRoles: roles });
    const off = { status: 403, body: { detail: 'User management is not enabled' } };
    expect(await api.ask('GET', USERS)).toMatchObject(off);
    expect(await api.ask('DELETE', `${USERS}/${userId}`)).toMatchObject(off);
    expect(await api.ask('POST', USERS, {})).toMatchObject(off);
  });

  it('can still change the roles of members', async () => {
    const [admin, editor] = [
      await signedIn(running, { email: 'b@example.com', role: 'admin' }),
      await signedIn(running, { email: 'c@example.com', role: 'editor' }),
    ];
    const path = `/api/v1/workspace/members/${editor.userId}/role`;
    expect(await admin.api.must(200, 'PUT', path, { role: 'admin' })).toMatchObject({ role: 'admin' });
    expect(await running.database.dataSource.query('SELECT * FROM provider_work')).toEqual([]);
  });
});
