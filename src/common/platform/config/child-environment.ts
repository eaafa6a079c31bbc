const PASSED_ON = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TZ',
  'LANG',
  'LC_ALL',
  'LD_LIBRARY_PATH',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
];

/** As `no-telemetry.ts` for this process. */
const TELL_NOBODY = { ORT_DISABLE_TELEMETRY: '1' };

/** What a child process needs of ours: none of our secrets. */
export function childEnvironment(): Record<string, string> {
  const given = PASSED_ON.map((name) => [name, process.env[name]] as const);
  return {
    ...TELL_NOBODY,
    ...Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  };
}
