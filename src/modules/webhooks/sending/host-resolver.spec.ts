import { isIP } from 'node:net';
import { DnsResolver } from './webhook-addresses';

describe('the host resolver', () => {
  const resolver = new DnsResolver();

  it('resolves local names', async () => {
    const found = await resolver.resolve('localhost');
    expect(found).not.toEqual([]);
    for (const { address, family } of found) expect(isIP(address)).toBe(family);
  });

  it('fails for unknown names', async () => {
    await expect(resolver.resolve('nowhere.invalid')).rejects.toThrow(/nowhere\.invalid/);
  });
});
