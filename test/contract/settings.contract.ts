import type { Case, Route } from './contract-case';

const PATH = '/api/v1/admin/settings';

const ask = (it: string, key: string, status: number, detail: string): Case => ({
  it,
  path: () => `${PATH}?key=${key}`,
  status,
  detail,
});

const refusedNames: readonly (readonly [it: string, key: string, detail: string])[] = [
  ['does not know every name', 'NO_SUCH_SETTING', 'Unknown setting: NO_SUCH_SETTING'],
  ['does not know what every object has', 'toString', 'Unknown setting: TOSTRING'],
  ['keeps secrets', 'SECRET_KEY', 'SECRET_KEY is a secret: only the environment of the service holds it'],
  [
    'keeps addresses with a password',
    'database-url',
    'DATABASE_URL is a secret: only the environment of the service holds it',
  ],
  [
    'has no names of the start',
    'PORT',
    'PORT is read when the service starts: change it in its environment, and start it again',
  ],
];

const set = (it: string, body: object, answer: Pick<Case, 'status' | 'detail' | 'locations' | 'answers'>): Case => ({
  it,
  path: () => PATH,
  body: () => body,
  ...answer,
});

const becomes = (value: string): Pick<Case, 'status' | 'answers'> => ({ status: 200, answers: () => ({ value }) });

const wrongValues: readonly (readonly [key: string, value: unknown, detail: string])[] = [
  ['VL_CHAT_ENABLED', 'maybe', 'VL_CHAT_ENABLED must be true or false'],
  ['VL_CHAT_ENABLED', 1, 'VL_CHAT_ENABLED must be true or false'],
  ['VL_CHAT_ENABLED', null, 'VL_CHAT_ENABLED must be true or false'],
  ['MAX_NUM_OF_IMAGES', '', 'MAX_NUM_OF_IMAGES must be a number'],
  ['MAX_NUM_OF_IMAGES', [5], 'MAX_NUM_OF_IMAGES must be a number'],
  ['MAX_NUM_OF_IMAGES', true, 'MAX_NUM_OF_IMAGES must be a number'],
  ['MAX_NUM_OF_IMAGES', 'many', 'MAX_NUM_OF_IMAGES must be a whole number'],
  ['MAX_NUM_OF_IMAGES', 0, 'MAX_NUM_OF_IMAGES must be 1 or more'],
  [
    'FRAME_EXTRACTION_RESIZE_HEIGHT',
    12,
    'FRAME_EXTRACTION_RESIZE_HEIGHT must be 64 to 4320 pixels, or 0 to keep the size',
  ],
  ['LOG_LEVEL', 'LOUD', 'LOG_LEVEL must be DEBUG, INFO, WARNING, ERROR or CRITICAL'],
  ['LOG_LEVEL', {}, 'LOG_LEVEL must be a text'],
  ['IMAGE_MODEL', 'none', 'IMAGE_MODEL must be one of the available models: fixed-filters_v01, learned-likeness_v00'],
  ['TEXT_MODEL', 'fixed-filters_v01', 'TEXT_MODEL must be one of the available models: hashed-words_v00'],
  ['TEXT_MODEL', 5, 'TEXT_MODEL must be the name of a model'],
  [
    'DISABLE_AUTH',
    'true',
    'DISABLE_AUTH is read when the service starts: change it in its environment, and start it again',
  ],
];

export const SETTINGS_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: PATH,
    cases: [
      { it: 'returns a text', path: () => `${PATH}?key=ADD_MEDIA_ENABLED`, ...becomes('true') },
      {
        it: 'understands hyphens and lower case',
        path: () => `${PATH}?key=max-num-of-images`,
        ...becomes('100000000'),
      },
      { it: 'says whether nobody signs in', path: () => `${PATH}?key=DISABLE_AUTH`, ...becomes('true') },
      { it: 'requires a key', path: () => PATH, status: 422, locations: [['query', 'key']] },
      ...refusedNames.map(([it, key, detail]) => ask(it, key, 400, detail)),
    ],
  },
  {
    method: 'POST',
    route: PATH,
    cases: [
      set('takes a boolean', { key: 'VL_CHAT_ENABLED', value: true }, becomes('true')),
      set('takes a boolean as a text', { key: 'vl-chat-enabled', value: 'False' }, becomes('false')),
      set('takes a number', { key: 'CLEAN_THRESHOLD', value: 0.5 }, becomes('0.5')),
      set('takes a number as a text', { key: 'CLEAN_THRESHOLD', value: '-1' }, becomes('-1')),
      set('takes a level in lower case', { key: 'LOG_LEVEL', value: 'critical' }, becomes('CRITICAL')),
      set('requires a key', { value: true }, { status: 422, locations: [['body', 'key']] }),
      set('requires a value', { key: 'VL_CHAT_ENABLED' }, { status: 422, locations: [['body', 'value']] }),
      ...refusedNames.map(([it, key, detail]) => set(it, { key, value: 'x' }, { status: 400, detail })),
      ...wrongValues.map(([key, value, detail]) =>
        set(`rejects ${key}=${JSON.stringify(value)}`, { key, value }, { status: 400, detail }),
      ),
    ],
  },
  {
    method: 'GET',
    route: `${PATH}/list`,
    cases: [
      {
        it: 'returns every setting',
        path: () => `${PATH}/list`,
        status: 200,
        answers: () => ({
          settings: expect.arrayContaining([
            {
              key: 'DELETE_DATASET_ENABLED',
              value: 'true',
              default: 'true',
              kind: 'boolean',
              meaning: 'Datasets can be deleted.',
              overridden: false,
            },
          ]) as unknown,
        }),
      },
    ],
  },
  {
    method: 'DELETE',
    route: PATH,
    cases: [
      { it: 'returns what is so without it', path: () => `${PATH}?key=VL_CHAT_ENABLED`, ...becomes('false') },
      { it: 'may be asked again', path: () => `${PATH}?key=VL_CHAT_ENABLED`, ...becomes('false') },
      { it: 'requires a key', path: () => PATH, status: 422, locations: [['query', 'key']] },
      ...refusedNames.map(([it, key, detail]) => ask(it, key, 400, detail)),
    ],
  },
];
