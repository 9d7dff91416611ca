import { createChallenge } from '../captcha/create-challenge.ts';
import {
  readPasswordPolicy,
  readProjectConfig,
  readRecaptchaConfig,
  readRecaptchaParams,
} from '../projects/config-methods.ts';
import { APP_CHECK_ROUTES } from './app-check-routes.ts';
import { HOSTED_ROUTES } from './hosted-routes.ts';
import { type AuthApiRoute, FOR_CONSOLE, type MethodRoute } from './router.ts';

/**
 * The route at which clients get a challenge. The script that solves it sends no headers, so the API key is in the body.
 */
const CHALLENGE_ROUTE: MethodRoute = {
  ...FOR_CONSOLE,
  method: 'POST',
  path: '/__/auth/challenge',
  isKeyInBody: true,
  maxBodyBytes: 2_048,
  run: createChallenge,
};

/**
 * The routes that an app calls before a user signs in: settings of the project, challenges, the hosted pages and App Check.
 */
export const CONFIG_ROUTES: readonly AuthApiRoute[] = [
  { method: 'GET', path: '/v1/projects', audience: 'anyone', run: readProjectConfig },
  { method: 'GET', path: '/v1/recaptchaParams', audience: 'anyone', run: readRecaptchaParams },
  { ...FOR_CONSOLE, method: 'GET', path: '/v2/recaptchaConfig', run: readRecaptchaConfig },
  { ...FOR_CONSOLE, method: 'GET', path: '/v2/passwordPolicy', run: readPasswordPolicy },
  CHALLENGE_ROUTE,
  ...HOSTED_ROUTES,
  ...APP_CHECK_ROUTES,
];
