const PEM = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** Returns the certificates in a text, in PEM. */
export function certificatesIn(text: string): readonly string[] {
  return text.match(PEM) ?? [];
}

/** An element of a document in DER: its tag, and where its content is. */
interface Element {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

/** Tags of ASN.1 (X.690, section 8.1.2). */
const VERSION = 0xa0;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;

/** Position of the period of validity among the members of a certificate after its version (RFC 5280, section 4.1). */
const VALIDITY = 3;

/** Returns the time from which a certificate in PEM is no longer valid, or `undefined` if it cannot be read. */
export function certificateEnd(pem: string): Date | undefined {
  const bytes = decodePem(pem);
  const whole = readElement(bytes, 0);
  const signed = whole && childrenOf(bytes, whole)[0];
  const members = signed ? childrenOf(bytes, signed).filter(({ tag }) => tag !== VERSION) : [];
  const validity = members[VALIDITY];
  const end = validity && childrenOf(bytes, validity)[1];
  return end && parseTime(end.tag, new TextDecoder().decode(bytes.subarray(end.start, end.end)));
}

function decodePem(pem: string): Uint8Array {
  try {
    const base64 = pem.replaceAll(/-----[A-Z ]+-----|\s/g, '');
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function readElement(bytes: Uint8Array, at: number): Element | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined) return undefined;
  // From 0x80 on, the byte says how many bytes the length has.
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  if (lengthBytes > 3) return undefined;
  let length = lengthBytes === 0 ? first : 0;
  for (const byte of bytes.subarray(at + 2, at + 2 + lengthBytes)) length = length * 256 + byte;
  const start = at + 2 + lengthBytes;
  return start + length > bytes.length ? undefined : { tag, start, end: start + length };
}

function childrenOf(bytes: Uint8Array, { start, end }: Element): readonly Element[] {
  const children: Element[] = [];
  for (let at = start; at < end; ) {
    const child = readElement(bytes, at);
    if (child === undefined || child.end > end) break;
    children.push(child);
    at = child.end;
  }
  return children;
}

/** Parses `YYMMDDHHMMSSZ` (years from 1950 to 2049) or `YYYYMMDDHHMMSSZ`. */
function parseTime(tag: number, text: string): Date | undefined {
  const digits = tag === UTC_TIME ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text;
  if ((tag !== UTC_TIME && tag !== GENERALIZED_TIME) || !/^\d{14}Z$/.test(digits)) return undefined;
  const [, year, month, day, hour, minute, second] = /^(....)(..)(..)(..)(..)(..)/.exec(digits) ?? [];
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
