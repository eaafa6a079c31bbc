import { z } from 'zod';
import type { UnderstoodText } from '../../../../common/engine/models/texts/class-texts';

/** For responses of searches by text. */
export const understoodFields = {
  understood: z
    .array(z.object({ text: z.string(), classes: z.array(z.string()) }))
    .optional()
    .describe(
      'Only where the image model of the dataset compares texts with pictures by the things that they name: the parts of the text that name one, ' +
        'each with up to ten of the classes that it was understood as. Empty if the text names nothing that the model knows; no picture is then found by it.',
    ),
};

interface PresentedUnderstood {
  understood?: { text: string; classes: string[] }[];
}

export const presentUnderstood = (understood: readonly UnderstoodText[] | undefined): PresentedUnderstood =>
  understood === undefined
    ? {}
    : { understood: understood.map(({ text, classes }) => ({ text, classes: [...classes] })) };
