import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { nodeAt } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import { formatPath, type Path } from '@hearth/core/tree/path.ts';
import { mergePush, setPush } from '@hearth/core/wire/server-messages.ts';
import { type CommitWrite, writePath } from '../../storage/log/commit.ts';
import {
  OutgoingMessage,
  type PendingText,
  type PushedData,
} from '../../storage/transaction/outgoing-message.ts';
import type { Receiver, WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { Database, ScanMemory } from './database.ts';
import { isListenedTo, type ListenLocation, type ListenRegistry } from './listens.ts';
import { MAX_VALUE_AT_ONCE_BYTES } from './read.ts';
import { unlessTooBig } from './snapshot-read.ts';
import type { DatabaseTree, TreeView } from './tree-view.ts';

/** A location with listens that a commit touches: by one write at or above it, or by writes below it. */
export interface TouchedLocation {
  readonly location: ListenLocation;
  readonly over: CommitWrite | null;
  readonly below: readonly CommitWrite[];
}

/**
 * Returns every location with listens that the writes touch. Each location occurs once, with all writes that
 * touch it.
 */
export function collectTouched(
  listens: ListenRegistry,
  writes: readonly CommitWrite[],
): readonly TouchedLocation[] {
  return collect(listens, writes, true);
}

/** Returns every location with listens below which the writes touch something. */
export function collectTouchedBelow(
  listens: ListenRegistry,
  writes: readonly CommitWrite[],
): readonly TouchedLocation[] {
  return collect(listens, writes, false);
}

/**
 * Collects the locations that writes touch. With `withWritten`, includes the locations at and below the written nodes,
 * which may be many.
 */
function collect(
  listens: ListenRegistry,
  writes: readonly CommitWrite[],
  withWritten: boolean,
): readonly TouchedLocation[] {
  const found = new FoundLocations();
  for (const write of writes) {
    let here: ListenLocation | undefined = listens.root;
    for (const key of write.path) {
      if (here === undefined) break;
      found.add(here, null, write);
      here = here.findChild(key);
    }
    if (here === undefined) continue;
    // A priority counts as a path below its node. Listens at the node and above are notified, listens further
    // down are not.
    if (write.kind === 'priority') found.add(here, null, write);
    else if (withWritten) found.addSubtree(here, write);
  }
  return found.list();
}

const NONE: readonly TouchedLocation[] = [];

/** Allocates nothing until a location is found: most writes touch no location with listens. */
class FoundLocations {
  #found: Map<ListenLocation, TouchedLocation & { readonly below: CommitWrite[] }> | undefined;

  add(location: ListenLocation, over: CommitWrite | null, below: CommitWrite | null): void {
    if (!isListenedTo(location)) return;
    this.#found ??= new Map();
    const known = this.#found.get(location);
    if (known === undefined)
      this.#found.set(location, { location, over, below: below === null ? [] : [below] });
    else if (below !== null) known.below.push(below);
  }

  addSubtree(location: ListenLocation, over: CommitWrite): void {
    this.add(location, over, null);
    for (const child of location.children) this.addSubtree(child, over);
  }

  list(): readonly TouchedLocation[] {
    return this.#found === undefined ? NONE : [...this.#found.values()];
  }
}

/**
 * Returns the keys of a location's children that writes below it touch. The priority of the node itself touches
 * no child.
 */
export function touchedKeys({ location, below }: TouchedLocation): ReadonlySet<Key> {
  const keys = new Set<Key>();
  const depth = location.path.length;
  for (const write of below) {
    const key = write.path[depth];
    if (key !== undefined) keys.add(key);
  }
  return keys;
}

/** The JSON texts of a commit's writes. Values that the commit omits are read from the tree, once. */
export class WriteTexts {
  readonly #view: TreeView;
  readonly #read = new Map<CommitWrite, string>();

  /** `view` is the state after the commit. */
  constructor(view: TreeView) {
    this.#view = view;
  }

  /** Returns the text of a write. Throws `read/too-big` if it exceeds the longest allowed response. */
  of(write: CommitWrite): string {
    if (write.kind !== 'linked') return write.json;
    let text = this.#read.get(write);
    if (text === undefined) {
      text = this.#view.nodeJson(write.path, 'export');
      this.#read.set(write, text);
    }
    return text;
  }
}

/** Builds the text of a push for the tag of its receiver. */
export type TaggedPush = (tag: number) => string;

/** Builds the pushes of one commit for default listens, and reuses those that several locations share. */
export class DefaultMessages {
  readonly #messages = new Map<CommitWrite, OutgoingMessage>();
  readonly #view: TreeView;
  readonly #texts: WriteTexts;

  /** `view` is the state after the commit. */
  constructor(view: TreeView, texts: WriteTexts) {
    this.#view = view;
    this.#texts = texts;
  }

  /**
   * Returns the push for a location. Throws `read/too-big` if the push would exceed the longest allowed
   * response.
   */
  at({ location, over, below }: TouchedLocation): OutgoingMessage {
    if (over !== null && over.kind !== 'priority') {
      const { path } = location;
      if (over.path.length === path.length) return this.#ofWrite(over);
      return new OutgoingMessage(setPush(formatPath(path), this.#jsonBelow(over, path)), dataAt(path));
    }
    const only = below[0];
    if (only !== undefined && below.length === 1) return this.#ofWrite(only);
    const { path } = location;
    const fields = below.map((write) => deepField(path, write, this.#texts));
    return new OutgoingMessage(mergePush(formatPath(path), `{${fields.join(',')}}`), dataAt(path));
  }

  #jsonBelow(over: CommitWrite & { readonly kind: 'node' | 'linked' }, path: Path): string {
    if (over.kind === 'linked') return this.#view.nodeJson(path, 'export');
    return exportJson(nodeAt(over.node, path.slice(over.path.length)));
  }

  /** Returns the push of one write at its own path. It is the same for every listen above that path. */
  #ofWrite(write: CommitWrite): OutgoingMessage {
    let message = this.#messages.get(write);
    if (message === undefined) {
      message = new OutgoingMessage(setPush(writePath(write), this.#texts.of(write)), dataAt(write.path));
      this.#messages.set(write, message);
    }
    return message;
  }
}

function dataAt(path: Path): PushedData {
  return { path, tag: null };
}

/** Returns the push of a query's whole result. `json` is the JSON text of an object or `null`. */
export function wholePush(path: Path, json: string): TaggedPush {
  return (tag) => setPush(formatPath(path), json, tag);
}

/**
 * Returns the push of a query's changes: the keys that left its window, the children that entered it (JSON text
 * of an object or `null`), and the writes below children that stayed. Returns `null` if nothing changed. Throws
 * `read/too-big` like `WriteTexts`.
 */
export function changePush(
  path: Path,
  left: readonly Key[],
  enteredJson: string,
  inside: readonly CommitWrite[],
  texts: WriteTexts,
): TaggedPush | null {
  const hasEntered = enteredJson !== 'null';
  const only = inside[0];
  if (only !== undefined && inside.length === 1 && left.length === 0 && !hasEntered) {
    const json = texts.of(only);
    return (tag) => setPush(writePath(only), json, tag);
  }
  const fields = left.map((key) => `${JSON.stringify(key)}:null`);
  if (hasEntered) fields.push(enteredJson.slice(1, -1));
  for (const write of inside) fields.push(deepField(path, write, texts));
  if (fields.length === 0) return null;
  const json = `{${fields.join(',')}}`;
  return (tag) => mergePush(formatPath(path), json, tag);
}

function deepField(ancestor: Path, write: CommitWrite, texts: WriteTexts): string {
  return `${JSON.stringify(writePath(write, ancestor.length))}:${texts.of(write)}`;
}

/** A receiver that delivers messages in order while the text of one of them is still being generated. */
interface WaitingReceiver extends Receiver {
  readonly messageMemory: ScanMemory;
  expectPending(transaction: WriteTransaction): void;
}

/** Returns whether a receiver can wait for the text of a message. Event streams cannot. */
export function canWait(receiver: Receiver): receiver is WaitingReceiver {
  return 'messageMemory' in receiver && 'expectPending' in receiver;
}

/** A text for several receivers. The work on it ends when all of them have stopped. */
export class SharedText implements PendingText {
  readonly text: Promise<string | undefined>;
  readonly #value: PendingText;
  #receivers = 0;

  /** `toPush` returns the message for the text of `value`. */
  constructor(value: PendingText, toPush: (json: string) => string) {
    this.#value = value;
    this.text = value.text.then((json) => (json === undefined ? undefined : toPush(json)));
    // Each receiver handles the error, unless the transaction fails.
    this.text.catch(() => undefined);
  }

  addReceiver(): void {
    this.#receivers += 1;
  }

  stop(): void {
    this.#receivers -= 1;
    if (this.#receivers === 0) this.#value.stop();
  }
}

/** The memory of the receivers of a text, one for each network. The first that suffices is used. */
export class ReceiverMemories {
  /** The memories by network. The first one is in use. */
  readonly #memories = new Map<string, ScanMemory>();

  add(memory: ScanMemory): void {
    const { network } = memory.holder;
    if (!this.#memories.has(network)) this.#memories.set(network, memory);
  }

  /** Returns the memory to use instead of the present one, which does not suffice. */
  next(): ScanMemory | undefined {
    const [present, following] = this.#memories.keys();
    if (present !== undefined) this.#memories.delete(present);
    return following === undefined ? undefined : this.#memories.get(following);
  }
}

interface LongPush {
  readonly message: OutgoingMessage;
  readonly shared: SharedText;
  readonly memories: ReceiverMemories;
}

/** The pushes of one commit whose values are too long to be read in its transaction. */
export class LongPushes {
  readonly #transaction: WriteTransaction;
  readonly #database: Database;
  readonly #tree: DatabaseTree;
  /** By path; `null` if the value is read at once. */
  readonly #pushes = new Map<string, LongPush | null>();

  /** `tree` is the state after the commit. */
  constructor(transaction: WriteTransaction, database: Database, tree: DatabaseTree) {
    this.#transaction = transaction;
    this.#database = database;
    this.#tree = tree;
  }

  /**
   * Sends the value of a linked node to a receiver, in the state of the transaction. Returns false, and sends nothing, if
   * the value should be read at once.
   */
  send(receiver: WaitingReceiver, { location, over, below }: TouchedLocation): boolean {
    const only = below.length === 1 ? below[0] : undefined;
    const write = over ?? only;
    if (write?.kind !== 'linked') return false;
    const path = over === null ? write.path : location.path;
    const name = formatPath(path);
    let push = this.#pushes.get(name);
    if (push === undefined) {
      push = this.#start(path, receiver.messageMemory);
      this.#pushes.set(name, push);
    }
    if (push === null) return false;
    push.shared.addReceiver();
    push.memories.add(receiver.messageMemory);
    receiver.expectPending(this.#transaction);
    this.#transaction.send(receiver, push.message);
    return true;
  }

  /** Starts to generate a value, unless it is short or cannot be generated in steps. */
  #start(path: Path, memory: ScanMemory): LongPush | null {
    const { stepwise, name: database } = this.#database;
    if (stepwise === null || this.#isShort(path)) return null;
    const memories = new ReceiverMemories();
    try {
      const value = stepwise.startPushedValue({
        database,
        path,
        openPieces: this.#tree.selectionJson(path, { kind: 'node' }, 'export'),
        openHash: null,
        expectedHash: '',
        memory,
        otherMemory: () => memories.next(),
      });
      this.#transaction.onRollback(() => value.stop());
      const shared = new SharedText(value, (json) => setPush(formatPath(path), json));
      return { message: new OutgoingMessage(shared, dataAt(path)), shared, memories };
    } catch (error) {
      if (error instanceof RequestError) return null;
      throw error;
    }
  }

  #isShort(path: Path): boolean {
    return unlessTooBig(() => this.#tree.nodeJson(path, 'export', MAX_VALUE_AT_ONCE_BYTES)) !== undefined;
  }
}
