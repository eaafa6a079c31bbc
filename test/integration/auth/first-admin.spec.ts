import { CookieClient } from '../../support/cookie-client';
import { SigningIn } from '../../support/signing-in';

const BOOTSTRAP = 'Root@Example.com';

describe('the first admin, where an address is named', () => {
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

  it('is no other user, even one who signs in first', async () => {
    await world.signIn('early');
    await world.signIn('root');
    expect([await roleOf('early'), await roleOf('root')]).toEqual(['viewer', 'admin']);
  });

  it('is not who only says that the address is theirs', async () => {
    world.provider.add({ sub: 'liar', email: BOOTSTRAP, email_verified: false });
    await world.signIn('liar');
    expect(await roleOf('liar')).toBe('viewer');
    expect(await world.tryToSignIn('root', new CookieClient())).toMatchObject({ status: 403 });
  });

  it('becomes it at a later sign-in, when the address is verified by then', async () => {
    world.provider.add({ sub: 'root', email: 'root@example.com' });
    const browser = await world.signIn('root');
    expect(await roleOf('root')).toBe('viewer');
    world.provider.add({ sub: 'root', email: 'root@example.com', email_verified: true });
    await world.signIn('root', browser);
    expect(await roleOf('root')).toBe('admin');
  });

  it('is made once: afterwards the admin decides', async () => {
    await world.signIn('root');
    await world.signIn('early');
    await world.sql(
      "UPDATE workspace_member SET role = CASE subject WHEN 'early' THEN 'admin' ELSE 'editor' END FROM app_user WHERE id = user_id AND subject IS NOT NULL",
    );
    await world.signIn('root');
    expect([await roleOf('early'), await roleOf('root')]).toEqual(['admin', 'editor']);
  });
});
