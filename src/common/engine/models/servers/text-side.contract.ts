import { failure } from '../../../../../test/support/failure';
import { FAULTS, StubModelServer, type StubOptions } from '../../../../../test/support/stub-model-server';
import { TextRefusedError } from '../picture-model';
import { ModelServerError, ModelServerOutageError } from './model-server-errors';
import { never, openAtStub, PICTURE, type RuntimeUnderTest } from './remote-runtime.contract';

/** The contract of every runtime with a server that returns vectors of pictures and texts. */
export function describeTextSide(name: string, runtime: RuntimeUnderTest): void {
  describe(`${name} with texts`, () => {
    let stub: StubModelServer;
    const open = openAtStub(runtime, () => '/none');
    const start = async (options: StubOptions = {}): Promise<void> => {
      stub = await StubModelServer.start(options);
    };
    afterEach(() => stub.close());

    it('returns the vectors of texts in order, with concurrent requests as in the manifest', async () => {
      const vectors: Readonly<Record<string, number[]>> = { red: [3, 4], 'a $& dog': [0, 2], '': [-1, 0] };
      await start({ textEmbedding: ({ prompt }) => vectors[prompt]!, gather: 2 });
      const model = await open('MULTIMODEL_IMAGE_ENCODING', stub, { atOnce: 2 });
      expect(await model.embedTexts([], never)).toEqual([]);
      expect(await model.embedTexts(Object.keys(vectors), never)).toEqual([
        Float32Array.of(0.6, 0.8),
        Float32Array.of(0, 1),
        Float32Array.of(-1, 0),
      ]);
      expect([stub.requests, stub.mostAtOnce]).toEqual([3, 2]);
      expect(await model.apply(PICTURE, {}, never)).toEqual({ embedding: Float32Array.of(0.6, 0.8) });
    });

    it('refuses only the text after 400 and vectors that cannot be compared', async () => {
      let vector = [1, 0];
      await start({ textEmbedding: () => vector });
      const model = await open('MULTIMODEL_IMAGE_ENCODING', stub);
      await model.embedTexts(['a'], never);
      stub.fail(FAULTS.status(422, 'too long'), 1);
      const refused = await failure(model.embedTexts(['a'], never));
      expect(refused).toBeInstanceOf(TextRefusedError);
      expect(refused.message).toMatch(/ refused the text with 422: too long\.$/);
      vector = [0, 0];
      expect(await failure(model.embedTexts(['a'], never))).toBeInstanceOf(TextRefusedError);
      vector = [1, 2, 3];
      expect(await failure(model.embedTexts(['a'], never))).toBeInstanceOf(ModelServerError);
    });

    it('reports an unavailable server, and rejects when aborted', async () => {
      await start();
      const model = await open('MULTIMODEL_IMAGE_ENCODING', stub);
      stub.fail(FAULTS.status(503));
      expect(await failure(model.embedTexts(['a'], never))).toBeInstanceOf(ModelServerOutageError);
      stub.fail(FAULTS.hang());
      const controller = new AbortController();
      const work = failure(model.embedTexts(['a'], controller.signal));
      const reason = new Error('too slow');
      controller.abort(reason);
      expect(await work).toBe(reason);
    });

    it.each([{ unrelated: 0.3, matching: 0.3 }, { unrelated: 0.1, matching: 2 }, { unrelated: 0.1 }])(
      'refuses a manifest with the calibration %p',
      async (calibration) => {
        await start();
        await expect(open('MULTIMODEL_IMAGE_ENCODING', stub, {}, { calibration })).rejects.toThrow(/calibration/);
      },
    );
  });
}
