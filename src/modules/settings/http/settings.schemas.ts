import { z } from 'zod';

const key = z.string({ error: 'Field required' }).min(1, { error: 'Input should name a setting' }).max(200).meta({
  description: 'The name of the setting, such as LOG_LEVEL; hyphens and lower case are accepted.',
  example: 'DATASET_SHARE_ENABLED',
});

export const settingQuery = z.object({ key });
export type SettingQuery = z.output<typeof settingQuery>;

export const settingBody = z.object({
  key,
  value: z
    .unknown()
    .refine((value) => value !== undefined, { error: 'Field required' })
    .meta({ description: 'A text, a number or a boolean; stored as a text.', example: true }),
});
export type SettingBody = z.output<typeof settingBody>;

export const settingResponse = z.object({ value: z.string() }).meta({ id: 'SettingValue', example: { value: 'true' } });

export const settingListResponse = z
  .object({
    settings: z.array(
      z.object({
        key: z.string(),
        value: z.string(),
        default: z.string(),
        kind: z.enum(['boolean', 'number', 'choice', 'model']),
        meaning: z.string(),
        overridden: z.boolean(),
      }),
    ),
  })
  .meta({
    id: 'SettingList',
    example: {
      settings: [
        {
          key: 'DATASET_SHARE_ENABLED',
          value: 'true',
          default: 'true',
          kind: 'boolean',
          meaning: 'Datasets can be shared with other users.',
          overridden: false,
        },
      ],
    },
  });
