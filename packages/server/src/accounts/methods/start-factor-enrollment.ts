import { readHolder } from '../caller-account.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';
import { mustBeOffered } from '../second-factor/is-offered.ts';
import { mustAllowEnrollment } from '../second-factor/must-allow-enrollment.ts';
import { mustAskForKind } from '../second-factor/must-ask-for-kind.ts';

/** `mfaEnrollment:start`: what somebody needs to make a second factor. Nothing is kept until it is finished. */
export async function startFactorEnrollment(
  call: IdentityCall,
  services: IdentityServices,
): Promise<JsonObject> {
  const { project, fields } = call;
  const { kind, block } = mustAskForKind(fields, 'startEnrollment', project.settings);
  const { token, account } = await readHolder(call, services);
  services.books.read((view) => mustBeOffered(view, kind, project, account.uid));
  const nowMs = services.clock.nowMs();
  mustAllowEnrollment(account, token, kind, nowMs);
  return kind.startEnrollment({ project, services, account, nowMs }, block);
}
