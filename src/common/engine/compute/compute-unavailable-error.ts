/** The compute children can't work, for a reason that no file is at fault for. */
export class ComputeUnavailableError extends Error {}
