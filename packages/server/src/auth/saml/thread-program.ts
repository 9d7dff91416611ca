import { parentPort } from 'node:worker_threads';
import {
  type CacheProvider,
  SAML,
  type SamlConfig,
  SamlStatusError,
  ValidateInResponseTo,
} from '@node-saml/node-saml';
import { DOMParser } from '@xmldom/xmldom';
import { nowMs } from '../../platform/clock.ts';
import type { SamlReply, SamlTask } from './thread-task.ts';

// The program of a thread: receives one task at a time, and replies to each.
parentPort?.on('message', async (task: SamlTask) => parentPort?.postMessage(await replyTo(task)));

async function replyTo(task: SamlTask): Promise<SamlReply> {
  try {
    switch (task.kind) {
      case 'authorize':
        return await authorize(task);
      case 'verify':
        return await verify(task);
      case 'metadata':
        return readMetadata(task.xml);
      default:
        return task satisfies never;
    }
  } catch (cause) {
    if (cause instanceof SamlStatusError && /:status:(?:RequestDenied|AuthnFailed)\b/.test(cause.xmlStatus))
      return { kind: 'canceled' };
    return { kind: 'invalid', message: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** Clocks of identity providers may differ from the server's by this time, in ms. */
const SKEW_MS = 180_000;

function optionsOf(
  { provider, requestId }: Exclude<SamlTask, { readonly kind: 'metadata' }>,
  change: Partial<SamlConfig>,
): SamlConfig {
  return {
    entryPoint: provider.ssoUrl,
    issuer: provider.spEntityId,
    audience: provider.spEntityId,
    callbackUrl: provider.callbackUrl,
    idpCert: [],
    generateUniqueId: () => requestId,
    wantAssertionsSigned: true,
    // The signature of the assertion counts, and only what it covers is read.
    wantAuthnResponseSigned: false,
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: onlyRequest(requestId),
    acceptedClockSkewMs: SKEW_MS,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    ...change,
  };
}

/**
 * Returns a cache with the only request that a response may answer. The caller must ensure that it is answered only
 * once.
 */
function onlyRequest(requestId: string): CacheProvider {
  const begun = new Date(nowMs()).toISOString();
  return {
    saveAsync: async () => null,
    getAsync: async (id) => (id === requestId ? begun : null),
    removeAsync: async () => null,
  };
}

async function authorize(task: SamlTask & { readonly kind: 'authorize' }): Promise<SamlReply> {
  const { privateKey, relayState } = task;
  // The library requires a certificate even where it verifies nothing.
  const saml = new SAML(optionsOf(task, { idpCert: 'none', ...(privateKey === null ? {} : { privateKey }) }));
  return { kind: 'address', address: await saml.getAuthorizeUrlAsync(relayState, undefined, {}) };
}

async function verify(task: SamlTask & { readonly kind: 'verify' }): Promise<SamlReply> {
  const destination = inspect(task.xml);
  const saml = new SAML(optionsOf(task, { idpCert: [...task.certificates] }));
  const SAMLResponse = Buffer.from(task.xml).toString('base64');
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse });
  if (profile?.getAssertion === undefined) throw new Error('The response has no assertion.');
  return { kind: 'verified', assertion: profile.getAssertion(), destination };
}

const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';

/** Algorithms of signatures. The library also accepts SHA-1. */
const ALGORITHMS: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);
const WITH_ALGORITHM = ['SignatureMethod', 'DigestMethod', 'CanonicalizationMethod', 'Transform'];

/** Parses XML. Throws if it is not strictly valid. */
function parseXml(xml: string): Document {
  const reject = (message: string): never => {
    throw new Error(`The SAML document is not valid XML: ${message}`);
  };
  const errorHandler = { warning: reject, error: reject, fatalError: reject };
  return new DOMParser({ errorHandler }).parseFromString(xml, 'text/xml');
}

/**
 * Returns the `Destination` of a response. Throws if the XML is not strictly valid, if the response has several assertions
 * or an encrypted one, or if a signature uses a weak algorithm.
 */
function inspect(xml: string): string | null {
  const document = parseXml(xml);
  const root = document.documentElement;
  if (root?.localName !== 'Response' || root.namespaceURI !== PROTOCOL)
    throw new Error('The document is not a SAML 2.0 response.');
  if (document.getElementsByTagNameNS('*', 'EncryptedAssertion').length > 0)
    throw new Error(
      'The assertion is encrypted. Let the identity provider send it without encryption: TLS protects it.',
    );
  const assertions = Array.from(document.getElementsByTagNameNS('*', 'Assertion'));
  if (assertions.length > 1) throw new Error('The response has more than one assertion.');
  if (assertions.some(({ namespaceURI, parentNode }) => namespaceURI !== ASSERTION || parentNode !== root))
    throw new Error('The assertion is not part of the response.');
  for (const name of WITH_ALGORITHM)
    for (const element of Array.from(document.getElementsByTagNameNS('*', name))) {
      const algorithm = element.getAttribute('Algorithm') ?? '';
      if (!ALGORITHMS.has(algorithm))
        throw new Error(`A signature uses ${algorithm.slice(0, 100)}. It needs RSA with SHA-256 or SHA-512.`);
    }
  return root.getAttribute('Destination') || null;
}

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const IN_ADDRESS = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const MAX_CERTIFICATES = 10;

/** Reads the metadata of one identity provider. Throws if it lacks what a configuration needs. */
function readMetadata(xml: string): SamlReply {
  const document = parseXml(xml);
  const [descriptor, ...others] = Array.from(document.getElementsByTagNameNS(METADATA, 'IDPSSODescriptor'));
  if (descriptor === undefined) throw new Error('The metadata does not describe an identity provider.');
  if (others.length > 0) throw new Error('The metadata describes more than one identity provider.');
  const entity = descriptor === document.documentElement ? null : (descriptor.parentNode as Element | null);
  const idpEntityId = entity?.getAttribute('entityID') ?? '';
  if (idpEntityId === '') throw new Error('The metadata does not name the identity provider (entityID).');
  const services = Array.from(descriptor.getElementsByTagNameNS(METADATA, 'SingleSignOnService'));
  const service = services.find((one) => one.getAttribute('Binding') === IN_ADDRESS);
  if (service === undefined)
    throw new Error('The identity provider does not accept requests in the address (HTTP-Redirect).');
  const keys = Array.from(descriptor.getElementsByTagNameNS(METADATA, 'KeyDescriptor'));
  const certificates = keys
    .filter((key) => key.getAttribute('use') !== 'encryption')
    .flatMap((key) => Array.from(key.getElementsByTagNameNS('*', 'X509Certificate')))
    .map((element) => (element.textContent ?? '').replace(/\s/g, ''));
  if (certificates.length === 0) throw new Error('The metadata has no certificate of the identity provider.');
  return {
    kind: 'metadata',
    idpEntityId,
    ssoUrl: service.getAttribute('Location') ?? '',
    certificates: [...new Set(certificates)].slice(0, MAX_CERTIFICATES),
    wantsSignedRequests: /^(?:true|1)$/.test(descriptor.getAttribute('WantAuthnRequestsSigned') ?? ''),
  };
}
