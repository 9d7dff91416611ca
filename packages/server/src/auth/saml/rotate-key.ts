import { X509Certificate } from 'node:crypto';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { ROTATION_STEPS } from './rotation-steps.ts';
import { certificatesOf, rotateKey, type ServiceKey } from './service-key.ts';

/** Returns the certificates of a key as `spConfig.spCertificates` contains them. */
export function certificatesJson(key: ServiceKey | undefined): readonly JsonObject[] {
  return certificatesOf(key).map((certificate) => ({
    x509Certificate: certificate,
    expiresAt: new Date(new X509Certificate(certificate).validTo).toISOString(),
  }));
}

/**
 * `POST …/inboundSamlConfigs:rotateKey`: replaces the key that signs requests to SAML providers, in the steps of `rotateKey`
 * (`step`). Returns the certificates. Throws `CONFIGURATION_NOT_FOUND` if there is no key, or no next one.
 */
export async function rotateServiceKey(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { fields, project } = call;
  services.throttle.requireAllowedInProject(project.id, 'configChanges');
  const step = ROTATION_STEPS.find((known) => known === fields.filled('step'));
  if (step === undefined)
    throw new AuthApiError('INVALID_ARGUMENT', `"step" must be one of ${ROTATION_STEPS.join(', ')}.`);
  const key = await rotateKey(services, project.scope, step);
  if (key === undefined)
    throw new AuthApiError(
      'CONFIGURATION_NOT_FOUND',
      step === 'PREPARE' ? 'There is no SAML provider.' : 'There is no next key. Begin with PREPARE.',
    );
  recordAudit(services, call, 'provider_config_changed', null, { detail: `key for SAML: ${step}` });
  return { spCertificates: certificatesJson(key) };
}
