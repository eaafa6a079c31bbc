import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeEdges } from '../../../../test/support/edges-contract';
import { FolderObjectStore } from '../../platform/storage/folder/folder-object-store';
import { UrlSigner } from '../../platform/storage/links/url-signer';

const root = mkdtempSync(join(tmpdir(), 'edges-'));

afterAll(() => rmSync(root, { recursive: true, force: true }));

describeEdges(
  'a folder',
  () => new FolderObjectStore({ root, signer: new UrlSigner(Buffer.alloc(32, 7)), baseUrl: '' }),
);
