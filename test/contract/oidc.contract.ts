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

/** Their behaviour with sign-in is covered by the sign-in tests. */
export const OIDC_CONTRACT: readonly Route[] = [
  nobody('GET', 'login'),
  nobody('GET', 'callback'),
  nobody('GET', 'logout'),
  nobody('POST', 'logout'),
  nobody('POST', 'backchannel-logout'),
];
