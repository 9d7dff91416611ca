import type { TreeNode } from '@hearth/core/tree/node.ts';
import { blobNode } from './entry.ts';

/**
 * Trees of blobs that were looked into lately. Rules ask the same small places again and again, such as the members of a room.
 * By content, so that nothing has to be forgotten when something is written.
 */
export class ParsedBlobs {
  readonly #maxBytes: number;
  readonly #nodes = new Map<string, TreeNode>();
  #bytes = 0;

  /** Keeps the trees of at most so many bytes of blobs; beyond, all are forgotten. A tree takes some ten times as much. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** As `blobNode`. */
  node(bytes: Buffer): TreeNode {
    const content = bytes.toString('latin1');
    const known = this.#nodes.get(content);
    if (known !== undefined) return known;
    const node = blobNode(bytes);
    if (this.#bytes + bytes.length > this.#maxBytes) this.#clear();
    this.#nodes.set(content, node);
    this.#bytes += bytes.length;
    return node;
  }

  #clear(): void {
    this.#nodes.clear();
    this.#bytes = 0;
  }
}
