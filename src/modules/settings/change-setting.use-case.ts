import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { ModelRegistry } from '../../common/engine/models/model-registry';
import { AuditLog } from '../audit';
import { type SettingName, InvalidSettingValueError, parseSettingValue, textOf } from './domain/setting-definition';
import { wrongModel, Settings } from './settings';
import { AppSettingRepository } from './persistence/app-setting.repository';

/** Takes effect in this process when the call returns, and in others once they are notified. */
@Injectable()
export class ChangeSettingUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: AppSettingRepository,
    private readonly audit: AuditLog,
    private readonly settings: Settings,
    private readonly models: ModelRegistry,
  ) {}

  /** Returns the value as stored. */
  async set(name: SettingName, given: unknown, by: Principal): Promise<string> {
    const parsed = parseSettingValue(name, given);
    const wrong = wrongModel(name, parsed, this.models);
    if (wrong !== undefined) throw new InvalidSettingValueError(name, wrong);
    const value = textOf(parsed);
    await this.change(name, async (before) => {
      await this.repository.set(name, value, by.userId, new Date());
      await this.audit.recordBy(by, 'setting_changed', name, { from: before, to: value });
    });
    return value;
  }

  /** Returns the value that applies instead. */
  async reset(name: SettingName, by: Principal): Promise<string> {
    const standard = textOf(this.settings.defaultOf(name));
    await this.change(name, async (before, isOverridden) => {
      if (!isOverridden) return;
      await this.repository.remove(name);
      await this.audit.recordBy(by, 'setting_changed', name, { from: before, to: standard, reset: true });
    });
    return standard;
  }

  private async change(
    name: SettingName,
    write: (before: string, isOverridden: boolean) => Promise<void>,
  ): Promise<void> {
    await this.transactions.run(async () => {
      await this.repository.lock();
      const stored = await this.repository.find(name);
      await write(stored ?? textOf(this.settings.defaultOf(name)), stored !== undefined);
      await this.transactions.afterCommit(() => this.settings.reload());
    });
  }
}
