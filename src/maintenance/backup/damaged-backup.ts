import { StartError } from '../../common/platform/config/start-error';

export class DamagedBackupError extends StartError {
  constructor(what: string, reason: string, options?: ErrorOptions) {
    super(`The backup is damaged: ${what} (${reason}). Use another backup.`, options);
  }
}
