import { toUSVString } from 'node:util';
import { Readable } from 'node:stream';
import type { Request } from 'express';
import { orientationInXmp } from '../../src/common/engine/compute/decode/orientation';
import { timeText } from '../../src/common/platform/http/query-values';
import { toFullTextQuery } from '../../src/common/engine/media-table/caption-index';
import { ANNOTATION_READERS } from './hostile-annotation-files';
import { plainReason } from '../../src/common/platform/jobs/job-failure';
import { METADATA_TYPES } from '../../src/common/engine/media-table/media-row';
import { ReceivedValues } from '../../src/modules/annotations/domain/metadata-import';
import { identifier } from '../../src/common/engine/media-table/literal';
import { firstJson } from '../../src/common/engine/models/openai/answers';
import { plainText, normalForm, trimEndOf, trimStartOf } from '../../src/common/platform/text/texts';
import { serverMessage } from '../../src/common/engine/models/servers/model-server';
import { stemOf, foldText, wordsOf } from '../../src/common/engine/models/text-words';
import { inReadingOrder } from '../../src/common/engine/models/paddle-ocr/reading-order';
import { isReadWell } from '../../src/common/engine/models/paddle-ocr/readings';
import { nounPhrasesIn } from '../../src/common/engine/models/texts/noun-phrases';
import { singularsOf } from '../../src/common/engine/models/texts/singulars';
import {
  contentDisposition,
  escaped,
  escapedPath,
  contentTypeOf,
  isSafeInline,
} from '../../src/common/platform/storage/links/content-headers';
import { assertObjectKey } from '../../src/common/platform/storage/object-key';
import { parseSource, withoutRole, withRole } from '../../src/common/platform/storage/sources/source-location';
import { signedMediaUrl, UrlSigner } from '../../src/common/platform/storage/links/url-signer';
import { historyQuery } from '../../src/modules/annotations/http/history.schemas';
import { labelSetBody } from '../../src/modules/annotations/http/label-set.schemas';
import { auditQuery } from '../../src/modules/audit/http/audit.controller';
import { isApiKey } from '../../src/modules/auth/api-keys/domain/api-key';
import { isStrictForm, readJsonObject } from '../../src/modules/auth/api-keys/domain/bearer-token';
import { bearerOf } from '../../src/modules/auth/api-keys/api-key.authenticator';
import { sessionIdOf } from '../../src/modules/auth/sessions/domain/login-session';
import { returnPath } from '../../src/modules/auth/oidc/http/oidc.controller';
import { readCookie } from '../../src/modules/auth/sessions/session.authenticator';
import { inviteBody } from '../../src/modules/datasets/http/sharing.controller';
import { csvLine } from '../../src/common/platform/text/lines';
import { archiveName } from '../../src/modules/export/domain/export';
import { ImageNames, labelFileName } from '../../src/modules/export/domain/image-names';
import { contextQuery } from '../../src/modules/export/http/export.schemas';
import { npyLayout } from '../../src/modules/embeddings/domain/npy-layout';
import { nameLines } from '../../src/modules/embeddings/files/vector-block';
import { embeddingForm } from '../../src/modules/embeddings/http/embedding.controller';
import { newUserBody, userPath } from '../../src/modules/idp-admin/http/user.schemas';
import { memberPath } from '../../src/modules/ingestion/uploads/archive.reader';
import { assertArchiveName } from '../../src/modules/ingestion/uploads/domain/upload-errors';
import { parseExtendedHeader } from '../../src/common/platform/archives/read-tar';
import { normalizedPath } from '../../src/modules/tables/annotation-files/domain/annotation-index';
import { parseLabels as labelsOfCell } from '../../src/modules/tables/annotation-files/domain/file-fields';
import { readAnnotations } from '../../src/modules/tables/annotation-files/domain/read-annotations';
import { classifyFileName } from '../../src/modules/tables/analysis/domain/media-formats';
import { isOwnKey } from '../../src/modules/ingestion/storage-keys';
import { faultOfPath } from '../../src/modules/ingestion/sources/domain/safe-relative-path';
import { parseSourceLocation } from '../../src/modules/ingestion/sources/domain/source-location';
import { addMediaForm } from '../../src/modules/ingestion/add/http/add-media.controller';
import {
  resolveEntry,
  locationColumn,
  manifestKindOf,
} from '../../src/modules/ingestion/sources/manifests/manifest-entry';
import { readManifest } from '../../src/modules/ingestion/sources/manifests/manifest.reader';
import { tokenOf, processParameters } from '../../src/modules/ingestion/pipeline/http/pipeline.controller';
import { parseClusterId } from '../../src/modules/versions/clusters/domain/cluster-id';
import { folderOf, FolderIndex } from '../../src/modules/versions/columns/domain/folder-index';
import { parseLabels } from '../../src/modules/search/query/domain/make-search-query';
import { parseKeywords } from '../../src/modules/search/query/domain/parse-keywords';
import { SoughtWords } from '../../src/modules/search/query/domain/sought-words';
import { parseVql } from '../../src/modules/search/query/domain/parse-vql';
import { problemOf } from '../../src/modules/search/query/domain/vql-values';
import { exploreParameters } from '../../src/modules/search/query/http/search-parameters';
import { mediaSelection } from '../../src/modules/search/selection/http/media-selection.schema';
import { tagBody } from '../../src/modules/search/tags/http/tag.controller';
import { nameKey } from '../../src/modules/versions/tags/domain/tag-lists';
import { canonicalName } from '../../src/modules/settings/domain/setting-definition';
import { newSnapshotBody } from '../../src/modules/snapshots/http/snapshot.schemas';
import { viewForm } from '../../src/modules/views/http/view.schemas';
import { AllowedHosts, plainHost } from '../../src/modules/webhooks/sending/webhook-addresses';
import { newWebhookBody } from '../../src/modules/webhooks/http/webhook.schemas';
import { deletionLine } from '../../src/modules/duplicates/domain/deletion-script';
import { npyWith } from './npy-bytes';

const UNKNOWN_ID = '11111111-2222-4333-8444-555555555555';

export interface TextReader {
  /** The files in src whose regular expressions it runs. */
  readonly files: readonly string[];
  readonly read: (text: string) => unknown;
}

const reader = (files: string | readonly string[], read: (text: string) => unknown): TextReader => ({
  files: [files].flat().map((file) => `src/${file}`),
  read,
});

/** Rejecting a text is a valid result too. */
const refused = (read: () => unknown): unknown => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

interface Schema {
  readonly safeParse: (value: unknown) => unknown;
}

const fields = (schema: Schema, ...names: readonly string[]) => {
  return (text: string): unknown => schema.safeParse(Object.fromEntries(names.map((name) => [name, text])));
};

const streamed = (text: string) => (): Promise<Readable> => Promise.resolve(Readable.from([Buffer.from(text)]));
const request = (headers: object): Request =>
  ({ headers, headersDistinct: Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, [v]])) }) as Request;

const INGESTION = 'modules/ingestion';
const TABLES = 'modules/tables';
const ANNOTATIONS = `${TABLES}/annotation-files/domain`;
const signer = new UrlSigner(new Uint8Array(32));

const annotationsInJson = (text: string): unknown => {
  const json = `{"images":[${text}],"annotations":["${text}"]}`;
  return readAnnotations([{ name: 'annotations.json', size: 0, open: streamed(json) }]);
};

async function textManifest(text: string): Promise<number> {
  let entries = 0;
  for await (const entry of readManifest({ kind: 'txt', size: 0, open: streamed(text) })) entries += entry.length;
  return entries;
}

async function vectorNames(text: string): Promise<number> {
  let characters = 0;
  for await (const name of nameLines(Readable.from([Buffer.from(text)]))) characters += name.length;
  return characters;
}

/** All functions that read texts from callers, or from files of callers. */
export const TEXT_READERS: Readonly<Record<string, TextReader>> = {
  ...ANNOTATION_READERS,
  'an orientation': reader('common/engine/compute/decode/orientation.ts', (text) =>
    orientationInXmp(Buffer.from(`tiff:Orientation="${text}`)),
  ),
  'a failure': reader('common/platform/jobs/job-failure.ts', plainReason),
  'a time': reader('common/platform/http/query-values.ts', (text) => timeText.safeParse(`${text}T`)),
  'a search of captions': reader(
    ['common/engine/media-table/caption-index.ts', 'common/engine/models/text-words.ts'],
    (text) => toFullTextQuery({ kind: 'word', word: text }, 'caption_text'),
  ),
  'a folded text': reader(['common/engine/models/text-words.ts', 'common/platform/text/texts.ts'], (text) => {
    return wordsOf(foldText(text));
  }),
  'an answer of a model server': reader('common/platform/text/texts.ts', (text) => [
    plainText(text, 10_000),
    serverMessage(text),
    firstJson(text),
    firstJson(`{"a": ${text}`),
  ]),
  'a stem': reader('common/engine/models/text-words.ts', stemOf),
  'a row of values': reader('modules/annotations/domain/metadata-import.ts', (text) => {
    for (const type of METADATA_TYPES) {
      const field = { name: 'a', type, enumOptions: ['a'], isMulti: true };
      new ReceivedValues(field, [{ media_id: text, value: text }, { media_id: UNKNOWN_ID, value: [text] }, text]);
      new ReceivedValues(field, [{ media_id: UNKNOWN_ID, value: text }]);
    }
  }),
  'a column': reader('common/engine/media-table/literal.ts', (text) => refused(() => identifier(text))),
  'a download name': reader('common/platform/storage/links/content-headers.ts', (text) =>
    contentDisposition('inline', text),
  ),
  'a content type': reader('common/platform/storage/links/content-headers.ts', (text) => [
    contentTypeOf(text),
    isSafeInline(text),
  ]),
  'an object key in a link': reader('common/platform/storage/links/content-headers.ts', (text) =>
    // A text that was cut within a character has no escaped form.
    toUSVString(text) === text ? [escaped(text), escapedPath(text)] : undefined,
  ),
  'an object key': reader('common/platform/storage/object-key.ts', (text) => refused(() => assertObjectKey(text))),
  'a source': reader('common/platform/storage/sources/source-location.ts', (text) =>
    refused(() => [withoutRole(`s3://${text}`), withRole(`s3://${text}`, 'r'), parseSource(`s3://${text}`)]),
  ),
  'a signed path': reader('common/platform/storage/links/url-signer.ts', (path) =>
    refused(() => signedMediaUrl(signer, '', { kind: 'file', path }, { expiresInSeconds: 60 })),
  ),
  'trimmed characters': reader([], (text) => [
    trimStartOf(text, '/'),
    trimEndOf(`${text}x`, '/'),
    trimEndOf(text, '/'),
  ]),
  'a normal form': reader('common/platform/text/texts.ts', (text) => normalForm(text, 'NFKD')),
  'the audit filter': reader('modules/audit/http/audit.controller.ts', fields(auditQuery, 'before', 'actor', 'action')),
  'the history of annotations': reader(
    'modules/annotations/http/history.schemas.ts',
    fields(historyQuery, 'cursor', 'media_id', 'created_by'),
  ),
  'a label set': reader('modules/annotations/http/label-set.schemas.ts', (text) =>
    labelSetBody.safeParse({ labels: [{ name: text, colour: text, hot_key: text }] }),
  ),
  'an API key': reader('modules/auth/api-keys/domain/api-key.ts', isApiKey),
  'a bearer header': reader('modules/auth/api-keys/api-key.authenticator.ts', (text) => [
    bearerOf(request({ authorization: text })),
    bearerOf(request({ authorization: `Bearer ${text}` })),
  ]),
  'a bearer token': reader('modules/auth/api-keys/domain/bearer-token.ts', (text) => [
    isStrictForm(text),
    readJsonObject(Buffer.from(text)),
    readJsonObject(Buffer.from(JSON.stringify({ [text]: text }))),
    readJsonObject(Buffer.from(`{"a":${text}}`)),
  ]),
  'a return path': reader('modules/auth/oidc/http/oidc.controller.ts', (text) => returnPath(`/${text}`)),
  cookies: reader('modules/auth/sessions/domain/login-session.ts', (cookie) => [
    readCookie(request({ cookie }), 'SESSION'),
    sessionIdOf(cookie),
  ]),
  'an invitation': reader([], fields(inviteBody, 'email', 'role')),
  'an exported cell': reader('common/platform/text/lines.ts', (text) => csvLine([text])),
  'an exported name': reader(['common/platform/text/file-names.ts', 'modules/export/domain/export.ts'], (text) => [
    new ImageNames().of('id', text),
    labelFileName(text),
    archiveName(text),
  ]),
  'an export': reader('modules/export/http/export.schemas.ts', fields(contextQuery, 'file_name', 'export_format')),
  'an array of vectors': reader('modules/embeddings/domain/npy-layout.ts', (text) =>
    ['', "'descr':", "'shape': (1,", "'fortran_order':"].map((start) =>
      refused(() => npyLayout(npyWith(`{${start}${text}`), 0)),
    ),
  ),
  'names of vectors': reader('modules/embeddings/files/vector-block.ts', (text) => vectorNames(text).catch(() => 0)),
  'an upload of vectors': reader([], fields(embeddingForm, 'id', 'ladder', 'named_by', 'allow_missing')),
  'a user': reader('modules/idp-admin/http/user.schemas.ts', (text) => [
    fields(newUserBody, 'username', 'email', 'firstName', 'lastName', 'password')(text),
    fields(userPath, 'userId', 'user_id')(text),
  ]),
  'a member of an archive': reader(`${INGESTION}/uploads/archive.reader.ts`, (name) =>
    refused(() => memberPath({ name, isFolder: false })),
  ),
  'an archive name': reader(`${INGESTION}/uploads/domain/upload-errors.ts`, (text) =>
    refused(() => assertArchiveName(text)),
  ),
  'an extended header': reader([], (text) => refused(() => parseExtendedHeader(Buffer.from(text)))),
  'an annotated path': reader(`${ANNOTATIONS}/annotation-index.ts`, normalizedPath),
  'labels in a cell': reader(`${ANNOTATIONS}/file-fields.ts`, (text) => [
    labelsOfCell(text),
    labelsOfCell(`[${text}]`),
    labelsOfCell(`['a',${text}]`),
    labelsOfCell(`['${text}']`),
  ]),
  'annotations in JSON': reader([], annotationsInJson),
  'a file name': reader(`${TABLES}/analysis/domain/media-formats.ts`, (text) => classifyFileName(`${text}x`)),
  'an own key': reader(`${INGESTION}/storage-keys.ts`, (text) => [isOwnKey(text), isOwnKey(`blobs/${text}`)]),
  'an uploaded path': reader(`${INGESTION}/sources/domain/safe-relative-path.ts`, (text) => faultOfPath(text)),
  'a bucket path': reader(`${INGESTION}/sources/domain/source-location.ts`, (text) => [
    refused(() => parseSourceLocation(text)),
    refused(() => parseSourceLocation(`s3://${text}`)),
  ]),
  'an added batch': reader(
    `${INGESTION}/add/http/add-media.controller.ts`,
    fields(addMediaForm, 's3_uri', 'assume_role', 'batch_name'),
  ),
  'an entry of a manifest': reader(`${INGESTION}/sources/manifests/manifest-entry.ts`, (text) => [
    resolveEntry(text, { kind: 'file', path: '/a' }),
    resolveEntry(`s3://${text}`, { kind: 'file', path: '/a' }),
  ]),
  'a manifest name': reader(`${INGESTION}/sources/manifests/manifest-entry.ts`, (text) => [
    manifestKindOf(text),
    locationColumn([text]),
  ]),
  'a text manifest': reader(`${INGESTION}/sources/manifests/manifest.reader.ts`, (text) =>
    textManifest(text).catch(() => 0),
  ),
  'a pipeline token': reader(`${INGESTION}/pipeline/http/pipeline.controller.ts`, (text) => [
    tokenOf({ authorization: text }),
    tokenOf({ authorization: `Bearer ${text}` }),
  ]),
  'a pipeline path': reader(
    `${INGESTION}/pipeline/http/pipeline.controller.ts`,
    fields(processParameters, 'path', 'name'),
  ),
  'a cluster id': reader('modules/versions/clusters/domain/cluster-id.ts', (text) =>
    parseClusterId({ generation: UNKNOWN_ID, clusteringId: UNKNOWN_ID, objectClusteringId: null }, text),
  ),
  'a folder filter': reader([], async (text) => {
    const builder = FolderIndex.builder(1);
    builder.add('a/b.jpg');
    const index = builder.build();
    for (const op of ['one_of', 'starts_with', 'ends_with', 'contains'] as const) {
      await index.matching(op, [text, `${text}x`, `x${text}x`]);
    }
    return folderOf(text);
  }),
  'the labels parameter': reader([], (text) => [parseLabels(text), parseLabels(`[${text}]`)]),
  keywords: reader('modules/search/query/domain/parse-keywords.ts', parseKeywords),
  'the words of a search in a caption': reader([], (text) => {
    for (const words of ['a y', text]) new SoughtWords({ kind: 'phrase', words }).areIn([text]);
  }),
  'a line in a picture': reader(
    ['common/engine/models/paddle-ocr/readings.ts', 'common/engine/models/paddle-ocr/reading-order.ts'],
    (text) => {
      isReadWell({ region: 0, text, confidence: 1 });
      inReadingOrder([{ text, rectangle: { x: 0, y: 0, width: 2, height: 1, angle: 0 } }]);
    },
  ),
  'the nouns of a text': reader(
    ['common/engine/models/texts/noun-phrases.ts', 'common/engine/models/texts/singulars.ts'],
    (text) => [nounPhrasesIn(text, { has: () => false, longest: 8 }), singularsOf(text)],
  ),
  VQL: reader('modules/search/query/domain/vql-values.ts', (text) => [
    parseVql([{ folders: { op: 'one_of', value: [text] } }, { batch: { op: 'is', value: text } }]),
    parseVql([{ text: { op: 'fts', value: text } }, { [text]: { op: text } }]),
    problemOf(text),
  ]),
  'search parameters': reader(
    'modules/search/query/http/search-parameters.ts',
    fields(exploreParameters, 'vql', 'labels', 'caption', 'textual_similarity_threshold', 'page_number', 'threshold'),
  ),
  'a selection': reader('modules/search/selection/http/media-selection.schema.ts', (text) =>
    mediaSelection.safeParse({ select_all: true, media_ids: [text], cluster_ids: [text], excluded: [text] }),
  ),
  'a file of a deletion script': reader('modules/duplicates/domain/deletion-script.ts', (text) =>
    refused(() => deletionLine({ source: `/${text}`, sizeBytes: 0 }, { source: '/kept', sizeBytes: 0 })),
  ),
  'a tag': reader('common/platform/http/query-values.ts', (text) => [fields(tagBody, 'name')(text), nameKey(text)]),
  'a settings key': reader([], canonicalName),
  'a snapshot': reader('common/platform/http/query-values.ts', fields(newSnapshotBody, 'name', 'description')),
  'a view': reader('modules/views/http/view.schemas.ts', fields(viewForm, 'name')),
  'a webhook': reader(['modules/webhooks/sending/webhook-addresses.ts'], (text) => [
    plainHost(text),
    new AllowedHosts([text]),
    newWebhookBody.safeParse({ url: `http://${text}`, events: ['view.matched'] }),
  ]),
};

/** Regular expressions for texts that callers cannot control, with the origin of each text. */
export const OWN_TEXTS: Readonly<Record<string, string>> = {
  'src/modules/annotations/jobs/objects-of-source.ts':
    'ids of annotations, of bounded length, fixed lengths and anchored',
  'src/model-tools/packages/fetch-package.ts':
    'what a package manager writes, at most 16 KB, fixed words and one class',
  'src/model-tools/wordnet/database-lines.ts': 'fields of packages whose hash the catalogue has, one class, anchored',
  'src/model-tools/wordnet/image-net-classes.ts': 'lines of packages whose hash the catalogue has, one class',
  'src/model-tools/packages/model-package.ts': 'our own catalogue, at most 200 characters, anchored',
  'src/common/engine/compute/decode/decode-with-magick.ts': 'three characters, one at a time',
  'src/common/engine/compute/scratch-folder.ts': 'names of folders that this service makes',
  'src/common/engine/compute/limits-watch.thread.ts': 'what the kernel says of a process',
  'src/common/engine/compute/media-type.ts': 'the first 4096 bytes of a file, four at a time',
  'src/common/engine/compute/video-tools.ts': 'lines that ffmpeg writes, one expression from a fixed text on',
  'src/common/platform/config/child-process.ts': 'names of variables',
  'src/common/platform/config/configuration.ts': 'the configuration',
  'src/common/platform/config/configuration-page.ts': 'the names of variables',
  'src/common/platform/config/environment.schema.ts': 'the configuration',
  'src/common/platform/config/postgres-url.ts': 'the configuration',
  'src/common/platform/config/variable-types.ts': 'the configuration, and names of variables',
  'src/common/platform/database/database-refusal.ts': 'messages of Postgres and its driver, fixed words',
  'src/common/platform/database/guarded-pg.ts': 'messages of the Postgres client, fixed words, anchored',
  'src/common/platform/database/postgres-cluster.ts': 'the process list',
  'src/common/platform/database/data-source.ts': 'names of our own classes',
  'src/common/platform/http/parse-form.ts': 'escapes of three characters',
  'src/common/platform/http/json-body.interceptor.ts': 'a header of at most 16 KB, one class after fixed characters',
  'src/common/platform/http/unreadable-requests.ts': 'one class of at most 64 characters, anchored',
  'src/common/platform/http/zod-validation.pipe.ts': 'one character',
  'src/common/platform/installation/store-identity.ts': 'an id of a fixed length, anchored',
  'src/common/engine/media-table/lance-calls.ts': 'fixed words',
  'src/common/engine/models/model-manifest.ts': 'manifests that the operator installs',
  'src/common/engine/models/onnx-manifests.ts': 'manifests that the operator installs',
  'src/common/engine/models/servers/server-manifest.ts': 'manifests and key files that the operator installs',
  'src/common/platform/storage/create-storage.ts': 'the configuration',
  'src/common/platform/storage/folder/folder-object-store.ts': 'one optional character at the end of a key',
  'src/common/platform/storage/s3/s3-connection.ts': 'the configuration',
  'src/common/platform/storage/s3/s3-object-store.ts': 'one optional character at the end of a key',
  'src/common/platform/storage/s3/s3-outage.ts': 'three digits after a fixed text',
  'src/common/platform/storage/s3/s3-transport.ts': 'fixed words',
  'src/common/platform/storage/s3/s3-writer.ts': 'answers of the store',
  'src/commands/backup.ts': 'an argument of the operator, at most 6 digits, anchored',
  'src/maintenance/backup/copy-journal.ts': 'anchored, and no part of it can match a slash',
  'src/maintenance/backup/copy-objects.ts': 'prefixes of keys of our own',
  'src/maintenance/backup/manifest.ts': 'ids of a fixed length, anchored, and a time of our own',
  'src/maintenance/doctor/check-provider.ts': 'one optional character at the end of the configured issuer',
  'src/maintenance/verify/contents.ts': 'a prefix of a fixed length, anchored',
  'src/maintenance/verify/verification.ts': 'a prefix of a fixed length, anchored',
  'src/modules/audit/persistence/audit-list.read-model.ts': 'an id of a fixed length, anchored',
  'src/modules/auth/oidc/sign-in-attempts.ts': 'at most 100 characters of one class, anchored',
  'src/modules/export/archive/metadata.presenter.ts': 'names of frames that this service makes',
  'src/common/engine/annotation-formats/yolo/class-files.ts': 'classes of characters, one run at a time',
  'src/common/engine/annotation-formats/xml-text.ts': 'one character at a time',
  'src/common/engine/annotation-formats/member-names.ts': 'at most two characters, anchored',
  'src/common/engine/annotation-formats/sequences.ts': 'at most nine digits at the end of a name, or of a track',
  'src/modules/annotations/files/picture-rows.ts':
    'at most five characters at the end of a path, or one class at its start',
  'src/modules/export/archive/source-format.ts': 'at most eight characters, anchored',
  'src/modules/idp-admin/provide-identity-provider.ts': 'answers of the provider',
  'src/common/platform/archives/read-tar.ts': 'fields of 12 bytes, and at most 16 digits, anchored',
  'src/modules/ingestion/sources/source-media.ts': 'one optional character at the end of the configured store',
  'src/modules/settings/domain/setting-definition.ts': 'fixed words',
};
