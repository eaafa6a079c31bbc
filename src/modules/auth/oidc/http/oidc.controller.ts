import { Controller, Get, Header, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiConsumes, ApiBody, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { CONFIGURATION, type Configuration } from '../../../../common/platform/config/configuration';
import { ChangesState, Public } from '../../../../common/platform/http/access';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
import { RateLimited } from '../../../../common/platform/http/rate-limited';
import { readUrlencoded } from '../../../../common/platform/http/read-body';
import { cookieOptions, readCookie, SESSION_COOKIE } from '../../sessions/session.authenticator';
import { InvalidLogoutTokenError, SignInDisabledError, UnknownSignInError } from '../domain/sign-in-errors';
import { IdentityClient } from '../identity-client';
import { SignInAttempts } from '../sign-in-attempts';
import { SignInUseCase } from '../sign-in.use-case';
import { SignOutUseCase } from '../sign-out.use-case';

const LONGEST = 2000;

/** An invalid value is ignored: it must not prevent the sign-in. */
const loginQuery = z.object({
  return_to: z.unknown().optional().meta({
    type: 'string',
    description: 'Where to redirect afterwards: a path of this service, beginning with one slash.',
  }),
});
type LoginQuery = z.output<typeof loginQuery>;

const NOT_KEPT = ['Cache-Control', 'no-store'] as const;

@ApiTags('Sign-in')
@Controller('api/v1/oidc')
@Public()
@MayFail(404)
export class OidcController {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly attempts: SignInAttempts,
    private readonly identities: IdentityClient,
    private readonly signIn: SignInUseCase,
    private readonly signOut: SignOutUseCase,
  ) {}

  @Get('login')
  @RateLimited('login')
  @Header(...NOT_KEPT)
  @ApiOperation({ summary: 'Sign in at the identity provider, in a browser' })
  @ApiResponse({ status: 302, description: 'To the identity provider.' })
  async login(
    @Query({ schema: loginQuery }) { return_to: returnTo }: LoginQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    this.assertSignInOffered();
    const attempt = this.attempts.begin(returnPath(returnTo), request, response);
    response.redirect(302, (await this.identities.authorizationUrl(attempt)).href);
  }

  @Get('callback')
  @RateLimited('login')
  @Header(...NOT_KEPT)
  @ApiOperation({ summary: 'Redirect URI of the identity provider' })
  @ApiResponse({ status: 302, description: 'To the page that the person came from, with a session.' })
  @ApiQuery({ name: 'state', required: false, type: 'string', description: 'Identifies the sign-in that was started.' })
  @ApiQuery({ name: 'code', required: false, type: 'string', description: 'Authorization code of the provider.' })
  @ApiQuery({
    name: 'error',
    required: false,
    type: 'string',
    description: 'Error code of the provider, if the sign-in failed.',
  })
  @MayFail(400, 403)
  async callback(@Req() request: Request, @Res() response: Response): Promise<void> {
    this.assertSignInOffered();
    const { searchParams: parameters } = new URL(request.originalUrl, this.configuration.baseUrl);
    const attempt = this.attempts.take(parameters.get('state'), request, response);
    if (attempt === undefined) throw new UnknownSignInError();
    const token = await this.signIn.signIn(parameters, attempt, readCookie(request, SESSION_COOKIE));
    response.cookie(SESSION_COOKIE, token, cookieOptions(this.configuration));
    response.redirect(302, attempt.returnTo);
  }

  @Get('logout')
  @ChangesState()
  @Header(...NOT_KEPT)
  @ApiOperation({ summary: 'Sign out here and at the identity provider' })
  @ApiResponse({ status: 303, description: "To the identity provider's page for signing out, or to this service." })
  async logout(@Req() request: Request, @Res() response: Response): Promise<void> {
    this.assertSignInOffered();
    const elsewhere = await this.signOut.signOut(readCookie(request, SESSION_COOKIE));
    response.clearCookie(SESSION_COOKIE, cookieOptions(this.configuration));
    response.redirect(303, elsewhere?.href ?? `${this.configuration.baseUrl}/`);
  }

  @Post('logout')
  @ChangesState()
  @Header(...NOT_KEPT)
  @ApiOperation({ summary: 'Sign out here and at the identity provider, by a form' })
  @ApiResponse({ status: 303, description: "To the identity provider's page for signing out, or to this service." })
  logoutPosted(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.logout(request, response);
  }

  @Post('backchannel-logout')
  @HttpCode(200)
  @Header(...NOT_KEPT)
  @ApiOperation({ summary: 'Back-channel logout, called by the identity provider' })
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiBody({
    schema: {
      type: 'object',
      required: ['logout_token'],
      properties: { logout_token: { type: 'string', example: 'eyJhbGciOiJSUzI1NiJ9.eyJzaWQiOiJjMGE4In0.c2ln' } },
    },
  })
  async backchannelLogout(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    this.assertSignInOffered();
    const { logout_token: token } = await readUrlencoded(request, response);
    if (token === undefined) throw new InvalidLogoutTokenError();
    await this.signOut.signOutAtProvider(token);
  }

  private assertSignInOffered(): void {
    if (this.configuration.oidc === null) throw new SignInDisabledError();
  }
}

/** Where to redirect after signing in: always a path of this service (no open redirect). */
export function returnPath(asked: unknown): string {
  if (typeof asked !== 'string' || asked.length > LONGEST) return '/';
  // Browsers treat a backslash as a slash, and remove tabs and line breaks before parsing.
  // eslint-disable-next-line no-control-regex
  if (!/^\/[^\\\u0000-\u001f\u007f]*$/.test(asked)) return '/';
  const [path] = asked.split(/[?#]/, 1);
  return path!.includes('//') ? '/' : asked;
}
