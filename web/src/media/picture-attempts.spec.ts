import { pauseAfter, secondChances } from './picture-attempts';

it('retries a failing picture at increasing intervals, and gives up', () => {
  const [soonest, latest] = [() => 0, () => 1].map((random) => [1, 2, 3, 4].map((count) => pauseAfter(count, random)));
  expect(soonest).toEqual([375, 1_875, 7_500, undefined]);
  expect(latest).toEqual([625, 3_125, 12_500, undefined]);
});

it('notifies waiting pictures of a second chance until they unsubscribe', () => {
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
