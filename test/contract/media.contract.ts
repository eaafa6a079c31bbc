import type { Route } from './contract-case';

/** Media are only served at signed URLs, which the tests of the storage and of the program cover. */
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
