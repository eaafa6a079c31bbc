import type { SchemaParts } from '../../database/data-source';
import { InstallationEntity } from './installation.repository';
import { CreateInstallation1763700003100 } from './migrations/1763700003100-create-installation';

export const installationPersistence: SchemaParts = {
  entities: [InstallationEntity],
  migrations: [CreateInstallation1763700003100],
};
