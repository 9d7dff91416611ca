import { parseCookieDuration, sessionCookieClaims } from '../../tokens/session-cookie.ts';
import { readHolder } from '../caller-account.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';
import { tellAudit } from '../tell-audit.ts';

/** `createSessionCookie`: an ID token for a cookie that says the same for longer. How recent it must be, the app decides. */
export async function createSessionCookie(
  call: IdentityCall,
  services: IdentityServices,
): Promise<JsonObject> {
  const { token } = await readHolder(call, services);
  const durationSec = parseCookieDuration(call.fields.find('validDuration'));
  const nowSec = Math.floor(services.clock.nowMs() / 1_000);
  const claims = sessionCookieClaims(token, call.project.id, durationSec, nowSec);
  const sessionCookie = await services.sessionCookies.sign(claims);
  tellAudit(services, call, 'session_cookie_created', token.uid);
  return { sessionCookie };
}
