import { useMemo, useState } from 'react';
import type { components } from 'dataset-media-service-sdk';
import { useQuery } from '@tanstack/react-query';
import { answered, service } from '../../api/client';
import type { PictureAnnotations } from '../annotations/use-annotations';
import type { EvaluationFilter } from './evaluation-filter';
import { evaluationsKey, useEvaluation } from './evaluation-queries';
import { comparedOnly, drawingOf, outcomeCounts, outcomeOf } from './picture-outcomes';

type MediaDetail = components['schemas']['MediaDetail'];

/** An evaluation that media are looked at with. */
export type LookedAtWith = Pick<EvaluationFilter, 'evaluation' | 'confidence'>;

/** What an evaluation says about a picture. */
export interface PictureOutcomes {
  readonly name: string;
  readonly counts: ReturnType<typeof outcomeCounts>;
  /** Labels of pictures are not drawn. */
  readonly isDrawn: boolean;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

const outcomesQuery = (datasetId: string, mediaId: string | undefined, with_: LookedAtWith | undefined) => ({
  queryKey: [...evaluationsKey(datasetId), with_?.evaluation, 'media', mediaId, with_?.confidence ?? null],
  queryFn: () => {
    const params = {
      path: { dataset_id: datasetId, evaluation_id: with_!.evaluation, media_id: mediaId! },
      query: with_!.confidence === undefined ? {} : { confidence: String(with_!.confidence) },
    };
    return answered(
      service.api.GET('/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}/media/{media_id}', { params }),
    );
  },
  enabled: mediaId !== undefined && with_ !== undefined,
});

/** The annotations of a picture with their outcomes, where it is looked at with an evaluation that knows it. */
export function usePictureOutcomes(
  datasetId: string,
  media: MediaDetail | undefined,
  annotations: PictureAnnotations,
  lookedAtWith: LookedAtWith | undefined,
): { readonly annotations: PictureAnnotations; readonly outcomes: PictureOutcomes | undefined } {
  const [isOn, onChange] = useState(true);
  const pictureId = media?.type === 'OBJECT' ? media.parent?.media_id : media?.media_id;
  const { data: evaluation } = useEvaluation(datasetId, lookedAtWith?.evaluation);
  const { data: found } = useQuery({
    ...outcomesQuery(datasetId, pictureId, lookedAtWith),
    retry: false,
  });
  const drawing = useMemo(
    () =>
      found === undefined || evaluation === undefined || !isOn ? undefined : drawingOf(outcomeOf(found, evaluation)),
    [found, evaluation, isOn],
  );
  const { all, shown, between, sourcesHere } = annotations;
  const compared = useMemo(
    () => drawing && comparedOnly({ all, shown, between, sourcesHere }, drawing.outcomeOf),
    [all, shown, between, sourcesHere, drawing],
  );
  if (found === undefined || evaluation === undefined) return { annotations, outcomes: undefined };
  return {
    annotations: { ...annotations, ...compared, ...drawing },
    outcomes: {
      ...{ name: evaluation.name, counts: outcomeCounts(found), isOn, onChange },
      isDrawn: evaluation.task !== 'classification',
    },
  };
}
