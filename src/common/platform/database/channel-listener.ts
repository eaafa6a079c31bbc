import { Logger, type OnModuleDestroy } from '@nestjs/common';
import { Client } from 'pg';
import { errorMessage } from '../errors/error-code';
import type { DataSource } from 'typeorm';
import { isPooled } from './pool-usage';

type OnNotification = () => void;

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Listens for Postgres notifications on a connection of its own. LISTEN does not work through a pooler; without a direct connection, and
 * while the connection is lost, subscribers have to poll.
 */
export class ChannelListener implements OnModuleDestroy {
  private readonly logger = new Logger(ChannelListener.name);
  private readonly channels = new Map<string, OnNotification>();
  private client: Client | undefined;
  private connecting = false;
  private isLost = false;
  private closed = false;
  /** Never reset once a pooler is detected. */
  private isDisabled = false;

  constructor(
    private readonly dataSource: DataSource,
    /** A direct connection to Postgres, if the data source goes through a pooler. */
    private readonly directUrl: string | null = null,
  ) {}

  /** Subscribes, and connects if needed. Call it periodically to reconnect. Never rejects. */
  async subscribe(channel: string, onNotification: OnNotification): Promise<void> {
    const isNew = !this.channels.has(channel);
    this.channels.set(channel, onNotification);
    if (this.closed || this.connecting || this.isDisabled) return;
    if (this.client === undefined) await this.connect();
    else if (isNew) await this.listen(this.client, [channel]);
  }

  async onModuleDestroy(): Promise<void> {
    this.closed = true;
    const { client } = this;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const { options } = this.dataSource;
    if (options.type !== 'postgres') throw new Error('Notifications require a Postgres data source.');
    this.connecting = true;
    const { url, applicationName } = options;
    const client = new Client({
      connectionString: this.directUrl ?? url,
      application_name: applicationName,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CONNECT_TIMEOUT_MS,
    });
    client.on('error', (error) => {
      this.logLoss(error);
      this.drop(client);
    });
    client.on('end', () => this.drop(client));
    client.on('notification', ({ channel }) => this.channels.get(channel)?.());
    try {
      await client.connect();
      if (await isPooled(client)) {
        await this.disable(client);
        return;
      }
      this.client = client;
      // Channels may be added while LISTEN runs.
      for (let listened = 0; listened < this.channels.size;) {
        const added = [...this.channels.keys()].slice(listened);
        if (!(await this.listen(client, added))) return;
        listened += added.length;
      }
      if (this.isClosed()) await this.onModuleDestroy();
    } catch (error) {
      await this.disconnect(client, error);
    } finally {
      this.connecting = false;
    }
  }

  private async listen(client: Client, channels: readonly string[]): Promise<boolean> {
    try {
      await client.query(channels.map((channel) => `LISTEN ${client.escapeIdentifier(channel)}`).join('; '));
    } catch (error) {
      await this.disconnect(client, error);
      return false;
    }
    if (this.isLost) this.logger.log('The notification listener is connected again');
    this.isLost = false;
    // Notifications sent while disconnected are lost, so subscribers check now.
    for (const channel of channels) this.channels.get(channel)?.();
    return true;
  }

  private async disconnect(client: Client, error: unknown): Promise<void> {
    this.logLoss(error);
    this.drop(client);
    await client.end().catch(() => undefined);
  }

  private async disable(client: Client): Promise<void> {
    this.isDisabled = true;
    this.logger.warn(
      `${this.directUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'} points to a pooler, so changes are polled every few seconds. Set DATABASE_DIRECT_URL to the address of Postgres itself to be notified immediately.`,
    );
    await client.end().catch(() => undefined);
  }

  /** Logged once per loss, however many attempts to reconnect fail. */
  private logLoss(error: unknown): void {
    if (this.isLost) return;
    this.isLost = true;
    this.logger.warn(`The notification listener is not connected: ${errorMessage(error)}`);
  }

  private drop(client: Client): void {
    if (this.client === client) this.client = undefined;
  }

  private isClosed(): boolean {
    return this.closed;
  }
}
