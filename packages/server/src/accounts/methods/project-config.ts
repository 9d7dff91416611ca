import { encodePublicPasswordPolicy } from '../../passwords/password-policy-json.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';

/** Stands where clients expect a key of reCAPTCHA: they ask nobody for a proof, and without any key they log an error. */
const NO_SITE_KEY = 'none';

/** `GET /v1/projects`: where sign-ins may come from. In development mode also wherever this server is asked. */
export async function readProjectConfig(
  { project, origin }: IdentityCall,
  { isDevelopment }: IdentityServices,
): Promise<JsonObject> {
  // Clients take a domain for itself and all below it, and fail on an asterisk.
  const domains = project.settings.authorizedDomains.map((domain) => domain.replace(/^\*\./, ''));
  const own = isDevelopment ? [URL.parse(origin)?.hostname ?? 'localhost'] : [];
  return { projectId: project.number, authorizedDomains: [...new Set([...domains, ...own])] };
}

/** `GET /v1/recaptchaParams`. */
export async function readRecaptchaParams({ project }: IdentityCall): Promise<JsonObject> {
  return {
    kind: 'identitytoolkit#GetRecaptchaParamResponse',
    recaptchaSiteKey: NO_SITE_KEY,
    recaptchaStoken: NO_SITE_KEY,
    producerProjectNumber: project.number,
  };
}

/** `GET /v2/recaptchaConfig`: off, or clients would load a script of its maker. */
export async function readRecaptchaConfig({ project }: IdentityCall): Promise<JsonObject> {
  const providers = ['EMAIL_PASSWORD_PROVIDER', 'PHONE_PROVIDER'];
  return {
    recaptchaKey: `projects/${project.id}/keys/${NO_SITE_KEY}`,
    recaptchaEnforcementState: providers.map((provider) => ({ provider, enforcementState: 'OFF' })),
  };
}

/** `GET /v2/passwordPolicy`. */
export async function readPasswordPolicy({ project }: IdentityCall): Promise<JsonObject> {
  return encodePublicPasswordPolicy(project.settings.passwordPolicy);
}
