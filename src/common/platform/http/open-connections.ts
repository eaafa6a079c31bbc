import type { Server, ServerResponse } from 'node:http';

const CHECK_INTERVAL_MS = 100;

/**
 * Ends the connections of a closing server as soon as all requests are finished. Browsers open connections in advance, which would
 * otherwise keep the server open for a minute.
 */
export class OpenConnections {
  private readonly underWay = new Set<ServerResponse>();
  private isLeaving = false;

  constructor(private readonly server: Server) {
    server.prependListener('request', (_request, response: ServerResponse) => {
      this.underWay.add(response);
      response.once('close', () => this.underWay.delete(response));
      if (this.isLeaving) sendAway(response);
    });
  }

  /** From now on each response ends its connection, so that none is closed just when its client sends the next request. */
  leave(): void {
    this.isLeaving = true;
    for (const response of this.underWay) sendAway(response);
  }

  async whileClosing(close: () => Promise<unknown>): Promise<void> {
    this.leave();
    const timer = setInterval(() => {
      if (!this.server.listening && this.underWay.size === 0) this.server.closeAllConnections();
    }, CHECK_INTERVAL_MS);
    try {
      await close();
    } finally {
      clearInterval(timer);
    }
  }
}

function sendAway(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
