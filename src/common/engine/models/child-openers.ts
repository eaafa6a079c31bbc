import { CENTERNET_OPENERS } from './centernet/centernet.openers';
import { ModelError } from './model-error';
import type { ModelType } from './model-manifest';
import type { Model, ModelTypes } from './model-runtime';
import { ONNX_OPENERS } from './onnx.openers';
import { PADDLE_OCR_OPENERS } from './paddle-ocr/paddle-ocr.openers';
import type { PictureModelType } from './picture-model';
import { TRANSFORMERS_OPENERS } from './transformers/transformers.openers';

/** The types whose models can run in compute children. */
export type ChildModelType = PictureModelType | 'IMAGE_ENCODING';
export type OpenedModel = ModelTypes[ChildModelType]['opened'];

/** A model whose manifest has been checked. */
export type CheckedModel = Pick<Model, 'folder' | 'manifest'>;

type Openers = Readonly<Partial<Record<ModelType, (model: never) => Promise<OpenedModel>>>>;

/** By the name of the runtime. Does not load the schemas of manifests, which takes long. */
const OPENERS: Readonly<Record<string, Openers>> = {
  centernet: CENTERNET_OPENERS,
  onnx: ONNX_OPENERS,
  'paddle-ocr': PADDLE_OCR_OPENERS,
  transformers: TRANSFORMERS_OPENERS,
};

/** Throws ModelError if the model runs elsewhere, or can't be opened. */
export async function openInChild({ folder, manifest }: CheckedModel): Promise<OpenedModel> {
  const { id, type, runtime } = manifest;
  const open = OPENERS[runtime]?.[type];
  if (open === undefined) throw new ModelError(`The model ${id} does not run in a compute child.`);
  return open({ folder, manifest } as never);
}
