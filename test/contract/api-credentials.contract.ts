import type { Case, Route } from './contract-case';

const PATH = '/api/v1/api_credentials';
const SIGN_IN = 'Sign in with a browser first';

const wantsBrowser = (path: string): Case => ({
  it: 'requires the session of a browser',
  path: () => path,
  status: 401,
  detail: SIGN_IN,
});

/** The responses of a service without sign-in; `api-keys.spec.ts` tests one with sign-in. */
export const API_CREDENTIALS_CONTRACT: readonly Route[] = [
  { method: 'GET', route: PATH, cases: [wantsBrowser(PATH)] },
  { method: 'GET', route: `${PATH}/list`, cases: [wantsBrowser(`${PATH}/list`)] },
  { method: 'DELETE', route: `${PATH}/{api_key}`, cases: [wantsBrowser(`${PATH}/dms_0`)] },
];
