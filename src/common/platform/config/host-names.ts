import { isIPv4 } from 'node:net';

/** Whether the host is a loopback name or address; IPv6 with or without brackets. */
export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) ||
  host.endsWith('.localhost') ||
  (isIPv4(host) && host.startsWith('127.'));

/** The host name of a Host header in the form of URLs: in lower case and without the port. Undefined if the header is invalid. */
export const hostnameOf = (host: string): string | undefined => URL.parse(`http://${host}`)?.hostname;
