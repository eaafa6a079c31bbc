import type { Route } from './contract-case';

/** Media are served by signed address only; what the addresses do is told by the tests of the storage and of the program. */
export const MEDIA_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/media/{kind}/{path}',
    cases: [
      { it: 'requires a signature', path: () => '/api/v1/media/store/secret.jpg', status: 403, detail: /./ },
      {
        it: 'requires a true signature',
        path: () => '/api/v1/media/file/etc/passwd?expires=9999999999&signature=abc',
        status: 403,
        detail: /./,
      },
    ],
  },
];
