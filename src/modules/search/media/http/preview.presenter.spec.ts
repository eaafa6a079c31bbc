import { shownDistance } from './preview.presenter';

it('limits distances to 0 to 2', () => {
  expect([-0.5, 0, 0.3, 1.5, 7, null].map(shownDistance)).toEqual([0, 0, 0.3, 1.5, 2, null]);
});
