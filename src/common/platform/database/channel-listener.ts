import { Logger, type OnModuleDestroy } from '@nestjs/common';
import { Client } from 'pg';
import { errorMessage } from '../errors/error-code';
import type { DataSource } from 'typeorm';
import { isPooled } from './pooled-connection';

type OnNews = () => void;

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * One connection of its own on which Postgres says, by channel, that there is something new. Behind a pooler nobody would hear it: there
 * is none then, and who waits for news finds out by asking again, as while the connection is lost.
 */
export class ChannelListener implements OnModuleDestroy {
  private readonly logger = new Logger(ChannelListener.name);
  private readonly channels = new Map<string, OnNews>();
  private client: Client | undefined;
  private connecting = false;
  private isLost = false;
  private closed = false;
  /** For good: nothing is heard through a pooler. */
  private isDeaf = false;

  constructor(
    private readonly dataSource: DataSource,
    /** Postgres itself, where the data source goes through a pooler. */
    private readonly directUrl: string | null = null,
  ) {}

  /** Listens unless it does; to be called again from time to time. Never rejects. */
  async ensure(channel: string, onNews: OnNews): Promise<void> {
    const isNew = !this.channels.has(channel);
    this.channels.set(channel, onNews);
    if (this.closed || this.connecting || this.isDeaf) return;
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
    if (options.type !== 'postgres') throw new Error('Only Postgres can be listened to');
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
      this.tellLoss(error);
      this.drop(client);
    });
    client.on('end', () => this.drop(client));
    client.on('notification', ({ channel }) => this.channels.get(channel)?.());
    try {
      await client.connect();
      if (await isPooled(client)) {
        await this.turnDeaf(client);
        return;
      }
      this.client = client;
      // Channels may be added while the first are listened to.
      for (let listened = 0; listened < this.channels.size;) {
        const added = [...this.channels.keys()].slice(listened);
        if (!(await this.listen(client, added))) return;
        listened += added.length;
      }
      if (this.isClosed()) await this.onModuleDestroy();
    } catch (error) {
      await this.giveUp(client, error);
    } finally {
      this.connecting = false;
    }
  }

  private async listen(client: Client, channels: readonly string[]): Promise<boolean> {
    try {
      await client.query(channels.map((channel) => `LISTEN ${client.escapeIdentifier(channel)}`).join('; '));
    } catch (error) {
      await this.giveUp(client, error);
      return false;
    }
    if (this.isLost) this.logger.log('The notification listener is connected again');
    this.isLost = false;
    // What came while nobody listened is not told.
    for (const channel of channels) this.channels.get(channel)?.();
    return true;
  }

  private async giveUp(client: Client, error: unknown): Promise<void> {
    this.tellLoss(error);
    this.drop(client);
    await client.end().catch(() => undefined);
  }

  private async turnDeaf(client: Client): Promise<void> {
    this.isDeaf = true;
    this.logger.warn(
      `${this.directUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'} leads through a pooler, so news are asked for every few seconds. Set DATABASE_DIRECT_URL to the address of Postgres itself to be told at once.`,
    );
    await client.end().catch(() => undefined);
  }

  /** Once for each time that it is lost, however often it is tried again. */
  private tellLoss(error: unknown): void {
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
