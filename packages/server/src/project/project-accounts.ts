import { Fields, type JsonObject } from '../accounts/fields.ts';
import type { ClientInfo, IdentityCall } from '../accounts/identity-call.ts';
import type { IdentityServices } from '../accounts/identity-services.ts';
import { StartFailure } from '../ops/start-failure.ts';

const CLIENT: ClientInfo = {
  address: '',
  userAgent: 'hearth',
  requestId: null,
  locale: '',
  origin: null,
  isWeb: false,
};

/** The accounts of one project, for what works on them while no requests come. */
export class ProjectAccounts {
  readonly services: IdentityServices;
  readonly projectId: string;

  constructor(services: IdentityServices, projectId: string) {
    this.services = services;
    this.projectId = projectId;
  }

  /** Carries out a method as an administrator who may read hashes. */
  call<Answer>(
    method: (call: IdentityCall, services: IdentityServices) => Promise<Answer>,
    body: JsonObject = {},
  ): Promise<Answer> {
    const project = this.services.projects.find(this.projectId);
    if (project === undefined) throw new StartFailure(`${this.projectId} cannot be the name of a project.`);
    return method(
      {
        project,
        caller: { kind: 'admin', name: 'hearth', mayReadHashes: true, ownsProject: true },
        client: CLIENT,
        fields: new Fields(body),
        segments: { project: this.projectId },
        origin: '',
      },
      this.services,
    );
  }
}
