import type { AuditEventName } from '../audit/audit-events.ts';
import type { ApiRequest } from './api-request.ts';

/** Tells the audit of a project what an administrator did to it by the interface of Hearth's own. */
export function tellAdminAct(
  { backend, client }: ApiRequest,
  projectId: string,
  event: AuditEventName,
  detail: string | null = null,
): void {
  // Credentials of this interface have no names.
  backend.audit.tell({
    event,
    projectId,
    uid: null,
    actor: 'administrator',
    ...client,
    result: 'ok',
    detail,
  });
}
