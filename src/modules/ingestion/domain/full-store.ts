import { errorMessage } from '../../../common/storage/error-code';

/** As this service, Lance and S3 stores say that there is no room. */
const OWN_SENTENCE = /^The store .+ is full: .+$/;
const NO_ROOM = /No space left on device|XMinioStorageFull/;

/** A sentence for a person when a failure means that the store is full, whoever met it. */
export function fullStoreSentence(error: unknown, storageUrl: string): string | undefined {
  const message = errorMessage(error);
  if (OWN_SENTENCE.test(message)) return message;
  return NO_ROOM.test(message)
    ? `The store ${storageUrl} is full: make room or give it more, then try again`
    : undefined;
}
