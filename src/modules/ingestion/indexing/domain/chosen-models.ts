import { z } from 'zod';
import { DEFAULT_IMAGE_MODEL, DEFAULT_TEXT_MODEL } from '../../../../common/platform/config/default-models';
import type { Settings } from '../../../settings';

/** What describes the media of a dataset as long as it lives; what was begun before there was a choice has the built-in models. */
export const chosenModels = z.object({
  imageModel: z.string().default(DEFAULT_IMAGE_MODEL),
  textModel: z.string().default(DEFAULT_TEXT_MODEL),
});
export type ChosenModels = z.infer<typeof chosenModels>;

/** At the creation, so that a later change of the settings is none of the dataset. */
export const chooseModels = (settings: Settings): ChosenModels => ({
  imageModel: settings.model('IMAGE_MODEL'),
  textModel: settings.model('TEXT_MODEL'),
});
