import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import { ConfigurationError } from '../../common/platform/config/configuration-error';
import type { RuntimeSettings } from '../../common/platform/config/runtime-settings.schema';
import { ChannelListener } from '../../common/platform/database/channel-listener';
import { ModelRegistry } from '../../common/engine/models/model-registry';
import {
  isSettingName,
  SETTING_NAMES,
  type BooleanSetting,
  type ChoiceSetting,
  type ModelSetting,
  type NumberSetting,
  type SettingName,
} from './domain/setting-definition';
import { parseSettingValue, type SettingValue } from './domain/setting-value';
import { wrongModel } from './domain/wrong-model';
import { errorMessage } from '../../common/platform/errors/error-code';
import { outageOf } from '../../common/platform/outage/outage';
import { AppSettingRepository, CHANNEL } from './persistence/app-setting.repository';

/** For where nobody can listen, as behind a pooler of transactions. */
const POLL_MS = 5_000;

/** What is set now: ask at the moment of use. Kept in memory, and read anew whenever any process changes something. */
@Injectable()
export class Settings implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Settings.name);
  private readonly observers: (() => void)[] = [];
  private overrides: ReadonlyMap<SettingName, SettingValue> = new Map();
  private current: Readonly<RuntimeSettings>;
  private reading: Promise<void> = Promise.resolve();
  /** A reading that has not begun yet. */
  private next: Promise<void> | undefined;
  private isClosed = false;

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly repository: AppSettingRepository,
    private readonly listener: ChannelListener,
    private readonly models: ModelRegistry,
  ) {
    this.current = configuration.settings;
  }

  async onModuleInit(): Promise<void> {
    this.assertModelsThere();
    await this.reload();
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.listen();
  }

  @Interval(POLL_MS)
  poll(): void {
    void this.listen();
    this.reloadSoon();
  }

  async onModuleDestroy(): Promise<void> {
    this.isClosed = true;
    await this.reading.catch(() => undefined);
  }

  isOn(name: BooleanSetting): boolean {
    return this.current[name];
  }

  text(name: ChoiceSetting): RuntimeSettings[ChoiceSetting] {
    return this.current[name];
  }

  model(name: ModelSetting): string {
    return this.current[name];
  }

  number(name: NumberSetting): number {
    return this.current[name];
  }

  value(name: SettingName): SettingValue {
    return this.current[name];
  }

  defaultOf(name: SettingName): SettingValue {
    return this.configuration.settings[name];
  }

  isOverridden(name: SettingName): boolean {
    return this.overrides.has(name);
  }

  /** For what can't ask at the moment of use. */
  onChange(observer: () => void): void {
    this.observers.push(observer);
  }

  /** Ends when all that was committed before the call is in force here. */
  reload(): Promise<void> {
    if (this.next !== undefined) return this.next;
    const next = this.reading
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        return this.read();
      });
    this.next = next;
    this.reading = next;
    return next;
  }

  private assertModelsThere(): void {
    for (const name of SETTING_NAMES) {
      const wrong = wrongModel(name, this.defaultOf(name), this.models);
      if (wrong !== undefined) throw new ConfigurationError(`${name} ${wrong}.`);
    }
  }

  private async read(): Promise<void> {
    const stored = await this.repository.all();
    const overrides = new Map<SettingName, SettingValue>();
    for (const [name, text] of stored) {
      try {
        if (isSettingName(name)) overrides.set(name, parseSettingValue(name, text));
      } catch (error) {
        // Stored by a service of another version: what the environment says stands.
        this.logger.warn(`The stored setting ${name} is passed over: ${String(error)}`);
      }
    }
    this.overrides = overrides;
    this.current = { ...this.configuration.settings, ...Object.fromEntries(overrides) };
    for (const observer of this.observers) observer();
  }

  private listen(): Promise<void> {
    return this.listener.subscribe(CHANNEL, () => this.reloadSoon());
  }

  private reloadSoon(): void {
    if (this.isClosed) return;
    this.reload().catch((error: unknown) => {
      if (outageOf(error) === undefined) this.logger.warn(`Settings could not be read: ${errorMessage(error)}`);
    });
  }
}
