import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const packageFile = join(__dirname, '..', '..', '..', '..', 'package.json');

/** The version of this program. Clients compare it with their own. */
export const SERVICE_VERSION = (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
