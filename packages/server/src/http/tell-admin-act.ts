import type { AuditEventName } from '../audit/audit-events.ts';
import type { ApiRequest } from './api-request.ts';

/** Tells the audit of a project, or that of the server, what an administrator did by the interface of Hearth's own. */
export function tellAdminAct(
  { admin, backend, client }: ApiRequest,
  projectId: string | null,
  event: AuditEventName,
  detail: string | null = null,
  uid: string | null = null,
): void {
  backend.audit.tell({
    event,
    projectId,
    uid,
    actor: admin.name,
    ...client,
    result: 'ok',
    detail,
  });
}
