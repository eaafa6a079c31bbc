import type { Route } from './contract-case';

const PATH = '/api/v1/oidc';

const nobody = (method: Route['method'], name: string): Route => ({
  method,
  route: `${PATH}/${name}`,
  cases: [
    {
      it: 'is not there where nobody signs in',
      path: () => `${PATH}/${name}`,
      status: 404,
      detail: 'Sign-in is disabled: the service runs with AUTH_MODE=none',
    },
  ],
});

/** What they do elsewhere is told by the tests of signing in. */
export const OIDC_CONTRACT: readonly Route[] = [
  nobody('GET', 'login'),
  nobody('GET', 'callback'),
  nobody('GET', 'logout'),
  nobody('POST', 'logout'),
  nobody('POST', 'backchannel-logout'),
];
