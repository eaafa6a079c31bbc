import { useState } from 'react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { components } from 'dataset-media-service-sdk';
import { answered, queries, service } from '../../api/client';
import { messageOf } from '../../api/failure';
import { keys } from '../../api/keys';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import type { Entity } from './quality-queries';

export type Suggestion = components['schemas']['LabelSuggestion'];
export type Pair = components['schemas']['LabelSuggestionPairs']['pairs'][number];
type Decided = components['schemas']['DecidedLabels'];

const { suggestions: words } = texts.quality;
export const SUGGESTIONS_SHOWN = 60;

/** Which suggestions are looked at. */
export interface AskedSuggestions {
  readonly entity: Entity;
  readonly confidence: number;
}

export const useSuggestionPairs = (datasetId: string, { entity, confidence }: AskedSuggestions) =>
  useQuery({
    queryKey: keys.of(datasetId, 'suggestions', 'pairs', entity, confidence),
    queryFn: () => {
      const query = { entity_type: entity, confidence };
      const params = { path: { dataset_id: datasetId }, query };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/label_suggestions', { params }));
    },
    placeholderData: keepPreviousData,
  });

/** The surest of a pair. */
export const useSuggestions = (datasetId: string, { entity, confidence }: AskedSuggestions, pair: Pair | undefined) =>
  useQuery({
    queryKey: keys.of(datasetId, 'suggestions', 'media', entity, confidence, pair?.label, pair?.suggested),
    queryFn: () => {
      const of = { label: pair!.label, suggested: pair!.suggested };
      const query = { entity_type: entity, confidence, ...of, limit: SUGGESTIONS_SHOWN };
      const params = { path: { dataset_id: datasetId }, query };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/label_suggestions/media', { params }));
    },
    enabled: pair !== undefined,
  });

export interface Verdicts {
  readonly takeOver: readonly Suggestion[];
  readonly keep: readonly Suggestion[];
}

const seen = ({ media_id, label_now: label, suggested }: Suggestion) => ({ media_id, label, suggested });
const failed = (error: unknown): void => toast({ text: words.failed(messageOf(error)), isFailure: true });

/** Decides about suggestions, and undoes the last decision. */
export function useLabelDecisions(datasetId: string) {
  const [last, setLast] = useState<{ readonly id: string; readonly text: string } | null>(null);
  const params = { path: { dataset_id: datasetId } };
  const ends = {
    onError: failed,
    onSettled: () => queries.invalidateQueries({ queryKey: keys.of(datasetId) }),
  };
  const onSuccess = ({ decision_id: id, n_taken_over: taken, n_kept: kept, unmatched }: Decided) => {
    if (unmatched.length > 0) toast({ text: words.unmatched(unmatched.length) });
    setLast(id === null ? null : { id, text: words.done(taken, kept) });
  };
  const decide = useMutation({
    mutationFn: ({ takeOver, keep }: Verdicts) => {
      const body = { take_over: takeOver.map(seen), keep: keep.map(seen) };
      return answered(service.api.POST('/api/v1/dataset/{dataset_id}/label_suggestions/decisions', { params, body }));
    },
    onSuccess,
    ...ends,
  });
  const takeOverAll = useMutation({
    mutationFn: ({ entity, confidence, pair }: AskedSuggestions & { readonly pair: Pair }) => {
      const body = { entity_type: entity, confidence, label: pair.label, suggested: pair.suggested };
      return answered(
        service.api.POST('/api/v1/dataset/{dataset_id}/label_suggestions/decisions/by_confidence', { params, body }),
      );
    },
    onSuccess,
    ...ends,
  });
  const undo = useMutation({
    mutationFn: (id: string) => {
      const body = { decision_id: id };
      return answered(service.api.POST('/api/v1/dataset/{dataset_id}/label_suggestions/undo', { params, body }));
    },
    onSuccess: () => setLast(null),
    ...ends,
  });
  return { last, decide, takeOverAll, undo, isPending: decide.isPending || takeOverAll.isPending || undo.isPending };
}
export type LabelDecisions = ReturnType<typeof useLabelDecisions>;
