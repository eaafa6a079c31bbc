import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

export const DOCS_PATH = 'api/v1/docs';

/** The description of the API, made from the schemas that validate it when it is first asked for. */
export function serveOpenApi(app: INestApplication): void {
  const settings = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Dataset Media Service')
    .setDescription('Index, explore, search, enrich, watch, snapshot and export datasets of images and videos.')
    .setVersion('v1')
    .build();
  SwaggerModule.setup(DOCS_PATH, app, () => SwaggerModule.createDocument(app, settings), {
    jsonDocumentUrl: 'api/v1/openapi.json',
    raw: ['json'],
    customSiteTitle: 'Dataset Media Service API',
  });
}
