import { extname, join } from 'node:path';

const REGISTER = join(__dirname, '..', '..', '..', '..', 'scripts', 'typescript-register.cjs');

const INHERITED = [
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

/** See `no-telemetry.ts`, which does this for the current process. */
const NO_TELEMETRY = { ORT_DISABLE_TELEMETRY: '1' };

/** The environment variables that a child process needs, without secrets. */
export function childEnvironment(): Record<string, string> {
  const given = INHERITED.map((name) => [name, process.env[name]] as const);
  return {
    ...NO_TELEMETRY,
    ...Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  };
}

/** The settings of npm, pip and Maven, including proxies and certificates. Their names are written in capitals or not. */
const CLIENT_SETTING =
  /^(?:(?:https?|all|no|ftp)_proxy|(?:npm_config|pip|maven|mvn)_.+|java_home|ssl_cert_dir|requests_ca_bundle|curl_ca_bundle)$/i;

/** The environment of a package manager: that of any child process, and its own settings. */
export function packageClientEnvironment(): Record<string, string> {
  const settings = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && CLIENT_SETTING.test(entry[0]),
  );
  return { ...childEnvironment(), ...Object.fromEntries(settings) };
}

/** The entry file of a child process or thread. When run from the sources it is TypeScript, which a hook compiles. */
export function childEntry(folder: string, name: string): { file: string; execArgv: string[] } {
  const extension = extname(__filename);
  return { file: join(folder, `${name}${extension}`), execArgv: extension === '.ts' ? ['--require', REGISTER] : [] };
}
