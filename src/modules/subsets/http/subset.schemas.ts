import { z } from 'zod';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { givenDescription, givenName } from '../../../common/platform/http/query-values';
import { mediaSelection, searchBodyFields, toSearchQuery } from '../../search';
import type { ChosenMedia } from '../chosen-rows';

const { entity_type, labels, tags, vql, duplicate_threshold } = searchBodyFields;

const chosenFields = {
  media_selection: mediaSelection.optional().describe('Media and clusters, as for tags.'),
  search: z
    .object({ entity_type, labels, tags, vql, duplicate_threshold })
    .transform(toSearchQuery)
    .optional()
    .describe('All media of the entity type that match these parameters of explore.'),
  decided_duplicates: z
    .boolean()
    .default(false)
    .describe('The media that current decisions about near duplicates remove.'),
};

type ChosenFields = z.output<z.ZodObject<typeof chosenFields>>;

const isAnythingChosen = ({ media_selection, search, decided_duplicates }: ChosenFields): boolean =>
  media_selection !== undefined || search !== undefined || decided_duplicates;
const CHOOSE = { error: 'Input should have media_selection, search or decided_duplicates' };

export const chosenMedia = ({ media_selection, search, decided_duplicates }: ChosenFields): ChosenMedia => ({
  selection: media_selection,
  query: search,
  decided: decided_duplicates,
});

const exampleSelection = [{ type: 'media', payload: { media_ids: [EXAMPLE.media] } }];

export const copyBody = z
  .object({
    ...chosenFields,
    keep: z
      .enum(['chosen', 'others'], { error: 'Input should be chosen or others' })
      .default('chosen')
      .describe('Whether the new dataset gets the chosen media, or all others.'),
    display_name: givenName.optional().describe('Default: `{display_name} (copy)`.'),
    description: givenDescription.optional().describe('Default: that of the dataset.'),
    with_views: z.boolean().default(false).describe('Whether to copy the saved views, without their results.'),
  })
  .refine(isAnythingChosen, CHOOSE)
  .meta({ example: { display_name: 'Harbour, cleaned', keep: 'others', media_selection: exampleSelection } });
export type CopyBody = z.output<typeof copyBody>;

export const removalBody = z
  .object(chosenFields)
  .refine(isAnythingChosen, CHOOSE)
  .meta({ example: { media_selection: exampleSelection } });
export type RemovalBody = z.output<typeof removalBody>;

export const copyResponse = z
  .object({ dataset_id: z.uuid(), task_id: z.uuid() })
  .meta({ id: 'StartedCopy', example: { dataset_id: EXAMPLE.otherDataset, task_id: EXAMPLE.task } });

export const removalResponse = z
  .object({ task_id: z.uuid(), snapshot_id: z.uuid() })
  .meta({ id: 'StartedRemoval', example: { task_id: EXAMPLE.task, snapshot_id: EXAMPLE.snapshot } });
