import { listed, type Listed } from './dataset-order';

const dataset = (name: string, day: number, images = 0, videos = 0): Listed => ({
  display_name: name,
  description: `all of ${name}`,
  created_at: `2026-11-0${day}T10:00:00.000000`,
  n_images: images,
  n_videos: videos,
});
const ALL = [dataset('Harbour 10', 3, 5), dataset('harbour 9', 1, 2, 9), dataset('Äpfel', 2, 7)];
const names = (search: string, sort: Parameters<typeof listed>[1]['sort']) =>
  listed(ALL, { search, sort }).map(({ display_name: name }) => name);

it.each([
  ['newest', ['Harbour 10', 'Äpfel', 'harbour 9']],
  ['oldest', ['harbour 9', 'Äpfel', 'Harbour 10']],
  ['name', ['Äpfel', 'harbour 9', 'Harbour 10']],
  ['largest', ['harbour 9', 'Äpfel', 'Harbour 10']],
] as const)('lists datasets by %s', (sort, expected) => {
  expect(names('', sort)).toEqual(expected);
});

it.each([
  ['harb', ['Harbour 10', 'harbour 9']],
  ['9 HARBOUR', ['harbour 9']],
  ['apfel', ['Äpfel']],
  ['all of', ['Harbour 10', 'Äpfel', 'harbour 9']],
  ['boat', []],
])('finds %j in names and descriptions', (search, expected) => {
  expect(names(search, 'newest')).toEqual(expected);
});
