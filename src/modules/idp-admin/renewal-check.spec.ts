import { setImmediate } from 'node:timers/promises';
import { Renewals } from '../auth';
import type { IdentityProvider } from './identity-provider';
import { RenewalCheck, type UserComparison } from './user-comparison';

it('the renewal check ends only after a check that was already running', async () => {
  const renewals = new Renewals();
  const compared: (readonly string[])[] = [];
  let answer!: () => void;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const comparison: Pick<UserComparison, 'compareEach'> = {
    compareEach: async (userIds) => {
      await answered;
      compared.push(userIds);
    },
  };
  const check = new RenewalCheck(renewals, {} as IdentityProvider, comparison as UserComparison);
  check.onModuleInit();
  renewals.note('one');
  void check.check();
  await setImmediate();
  const comparedBySecond = check.check().then(() => [...compared]);
  await setImmediate();
  answer();
  expect(await comparedBySecond).toEqual([['one']]);
  renewals.note('another');
  await check.check();
  expect(compared).toEqual([['one'], ['another']]);
});
