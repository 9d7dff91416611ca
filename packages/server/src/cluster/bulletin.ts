import type { Slot, StoredMessage } from './replicated-log.ts';

/** The state of a node, which it publishes several times per second. */
export interface Heartbeat {
  readonly node: string;
  /** Changes with each start of the node. */
  readonly incarnation: string;
  /** Where other nodes reach the node: `10.0.0.1:9100`. Empty if they do not connect to each other. */
  readonly address: string;
  /** When the node sent it, in ms of its own clock since an arbitrary moment. */
  readonly sentMs: number;
  /** Slot up to which the node has read. */
  readonly head: Slot;
  /** Whether the node cannot read on. It then cannot lead, and no other node waits for it. */
  readonly hasStopped: boolean;
  /** Whether the node has recently failed to store a snapshot. */
  readonly failsSnapshots: boolean;
  /** Epoch of the node's term; 0 if it is not the sequencer. */
  readonly epoch: number;
  /** Whether the node accepts links, because it leads and its server is open. */
  readonly isServing: boolean;
  /** Whether the node has just ended its term on purpose. */
  readonly hasReleased: boolean;
  /** The node that claims the term immediately after `hasReleased`; empty if the first of the others does. */
  readonly successor: string;
}

/** A message that nodes publish to each other. A lost bulletin only delays a node. */
export type Bulletin =
  | { readonly kind: 'heartbeat'; readonly heartbeat: Heartbeat }
  /** A message that is committed. */
  | { readonly kind: 'message'; readonly stored: StoredMessage }
  /** An operator asks the node that leads to let another one lead. `successor` is empty if any node may. */
  | { readonly kind: 'hand-over'; readonly successor: string };

/** A bulletin begins with one of these bytes. A message follows its slot (8 bytes, big-endian). */
const HEARTBEAT = 1;
const MESSAGE = 2;
const HAND_OVER = 3;

/** Longest name of a node. */
const MAX_NAME_BYTES = 256;

const MESSAGE_OFFSET = 9;

export function encodeHeartbeat(heartbeat: Heartbeat): Buffer {
  return Buffer.concat([Buffer.of(HEARTBEAT), Buffer.from(JSON.stringify(heartbeat))]);
}

export function encodeStored({ slot, message }: StoredMessage): Buffer {
  const header = Buffer.allocUnsafe(MESSAGE_OFFSET);
  header[0] = MESSAGE;
  header.writeBigUInt64BE(BigInt(slot), 1);
  return Buffer.concat([header, message]);
}

export function encodeHandOver(successor: string): Buffer {
  return Buffer.concat([Buffer.of(HAND_OVER), Buffer.from(successor)]);
}

/** Decodes a bulletin. Returns `undefined` for other bytes, which another version may have sent. */
export function decodeBulletin(bytes: Buffer): Bulletin | undefined {
  if (bytes[0] === MESSAGE && bytes.length > MESSAGE_OFFSET) {
    const slot = Number(bytes.readBigUInt64BE(1));
    return { kind: 'message', stored: { slot, message: bytes.subarray(MESSAGE_OFFSET) } };
  }
  if (bytes[0] === HAND_OVER && bytes.length <= MAX_NAME_BYTES)
    return { kind: 'hand-over', successor: bytes.toString('utf8', 1) };
  const heartbeat = bytes[0] === HEARTBEAT ? decodeHeartbeat(bytes.toString('utf8', 1)) : undefined;
  return heartbeat === undefined ? undefined : { kind: 'heartbeat', heartbeat };
}

function decodeHeartbeat(text: string): Heartbeat | undefined {
  try {
    const json = JSON.parse(text) as Partial<Heartbeat>;
    const { node, incarnation, address, sentMs, head, epoch } = json;
    if (typeof node !== 'string' || typeof incarnation !== 'string') return undefined;
    if (!Number.isSafeInteger(head) || !Number.isSafeInteger(epoch)) return undefined;
    return {
      node,
      incarnation,
      address: typeof address === 'string' ? address : '',
      sentMs: typeof sentMs === 'number' ? sentMs : 0,
      head: Number(head),
      epoch: Number(epoch),
      hasStopped: json.hasStopped === true,
      failsSnapshots: json.failsSnapshots === true,
      isServing: json.isServing === true,
      hasReleased: json.hasReleased === true,
      successor: typeof json.successor === 'string' ? json.successor : '',
    };
  } catch {
    // Text that is not a JSON object.
    return undefined;
  }
}
