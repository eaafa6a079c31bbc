import type { DatasetDetails } from 'dataset-media-service-sdk';
import { ButtonLink } from '../design/button';
import { PageHeader } from '../design/page-header';
import { EmptyState } from '../design/state';
import { texts } from '../texts';

const { notReady: words } = texts.explore;

/** Where the media of a dataset cannot be shown yet, or its indexing has failed. */
export function NotReady({ dataset }: { readonly dataset: DatasetDetails }) {
  const { id, status_new: status, fatal_error_msg: failure } = dataset;
  return (
    <EmptyState icon="info" title={words.title} text={failure ?? words.text(texts.datasets.status[status])}>
      {status === 'ERROR' && (
        <ButtonLink icon="alert" to={unreadableFiles(id)}>
          {texts.datasets.quarantine.action}
        </ButtonLink>
      )}
    </EmptyState>
  );
}

/** A page of which nothing can be shown without media. */
export function NotReadyPage({ dataset, title }: { readonly dataset: DatasetDetails; readonly title: string }) {
  return (
    <>
      <PageHeader title={title} />
      <NotReady dataset={dataset} />
    </>
  );
}

/** The address of the files of a dataset that could not be read. */
export const unreadableFiles = (datasetId: string): string => `/datasets?unreadable=${datasetId}`;
