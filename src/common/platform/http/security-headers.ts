import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import { DOCS_PATH } from './description/open-api';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Nothing inline: responses of the service are data, and the pages of the console have a policy of their own. */
const DIRECTIVES = {
  defaultSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

/** The page of the API description has inline styles, and icons in them. */
const DOCS_DIRECTIVES = { ...DIRECTIVES, imgSrc: ["'self'", 'data:'], styleSrc: ["'self'", "'unsafe-inline'"] };

/** Call it before any other middleware, so that refusals have the headers too. */
export function setSecurityHeaders(app: NestExpressApplication, { baseUrl }: { readonly baseUrl: string }): void {
  app.disable('x-powered-by');
  app.use(
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: DIRECTIVES },
      frameguard: { action: 'deny' },
      // Lets a browser say over plain http that a page of this service sent the request.
      referrerPolicy: { policy: 'same-origin' },
      // Without subdomains: other services of the site may still need plain HTTP.
      strictTransportSecurity: baseUrl.startsWith('https://') && { maxAge: YEAR_SECONDS, includeSubDomains: false },
    }),
  );
  app.use(`/${DOCS_PATH}`, helmet.contentSecurityPolicy({ useDefaults: false, directives: DOCS_DIRECTIVES }));
}
