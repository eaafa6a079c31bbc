import { isIP } from 'node:net';
import { DnsResolver } from './host-resolver';

describe('the resolver of hosts', () => {
  const resolver = new DnsResolver();

  it('knows what only this machine knows', async () => {
    const found = await resolver.resolve('localhost');
    expect(found).not.toEqual([]);
    for (const { address, family } of found) expect(isIP(address)).toBe(family);
  });

  it('does not know what is nowhere', async () => {
    await expect(resolver.resolve('nowhere.invalid')).rejects.toThrow(/nowhere\.invalid/);
  });
});
