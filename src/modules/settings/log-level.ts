import { Injectable, type OnModuleInit } from '@nestjs/common';
import { setLogLevel } from '../../common/platform/observability/logging';
import { Settings } from './settings';

/** Keeps the logger of the process at the level that is set. */
@Injectable()
export class LogLevel implements OnModuleInit {
  constructor(private readonly settings: Settings) {}

  onModuleInit(): void {
    const apply = (): void => setLogLevel(this.settings.text('LOG_LEVEL'));
    this.settings.onChange(apply);
    apply();
  }
}
