import { z } from 'zod';
import { DEFAULT_IMAGE_MODEL, DEFAULT_TEXT_MODEL } from '../../../../common/platform/config/runtime-settings.schema';
import type { Settings } from '../../../settings';

/** The models of a dataset, fixed at its creation; datasets created before there was a choice have the built-in models. */
export const chosenModels = z.object({
  imageModel: z.string().default(DEFAULT_IMAGE_MODEL),
  textModel: z.string().default(DEFAULT_TEXT_MODEL),
});
export type ChosenModels = z.infer<typeof chosenModels>;

/** Stored at the creation, so that later changes of the settings don't affect the dataset. */
export const chooseModels = (settings: Settings): ChosenModels => ({
  imageModel: settings.model('IMAGE_MODEL'),
  textModel: settings.model('TEXT_MODEL'),
});
