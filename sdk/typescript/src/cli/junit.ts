export interface TestCase {
  readonly name: string;
  readonly isFailed: boolean;
  /** What was found. */
  readonly message: string;
}

/** Characters that XML cannot have, also as references. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

const escaped = (text: string): string =>
  text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"\t\n\r]/g, (character) => REFERENCES[character]!);

/** A report that build servers read, with a test case for each condition. */
export function junitReport(suite: string, className: string, seconds: number, cases: readonly TestCase[]): string {
  const failures = cases.filter(({ isFailed }) => isFailed).length;
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" time="${seconds.toFixed(3)}"`;
  const written = cases.map(({ name, isFailed, message }) => {
    const what = isFailed ? `<failure message="${escaped(message)}"/>` : `<system-out>${escaped(message)}</system-out>`;
    return `    <testcase classname="${escaped(className)}" name="${escaped(name)}" time="0">${what}</testcase>\n`;
  });
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="dms evaluate" ${counts}>\n` +
    `  <testsuite name="${escaped(suite)}" ${counts} skipped="0">\n${written.join('')}  </testsuite>\n</testsuites>\n`
  );
}
