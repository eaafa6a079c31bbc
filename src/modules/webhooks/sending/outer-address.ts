import { BlockList, isIPv4 } from 'node:net';

/** Everything that no stranger can be reached at: this machine, its networks, and what is kept for other uses. */
const INNER_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Of IPv6 only 2000::/3 is the open net; these parts of it carry other addresses within, or are kept. */
const OUTER_IPV6 = ['2000::', 3] as const;
const INNER_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const inner = new BlockList();
for (const [net, prefix] of INNER_IPV4) inner.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of INNER_IPV6) inner.addSubnet(net, prefix, 'ipv6');
const outer = new BlockList();
outer.addSubnet(...OUTER_IPV6, 'ipv6');

/** Whether an IP address lies in the open net. */
export const isOuterAddress = (address: string): boolean =>
  isIPv4(address) ? !inner.check(address) : outer.check(address, 'ipv6') && !inner.check(address, 'ipv6');
