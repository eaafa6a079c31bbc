import { z } from 'zod';

const key = z
  .string({ error: 'Field required' })
  .min(1, { error: 'Input should name a setting' })
  .max(200)
  .describe('The name of the setting, such as LOG_LEVEL; hyphens and lower case are accepted.');

export const settingQuery = z.object({ key });
export type SettingQuery = z.output<typeof settingQuery>;

export const settingBody = z.object({
  key,
  value: z
    .unknown()
    .refine((value) => value !== undefined, { error: 'Field required' })
    .describe('A text, a number or a boolean; stored as a text.'),
});
export type SettingBody = z.output<typeof settingBody>;

export const settingResponse = z.object({ value: z.string() }).meta({ id: 'SettingValue' });

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
  .meta({ id: 'SettingList' });
