import { CookieClient } from '../../support/cookie-client';
import { SigningIn } from '../../support/signing-in';

const BOOTSTRAP = 'Root@Example.com';

describe('the first admin with a configured email address', () => {
  let world: SigningIn;

  beforeEach(async () => {
    world = await SigningIn.start({ BOOTSTRAP_ADMIN_EMAIL: BOOTSTRAP });
    world.provider.add({ sub: 'early', email: 'early@example.com', email_verified: true });
    world.provider.add({ sub: 'root', email: 'root@example.com', email_verified: true });
  });

  afterEach(() => world.close());

  const roleOf = async (subject: string): Promise<string | undefined> => {
    const [row] = await world.sql<{ role: string }>(
      'SELECT role FROM workspace_member JOIN app_user ON id = user_id WHERE subject = $1',
      [subject],
    );
    return row?.role;
  };

  it('is not another user who signs in first', async () => {
    await world.signIn('early');
    await world.signIn('root');
    expect([await roleOf('early'), await roleOf('root')]).toEqual(['viewer', 'admin']);
  });

  it('is not a user with the unverified address', async () => {
    world.provider.add({ sub: 'liar', email: BOOTSTRAP, email_verified: false });
    await world.signIn('liar');
    expect(await roleOf('liar')).toBe('viewer');
    expect(await world.tryToSignIn('root', new CookieClient())).toMatchObject({ status: 403 });
  });

  it('can be a user whose address is verified by a later sign-in', async () => {
    world.provider.add({ sub: 'root', email: 'root@example.com' });
    const browser = await world.signIn('root');
    expect(await roleOf('root')).toBe('viewer');
    world.provider.add({ sub: 'root', email: 'root@example.com', email_verified: true });
    await world.signIn('root', browser);
    expect(await roleOf('root')).toBe('admin');
  });

  it('is appointed once; afterwards the admin decides', async () => {
    await world.signIn('root');
    await world.signIn('early');
    await world.sql(
      "UPDATE workspace_member SET role = CASE subject WHEN 'early' THEN 'admin' ELSE 'editor' END FROM app_user WHERE id = user_id AND subject IS NOT NULL",
    );
    await world.signIn('root');
    expect([await roleOf('early'), await roleOf('root')]).toEqual(['admin', 'editor']);
  });
});
