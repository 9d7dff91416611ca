import type { Outline } from '../../../api/data.ts';
import type { NodePath } from '../model/node-path.ts';
import type { ChildSource } from './branch.ts';

/** Time in ms after which the outline of a node, or a failure to read it, is out of date. */
const OUTDATED_MS = 60_000;

/** Maximum number of outlines that are kept, and of nodes that wait for one. */
const MAX_OUTLINES = 16;

interface KnownOutline {
  /** `undefined` if it could not be read. */
  readonly outline: Outline | undefined;
  readonly readAtMs: number;
}

/** The outlines of large open nodes. Reads one at a time, because the server examines all children of the node. */
export class OutlineReads {
  readonly #source: ChildSource;
  readonly #onRead: (path: NodePath) => void;
  readonly #known = new Map<NodePath, KnownOutline>();
  readonly #waiting = new Set<NodePath>();
  #running: { readonly path: NodePath; readonly abort: AbortController } | undefined;

  constructor(source: ChildSource, onRead: (path: NodePath) => void) {
    this.#source = source;
    this.#onRead = onRead;
  }

  find(path: NodePath): Outline | undefined {
    return this.#known.get(path)?.outline;
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
    if (this.#running?.path === path) this.#running.abort.abort();
  }

  stop(): void {
    this.#waiting.clear();
    this.#running?.abort.abort();
  }

  #readNext(): void {
    const [path] = this.#waiting;
    if (path === undefined || this.#running !== undefined) return;
    this.#waiting.delete(path);
    const abort = new AbortController();
    this.#running = { path, abort };
    void this.#read(path, abort.signal);
  }

  async #read(path: NodePath, signal: AbortSignal): Promise<void> {
    let outline: Outline | undefined;
    try {
      outline = await this.#source.outline(path, signal);
    } catch {
      // Without an outline, the tree is as high as its known rows, and grows while the user scrolls.
    }
    this.#running = undefined;
    if (!signal.aborted) {
      this.#known.delete(path);
      this.#known.set(path, { outline, readAtMs: Date.now() });
      for (const oldest of this.#known.keys()) {
        if (this.#known.size <= MAX_OUTLINES) break;
        this.#known.delete(oldest);
      }
      if (outline !== undefined) this.#onRead(path);
    }
    this.#readNext();
  }
}
