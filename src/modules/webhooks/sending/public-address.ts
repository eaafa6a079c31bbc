import { BlockList, isIPv4 } from 'node:net';

/** Addresses that are not public: loopback, private and link-local networks, and reserved ranges. */
const PRIVATE_IPV4: readonly (readonly [string, number])[] = [
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

/** Only 2000::/3 is global unicast; these parts of it embed IPv4 addresses or are reserved. */
const PUBLIC_IPV6 = ['2000::', 3] as const;
const RESERVED_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const inner = new BlockList();
for (const [net, prefix] of PRIVATE_IPV4) inner.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of RESERVED_IPV6) inner.addSubnet(net, prefix, 'ipv6');
const outer = new BlockList();
outer.addSubnet(...PUBLIC_IPV6, 'ipv6');

/** Whether an IP address is public. */
export const isPublicAddress = (address: string): boolean =>
  isIPv4(address) ? !inner.check(address) : outer.check(address, 'ipv6') && !inner.check(address, 'ipv6');
