import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { BUILT_IN_MODELS } from '../../common/engine/models/built-in-models';
import { ENRICHMENT_TYPES, MODEL_ID } from '../../common/engine/models/model-manifest';

const catalogue = z.array(
  z.strictObject({
    id: z.string().regex(MODEL_ID),
    name: z.string().min(1),
    type: z.enum(ENRICHMENT_TYPES),
    vendor: z.string().min(1),
    description: z.string().min(1),
    dependencies: z.array(z.enum(ENRICHMENT_TYPES)).nullable(),
  }),
);

/** A model that sites often bring, and that `docs/models.md` says how to get. */
export type CataloguedModel = z.infer<typeof catalogue>[number];

export const readCatalogue = (): CataloguedModel[] =>
  catalogue.parse(JSON.parse(readFileSync(join(BUILT_IN_MODELS, 'catalogue.json'), 'utf8')));
