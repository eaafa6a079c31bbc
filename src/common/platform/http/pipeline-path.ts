/** The root of the pipeline interface, whose responses and errors have their own format. */
export const PIPELINE_PATH = 'api/v1/process';

/** Case-insensitive, as routing is. */
export function isPipelinePath(path: string): boolean {
  const asked = path.toLowerCase();
  return asked === `/${PIPELINE_PATH}` || asked.startsWith(`/${PIPELINE_PATH}/`);
}

interface PipelineError {
  readonly status: number;
  readonly body: { readonly status: 'error'; readonly message: string; readonly reason?: string | undefined };
}

/** Converts an error to the format of the pipeline interface, with the message as one sentence. */
export const pipelineError = (status: number, detail: unknown, reason?: string): PipelineError => ({
  status: status === 422 ? 400 : status,
  body: { status: 'error', message: messageOf(detail), reason },
});

function messageOf(detail: unknown): string {
  if (typeof detail === 'string') return detail;
  const item = (detail as readonly { type: string; loc: readonly (string | number)[]; msg: string }[])[0];
  if (item === undefined) return 'The request is not valid';
  const name = item.loc.slice(1).join('.');
  if (name === '') return item.msg;
  return item.type === 'missing' ? `Missing parameter: ${name}` : `${name}: ${item.msg}`;
}
