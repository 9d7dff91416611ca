import { parseJsonText } from '@hearth/core/tree/json-text.ts';

/**
 * The body of a record: kind (1 byte), then the content of the kind. If bit 7 of the kind is set, a reader that does
 * not know the kind must stop. It skips other unknown kinds.
 *
 * | kind | content                                            |
 * |------|----------------------------------------------------|
 * | 0x81 | `{"node":…,"incarnation":…}`: a node begins a term |
 * | 0x82 | a batch: the effects of requests                   |
 * | 0x83 | a base: the name of data that exists before it     |
 */
export type Body =
  | { readonly kind: 'epoch'; readonly node: string; readonly incarnation: string }
  | { readonly kind: 'batch'; readonly payload: Buffer }
  /** The log continues data that it does not contain. Only a node that has the data, from a snapshot, can read on. */
  | { readonly kind: 'base'; readonly name: string }
  /** A kind of a later version that earlier ones may skip. */
  | { readonly kind: 'skipped' };

/** The start of a term. */
export type Epoch = Omit<Body & { readonly kind: 'epoch' }, 'kind'>;

const CRITICAL_BIT = 0x80;
const EPOCH = 0x81;
const BATCH = 0x82;
const BASE = 0x83;

export function encodeEpoch({ node, incarnation }: Epoch): Buffer {
  return Buffer.concat([Buffer.of(EPOCH), Buffer.from(JSON.stringify({ node, incarnation }))]);
}

export function encodeBatch(payload: Buffer): Buffer {
  return Buffer.concat([Buffer.of(BATCH), payload]);
}

export function encodeBase(name: string): Buffer {
  return Buffer.concat([Buffer.of(BASE), Buffer.from(name)]);
}

/** Decodes a body. Returns a sentence if this version cannot read it. */
export function decodeBody(bytes: Buffer): Body | string {
  const [kind] = bytes;
  const payload = bytes.subarray(1);
  switch (kind) {
    case EPOCH:
      return decodeEpoch(payload) ?? 'its epoch cannot be read';
    case BATCH:
      return { kind: 'batch', payload };
    case BASE:
      return { kind: 'base', name: payload.toString() };
    case undefined:
      return 'it has no body';
    default:
      return (kind & CRITICAL_BIT) === 0
        ? { kind: 'skipped' }
        : `its body has kind ${kind}, which this program does not know`;
  }
}

function decodeEpoch(payload: Buffer): Body | undefined {
  try {
    const epoch = parseJsonText(payload.toString());
    if (typeof epoch !== 'object' || epoch === null) return undefined;
    if (!('node' in epoch) || !('incarnation' in epoch)) return undefined;
    const { node, incarnation } = epoch;
    if (typeof node !== 'string' || typeof incarnation !== 'string') return undefined;
    return { kind: 'epoch', node, incarnation };
  } catch {
    // Text that is not JSON.
    return undefined;
  }
}
