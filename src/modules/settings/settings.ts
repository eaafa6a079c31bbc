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
import { PREFERRED_MODELS, type RuntimeSettings } from '../../common/platform/config/runtime-settings.schema';
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
  parseSettingValue,
  type SettingValue,
  isModelSetting,
  MODEL_SETTINGS,
} from './domain/setting-definition';
import { errorMessage } from '../../common/platform/errors/error-code';
import { outageOf } from '../../common/platform/outage/outage';
import { AppSettingRepository, CHANNEL } from './persistence/app-setting.repository';
import { setLogLevel } from '../../common/platform/observability/logging';

/** For databases without LISTEN, as behind a pooler in transaction mode. */
const POLL_MS = 5_000;

/** Current settings; read them at the moment of use. Cached in memory, and reloaded when any process changes one. */
@Injectable()
export class Settings implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Settings.name);
  private readonly observers: (() => void)[] = [];
  private overrides: ReadonlyMap<SettingName, SettingValue> = new Map();
  private current: Readonly<RuntimeSettings>;
  private reading: Promise<void> = Promise.resolve();
  /** A reload that has not started yet. */
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
    return this.current[name] ?? preferredModel(name, this.models);
  }

  number(name: NumberSetting): number {
    return this.current[name];
  }

  value(name: SettingName): SettingValue {
    return isModelSetting(name) ? this.model(name) : this.current[name];
  }

  defaultOf(name: SettingName): SettingValue {
    const { settings } = this.configuration;
    return isModelSetting(name) ? (settings[name] ?? preferredModel(name, this.models)) : settings[name];
  }

  isOverridden(name: SettingName): boolean {
    return this.overrides.has(name);
  }

  /** For code that can't read the setting at the moment of use. */
  onChange(observer: () => void): void {
    this.observers.push(observer);
  }

  /** Resolves when all changes committed before the call are in effect here. */
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
        // Stored by another version of the service: use the value of the environment.
        this.logger.warn(`The stored value of setting ${name} is invalid and ignored: ${String(error)}`);
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

/** Applies the setting LOG_LEVEL to the logger of the process. */
@Injectable()
export class LogLevel implements OnModuleInit {
  constructor(private readonly settings: Settings) {}

  onModuleInit(): void {
    const apply = (): void => setLogLevel(this.settings.text('LOG_LEVEL'));
    this.settings.onChange(apply);
    apply();
  }
}

/** The model of new datasets where no setting names one. */
function preferredModel(name: ModelSetting, models: ModelRegistry): string {
  const there = models.idsOf(MODEL_SETTINGS[name]);
  return PREFERRED_MODELS[name].find((id) => there.includes(id)) ?? PREFERRED_MODELS[name].at(-1)!;
}

/** The error for an unknown model; undefined for a known one, and for settings that don't name a model. */
export function wrongModel(name: SettingName, value: SettingValue, models: ModelRegistry): string | undefined {
  if (!isModelSetting(name)) return undefined;
  const known = models.idsOf(MODEL_SETTINGS[name]);
  return known.some((id) => id === value) ? undefined : `must be one of the available models: ${known.join(', ')}`;
}
