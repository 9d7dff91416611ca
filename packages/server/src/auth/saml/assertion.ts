import { isJsonObject, type JsonObject } from '../fields.ts';
import type { ProviderAssertion } from '../providers/assertion.ts';
import { assertionFromAttributes } from '../providers/claims-assertion.ts';
import { SAML_FIELDS, type SamlConfig } from '../providers/provider-config.ts';
import { ProviderFailure } from '../providers/provider-requests.ts';

/** The expected request and recipient of a response. */
export interface ExpectedResponse {
  readonly requestId: string;
  /** The address of this server that received the response. */
  readonly callbackUrl: string;
  readonly nowMs: number;
}

/** Clocks of identity providers may differ from the server's by this time, in ms. */
const SKEW_MS = 180_000;
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** An element: its attributes, its text, and lists of its children by their names without prefix. */
type Element = JsonObject;

/**
 * Returns the statements of a signed assertion. Throws a `ProviderFailure` if it is of another provider, for another
 * service or address, does not answer the request, or is not valid now. The library has verified the signature, but
 * checks neither the issuer nor the recipient, and omits some checks if an element is missing.
 */
export function readSamlAssertion(
  config: SamlConfig,
  document: unknown,
  expected: ExpectedResponse,
): ProviderAssertion {
  const root: unknown = isJsonObject(document) ? document['Assertion'] : undefined;
  if (!isJsonObject(root)) throw invalid('It has no assertion.');
  if (attributeOf(root, 'Version') !== '2.0') throw invalid('The assertion is not of SAML 2.0.');
  const issuer = textOf(only(root, 'Issuer'));
  if (issuer !== config.idpEntityId)
    throw invalid(`The assertion is of ${quote(issuer)}, and not of ${quote(config.idpEntityId)}.`);
  requireConditions(only(root, 'Conditions'), config.spEntityId, expected.nowMs);
  const subject = only(root, 'Subject');
  requireConfirmation(childrenOf(subject, 'SubjectConfirmation'), expected);
  const nameId = textOf(only(subject, 'NameID'));
  if (nameId === '') throw invalid('The assertion does not name the user.');
  const attributes = attributesOf(root);
  return assertionFromAttributes(config.providerId, fieldsOf(nameId, attributes, config), attributes);
}

function requireConditions(conditions: Element, spEntityId: string, nowMs: number): void {
  requireTimes(conditions, nowMs);
  const restrictions = childrenOf(conditions, 'AudienceRestriction');
  const audiences = restrictions.map((one) => childrenOf(one, 'Audience').map(textOf));
  if (restrictions.length === 0 || !audiences.every((names) => names.includes(spEntityId)))
    throw invalid(
      `The assertion is for ${quote(audiences.flat().join(' '))}, and not for ${quote(spEntityId)}.`,
    );
}

function requireConfirmation(confirmations: readonly Element[], expected: ExpectedResponse): void {
  const problems = confirmations.map((one) => findConfirmationProblem(one, expected));
  if (problems.includes(null)) return;
  throw invalid(problems[0] ?? 'The assertion does not say for which request it is.');
}

/** Returns why a confirmation does not show that the assertion answers the request; `null` if it does. */
function findConfirmationProblem(
  confirmation: Element,
  { requestId, callbackUrl, nowMs }: ExpectedResponse,
): string | null {
  const [data] = childrenOf(confirmation, 'SubjectConfirmationData');
  if (attributeOf(confirmation, 'Method') !== BEARER || data === undefined)
    return 'The assertion is not for the bearer.';
  if (attributeOf(data, 'InResponseTo') !== requestId) return 'The assertion does not answer this sign-in.';
  const recipient = attributeOf(data, 'Recipient');
  if (recipient !== callbackUrl)
    return `The recipient of the assertion is ${quote(recipient)}, and not ${quote(callbackUrl)}.`;
  if (attributeOf(data, 'NotOnOrAfter') === '') return 'The assertion does not say when it expires.';
  return findTimeProblem(data, nowMs);
}

function requireTimes(element: Element, nowMs: number): void {
  const problem = findTimeProblem(element, nowMs);
  if (problem !== null) throw invalid(problem);
}

function findTimeProblem(element: Element, nowMs: number): string | null {
  const [from, until] = ['NotBefore', 'NotOnOrAfter'].map((name) => attributeOf(element, name));
  if (from && !(Date.parse(from) - SKEW_MS <= nowMs))
    return 'The assertion is not valid yet. Compare the clocks of both servers.';
  if (until && !(Date.parse(until) + SKEW_MS > nowMs)) return 'The assertion has expired.';
  return null;
}

/** Returns the attributes by name: a text, or a list if there are several. */
function attributesOf(assertion: Element): JsonObject {
  const values = new Map<string, string[]>();
  for (const statement of childrenOf(assertion, 'AttributeStatement'))
    for (const attribute of childrenOf(statement, 'Attribute')) {
      const name = attributeOf(attribute, 'Name');
      values.set(name, [...(values.get(name) ?? []), ...childrenOf(attribute, 'AttributeValue').map(textOf)]);
    }
  const entries = Array.from(
    values,
    ([name, texts]) => [name, texts.length === 1 ? texts[0] : texts] as const,
  );
  return Object.fromEntries(entries.filter(([name]) => name !== '' && name !== '__proto__'));
}

/** Names of the attributes that become fields of an account. */
const NAMES = {
  email: [
    'email',
    'mail',
    'emailAddress',
    'urn:oid:0.9.2342.19200300.100.1.3',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  ],
  displayName: [
    'displayName',
    'name',
    'urn:oid:2.16.840.1.113730.3.1.241',
    'http://schemas.microsoft.com/identity/claims/displayname',
  ],
  firstName: [
    'firstName',
    'givenName',
    'urn:oid:2.5.4.42',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
  ],
  lastName: [
    'lastName',
    'surname',
    'sn',
    'urn:oid:2.5.4.4',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname',
  ],
  photoUrl: ['photoUrl', 'picture'],
} as const;

const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/**
 * Returns the fields of an account. The address comes from the attribute that the configuration names, or else from the
 * `NameID`, or else from other attributes.
 */
function fieldsOf(nameId: string, attributes: JsonObject, { attributeNames }: SamlConfig): JsonObject {
  const found = SAML_FIELDS.map((field) => {
    const configured = attributeNames?.[field];
    const names: readonly string[] = configured === undefined ? NAMES[field] : [configured];
    const values = names.map((name) => attributes[name]).map((one) => (Array.isArray(one) ? one[0] : one));
    return [field, values.find((value) => typeof value === 'string' && value !== '')] as const;
  });
  const fields = Object.fromEntries(found);
  const isNamed = attributeNames?.email === undefined && ADDRESS.test(nameId);
  return { ...fields, rawId: nameId, email: isNamed ? nameId : fields['email'] };
}

function childrenOf(element: Element, name: string): readonly Element[] {
  const children: unknown = element[name];
  if (!Array.isArray(children)) return [];
  // An element without attributes and children is represented by its text.
  return children.map((child: unknown) => (isJsonObject(child) ? child : { _: child }));
}

function only(element: Element, name: string): Element {
  const [child, ...others] = childrenOf(element, name);
  if (child === undefined || others.length > 0)
    throw invalid(`The assertion needs exactly one element "${name}".`);
  return child;
}

function textOf(element: Element): string {
  return typeof element['_'] === 'string' ? element['_'].trim() : '';
}

function attributeOf(element: Element, name: string): string {
  const attributes = element['$'];
  const value = isJsonObject(attributes) && Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return typeof value === 'string' ? value : '';
}

const MAX_QUOTED = 100;

function quote(text: string): string {
  return `"${text.slice(0, MAX_QUOTED)}"`;
}

function invalid(reason: string): ProviderFailure {
  return new ProviderFailure(`The response is not valid. ${reason}`);
}
