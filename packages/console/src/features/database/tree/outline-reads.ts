import { isIncomplete } from '../../../api/client.ts';
import type { Outline } from '../../../api/data.ts';
import type { NodePath } from '../model/node-path.ts';
import type { ChildSource } from './branch.ts';

/** Time in ms after which the outline of a node, or a failure to read it, is out of date. */
const OUTDATED_MS = 60_000;

/** Maximum number of outlines that are kept, and of nodes that wait for one. */
const MAX_OUTLINES = 16;

/** The number of children of a node, as far as the server has counted them for its outline. */
export type OutlineCount =
  | { readonly kind: 'counting'; readonly count: number }
  | { readonly kind: 'counted'; readonly count: number; readonly durationMs: number }
  /** The user stopped the read, or the response ended early. */
  | { readonly kind: 'stopped'; readonly count: number }
  /** The request failed: the server rejected it or did not respond. */
  | { readonly kind: 'not-counted' };

interface KnownOutline {
  /** `undefined` if it could not be read. */
  readonly outline: Outline | undefined;
  readonly count: OutlineCount;
  /** Infinite if the user stopped the read. */
  readonly readAtMs: number;
}

interface RunningRead {
  readonly path: NodePath;
  readonly abort: AbortController;
  readonly startMs: number;
  /** `undefined` until the server has sent a number. */
  count: { readonly kind: 'counting'; readonly count: number } | undefined;
}

interface OutlineListener {
  /** The outline of a node is read. */
  read(path: NodePath): void;
  /** The count of a node has changed. */
  counted(): void;
}

/** The outlines of large open nodes. Reads one at a time, because the server examines all children of the node. */
export class OutlineReads {
  readonly #source: ChildSource;
  readonly #listener: OutlineListener;
  readonly #known = new Map<NodePath, KnownOutline>();
  readonly #waiting = new Set<NodePath>();
  #running: RunningRead | undefined;

  constructor(source: ChildSource, listener: OutlineListener) {
    this.#source = source;
    this.#listener = listener;
  }

  find(path: NodePath): Outline | undefined {
    return this.#known.get(path)?.outline;
  }

  /** Returns the latest count of a node. While a known outline is read again, this is the count of the earlier read. */
  findCount(path: NodePath): OutlineCount | undefined {
    const known = this.#known.get(path);
    const isFirstRead = this.#running?.path === path && known?.outline === undefined;
    return isFirstRead ? this.#running?.count : known?.count;
  }

  /** Reads the outline of a node, unless a recent one is known. */
  request(path: NodePath): void {
    const known = this.#known.get(path);
    if (known !== undefined && Date.now() - known.readAtMs < OUTDATED_MS) return;
    if (this.#running?.path !== path && this.#waiting.size < MAX_OUTLINES) this.#waiting.add(path);
    this.#readNext();
  }

  /** Forgets the outline of a node that is closed, or has few children. */
  forget(path: NodePath): void {
    this.#known.delete(path);
    this.#waiting.delete(path);
    if (this.#running?.path === path) this.#abort();
    this.#readNext();
  }

  /** Stops a running read. Later requests for the node are ignored until `forget` is called for it. */
  stopRead(path: NodePath): void {
    if (this.#running?.path !== path) return;
    const count = this.#running.count?.count ?? 0;
    this.#abort();
    this.#keep(path, {
      outline: undefined,
      count: { kind: 'stopped', count },
      readAtMs: Number.POSITIVE_INFINITY,
    });
    this.#listener.counted();
    this.#readNext();
  }

  stop(): void {
    this.#waiting.clear();
    this.#abort();
  }

  #abort(): void {
    this.#running?.abort.abort();
    this.#running = undefined;
  }

  #readNext(): void {
    const [path] = this.#waiting;
    if (path === undefined || this.#running !== undefined) return;
    this.#waiting.delete(path);
    this.#running = { path, abort: new AbortController(), startMs: performance.now(), count: undefined };
    void this.#read(this.#running);
  }

  async #read(running: RunningRead): Promise<void> {
    const { path, abort, startMs } = running;
    const onCount = (count: number): void => {
      running.count = { kind: 'counting', count };
      this.#listener.counted();
    };
    let outline: Outline | undefined;
    let count: OutlineCount;
    try {
      outline = await this.#source.outline(path, onCount, abort.signal);
      count = { kind: 'counted', count: outline.count, durationMs: performance.now() - startMs };
    } catch (error) {
      // Without an outline, the tree is as high as its known rows, and grows while the user scrolls.
      const counted = running.count?.count ?? 0;
      count = isIncomplete(error) ? { kind: 'stopped', count: counted } : { kind: 'not-counted' };
    }
    if (abort.signal.aborted) return;
    this.#running = undefined;
    this.#keep(path, { outline, count, readAtMs: Date.now() });
    if (outline === undefined) this.#listener.counted();
    else this.#listener.read(path);
    this.#readNext();
  }

  #keep(path: NodePath, known: KnownOutline): void {
    this.#known.delete(path);
    this.#known.set(path, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_OUTLINES) break;
      this.#known.delete(oldest);
    }
  }
}
