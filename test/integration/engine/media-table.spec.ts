import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMediaTable } from '../../support/media-table-contract';

const folder = mkdtempSync(join(tmpdir(), 'media-table-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeMediaTable('a folder', () => ({ uri: join(folder, 'tables'), storageOptions: {} }));
