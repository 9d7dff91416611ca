import type { IncomingMessage } from 'node:http';
import type { AuditTrail } from '../audit/trail.ts';
import type { Project } from '../auth/projects/project.ts';
import { requestSource } from '../http/request-source.ts';
import type { Transport } from '../http/transport.ts';

/** A page that did not lead to an address. */
export interface RejectedRedirect {
  /** The path of the page. */
  readonly page: string;
  /** `undefined` if the request names no project that exists. Then the attempt is not recorded. */
  readonly project: Project | undefined;
  /** The address as the request contains it. */
  readonly address: string;
}

const MAX_HOST_LENGTH = 100;

/** Records in the audit log that a page did not lead to an address, because the project does not authorize it. */
export function recordRejectedRedirect(
  audit: Pick<AuditTrail, 'notify'>,
  transport: Pick<Transport, 'clientAddressOf'>,
  request: IncomingMessage,
  { page, project, address }: RejectedRedirect,
): void {
  if (project === undefined) return;
  const host = URL.parse(address)?.host.slice(0, MAX_HOST_LENGTH) || 'not a URL';
  audit.notify({
    event: 'redirect_rejected',
    projectId: project.id,
    uid: null,
    actor: 'app',
    ...requestSource(request, transport.clientAddressOf(request)),
    result: 'UNAUTHORIZED_DOMAIN',
    detail: `${page}: ${host}`,
  });
}
