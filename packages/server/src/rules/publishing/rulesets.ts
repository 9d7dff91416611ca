import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { type KvRead, type KvWrite, prefixRange } from '../../storage/kv/store.ts';

/** Uploaded rules that can be published later by setting a label. */
export interface Ruleset {
  /** Sorts after the ids of all earlier rulesets. */
  readonly id: string;
  /** Creation time in ISO 8601. */
  readonly createdAt: string;
  readonly source: string;
}

/** The labels of a database's rulesets. The ruleset labeled stable was published when it got the label. */
export interface RulesetLabels {
  readonly stable?: string;
  readonly canary?: string;
}

/** Maximum number of rulesets stored for a database. Adding another removes the oldest without a label. */
export const MAX_RULESETS = 20;

/**
 * Returns the rulesets of a database, oldest first. They are JSON in the table `meta` under
 * `ruleset/<database>/<id>`.
 */
export function listRulesets(tx: KvRead, database: string): readonly Ruleset[] {
  return Array.from(tx.scan('meta', prefixRange(Buffer.from(rulesetPrefix(database)))), ({ value }) =>
    decodeRuleset(value),
  );
}

export function findRuleset(tx: KvRead, database: string, id: string): Ruleset | undefined {
  // An id in any other format was never issued, and may be longer than a key can be.
  if (!/^[\w-]{20}$/.test(id)) return undefined;
  const record = tx.find('meta', rulesetKey(database, id));
  return record === undefined ? undefined : decodeRuleset(record);
}

export function addRuleset(tx: KvWrite, database: string, ruleset: Ruleset): void {
  tx.put('meta', rulesetKey(database, ruleset.id), Buffer.from(JSON.stringify(ruleset)));
  const all = listRulesets(tx, database);
  const labels = findLabels(tx, database);
  const oldest = all.find(({ id }) => id !== labels?.stable && id !== labels?.canary);
  if (all.length > MAX_RULESETS && oldest !== undefined) tx.remove('meta', rulesetKey(database, oldest.id));
}

/**
 * Returns the labels of a database, or `undefined`. They are JSON in the table `meta` under
 * `ruleset-labels/<database>`.
 */
export function findLabels(tx: KvRead, database: string): RulesetLabels | undefined {
  const record = tx.find('meta', labelsKey(database));
  // `writeLabels` wrote these bytes.
  return record === undefined ? undefined : (parseJsonText(record.toString()) as RulesetLabels);
}

/** Stores labels. Throws `rules/no-ruleset` if a labeled ruleset does not exist. */
export function writeLabels(tx: KvWrite, database: string, labels: RulesetLabels): void {
  for (const id of [labels.stable, labels.canary])
    if (id !== undefined && findRuleset(tx, database, id) === undefined)
      throw new RequestError('rules/no-ruleset');
  tx.put('meta', labelsKey(database), Buffer.from(JSON.stringify(labels)));
}

function decodeRuleset(record: Buffer): Ruleset {
  // `addRuleset` wrote these bytes.
  return parseJsonText(record.toString()) as unknown as Ruleset;
}

function rulesetPrefix(database: string): string {
  return `ruleset/${database}/`;
}

function rulesetKey(database: string, id: string): Buffer {
  return Buffer.from(rulesetPrefix(database) + id, 'latin1');
}

function labelsKey(database: string): Buffer {
  return Buffer.from(`ruleset-labels/${database}`, 'latin1');
}
