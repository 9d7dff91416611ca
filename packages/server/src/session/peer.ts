import { cutText } from './cut-text.ts';

/** The other end of a connection. */
export interface Peer {
  /** Counts the connections of the process. */
  readonly id: number;
  /** If it is not that of the connection. */
  readonly address: string | null;
  readonly userAgent: string;
  readonly sinceMs: number;
}

/** Longest name of a program that is kept, in UTF-16 code units. */
const MAX_NAME_UNITS = 256;

/** Names that are shared at a time; beyond, sharing begins anew. */
const MAX_SHARED = 1_000;

/** Keeps names of programs once, however many connections have them. */
export class PeerNames {
  readonly #names = new Map<string, string>();

  share(name: string): string {
    const cut = cutText(name, MAX_NAME_UNITS);
    const known = this.#names.get(cut);
    if (known !== undefined) return known;
    if (this.#names.size >= MAX_SHARED) this.#names.clear();
    this.#names.set(cut, cut);
    return cut;
  }
}
