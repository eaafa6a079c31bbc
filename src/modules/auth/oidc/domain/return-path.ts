const LONGEST = 2000;

/** Where to go after signing in: a path of this service, whatever was asked for. */
export function returnPath(asked: unknown): string {
  if (typeof asked !== 'string' || asked.length > LONGEST) return '/';
  // Browsers read a backslash as a slash, and drop tabs and line ends before they look.
  // eslint-disable-next-line no-control-regex
  if (!/^\/[^\\\u0000-\u001f\u007f]*$/.test(asked)) return '/';
  const [path] = asked.split(/[?#]/, 1);
  return path!.includes('//') ? '/' : asked;
}
