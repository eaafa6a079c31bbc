/** A file is not in the expected format; the message is one sentence about the file. */
export class MalformedFileError extends Error {}
