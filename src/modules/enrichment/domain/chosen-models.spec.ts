import type { AppliedModel } from '../../datasets';
import { chooseModels, renewedModels, type KnownModel } from './chosen-models';

const model = (type: KnownModel['type'], id: string, changes: Partial<KnownModel> = {}): KnownModel => ({
  id,
  type,
  status: 'Active',
  dependencies: null,
  ...changes,
});
const KNOWN = [
  model('CAPTION_IMAGES', 'captioner'),
  model('CAPTION_IMAGES', 'later', { status: 'Coming Soon' }),
  model('CAPTION_OBJECTS', 'object-captioner', { dependencies: ['OBJECT_DETECTION'] }),
  model('OBJECT_DETECTION', 'detector'),
];
const plain = (id: string): AppliedModel => ({ id, metadata: {} });

describe('choosing the models of a request', () => {
  it('puts each model after those that it depends on', () => {
    const requested = {
      CAPTION_OBJECTS: plain('object-captioner'),
      CAPTION_IMAGES: { id: 'captioner', metadata: { prompt: 'short' } },
      OBJECT_DETECTION: plain('detector'),
    };
    expect(chooseModels(requested, {}, KNOWN)).toEqual([
      { type: 'OBJECT_DETECTION', id: 'detector', metadata: {} },
      { type: 'CAPTION_OBJECTS', id: 'object-captioner', metadata: {} },
      { type: 'CAPTION_IMAGES', id: 'captioner', metadata: { prompt: 'short' } },
    ]);
  });

  it('captions objects after the detection, also if the model does not depend on it', () => {
    const known = [model('CAPTION_OBJECTS', 'free'), ...KNOWN];
    const requested = { CAPTION_OBJECTS: plain('free'), OBJECT_DETECTION: plain('detector') };
    expect(chooseModels(requested, {}, known).map(({ id }) => id)).toEqual(['detector', 'free']);
    expect(chooseModels({ CAPTION_OBJECTS: plain('free') }, {}, known)).toHaveLength(1);
  });

  it('compares objects with texts after the detection', () => {
    const known = [model('MULTIMODEL_IMAGE_ENCODING', 'encoder'), ...KNOWN];
    const requested = { MULTIMODEL_IMAGE_ENCODING: plain('encoder'), OBJECT_DETECTION: plain('detector') };
    expect(chooseModels(requested, {}, known).map(({ id }) => id)).toEqual(['detector', 'encoder']);
    expect(chooseModels({ MULTIMODEL_IMAGE_ENCODING: plain('encoder') }, {}, known)).toHaveLength(1);
  });

  it('includes models that were applied before', () => {
    const requested = { CAPTION_OBJECTS: plain('object-captioner') };
    expect(chooseModels(requested, { OBJECT_DETECTION: plain('gone') }, KNOWN)).toHaveLength(1);
    expect(() => chooseModels(requested, {}, KNOWN)).toThrow(
      'CAPTION_OBJECTS by object-captioner needs OBJECT_DETECTION first: choose a model of it in the same request',
    );
  });

  it('applies the models that described objects before to the objects of a new detection', () => {
    const known = [model('MULTIMODEL_IMAGE_ENCODING', 'encoder'), ...KNOWN];
    const applied = {
      OBJECT_DETECTION: plain('gone'),
      CAPTION_IMAGES: plain('captioner'),
      CAPTION_OBJECTS: { id: 'object-captioner', metadata: { prompt: 'short' } },
      MULTIMODEL_IMAGE_ENCODING: plain('taken'),
    };
    const detection = chooseModels({ OBJECT_DETECTION: plain('detector') }, applied, known);
    expect(renewedModels(detection, applied, known)).toEqual({
      renewed: [{ type: 'CAPTION_OBJECTS', id: 'object-captioner', metadata: { prompt: 'short' }, toFoundOnly: true }],
      gone: [{ type: 'MULTIMODEL_IMAGE_ENCODING', id: 'taken', metadata: {}, toFoundOnly: true }],
    });
    const requested = { OBJECT_DETECTION: plain('detector'), MULTIMODEL_IMAGE_ENCODING: plain('encoder') };
    expect(renewedModels(chooseModels(requested, applied, known), applied, known)).toMatchObject({
      renewed: [{ id: 'object-captioner' }],
      gone: [],
    });
    const captions = chooseModels({ CAPTION_IMAGES: plain('captioner') }, applied, known);
    expect(renewedModels(captions, applied, known)).toEqual({ renewed: [], gone: [] });
  });

  it.each([
    [{}, 'enrichment_models is empty: choose at least one model of list_models'],
    [{ CAPTION_IMAGES: plain('none') }, 'There is no model none of type CAPTION_IMAGES; there is captioner'],
    [{ CAPTION_IMAGES: plain('detector') }, 'There is no model detector of type CAPTION_IMAGES; there is captioner'],
    [
      { IMAGE_TAGGING: plain('none') },
      'There is no model none of type IMAGE_TAGGING, and no other of this type; list_models lists the available models',
    ],
    [{ CAPTION_IMAGES: plain('later') }, 'The model later is Coming Soon; only models that are Active can be applied'],
  ])('refuses %j', (requested, sentence) => {
    expect(() => chooseModels(requested, {}, KNOWN)).toThrow(sentence);
  });
});
