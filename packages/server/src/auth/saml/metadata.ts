import { X509Certificate } from 'node:crypto';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { SamlConfig } from '../providers/provider-config.ts';
import { ProviderFailure, requireProviderUrl } from '../providers/provider-requests.ts';
import { askProvider } from '../providers/verified-credential.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { requireMetadataXml } from './document.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
}

/** Returns the content of a certificate in base64, as SAML documents contain it. */
function derOf(pem: string): string {
  return new X509Certificate(pem).raw.toString('base64');
}

/**
 * Returns the document with which an administrator sets up this server at the identity provider. The keys of the certificates sign the
 * requests; none before there is a key. Source: SAML 2.0 metadata, section 2.4.4.
 */
export function serviceMetadata(
  { spEntityId, signsRequests }: SamlConfig,
  callbackUrl: string,
  certificates: readonly string[],
): string {
  const keys = certificates
    .map(
      (certificate) =>
        `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${derOf(certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
    )
    .join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escapeXml(spEntityId)}">
<md:SPSSODescriptor AuthnRequestsSigned="${signsRequests}" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys}
<md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${escapeXml(callbackUrl)}" index="0" isDefault="true"/>
</md:SPSSODescriptor>
</md:EntityDescriptor>
`;
}

/**
 * `POST …/inboundSamlConfigs:readMetadata`: returns the part of a configuration that the metadata of an identity provider
 * contains. The request has the document (`metadata`), or its address (`url`). Throws `INVALID_CONFIG` if the document
 * cannot be used, and `INVALID_IDP_RESPONSE` if it cannot be fetched.
 */
export async function readMetadata(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { fields, client, project } = call;
  services.throttle.requireAllowedInProject(project.id, 'configChanges');
  const document =
    fields.filled('metadata') ??
    (await fetchMetadata(call, services, fields.require('url', 'MISSING_CONFIG')));
  try {
    const xml = requireMetadataXml(document);
    const reply = await services.providers.saml.run({ kind: 'metadata', xml }, client.network);
    if (reply.kind === 'invalid') throw new ProviderFailure(reply.message);
    if (reply.kind !== 'metadata') throw new Error('Bug: the thread replied to another task.');
    const { idpEntityId, ssoUrl, certificates, wantsSignedRequests } = reply;
    return {
      idpConfig: {
        idpEntityId,
        ssoUrl,
        signRequest: wantsSignedRequests,
        idpCertificates: certificates.map((base64) => ({ x509Certificate: pemOf(base64) })),
      },
    };
  } catch (cause) {
    if (!(cause instanceof ProviderFailure)) throw cause;
    throw new AuthApiError('INVALID_CONFIG', cause.message, { cause });
  }
}

/** Fetches a document within the limits for requests to providers. */
async function fetchMetadata(call: AuthRequest, services: AuthServices, address: string): Promise<string> {
  const { client, project } = call;
  const send = services.providers.requests.sendFor({ network: client.network, projectId: project.id });
  return askProvider(call, services, 'metadata', async () => {
    const url = requireProviderUrl(address);
    const { status, body } = await send(url, {
      method: 'GET',
      headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml', 'user-agent': 'hearth' },
      body: null,
    });
    if (status !== 200) throw new ProviderFailure(`${url.host} answered with status ${status}.`);
    return body;
  });
}

/** Returns a certificate of a document in PEM. Throws a `ProviderFailure` if it is not one. */
function pemOf(base64: string): string {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).toString();
  } catch (cause) {
    throw new ProviderFailure('A certificate in the metadata is not valid.', { cause });
  }
}
