import { findChildRule, type RuleNode } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { Key } from '@hearth/core/tree/key.ts';

/** Number of path levels that are distinguished. Deeper paths count as their ancestor at the last level. */
const MAX_LEVELS = 5;

/** Maximum length of a path's text, in UTF-16 code units. The end of a longer text is cut off. */
const MAX_PATH_UNITS = 500;

/** Maximum number of paths with a counter at a time. */
const MAX_PATHS = 200;

/**
 * Number of operations per second that are counted individually. Above it, only one of every `SAMPLING_INTERVAL`
 * operations is counted, with the weight of all of them.
 */
const MAX_COUNTED_EXACTLY = 500;
const SAMPLING_INTERVAL = 16;

/** Time in ms after which the weight of an operation has halved. */
export const HALF_LIFE_MS = 300_000;

/** Interval between two reductions of the counts, in seconds. */
const DECAY_SEC = 10;

/** The factor by which one reduction multiplies a count. */
const DECAY_FACTOR = 0.5 ** ((DECAY_SEC * 1_000) / HALF_LIFE_MS);

/** A path template, with the number of its recent operations. The number decays with time. */
export interface HotPath {
  /** For example `/rooms/$room`: see `pathTemplate`. */
  readonly path: string;
  readonly count: number;
}

/**
 * Counts the recent operations at each path. Implements the space-saving algorithm of Metwally, Agrawal and
 * El Abbadi: if all counters are in use, a new path replaces the path with the lowest count and inherits that
 * count. Therefore no frequent path is missed.
 */
export class HotPaths {
  readonly #counts = new Map<string, number>();
  #operationsThisSecond = 0;
  /**
   * A copy of the counters, sorted with the lowest count last, without the paths that were replaced after the
   * copy was made. Since then, counts have only increased.
   */
  #evictionCandidates: HotPath[] = [];
  /**
   * The lowest count written since the copy was made. If a path in the copy has no higher count and its count
   * is unchanged, it still has the lowest count of all.
   */
  #lowestWritten = Number.POSITIVE_INFINITY;
  #secondsSinceDecay = 0;

  /** Counts an operation at a path, under the rules of its database. */
  record(path: readonly Key[], rules: RuleNode): void {
    this.#operationsThisSecond += 1;
    if (this.#operationsThisSecond <= MAX_COUNTED_EXACTLY) this.#add(pathTemplate(path, rules), 1);
    else if (this.#operationsThisSecond % SAMPLING_INTERVAL === 0)
      this.#add(pathTemplate(path, rules), SAMPLING_INTERVAL);
  }

  /** Starts a new second, and reduces all counts every `DECAY_SEC` seconds. Must be called every second. */
  tick(): void {
    this.#operationsThisSecond = 0;
    this.#secondsSinceDecay += 1;
    if (this.#secondsSinceDecay < DECAY_SEC) return;
    this.#secondsSinceDecay = 0;
    this.#evictionCandidates = [];
    for (const [path, count] of this.#counts)
      if (count * DECAY_FACTOR < 0.1) this.#counts.delete(path);
      else this.#counts.set(path, count * DECAY_FACTOR);
  }

  /** Returns the most frequent paths, highest count first, at most `limit`. */
  top(limit: number): readonly HotPath[] {
    return [...this.#counts]
      .map(([path, count]): HotPath => ({ path, count: Math.round(count * 10) / 10 }))
      .sort((a, b) => b.count - a.count)
      .slice(0, limit);
  }

  #add(text: string, weight: number): void {
    const count = this.#counts.get(text);
    if (count === undefined && this.#counts.size >= MAX_PATHS) this.#replaceLowest(text, weight);
    else this.#write(text, (count ?? 0) + weight);
  }

  #write(text: string, count: number): void {
    this.#counts.set(text, count);
    this.#lowestWritten = Math.min(this.#lowestWritten, count);
  }

  #replaceLowest(text: string, weight: number): void {
    const { path, count } = this.#takeLowest();
    this.#counts.delete(path);
    this.#write(text, count + weight);
  }

  #takeLowest(): HotPath {
    for (
      let next = this.#evictionCandidates.pop();
      next !== undefined && next.count <= this.#lowestWritten;
      next = this.#evictionCandidates.pop()
    )
      if (this.#counts.get(next.path) === next.count) return next;
    // Sort the counters once for many replacements. Otherwise each replacement would search all of them.
    this.#evictionCandidates = [...this.#counts]
      .map(([path, count]) => ({ path, count }))
      .sort((a, b) => b.count - a.count);
    this.#lowestWritten = Number.POSITIVE_INFINITY;
    return this.#evictionCandidates.pop() ?? { path: '', count: 0 };
  }
}

/**
 * Keys that programs generate: push IDs, UUIDs, numbers, and identifiers of 20 or more letters and digits, such as
 * the user IDs of accounts.
 */
const GENERATED_KEY =
  /^(?:-[\w-]{19}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d+|(?=.*\d)[A-Za-z\d]{20,})$/i;

/** Stands for a generated key at a level for which the rules have no wildcard. */
const ANY_KEY = '*';

/**
 * Returns the path with its variable keys replaced, so that operations on different children count together: by the
 * wildcard that matches in the rules, such as `/rooms/$room`, or otherwise, for a generated key, by `*`.
 */
export function pathTemplate(path: readonly Key[], rules: RuleNode): string {
  let text = '';
  let node: RuleNode | undefined = rules;
  for (const key of path.slice(0, MAX_LEVELS)) {
    text += `/${keyTemplate(key, node)}`;
    node = node === undefined ? undefined : findChildRule(node, key);
  }
  return text.length > MAX_PATH_UNITS ? text.slice(0, MAX_PATH_UNITS) : text || '/';
}

/** Returns the key, or its placeholder. `node` has the rules of the parent; `undefined` if there are none. */
function keyTemplate(key: Key, node: RuleNode | undefined): string {
  if (node?.children.has(key)) return key;
  return node?.wildcard?.name ?? (GENERATED_KEY.test(key) ? ANY_KEY : key);
}
