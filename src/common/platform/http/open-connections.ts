import type { Server, ServerResponse } from 'node:http';

const LOOK_EACH_MS = 100;

/**
 * Lets a server that no longer listens end as soon as all requests are answered. Connections on which nothing was ever asked,
 * as browsers open them in advance, would hold it for a minute.
 */
export class OpenConnections {
  private underWay = 0;

  constructor(private readonly server: Server) {
    server.prependListener('request', (_request, response: ServerResponse) => {
      this.underWay += 1;
      response.once('close', () => (this.underWay -= 1));
    });
  }

  async whileClosing(close: () => Promise<unknown>): Promise<void> {
    const looking = setInterval(() => {
      if (!this.server.listening && this.underWay === 0) this.server.closeAllConnections();
    }, LOOK_EACH_MS);
    try {
      await close();
    } finally {
      clearInterval(looking);
    }
  }
}
