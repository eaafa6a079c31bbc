import { useQuery } from '@tanstack/react-query';
import { answered, service } from '../../api/client';
import { keys } from '../../api/keys';

const WHILE_RUNNING_MS = 1_500;

export interface Model {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly status: 'Active' | 'Coming Soon';
  readonly vendor: string;
  readonly description: string;
  readonly dependencies: readonly string[] | null;
}

export type ModelChoice = string | { readonly id: string; readonly metadata: { readonly prompt: string } };

/** The model of each type, with its prompt. */
export interface Chosen {
  readonly models: Readonly<Record<string, string>>;
  readonly prompts: Readonly<Record<string, string>>;
}

export const NOTHING_CHOSEN: Chosen = { models: {}, prompts: {} };

/** The types that take a prompt. */
export const TAKES_PROMPT: readonly string[] = [
  'CAPTION_IMAGES',
  'IMAGE_TAGGING',
  'OBJECT_DETECTION',
  'CAPTION_OBJECTS',
];

/** The order in which types are offered; others come last. */
const ORDER = [
  'CAPTION_IMAGES',
  'IMAGE_TAGGING',
  'OBJECT_DETECTION',
  'CAPTION_OBJECTS',
  'TEXT_RECOGNITION',
  'MULTIMODEL_IMAGE_ENCODING',
  'IMAGE_ENCODING',
];

const placeOf = (type: string): number => (ORDER.includes(type) ? ORDER.indexOf(type) : ORDER.length);

export function byType(models: readonly Model[]): readonly (readonly [type: string, models: readonly Model[]])[] {
  const groups = new Map<string, Model[]>();
  for (const model of models) groups.set(model.type, [...(groups.get(model.type) ?? []), model]);
  return [...groups].sort(([one], [other]) => placeOf(one) - placeOf(other));
}

/** As the API takes it. */
export function requested({ models, prompts }: Chosen): Record<string, ModelChoice> {
  const entries = Object.entries(models).map(([type, id]): [string, ModelChoice] => {
    const prompt = prompts[type]?.trim() ?? '';
    return [type, prompt === '' ? id : { id, metadata: { prompt } }];
  });
  return Object.fromEntries(entries);
}

export const useModels = (datasetId: string) =>
  useQuery({
    queryKey: keys.of(datasetId, 'models'),
    queryFn: () =>
      answered(
        service.api.GET('/api/v1/enrichment/{dataset_id}/list_models', {
          params: { path: { dataset_id: datasetId } },
        }),
      ),
  });

export const useApplied = (datasetId: string) =>
  useQuery({
    queryKey: keys.of(datasetId, 'enrichment'),
    queryFn: () =>
      answered(
        service.api.GET('/api/v1/enrichment/{dataset_id}/context', { params: { path: { dataset_id: datasetId } } }),
      ),
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? WHILE_RUNNING_MS : false),
  });

export const useRunning = (datasetId: string, contextId: string | undefined, isRunning: boolean) =>
  useQuery({
    queryKey: keys.of(datasetId, 'enrichment', contextId),
    enabled: contextId !== undefined,
    queryFn: () =>
      answered(
        service.api.GET('/api/v1/enrichment/{dataset_id}/{enrichment_context_id}/status', {
          params: { path: { dataset_id: datasetId, enrichment_context_id: contextId! } },
        }),
      ),
    refetchInterval: isRunning ? WHILE_RUNNING_MS : false,
  });
