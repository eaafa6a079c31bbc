import { isPipelinePath, pipelineError } from './pipeline-path';

describe('the path of the pipeline interface', () => {
  it.each(['/api/v1/process', '/api/v1/process/', '/api/v1/process/add_media', '/API/v1/Process/reindex'])(
    'is %s',
    (path) => expect(isPipelinePath(path)).toBe(true),
  );

  it.each(['/api/v1/processes', '/api/v1', '/', '/api/v1/dataset/process'])('is not %s', (path) =>
    expect(isPipelinePath(path)).toBe(false),
  );
});

describe('an error of the pipeline interface', () => {
  it.each([
    [404, 'Dataset not found', 404, 'Dataset not found'],
    [422, [{ type: 'missing', loc: ['query', 'path'], msg: 'Field required' }], 400, 'Missing parameter: path'],
    [422, [{ type: 'custom', loc: ['query', 'path'], msg: 'Input is wrong' }], 400, 'path: Input is wrong'],
    [
      422,
      [{ type: 'json_invalid', loc: ['body'], msg: 'The body is not valid JSON' }],
      400,
      'The body is not valid JSON',
    ],
    [422, [], 400, 'The request is not valid'],
  ])('%s %j becomes %s %s', (status, detail, expected, message) => {
    expect(pipelineError(status, detail)).toEqual({ status: expected, body: { status: 'error', message } });
  });
});
