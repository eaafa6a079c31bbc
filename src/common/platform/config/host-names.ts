import { isIPv4 } from 'node:net';

/** Whether the host is a loopback address; IPv6 with or without brackets. */
export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) ||
  host.endsWith('.localhost') ||
  (isIPv4(host) && host.startsWith('127.'));

/** The name in a Host header as URLs have it, in lower case and without the port; undefined if it is none. */
export const hostnameOf = (host: string): string | undefined => URL.parse(`http://${host}`)?.hostname;
