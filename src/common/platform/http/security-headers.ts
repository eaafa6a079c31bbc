import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Call it before any other middleware, so that refusals have the headers too. */
export function setSecurityHeaders(app: NestExpressApplication, { baseUrl }: { readonly baseUrl: string }): void {
  app.disable('x-powered-by');
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          imgSrc: ["'self'", 'data:'],
          styleSrc: ["'self'", "'unsafe-inline'"],
          scriptSrc: ["'self'", "'unsafe-inline'"],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
        },
      },
      frameguard: { action: 'deny' },
      // By which a browser tells over plain http that it asks for a page of this service.
      referrerPolicy: { policy: 'same-origin' },
      // Without subdomains: other services of the site may still need plain HTTP.
      strictTransportSecurity: baseUrl.startsWith('https://') && { maxAge: YEAR_SECONDS, includeSubDomains: false },
    }),
  );
}
