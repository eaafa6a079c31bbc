import { NOBODY, TIME, UUID, type Case, type Route, type World } from './contract-case';
import { ofKnown, pathOf, route, unknownQueue } from './review.contract';

const ofItem = (world: World, rest: string): string => ofKnown(world, `/items/${world.review.item}${rest}`);

/** Cases of a route with an unknown item. */
const unknownItem = (rest: string, body?: object): Case[] => [
  {
    it: 'rejects an unknown item',
    path: (world: World) => ofKnown(world, `/items/${NOBODY}${rest}`),
    ...(body === undefined ? {} : { body: () => body }),
    status: 404,
    detail: 'Review item not found',
  },
  ...unknownQueue(`/items/${NOBODY}${rest}`, body),
];

const item = (more: object): unknown =>
  expect.objectContaining({ item_id: UUID, media_id: UUID, annotation_id: null, ...more });

/** Of a queue with items; before it is deleted. */
export const REVIEW_ITEMS_CONTRACT: readonly Route[] = [
  {
    method: 'POST',
    route: `${route}/{queue_id}/next`,
    cases: [
      {
        it: 'hands out items',
        path: (world) => ofKnown(world, '/next'),
        body: () => ({ limit: 2 }),
        status: 200,
        answers: () => ({
          items: [item({ position: 0, state: 'open', answer: null, change_id: null }), item({ position: 1 })],
          finished: false,
        }),
      },
      {
        it: 'rejects too many',
        path: (world) => ofKnown(world, '/next'),
        body: () => ({ limit: 21 }),
        status: 422,
        locations: [['body', 'limit']],
      },
      ...unknownQueue('/next', {}),
    ],
  },
  {
    method: 'GET',
    route: `${route}/{queue_id}/items`,
    cases: [
      {
        it: 'lists items',
        path: (world) => ofKnown(world, '/items?state=open&cursor=3&limit=1'),
        status: 200,
        answers: () => ({ items: [item({ position: 4 })], next_cursor: '4' }),
      },
      {
        it: 'rejects an unknown state',
        path: (world) => ofKnown(world, '/items?state=lost&cursor=x'),
        status: 422,
        locations: [
          ['query', 'state'],
          ['query', 'cursor'],
        ],
      },
      ...unknownQueue('/items'),
    ],
  },
  {
    method: 'POST',
    route: `${route}/{queue_id}/items/{item_id}/decision`,
    cases: [
      {
        it: 'skips an item',
        path: (world) => ofItem(world, '/decision'),
        body: () => ({ verdict: 'skip' }),
        status: 200,
        answers: (world) => item({ item_id: world.review.item, state: 'skipped', answer: null }),
      },
      {
        it: 'takes one decision only',
        path: (world) => ofItem(world, '/decision'),
        body: () => ({ verdict: 'answer', labels: ['boat'] }),
        status: 409,
        detail: 'You have decided otherwise on this item already',
      },
      {
        it: 'rejects labels that are no option',
        path: (world) => ofItem(world, '/decision'),
        body: () => ({ verdict: 'answer', labels: ['tree'] }),
        status: 422,
        locations: [['body', 'labels']],
      },
      {
        it: 'requires a reason to flag',
        path: (world) => ofItem(world, '/decision'),
        body: () => ({ verdict: 'flag', reason: ' ' }),
        status: 422,
        locations: [['body', 'reason']],
      },
      ...unknownItem('/decision', { verdict: 'answer', labels: [] }),
    ],
  },
  {
    method: 'POST',
    route: `${route}/{queue_id}/items/{item_id}/review`,
    cases: [
      {
        it: 'is for others than the author',
        path: (world) => pathOf(world, `/${world.review.reviewed}/items/${world.review.decided}/review`),
        body: () => ({ accepted: true }),
        status: 403,
        detail: 'You have decided on this item: somebody else has to review it',
      },
      {
        it: 'needs an answer',
        path: (world) => ofItem(world, '/review'),
        body: () => ({ accepted: true }),
        status: 409,
        detail: 'The item is not to be reviewed: it is skipped',
      },
      ...unknownItem('/review', { accepted: false, reason: 'x' }),
    ],
  },
  {
    method: 'DELETE',
    route: `${route}/{queue_id}/items/{item_id}/decision`,
    cases: [
      {
        it: 'takes back a decision',
        path: (world) => pathOf(world, `/${world.review.reviewed}/items/${world.review.decided}/decision`),
        status: 200,
        answers: ({ review }) => item({ item_id: review.decided, state: 'open', answer: null }),
      },
      {
        it: 'needs one',
        path: (world) => pathOf(world, `/${world.review.reviewed}/items/${world.review.decided}/decision`),
        status: 409,
        detail: 'You have decided nothing on this item',
      },
      ...unknownItem('/decision'),
    ],
  },
  {
    method: 'POST',
    route: `${route}/{queue_id}/items/{item_id}/comments`,
    cases: [
      {
        it: 'comments on an item',
        path: (world) => ofItem(world, '/comments'),
        body: () => ({ text: 'A raft?', mentions: ['admin@localhost'] }),
        status: 201,
        answers: () => ({
          id: UUID,
          author: 'admin@localhost',
          text: 'A raft?',
          mentions: ['admin@localhost'],
          created_at: TIME,
        }),
      },
      {
        it: 'rejects unknown people',
        path: (world) => ofItem(world, '/comments'),
        body: () => ({ text: 'A raft?', mentions: ['nobody@example.com'] }),
        status: 404,
        detail: 'No user with this id or e-mail address may see the dataset: nobody@example.com',
      },
      {
        it: 'requires a text',
        path: (world) => ofItem(world, '/comments'),
        body: () => ({ text: ' ' }),
        status: 422,
        locations: [['body', 'text']],
      },
      ...unknownItem('/comments', { text: 'x' }),
    ],
  },
  {
    method: 'GET',
    route: `${route}/{queue_id}/items/{item_id}/comments`,
    cases: [
      {
        it: 'lists comments',
        path: (world) => ofItem(world, '/comments'),
        status: 200,
        answers: () => ({ comments: [expect.objectContaining({ text: 'A raft?' })] }),
      },
      ...unknownItem('/comments'),
    ],
  },
  {
    method: 'GET',
    route: `${route}/{queue_id}/decisions`,
    cases: [
      {
        it: 'lists what people said',
        path: (world) => ofKnown(world, '/decisions?limit=1'),
        status: 200,
        answers: (world) => ({
          decisions: [
            expect.objectContaining({
              item_id: world.review.item,
              person: 'admin@localhost',
              verdict: 'skip',
              answer: null,
              decided_at: TIME,
              accepted: null,
            }),
          ],
          next_cursor: null,
        }),
      },
      {
        it: 'rejects a cursor that no page had',
        path: (world) => ofKnown(world, '/decisions?cursor=x'),
        status: 422,
        locations: [['query', 'cursor']],
      },
      ...unknownQueue('/decisions'),
    ],
  },
];
