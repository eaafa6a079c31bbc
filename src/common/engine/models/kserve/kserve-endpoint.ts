import { PictureRefusedError, TextRefusedError } from '../picture-model';
import type { ModelServer } from '../servers/model-server';
import type { InferRequest } from './infer-request';
import { Tensors } from './tensors';

/** One model at a server with the KServe v2 protocol over HTTP. */
export class KserveEndpoint {
  private readonly path: string;
  private isReady = false;

  constructor(
    private readonly server: ModelServer,
    { model, version }: { readonly model: string; readonly version?: string | undefined },
  ) {
    const ofVersion = version === undefined ? '' : `/versions/${encodeURIComponent(version)}`;
    this.path = `v2/models/${encodeURIComponent(model)}${ofVersion}`;
  }

  async infer<T>(
    about: 'picture' | 'text',
    request: InferRequest,
    read: (tensors: Tensors) => T,
    signal: AbortSignal,
  ): Promise<T> {
    // Some servers answer an inference by an unknown model with 400, as they do for a picture that they refuse.
    if (!this.isReady) await this.assertReady(signal);
    try {
      return await this.server.ask(
        { method: 'POST', path: `${this.path}/infer`, ...request, about },
        (body) => read(Tensors.parse(body)),
        signal,
      );
    } catch (error) {
      this.isReady &&= error instanceof PictureRefusedError || error instanceof TextRefusedError;
      throw error;
    }
  }

  private async assertReady(signal: AbortSignal): Promise<void> {
    const request = { method: 'GET', path: `${this.path}/ready`, about: 'model' } as const;
    await this.server.ask(request, () => undefined, signal);
    this.isReady = true;
  }
}
