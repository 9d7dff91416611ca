import { returnAddressOf } from '../auth/flows/flow-provider.ts';
import { findProviderConfig } from '../auth/providers/provider-config-store.ts';
import { serviceMetadata } from '../auth/saml/metadata.ts';
import { certificatesOf, findServiceKey } from '../auth/saml/service-key.ts';
import type { AuthServices } from '../auth/services.ts';
import { findTenantProject } from '../auth/tenants/select.ts';
import { type Answer, wholeText } from '../http/response.ts';
import { INSTALLATION } from '../records/store.ts';

const PATH = /^\/__\/auth\/saml\/(saml\.[\w.-]{1,123})\/metadata$/;

/** Returns whether a path is that of the SAML metadata, with which an administrator sets up a SAML provider. */
export function isSamlMetadataPath(path: string): boolean {
  return PATH.test(path);
}

/**
 * Answers with the SAML metadata of a project (`project`) or a tenant (`tid`) for one of its providers; `undefined` if there
 * is none. `handler` is the address to which providers redirect users.
 */
export function answerSamlMetadata(
  services: Pick<AuthServices, 'projects' | 'tenants' | 'recordStore'>,
  path: string,
  query: URLSearchParams,
  handler: string,
): Answer | undefined {
  const [, providerId = ''] = PATH.exec(path) ?? [];
  const owner = services.projects.find(query.get('project') ?? '');
  const tenantId = query.get('tid');
  const project =
    owner === undefined || tenantId === null ? owner : findTenantProject(owner, tenantId, services);
  if (project === undefined) return undefined;
  const [config, key] = services.recordStore.read((view) => {
    const records = view.records(INSTALLATION);
    return [findProviderConfig(records, project.scope, providerId), findServiceKey(records, project.scope)];
  });
  if (config?.kind !== 'saml') return undefined;
  return {
    status: 200,
    headers: {
      'content-type': 'application/samlmetadata+xml; charset=utf-8',
      'content-disposition': `attachment; filename="${providerId}.xml"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body: wholeText(serviceMetadata(config, returnAddressOf(config, handler), certificatesOf(key))),
  };
}
