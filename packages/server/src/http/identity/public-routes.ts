import { IdentityError } from '../../accounts/identity-error.ts';
import {
  certificatesByKeyId,
  jwks,
  KEY_CACHE_CONTROL,
  openIdConfiguration,
} from '../../tokens/key-publication.ts';
import type { PublicRequest, PublicRoute } from './identity-route.ts';

/** The account of the official service that signs ID tokens: verifiers ask for its keys. */
const ISSUER_ACCOUNT = 'securetoken@system.gserviceaccount.com';
const JWKS_PATH = '/.well-known/jwks.json';

/** What verifiers of tokens read. */
export const PUBLIC_ROUTES: readonly PublicRoute[] = [
  publicRoute('/robot/v1/metadata/x509/{account}', (request, { publishedKeys }) => {
    mustBeIssuer(request);
    return certificatesByKeyId(publishedKeys.idToken);
  }),
  publicRoute('/service_accounts/v1/jwk/{account}', (request, { publishedKeys }) => {
    mustBeIssuer(request);
    return { ...jwks(publishedKeys.idToken) };
  }),
  publicRoute(JWKS_PATH, (_request, { publishedKeys }) => ({ ...jwks(publishedKeys.idToken) })),
  publicRoute('/{project}/.well-known/openid-configuration', ({ segments, origin }, { projects }) => {
    const project = projects.find(segments['project'] ?? '');
    if (project === undefined) throw new IdentityError('NOT_FOUND');
    return openIdConfiguration(project.id, `${origin}${JWKS_PATH}`);
  }),
  publicRoute('/identitytoolkit/v3/relyingparty/publicKeys', (_request, { publishedKeys }) =>
    certificatesByKeyId(publishedKeys.sessionCookie),
  ),
  publicRoute('/v1/sessionCookiePublicKeys', (_request, { publishedKeys }) => ({
    ...jwks(publishedKeys.sessionCookie),
  })),
];

function publicRoute(path: string, publish: PublicRoute['publish']): PublicRoute {
  return {
    method: 'GET',
    path,
    audience: 'public',
    headers: { 'cache-control': KEY_CACHE_CONTROL },
    publish,
  };
}

function mustBeIssuer({ segments }: PublicRequest): void {
  if (segments['account'] !== ISSUER_ACCOUNT) throw new IdentityError('NOT_FOUND');
}
