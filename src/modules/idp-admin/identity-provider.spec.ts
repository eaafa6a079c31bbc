import { FakeIdentityProvider } from '../../../test/support/fake-identity-provider';
import { describeIdentityProvider } from '../../../test/support/identity-provider-contract';
import { IdentityProviderError } from './domain/provider-user';

describeIdentityProvider('a realm in memory', () => {
  const provider = new FakeIdentityProvider();
  return { provider, signIn: (username, password) => provider.signIn(username, password) };
});

describe('a realm in memory', () => {
  it('fails on demand, and changes nothing', async () => {
    const provider = new FakeIdentityProvider();
    const user = provider.add({ username: 'ada' });
    provider.failNext('delete', 2);
    await expect(provider.delete(user.id)).rejects.toThrow(IdentityProviderError);
    await expect(provider.delete(user.id)).rejects.toThrow(IdentityProviderError);
    expect(await provider.find(user.id)).toEqual(user);
    await provider.delete(user.id);
    expect(await provider.find(user.id)).toBeUndefined();
    expect(provider.calls.get('delete')).toBe(3);
  });
});
