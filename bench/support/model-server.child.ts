import { StubModelServer } from '../../test/support/stub-model-server';

export interface ModelServerTask {
  readonly delayMs: number;
  readonly caption: string;
}

export type ToModelServer = { readonly kind: 'start'; readonly task: ModelServerTask } | { readonly kind: 'count' };

export type FromModelServer =
  | { readonly kind: 'started'; readonly url: string }
  | { readonly kind: 'counted'; readonly requests: number; readonly mostAtOnce: number };

const tell = (message: FromModelServer): void => void process.send!(message);

let server: StubModelServer | undefined;

process.on('message', (message: ToModelServer) => {
  if (message.kind === 'count') {
    tell({ kind: 'counted', requests: server!.requests, mostAtOnce: server!.mostAtOnce });
    return;
  }
  const { delayMs, caption } = message.task;
  void StubModelServer.start({ delayMs, caption: () => caption }).then((started) => {
    server = started;
    tell({ kind: 'started', url: started.url });
  });
});
