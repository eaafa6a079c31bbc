import type { Route } from './contract-case';
import { TIME } from './contract-case';

const PATH = '/api/v1/admin/audit';

const refused = (it: string, query: string, name: string) => ({
  it,
  path: () => `${PATH}?${query}`,
  status: 422,
  locations: [['query', name]],
});

export const AUDIT_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: PATH,
    cases: [
      {
        it: 'returns the newest first',
        path: () => `${PATH}?limit=1&action=setting_changed`,
        status: 200,
        answers: () => ({
          entries: [
            {
              id: expect.stringMatching(/^\d+$/) as string,
              at: TIME,
              action: 'setting_changed',
              actor_id: expect.any(String) as string,
              actor_email: 'admin@localhost',
              subject: 'VL_CHAT_ENABLED',
              details: { from: 'false', to: 'false', reset: true },
            },
          ],
          has_more: true,
        }),
      },
      {
        it: 'may find nothing',
        path: () => `${PATH}?subject=nobody`,
        status: 200,
        answers: () => ({ entries: [], has_more: false }),
      },
      refused('requires a limit of 1 or more', 'limit=0', 'limit'),
      refused('requires a limit of 1000 or less', 'limit=1001', 'limit'),
      refused('requires the id of an entry', 'before=x', 'before'),
      refused('rejects an unknown action', 'action=nothing', 'action'),
      refused('requires a time', 'from=yesterday', 'from'),
      refused('requires a time to end', 'to=tomorrow', 'to'),
    ],
  },
];
