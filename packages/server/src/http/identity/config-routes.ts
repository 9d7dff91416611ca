import {
  readPasswordPolicy,
  readProjectConfig,
  readRecaptchaConfig,
  readRecaptchaParams,
} from '../../accounts/methods/project-config.ts';
import type { MethodRoute } from './identity-route.ts';

/** What apps read of their project before anybody signs in. */
export const CONFIG_ROUTES: readonly MethodRoute[] = [
  { method: 'GET', path: '/v1/projects', audience: 'anyone', run: readProjectConfig },
  { method: 'GET', path: '/v1/recaptchaParams', audience: 'anyone', run: readRecaptchaParams },
  { method: 'GET', path: '/v2/recaptchaConfig', audience: 'anyone', run: readRecaptchaConfig },
  { method: 'GET', path: '/v2/passwordPolicy', audience: 'anyone', run: readPasswordPolicy },
];
