import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import { DOCS_PATH } from './description/open-api';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Allows no inline content: responses of the service are data, and the pages of the console have their own policy. */
const DIRECTIVES = {
  defaultSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

/** The page of the API description has inline styles with icons. */
const DOCS_DIRECTIVES = { ...DIRECTIVES, imgSrc: ["'self'", 'data:'], styleSrc: ["'self'", "'unsafe-inline'"] };

/** Call it before any other middleware, so that refusals have the headers too. */
export function setSecurityHeaders(app: NestExpressApplication, { baseUrl }: { readonly baseUrl: string }): void {
  app.disable('x-powered-by');
  app.use(
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: DIRECTIVES },
      frameguard: { action: 'deny' },
      // Lets browsers tell the service over plain HTTP that one of its own pages sent the request.
      referrerPolicy: { policy: 'same-origin' },
      // Without subdomains: other services of the domain may still need plain HTTP.
      strictTransportSecurity: baseUrl.startsWith('https://') && { maxAge: YEAR_SECONDS, includeSubDomains: false },
    }),
  );
  app.use(`/${DOCS_PATH}`, helmet.contentSecurityPolicy({ useDefaults: false, directives: DOCS_DIRECTIVES }));
}
