import type { operations } from 'dataset-media-service-sdk';

type CopyBody = operations['subsetCopy']['requestBody']['content']['application/json'];

/** Which media are meant, as the API takes them. */
export type ChosenMedia = Pick<CopyBody, 'media_selection' | 'search' | 'decided_duplicates'>;

/** Whether a new dataset gets these media, or all others. */
export type Keep = NonNullable<CopyBody['keep']>;
