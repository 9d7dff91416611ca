import { Refusal } from '@hearth/core/fault/refusal.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { type KvRead, type KvWrite, prefixRange } from '../kv/store.ts';

/** Rules that were uploaded to be put in force later, by a label. */
export interface Ruleset {
  /** Sorts after the ids of all rulesets that came before. */
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly source: string;
}

/** Which ruleset of a database is called what. The stable one was put in force when it was labelled. */
export interface RulesetLabels {
  readonly stable?: string;
  readonly canary?: string;
}

/** Rulesets that a database keeps; with one more, the oldest without a label goes. */
export const MAX_RULESETS = 20;

/** The rulesets of a database, oldest first. In the table `meta`, JSON under `ruleset/<database>/<id>`. */
export function listRulesets(tx: KvRead, database: string): readonly Ruleset[] {
  return Array.from(tx.scan('meta', prefixRange(Buffer.from(rulesetPrefix(database)))), ({ value }) =>
    decodeRuleset(value),
  );
}

export function findRuleset(tx: KvRead, database: string, id: string): Ruleset | undefined {
  // An id with other characters was never given out, and may be longer than a key can be.
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

/** The labels of a database, if it has any. In the table `meta`, JSON under `ruleset-labels/<database>`. */
export function findLabels(tx: KvRead, database: string): RulesetLabels | undefined {
  const record = tx.find('meta', labelsKey(database));
  // The bytes were written by `writeLabels`.
  return record === undefined ? undefined : (parseJsonText(record.toString()) as RulesetLabels);
}

/** Refuses with `rules/no-ruleset` labels for rulesets that there are none of. */
export function writeLabels(tx: KvWrite, database: string, labels: RulesetLabels): void {
  for (const id of [labels.stable, labels.canary])
    if (id !== undefined && findRuleset(tx, database, id) === undefined)
      throw new Refusal('rules/no-ruleset');
  tx.put('meta', labelsKey(database), Buffer.from(JSON.stringify(labels)));
}

function decodeRuleset(record: Buffer): Ruleset {
  // The bytes were written by `addRuleset`.
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
