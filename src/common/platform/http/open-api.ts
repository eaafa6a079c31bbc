import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

export const DOCS_PATH = 'api/v1/docs';

/** The API description, generated from the validation schemas when first requested. */
export function serveOpenApi(app: INestApplication): void {
  const settings = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Dataset Media Service')
    .setDescription('Index, explore, search, enrich, watch, snapshot and export datasets of images and videos.')
    .setVersion('v1')
    .build();
  SwaggerModule.setup(DOCS_PATH, app, () => withContentOfTexts(SwaggerModule.createDocument(app, settings)), {
    jsonDocumentUrl: 'api/v1/openapi.json',
    raw: ['json'],
    customSiteTitle: 'Dataset Media Service API',
  });
}

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** A query parameter with a format of its own, such as JSON, is described by `content`; a schema alone would mean plain text. */
function withContentOfTexts(document: OpenAPIObject): OpenAPIObject {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item) as Operation[]);
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    if (!('schema' in parameter)) continue;
    const { contentMediaType, ...schema } = parameter.schema as { contentMediaType?: string };
    if (contentMediaType === undefined) continue;
    delete parameter.schema;
    parameter.content = { [contentMediaType]: { schema } };
  }
  return document;
}
