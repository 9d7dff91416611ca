import { readHolder } from '../caller-account.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';
import { mustAllowEnrollment } from '../second-factor/must-allow-enrollment.ts';
import { mustAskForOffered } from '../second-factor/must-ask-for-offered.ts';

/** `mfaEnrollment:start`: what somebody needs to make a second factor. Nothing is kept until it is finished. */
export async function startFactorEnrollment(
  call: IdentityCall,
  services: IdentityServices,
): Promise<JsonObject> {
  const { project, fields } = call;
  const { kind, block } = mustAskForOffered(fields, 'startEnrollment', project.settings);
  const { token, account } = await readHolder(call, services);
  const nowMs = services.clock.nowMs();
  mustAllowEnrollment(account, token, kind, nowMs);
  return kind.startEnrollment({ project, services, account, nowMs }, block);
}
