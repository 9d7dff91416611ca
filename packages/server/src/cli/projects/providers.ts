import { StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { createProjectClient, type ProjectAnswer, type SendProjectRequest } from './client.ts';
import { PROJECT_PROVIDERS_OPTIONS, PROVIDER_SECRET } from './provider-options.ts';

/** The kinds of providers in the API: the name of the collection, and the parameter that names a new one. */
const COLLECTIONS = [
  { name: 'defaultSupportedIdpConfigs', idParameter: 'idpId' },
  { name: 'oauthIdpConfigs', idParameter: 'oauthIdpConfigId' },
  { name: 'inboundSamlConfigs', idParameter: 'inboundSamlConfigId' },
] as const;

type Collection = (typeof COLLECTIONS)[number];
type Flags = FlagsOf<typeof PROJECT_PROVIDERS_OPTIONS>;

/**
 * Runs `hearth project providers`: sets, switches off or removes an identity provider of a project, and prints all of
 * them. Rejects with a message for the user if a request fails.
 */
export async function runProjectProviders(flags: Flags, project: string): Promise<void> {
  const provider = readOption(PROJECT_PROVIDERS_OPTIONS.provider, flags.provider);
  const changes = changesOf(flags, provider);
  const sendRequest = createProjectClient(flags);
  const base = `/v2/projects/${encodeURIComponent(project)}/`;
  if (provider !== null) await change(flags, sendRequest, base, provider, changes);
  const lists = await Promise.all(COLLECTIONS.map((collection) => listAll(sendRequest, base, collection)));
  process.stdout.write(formatProviders(lists.flat()));
  const step = readOption(PROJECT_PROVIDERS_OPTIONS.samlKey, flags.samlKey);
  if (step === null) return;
  const { spCertificates } = await sendRequest('POST', `${base}inboundSamlConfigs:rotateKey`, { step });
  process.stdout.write(formatCertificates(spCertificates));
}

/** Returns the members of the configuration that the options set. */
function changesOf(flags: Flags, provider: string | null): Readonly<Record<string, unknown>> {
  const options = PROJECT_PROVIDERS_OPTIONS;
  const clientId = readOption(options.clientId, flags.clientId);
  const issuer = readOption(options.issuer, flags.issuer);
  const otherClientIds = readOption(options.otherClient, flags.otherClient);
  const trusted = readOption(options.trustEmail, flags.trustEmail);
  const clientSecret = readOption(PROVIDER_SECRET, undefined);
  const hearth = { ...authorityOf(trusted), ...(otherClientIds.length === 0 ? {} : { otherClientIds }) };
  const changes = {
    ...(clientId === null ? {} : { clientId }),
    ...(issuer === null ? {} : { issuer }),
    ...(clientSecret === '' ? {} : { clientSecret }),
    ...(Object.keys(hearth).length === 0 ? {} : { hearth }),
  };
  const isNamed = provider !== null;
  const isGiven = Object.keys(changes).some((name) => name !== 'clientSecret') || flags.off || flags.remove;
  if (isGiven && !isNamed)
    throw new StartFailure('Name the provider with --provider, such as --provider google.com.');
  if (provider?.startsWith('saml.') === true && !flags.off && !flags.remove)
    throw new StartFailure(
      'Set up a SAML provider in the console, which reads its metadata, or with firebase-admin: createProviderConfig.',
    );
  return changes;
}

function authorityOf(trusted: readonly string[]): object {
  const [first] = trusted;
  if (first === undefined) return {};
  if (trusted.length === 1 && ['default', 'never', 'verified'].includes(first))
    return { emailAuthority: first.toUpperCase() };
  return { emailAuthority: 'DOMAINS', emailDomains: trusted };
}

async function change(
  flags: Flags,
  sendRequest: SendProjectRequest,
  base: string,
  provider: string,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  const collection = collectionOf(provider);
  const one = `${base}${collection.name}/${encodeURIComponent(provider)}`;
  if (flags.remove) {
    await sendRequest('DELETE', one);
    return;
  }
  const body = { enabled: !flags.off, ...changes };
  const known = await listAll(sendRequest, base, collection);
  if (known.some((config) => idOf(config) === provider))
    await sendRequest('PATCH', `${one}?updateMask=${maskOf(body).join(',')}`, body);
  else
    await sendRequest(
      'POST',
      `${base}${collection.name}?${collection.idParameter}=${encodeURIComponent(provider)}`,
      collection.name === 'oauthIdpConfigs' && changes['clientSecret'] !== undefined
        ? { ...body, responseType: { code: true } }
        : body,
    );
}

/** Returns the paths of the members of a change. Members of `hearth` are changed one by one. */
function maskOf(body: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(body).flatMap(([name, value]) =>
    name === 'hearth' ? Object.keys(Object(value)).map((inner) => `hearth.${inner}`) : [name],
  );
}

function collectionOf(provider: string): Collection {
  if (provider.startsWith('oidc.')) return COLLECTIONS[1];
  return provider.startsWith('saml.') ? COLLECTIONS[2] : COLLECTIONS[0];
}

async function listAll(
  sendRequest: SendProjectRequest,
  base: string,
  { name }: Collection,
): Promise<readonly ProjectAnswer[]> {
  const found: ProjectAnswer[] = [];
  let token = '';
  do {
    const page = await sendRequest('GET', `${base}${name}?pageSize=100${token}`);
    const list: unknown = page[name];
    if (Array.isArray(list)) found.push(...list);
    const next = page['nextPageToken'];
    token = typeof next === 'string' ? `&pageToken=${encodeURIComponent(next)}` : '';
  } while (token !== '');
  return found;
}

function idOf(config: ProjectAnswer): string {
  return String(config['name']).split('/').at(-1) ?? '';
}

/** Returns the certificates that SAML providers need, each with its end. */
function formatCertificates(certificates: unknown): string {
  const list: readonly unknown[] = Array.isArray(certificates) ? certificates : [];
  const texts = list.map((entry, index) => {
    const { x509Certificate, expiresAt } = Object(entry);
    const use = index === 0 ? 'that signs requests' : 'of the next key';
    return `\nCertificate ${use}, valid until ${String(expiresAt)}\n${String(x509Certificate).trim()}\n`;
  });
  return texts.join('');
}

function formatProviders(configs: readonly ProjectAnswer[]): string {
  if (configs.length === 0) return 'No providers. Switch one on with --provider and --client-id.\n';
  const width = Math.max(...configs.map((config) => idOf(config).length));
  const lines = configs.map((config) => {
    const { enabled, clientId, issuer, idpConfig, hearth } = Object(config);
    const target = [clientId, issuer ?? idpConfig?.ssoUrl].filter((text) => text !== undefined).join(' at ');
    const domains: unknown = hearth?.emailDomains;
    const trusted = Array.isArray(domains)
      ? domains.join(', ')
      : String(hearth?.emailAuthority).toLowerCase();
    return `${idOf(config).padEnd(width)}  ${enabled === true ? 'on ' : 'off'}  ${target}, trusted emails: ${trusted}\n`;
  });
  return lines.join('');
}
