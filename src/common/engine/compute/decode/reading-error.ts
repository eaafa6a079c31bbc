import { errorMessage } from '../../../platform/errors/error-code';
import { MediaRejected } from '../media-rejected';

/** Attributes errors of a decoder to the file. */
export async function rejectOnFailure<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof MediaRejected) throw error;
    throw rejectionOf(errorMessage(error));
  }
}

function rejectionOf(message: string): MediaRejected {
  const firstLine = message.split('\n', 1)[0]!.trim();
  if (message.includes('exceeds pixel limit')) return new MediaRejected('too_large', firstLine);
  const reason = firstLine.endsWith(':') ? firstLine.slice(0, -1) : firstLine;
  return new MediaRejected('unreadable', `The image can't be decoded: ${reason}`);
}
