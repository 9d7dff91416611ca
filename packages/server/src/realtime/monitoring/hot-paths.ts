/** Levels of a path that are told apart. */
const MAX_LEVELS = 3;

/** Longest text of a path, in UTF-16 code units; the end of longer ones is left out. */
const MAX_PATH_UNITS = 500;

/** Paths that are counted at a time. */
const MAX_PATHS = 200;

/** Of more operations in a second than this, only one in `SAMPLE` is counted, for all of them. */
const COUNTED_EACH = 500;
const SAMPLE = 16;

/** After so long an operation counts half. */
export const HALF_LIFE_MS = 300_000;

/** Counts grow less in steps of so many seconds. */
const DECAY_SEC = 10;

/** What is left of a count after such a step. */
const REMAINDER = 0.5 ** ((DECAY_SEC * 1_000) / HALF_LIFE_MS);

/** A path as text, and how often it came lately. */
export interface HotPath {
  readonly path: string;
  readonly count: number;
}

/**
 * Counts which paths come most often lately: the space-saving algorithm of Metwally, Agrawal and El Abbadi, in which a path that
 * is not counted yet takes the place and the count of the rarest, so that none that comes often is missed.
 */
export class HotPaths {
  readonly #counts = new Map<string, number>();
  #seen = 0;
  /** The paths of a while ago that have not been replaced since, the rarest last. Since then counts have only grown. */
  #rare: HotPath[] = [];
  /** The least count that has come to be since then; a path that was rarer then and has not come is the rarest still. */
  #leastNew = Number.POSITIVE_INFINITY;
  #secondsSinceDecay = 0;

  record(path: readonly string[]): void {
    this.#seen += 1;
    if (this.#seen <= COUNTED_EACH) this.#add(path, 1);
    else if (this.#seen % SAMPLE === 0) this.#add(path, SAMPLE);
  }

  /** To be called every second. */
  tick(): void {
    this.#seen = 0;
    this.#secondsSinceDecay += 1;
    if (this.#secondsSinceDecay < DECAY_SEC) return;
    this.#secondsSinceDecay = 0;
    this.#rare = [];
    for (const [path, count] of this.#counts)
      if (count * REMAINDER < 0.1) this.#counts.delete(path);
      else this.#counts.set(path, count * REMAINDER);
  }

  /** The paths that came most often, most often first. */
  top(limit: number): readonly HotPath[] {
    return [...this.#counts]
      .map(([path, count]): HotPath => ({ path, count: Math.round(count * 10) / 10 }))
      .sort((a, b) => b.count - a.count)
      .slice(0, limit);
  }

  #add(path: readonly string[], weight: number): void {
    const text = textOf(path);
    const count = this.#counts.get(text);
    if (count === undefined && this.#counts.size >= MAX_PATHS) this.#replaceRarest(text, weight);
    else this.#write(text, (count ?? 0) + weight);
  }

  #write(text: string, count: number): void {
    this.#counts.set(text, count);
    this.#leastNew = Math.min(this.#leastNew, count);
  }

  #replaceRarest(text: string, weight: number): void {
    const { path, count } = this.#takeRarest();
    this.#counts.delete(path);
    this.#write(text, count + weight);
  }

  #takeRarest(): HotPath {
    for (
      let next = this.#rare.pop();
      next !== undefined && next.count <= this.#leastNew;
      next = this.#rare.pop()
    )
      if (this.#counts.get(next.path) === next.count) return next;
    // Looked at once for many: one after another they would all be looked at each time.
    this.#rare = [...this.#counts]
      .map(([path, count]) => ({ path, count }))
      .sort((a, b) => b.count - a.count);
    this.#leastNew = Number.POSITIVE_INFINITY;
    return this.#rare.pop() ?? { path: '', count: 0 };
  }
}

function textOf(path: readonly string[]): string {
  let text = '';
  for (let level = 0; level < path.length && level < MAX_LEVELS; level++) text += `/${path[level]}`;
  return text.length > MAX_PATH_UNITS ? text.slice(0, MAX_PATH_UNITS) : text || '/';
}
