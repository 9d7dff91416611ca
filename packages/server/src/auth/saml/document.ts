import { ProviderFailure } from '../providers/provider-requests.ts';

/** Longest SAML document, in bytes. */
const MAX_DOCUMENT_BYTES = 262_144;
/** The time to verify a signature grows with the square of the number of elements. */
const MAX_ELEMENTS = 1_500;
const MAX_ATTRIBUTES = 4_000;
/** Longest base64 text of a document, in characters. Identity providers may break it into lines. */
const MAX_ENCODED_LENGTH = 393_216;

/** Returns the XML of a document in base64. Throws a `ProviderFailure` like `requirePlainXml`. */
export function decodeDocument(base64: string): string {
  if (base64.length > MAX_ENCODED_LENGTH) throw tooLarge(`${MAX_DOCUMENT_BYTES} bytes`);
  return requirePlainXml(Buffer.from(base64, 'base64').toString('utf8'));
}

/**
 * Returns the XML of the metadata of an identity provider, without comments. Nothing in metadata depends on a signature, so
 * that comments cannot hide anything. Throws a `ProviderFailure` like `requirePlainXml`.
 */
export function requireMetadataXml(text: string): string {
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) throw tooLarge(`${MAX_DOCUMENT_BYTES} bytes`);
  const [first = '', ...parts] = text.split('<!--');
  return requirePlainXml([first, ...parts.map(afterComment)].join(''));
}

/** Returns the text after the end of a comment. Without an end, the text stays and is not valid XML. */
function afterComment(text: string): string {
  const end = text.indexOf('-->');
  return end < 0 ? `<!--${text}` : text.slice(end + '-->'.length);
}

/**
 * Returns XML without its declaration. Throws a `ProviderFailure` if it has anything but elements and text, such as a DTD,
 * or if verifying it would take long. A `<` that does not begin a tag is not valid in XML, so that looking for one is exact.
 */
function requirePlainXml(text: string): string {
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) throw tooLarge(`${MAX_DOCUMENT_BYTES} bytes`);
  const xml = text.replace(/^\uFEFF?\s*<\?xml\s[^<>]*\?>/, '');
  if (/<[!?]/.test(xml))
    throw new ProviderFailure(
      'The SAML document has a DTD, a comment, CDATA or a processing instruction. Only elements and text are accepted.',
    );
  if (countOf(xml, '<') - countOf(xml, '</') > MAX_ELEMENTS) throw tooLarge(`${MAX_ELEMENTS} elements`);
  if (countOf(xml, '=') > MAX_ATTRIBUTES) throw tooLarge(`${MAX_ATTRIBUTES} attributes`);
  return xml;
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

function tooLarge(limit: string): ProviderFailure {
  return new ProviderFailure(`The SAML document is larger than ${limit}.`);
}
