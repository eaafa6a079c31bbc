const LONGEST = 2000;

/** Where to redirect after signing in: always a path of this service (no open redirect). */
export function returnPath(asked: unknown): string {
  if (typeof asked !== 'string' || asked.length > LONGEST) return '/';
  // Browsers treat a backslash as a slash, and remove tabs and line breaks before parsing.
  // eslint-disable-next-line no-control-regex
  if (!/^\/[^\\\u0000-\u001f\u007f]*$/.test(asked)) return '/';
  const [path] = asked.split(/[?#]/, 1);
  return path!.includes('//') ? '/' : asked;
}
