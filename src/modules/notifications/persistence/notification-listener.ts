import { Injectable, Logger } from '@nestjs/common';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { CHANNEL } from './notification.repository';

/** A connection of its own on which Postgres says that there is something new. */
@Injectable()
export class NotificationListener {
  private readonly logger = new Logger(NotificationListener.name);
  private client: Client | undefined;
  private connecting = false;
  private closed = false;

  constructor(private readonly dataSource: DataSource) {}

  /** Connects unless it is; to be called again from time to time. Never rejects. */
  async ensure(onNews: () => void): Promise<void> {
    if (this.client !== undefined || this.connecting || this.closed) return;
    const { options } = this.dataSource;
    if (options.type !== 'postgres') throw new Error('Only Postgres can be listened to');
    this.connecting = true;
    const { url, applicationName } = options;
    const client = new Client({ connectionString: url, application_name: applicationName, keepAlive: true });
    const drop = (): void => {
      if (this.client === client) this.client = undefined;
    };
    client.on('error', (error) => {
      this.logger.warn(`The connection that waits for notifications was lost: ${error.message}`);
      drop();
    });
    client.on('end', drop);
    client.on('notification', onNews);
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      this.client = client;
      if (this.isClosed()) await this.close();
      // What came while nobody listened is not told.
      onNews();
    } catch (error) {
      this.logger.warn(`Nobody listens for notifications: ${error instanceof Error ? error.message : String(error)}`);
      await client.end().catch(() => undefined);
    } finally {
      this.connecting = false;
    }
  }

  private isClosed(): boolean {
    return this.closed;
  }

  async close(): Promise<void> {
    this.closed = true;
    const { client } = this;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }
}
