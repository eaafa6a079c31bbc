import { compareAccounts, hasLostRole } from './account-comparison';

const known = (...names: string[]) => names.map((subject) => ({ subject, enabled: true, email: subject }));
const provided = (...names: string[]) => new Map(names.map((name) => [name, { enabled: true, address: name }]));

describe('a comparison of accounts', () => {
  it('finds users who are enabled on one side only', () => {
    const here = [...known('ada', 'bea'), ...known('cid', 'dan').map((account) => ({ ...account, enabled: false }))];
    const there = new Map([
      ['ada', { enabled: true, address: 'ada' }],
      ['bea', { enabled: false, address: 'bea' }],
      ['cid', { enabled: true, address: 'cid' }],
    ]);
    expect(compareAccounts(here, there)).toEqual({ differing: ['bea', 'cid'], missing: [], isSuspicious: false });
  });

  it.each([
    [1, 1, false],
    [2, 1, false],
    [2, 2, true],
    [3, 1, false],
    [3, 2, true],
    [100, 50, false],
    [100, 51, true],
    [100, 100, true],
  ])('with %i enabled users, of which %i are missing, is suspicious: %s', (letIn, gone, isSuspicious) => {
    const names = Array.from({ length: letIn }, (_, at) => `user-${at}`);
    const compared = compareAccounts(known(...names), provided('somebody-new', ...names.slice(gone)));
    expect(compared.missing).toHaveLength(gone);
    expect(compared.isSuspicious).toBe(isSuspicious);
  });

  it('finds users with a different address at the provider', () => {
    const there = new Map([['ada', { enabled: true, address: 'ada.new' }]]);
    expect(compareAccounts(known('ada'), there).differing).toEqual(['ada']);
  });

  it('reports an empty list as suspicious', () => {
    expect(compareAccounts(known('ada'), provided()).isSuspicious).toBe(true);
  });

  it.each([
    [['manage-users', 'view-users'], ['manage-users', 'view-users'], false],
    [['manage-users', 'view-users'], ['view-users'], true],
    [['annotator', 'query-users'], [], false],
    [[], ['manage-users'], false],
  ])('between the roles %j and %j finds a loss: %s', (here, there, isLost) => {
    expect(hasLostRole(here, there)).toBe(isLost);
  });
});
