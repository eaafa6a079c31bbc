import { Injectable, type OnModuleInit } from '@nestjs/common';
import { setLogLevel } from '../../common/platform/observability/logging';
import { Settings } from './settings';

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
