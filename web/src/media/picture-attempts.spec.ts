import { pauseAfter, secondChances } from './picture-attempts';

it('waits ever longer for a picture that fails, not as long as others, and gives up', () => {
  const [soonest, latest] = [() => 0, () => 1].map((random) => [1, 2, 3, 4].map((count) => pauseAfter(count, random)));
  expect(soonest).toEqual([375, 1_875, 7_500, undefined]);
  expect(latest).toEqual([625, 3_125, 12_500, undefined]);
});

it('gives a second chance to those that wait for one', () => {
  const heard: string[] = [];
  const leave = secondChances.subscribe(() => {
    heard.push('first');
    leave();
  });
  secondChances.subscribe(() => heard.push('second'));
  secondChances.give();
  secondChances.give();
  expect(heard).toEqual(['first', 'second', 'second']);
});
