import { isIP } from 'node:net';
import { findAuthorizedUrl } from '../codes/links.ts';
import type { ProjectSettings } from '../projects/project.ts';
import type { AuthRequest } from '../request.ts';

/** The domain for which a project's passkeys are valid, and the pages that may use them. */
export interface RelyingParty {
  /** The RP ID: a host name without a port. */
  readonly id: string;
  readonly settings: ProjectSettings;
  /** The origin of this server. */
  readonly origin: string;
  readonly isDevelopment: boolean;
}

/**
 * Maximum number of origins that `/.well-known/webauthn` lists. Browsers accept origins of about five different
 * domains.
 */
export const MAX_RELATED_ORIGINS = 100;

export function relyingPartyOf(
  { project, origin }: Pick<AuthRequest, 'project' | 'origin'>,
  { isDevelopment }: { readonly isDevelopment: boolean },
): RelyingParty {
  const { settings } = project;
  const ownHost = isDevelopment ? 'localhost' : new URL(origin).hostname;
  return { id: settings.passkeys.rpId ?? ownHost, settings, origin, isDevelopment };
}

/**
 * Returns whether a page or an app may use the passkeys. The browser or the phone reports `origin`: the origin of a
 * page, or `android:apk-key-hash:` with the hash of the key that signed an app.
 */
export function isAcceptedOrigin(origin: string, party: RelyingParty): boolean {
  const { settings, isDevelopment } = party;
  if (settings.passkeys.androidKeyHashes.some((hash) => origin === `android:apk-key-hash:${hash}`))
    return true;
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin) return false;
  const isBelow = url.hostname === party.id || url.hostname.endsWith(`.${party.id}`);
  // Apps on Apple devices report the origin of the RP ID itself.
  if (isBelow && (origin === party.origin || origin === `https://${party.id}`)) return true;
  if (url.protocol === 'http:') return isDevelopment && isBelow && isLocalhost(url.hostname);
  if (url.protocol !== 'https:' || findAuthorizedUrl(origin, settings) === undefined) return false;
  return isBelow || relatedOrigins(party).includes(origin);
}

function isLocalhost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}

/**
 * Returns the origins of authorized domains outside the domain of the RP ID. Their pages may use the passkeys if the
 * RP ID lists them at `/.well-known/webauthn`.
 */
export function relatedOrigins({ id, settings }: Pick<RelyingParty, 'id' | 'settings'>): readonly string[] {
  return settings.authorizedDomains
    .filter((domain) => /^[a-z0-9.-]+$/.test(domain) && isIP(domain) === 0)
    .filter((domain) => domain !== id && !domain.endsWith(`.${id}`) && !isLocalhost(domain))
    .map((domain) => `https://${domain}`)
    .slice(0, MAX_RELATED_ORIGINS);
}
