import type { AuditEventName } from '../audit/audit-events.ts';
import { type IdentityCall, sourceOf } from './identity-call.ts';
import type { IdentityServices } from './identity-services.ts';

/** Takes down that a request did something that matters to security. */
export function tellAudit(
  { audit }: IdentityServices,
  { project, caller, client }: IdentityCall,
  event: AuditEventName,
  uid: string | null,
  { result = 'ok', detail = null }: { readonly result?: string; readonly detail?: string | null } = {},
): void {
  audit.tell({
    event,
    projectId: project.id,
    uid,
    actor: caller.kind === 'admin' ? caller.name : 'app',
    ...sourceOf(client),
    result,
    detail,
  });
}
