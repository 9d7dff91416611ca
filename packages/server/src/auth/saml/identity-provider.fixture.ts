import { inflateRawSync } from 'node:zlib';
import samlify from 'samlify';
import { takeRsaKeyPair } from '../tokens/rsa-key-pairs.fixture.ts';
import { createOwnCertificate } from './own-certificate.fixture.ts';

const YEAR_MS = 31_536_000_000;

/** A key of an identity provider with its certificate, both in PEM. */
export interface IdpKey {
  readonly certificate: string;
  readonly privateKey: string;
}

export function createIdpKey(name = 'idp'): IdpKey {
  const { publicKey, privateKey } = takeRsaKeyPair();
  const nowMs = Date.now();
  const serial = new Uint8Array([1]);
  return {
    certificate: createOwnCertificate({
      publicKey,
      privateKey,
      name,
      fromMs: nowMs - YEAR_MS,
      untilMs: nowMs + YEAR_MS,
      serial,
    }),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** The request in an address to which the server sends the browser. */
export interface AuthnRequest {
  readonly xml: string;
  readonly id: string;
  readonly relayState: string;
}

export function readAuthnRequest(address: URL): AuthnRequest {
  const packed = Buffer.from(address.searchParams.get('SAMLRequest') ?? '', 'base64');
  const xml = inflateRawSync(packed).toString();
  return {
    xml,
    id: /\bID="([^"]*)"/.exec(xml)?.[1] ?? '',
    relayState: address.searchParams.get('RelayState') ?? '',
  };
}

/** The content of a response. Tests change single properties. */
export interface ResponseContent {
  readonly requestId: string;
  readonly nameId: string;
  readonly issuer: string;
  readonly audience: string;
  readonly recipient: string;
  readonly destination: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

/** Returns the XML of an assertion without signature. */
export function assertionXml(content: ResponseContent): string {
  const [from, until] = [content.fromMs, content.untilMs].map((timeMs) => new Date(timeMs).toISOString());
  const attributes = Object.entries(content.attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
  );
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_assertion" Version="2.0" IssueInstant="${from}">
<saml:Issuer>${content.issuer}</saml:Issuer>
<saml:Subject><saml:NameID>${content.nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData InResponseTo="${content.requestId}" Recipient="${content.recipient}" NotOnOrAfter="${until}"/></saml:SubjectConfirmation></saml:Subject>
<saml:Conditions NotBefore="${from}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${content.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>
<saml:AuthnStatement AuthnInstant="${from}"/>
<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement></saml:Assertion>`;
}

/** Returns the XML of a response with these assertions. */
export function responseXml(content: ResponseContent, ...inner: readonly string[]): string {
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_response" Version="2.0" IssueInstant="${new Date(content.fromMs).toISOString()}" Destination="${content.destination}" InResponseTo="${content.requestId}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${content.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${inner.join('')}</samlp:Response>`;
}

const SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

/** Signs the element at a path and puts the signature after its issuer, as identity providers do. */
export function signXml(xml: string, path: string, key: IdpKey, signatureAlgorithm = SHA256): string {
  return samlify.SamlLib.constructSAMLSignature({
    rawSamlMessage: xml,
    referenceTagXPath: path,
    privateKey: key.privateKey,
    privateKeyPass: '',
    signingCert: key.certificate.replace(/-----[^-]*-----|\s/g, ''),
    signatureAlgorithm,
    isBase64Output: false,
    signatureConfig: {
      prefix: 'ds',
      location: { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' },
    },
  });
}

export const ASSERTION_PATH = "/*/*[local-name(.)='Assertion']";
export const RESPONSE_PATH = '/*';

/** Returns a response whose assertion is signed. */
export function signedResponse(content: ResponseContent, key: IdpKey): string {
  return signXml(responseXml(content, assertionXml(content)), ASSERTION_PATH, key);
}
