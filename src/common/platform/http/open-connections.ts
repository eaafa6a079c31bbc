import type { Server, ServerResponse } from 'node:http';

const CHECK_INTERVAL_MS = 100;

/**
 * Ends the connections of a closing server as soon as all requests are finished. Browsers open connections in advance, which would
 * otherwise keep the server open for a minute.
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
    const timer = setInterval(() => {
      if (!this.server.listening && this.underWay === 0) this.server.closeAllConnections();
    }, CHECK_INTERVAL_MS);
    try {
      await close();
    } finally {
      clearInterval(timer);
    }
  }
}
