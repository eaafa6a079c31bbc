import { DEFAULT_IMAGE_MODEL } from '../../src/common/platform/config/runtime-settings.schema';
import { installableModels, readCatalogue } from '../../src/modules/enrichment/model-list';
import { NOBODY, unknownDataset, UUID, type Route, type World } from './contract-case';

const contextOf = (world: World): string => `/api/v1/enrichment/${world.ready}/${world.context}`;
const ofUnknown = (id: string): string => `/api/v1/enrichment/${id}`;

const enrich = ({ ready }: World): string => `/api/v1/dataset/${ready}/enrich_dataset`;

/** A captioner of the site whose server cannot be reached. */
export const CAPTIONER = 'contract-captioner_v00';
export const OBJECT_CAPTIONER = 'contract-object-captioner_v00';
/** A tiny encoder that runs in the compute children. */
export const ENCODER = 'contract-encoder_v00';

/** The folders of the built-in models. */
const DRAWN_WORLD = [
  ['captioner', 'CAPTION_IMAGES', null],
  ['detector', 'OBJECT_DETECTION', null],
  ['image-text-encoder', 'MULTIMODEL_IMAGE_ENCODING', null],
  ['object-captioner', 'CAPTION_OBJECTS', ['OBJECT_DETECTION']],
  ['tagger', 'IMAGE_TAGGING', null],
] as const;

const NOTHING = { model_id: null, count: 0, media_ids: [] };
const NOTHING_FOUND = { captions: NOTHING, labels: NOTHING, objects: { ...NOTHING, n_objects: 0 }, text: NOTHING };

export const ENRICHMENT_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/enrichment/{dataset_id}/list_models',
    cases: [
      {
        it: 'lists the models, folders that cannot be used with the reason, and those that are known but not installed',
        path: ({ ready }) => `/api/v1/enrichment/${ready}/list_models`,
        status: 200,
        answers: () => [
          ...DRAWN_WORLD.map(([id, type, dependencies]) => ({
            id: `drawn-world_${id}_v00`,
            name: expect.stringMatching(/^Drawn world: /) as unknown,
            type,
            status: 'Active',
            vendor: 'Dataset Media Service',
            description: expect.any(String) as unknown,
            dependencies,
          })),
          {
            id: DEFAULT_IMAGE_MODEL,
            name: 'Fixed filters',
            type: 'IMAGE_ENCODING',
            status: 'Active',
            vendor: 'Dataset Media Service',
            description: expect.any(String) as unknown,
            dependencies: null,
          },
          {
            id: 'learned-likeness_v00',
            name: 'Learned likeness',
            type: 'IMAGE_ENCODING',
            status: 'Active',
            vendor: 'Dataset Media Service',
            description: expect.any(String) as unknown,
            dependencies: null,
          },
          {
            id: CAPTIONER,
            name: 'Captioner of the contract',
            type: 'CAPTION_IMAGES',
            status: 'Active',
            vendor: 'Local',
            description: expect.any(String) as unknown,
            dependencies: null,
          },
          {
            id: ENCODER,
            name: 'Encoder of the contract',
            type: 'MULTIMODEL_IMAGE_ENCODING',
            status: 'Active',
            vendor: 'Local',
            description: expect.any(String) as unknown,
            dependencies: null,
          },
          {
            id: OBJECT_CAPTIONER,
            name: 'Object captioner of the contract',
            type: 'CAPTION_OBJECTS',
            status: 'Active',
            vendor: 'Local',
            description: expect.any(String) as unknown,
            dependencies: ['OBJECT_DETECTION'],
          },
          {
            id: 'broken',
            name: 'broken',
            type: 'UNKNOWN',
            status: 'Coming Soon',
            vendor: 'Local',
            description: expect.stringMatching(/^This model can't be used: .* is not JSON\.$/) as unknown,
            dependencies: null,
          },
          ...installableModels().map((model) => ({
            ...model,
            status: 'Coming Soon',
            description: `${model.description} Not installed here: \`npm run models -- install ${model.id}\` installs it.`,
          })),
          ...readCatalogue().map((model) => ({
            ...model,
            status: 'Coming Soon',
            description: expect.stringMatching(/Not installed here; docs\/models\.md says how to add it\.$/) as unknown,
          })),
        ],
      },
      ...unknownDataset((id) => `${ofUnknown(id)}/list_models`),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/enrichment/{dataset_id}/findings',
    cases: [
      {
        it: 'finds nothing where no model was applied',
        path: ({ ready }) => `/api/v1/enrichment/${ready}/findings?limit=1&offset=2`,
        status: 200,
        answers: () => ({ n_media: 12, ...NOTHING_FOUND, limit: 1, offset: 2 }),
      },
      {
        it: 'is empty before anything is indexed',
        path: ({ draft }) => `/api/v1/enrichment/${draft}/findings`,
        status: 200,
        answers: () => ({ n_media: 0, ...NOTHING_FOUND, limit: 100, offset: 0 }),
      },
      {
        it: 'rejects a bad page',
        path: ({ ready }) => `/api/v1/enrichment/${ready}/findings?limit=1001&offset=-1`,
        status: 422,
        locations: [
          ['query', 'limit'],
          ['query', 'offset'],
        ],
      },
      ...unknownDataset((id) => `${ofUnknown(id)}/findings`),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/enrichment/{dataset_id}/context',
    cases: [
      {
        it: 'is NEW before any model is applied',
        path: ({ ready }) => `/api/v1/enrichment/${ready}/context`,
        status: 200,
        answers: ({ context }) => ({
          enrichment_context_id: context,
          status: 'NEW',
          dataset_enrichment_models: { enrichment_models: {} },
        }),
      },
      ...unknownDataset((id) => `${ofUnknown(id)}/context`),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/enrichment/{dataset_id}/{enrichment_context_id}/status',
    cases: [
      {
        it: 'shows what is done',
        path: (world) => `${contextOf(world)}/status`,
        status: 200,
        answers: ({ context }) => ({
          enrichment_context_id: context,
          status: 'NEW',
          progress: 0,
          dataset_id: null,
          error_message: null,
          models: [],
        }),
      },
      {
        it: 'rejects the context of another dataset',
        path: ({ captioned, context }) => `/api/v1/enrichment/${captioned}/${context}/status`,
        status: 404,
        detail: 'Enrichment context not found',
      },
      ...unknownDataset((id) => `${ofUnknown(id)}/${NOBODY}/status`),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/enrichment/{dataset_id}/{enrichment_context_id}/previews_enrichment_result',
    cases: [
      {
        it: 'is refused unless it is enabled',
        path: (world) => `${contextOf(world)}/previews_enrichment_result`,
        body: () => ({ enrichment_models: { CAPTION_IMAGES: CAPTIONER } }),
        status: 403,
        detail: 'Enrichment preview feature is not enabled',
      },
      {
        it: 'rejects what is wrong',
        path: (world) => `${contextOf(world)}/previews_enrichment_result`,
        body: () => ({ enrichment_models: [] }),
        status: 422,
        locations: [['body', 'enrichment_models']],
      },
      ...unknownDataset((id) => `${ofUnknown(id)}/${NOBODY}/previews_enrichment_result`).map((one) => ({
        ...one,
        body: () => ({ enrichment_models: { CAPTION_IMAGES: CAPTIONER } }),
      })),
    ],
  },
  {
    method: 'DELETE',
    route: '/api/v1/enrichment/{dataset_id}/{enrichment_context_id}/abort',
    cases: [
      {
        it: 'does nothing if nothing runs',
        path: (world) => `${contextOf(world)}/abort`,
        status: 200,
        answers: ({ context }) => ({ enrichment_context_id: context, status: 'NEW' }),
      },
      {
        it: 'rejects an unknown context',
        path: ({ ready }) => `/api/v1/enrichment/${ready}/${NOBODY}/abort`,
        status: 404,
        detail: 'Enrichment context not found',
      },
      ...unknownDataset((id) => `${ofUnknown(id)}/${NOBODY}/abort`),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/enrich_dataset',
    cases: [
      {
        it: 'makes a copy',
        path: ({ captioned }) => `/api/v1/dataset/${captioned}/enrich_dataset`,
        body: () => ({
          enrichment_models: { CAPTION_IMAGES: { id: CAPTIONER, metadata: { prompt: 'In one line.' } } },
        }),
        status: 200,
        answers: () => ({ dataset_id: UUID }),
      },
      {
        it: 'is refused while another one runs',
        path: ({ captioned }) => `/api/v1/dataset/${captioned}/enrich_dataset`,
        body: () => ({ enrichment_models: { CAPTION_IMAGES: CAPTIONER } }),
        status: 409,
        detail: "Operation 'enrich_dataset' is blocked while ENRICHMENT task is running",
      },
      {
        it: 'needs a dataset that is READY',
        path: ({ draft }) => `/api/v1/dataset/${draft}/enrich_dataset`,
        body: () => ({ enrichment_models: { CAPTION_IMAGES: CAPTIONER } }),
        status: 409,
        detail: "Operation 'enrich_dataset' needs a dataset that is READY; this one is DRAFT",
      },
      {
        it: 'needs a model',
        path: enrich,
        body: () => ({ enrichment_models: {} }),
        status: 400,
        detail: 'enrichment_models is empty: choose at least one model of list_models',
      },
      {
        it: 'rejects unknown models',
        path: enrich,
        body: () => ({ enrichment_models: { CAPTION_IMAGES: 'none' } }),
        status: 400,
        detail: `There is no model none of type CAPTION_IMAGES; there is drawn-world_captioner_v00, ${CAPTIONER}`,
      },
      {
        it: 'rejects a model without those that it depends on',
        path: enrich,
        body: () => ({ enrichment_models: { CAPTION_OBJECTS: { id: OBJECT_CAPTIONER } } }),
        status: 400,
        detail: `CAPTION_OBJECTS by ${OBJECT_CAPTIONER} needs OBJECT_DETECTION first: choose a model of it in the same request`,
      },
      {
        it: 'rejects models that are not installed',
        path: enrich,
        body: () => ({ enrichment_models: { CAPTION_IMAGES: 'vit-gpt2_captioner_v00' } }),
        status: 400,
        detail: 'The model vit-gpt2_captioner_v00 is Coming Soon; only models that are Active can be applied',
      },
      {
        it: 'rejects models that can not be used',
        path: enrich,
        body: () => ({ enrichment_models: { IMAGE_TAGGING: 'broken' } }),
        status: 400,
        detail: /^There is no model broken of type IMAGE_TAGGING/,
      },
      {
        it: 'rejects an in_place that is neither true nor false',
        path: (world) => `${enrich(world)}?in_place=perhaps`,
        body: () => ({ enrichment_models: { CAPTION_IMAGES: CAPTIONER } }),
        status: 422,
        locations: [['query', 'in_place']],
      },
      {
        it: 'rejects what is wrong',
        path: enrich,
        body: () => ({ enrichment_models: { WEATHER: 'sun', CAPTION_IMAGES: { metadata: {} } } }),
        status: 422,
        locations: [
          ['body', 'enrichment_models', 'CAPTION_IMAGES'],
          ['body', 'enrichment_models'],
        ],
      },
      {
        it: 'rejects prompts that cannot be stored, and endless names',
        path: enrich,
        body: () => ({
          enrichment_models: {
            CAPTION_IMAGES: { id: CAPTIONER, metadata: { prompt: 'a\0b' } },
            IMAGE_TAGGING: 'x'.repeat(101),
          },
        }),
        status: 422,
      },
      ...unknownDataset((id) => `/api/v1/dataset/${id}/enrich_dataset`).map((one) => ({
        ...one,
        body: () => ({ enrichment_models: { CAPTION_IMAGES: CAPTIONER } }),
      })),
    ],
  },
];
