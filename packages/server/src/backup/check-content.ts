import { Refusal } from '@hearth/core/fault/refusal.ts';
import { parseRules } from '@hearth/core/rules/parse-rules.ts';
import { type AccountsCheck, checkAccounts } from '../accounts/check-accounts.ts';
import { findBookTree } from '../books/stored-books.ts';
import { StoredView } from '../books/stored-view.ts';
import { findBook } from '../database/book-name.ts';
import { DatabaseDirectory, findRules, findStoredTree } from '../database/database-directory.ts';
import { findNextQueue, readQueueDatabase } from '../database/disconnect-queue.ts';
import type { KvRead } from '../kv/store.ts';
import { checkLog } from '../log/check-log.ts';
import { checkTrees, type NamedTree, type StoreCheck } from '../tree/check-store.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { formatBytes } from './format-bytes.ts';
import { readUnfinishedImports, type UnfinishedImport } from './unfinished-imports.ts';

/**
 * Reads all that a store holds and tells what is found of each kind. Memory is bounded. Yields from time to time, with the
 * share that is done.
 */
export function* checkContent(tx: KvRead): Generator<number, readonly Finding[]> {
  const names = new DatabaseDirectory().allNames(tx, '', Number.POSITIVE_INFINITY);
  const imports = readUnfinishedImports(tx);
  const loose = imports.flatMap((unfinished) => unfinished.loose);
  const trees = yield* checkTrees(tx, storedTrees(tx, names), loose);
  const accounts = yield* checkAllAccounts(tx, names);
  return [
    treeFinding(trees, names.length),
    garbageFinding(trees.garbage),
    rulesFinding(tx, names),
    logFinding(tx, names),
    queueFinding(tx),
    importFinding(imports),
    accountsFinding(accounts),
  ];
}

function storedTrees(tx: KvRead, names: readonly string[]): readonly NamedTree[] {
  return names.flatMap((name) => {
    const tree = findStoredTree(tx, name);
    return tree === undefined ? [] : [{ name, tree }];
  });
}

function treeFinding({ problems, entries }: StoreCheck, databases: number): Finding {
  return problems.length === 0
    ? ok(
        'data',
        `All ${count(entries, 'entry', 'entries')} of ${count(databases, 'database')} can be read and agree.`,
      )
    : problem('data', `${sentences(problems)} Restore a backup, or export what can be read.`);
}

function garbageFinding({ entries, bytes }: StoreCheck['garbage']): Finding {
  return ok(
    'garbage',
    entries === 0
      ? 'Nothing that was deleted waits to be removed.'
      : `${count(entries, 'deleted entry', 'deleted entries')} (${formatBytes(bytes)}) wait to be removed, which happens while a server runs.`,
  );
}

function rulesFinding(tx: KvRead, names: readonly string[]): Finding {
  const wrong: string[] = [];
  let sets = 0;
  for (const name of names) {
    const source = findRules(tx, name);
    if (source === undefined) continue;
    sets += 1;
    try {
      parseRules(source);
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      wrong.push(`the rules of ${name} are not valid: ${cause.message.split('\n', 1).join('')}`);
    }
  }
  return wrong.length === 0
    ? ok('rules', `${count(sets, 'set')} of rules, all valid.`)
    : warning('rules', `${sentences(wrong)} Such a database is locked: load its rules again.`);
}

function logFinding(tx: KvRead, names: readonly string[]): Finding {
  const checks = names.map((name) => checkLog(tx, name));
  const problems = checks.flatMap((check) => check.problems);
  const kept = checks.reduce((sum, check) => sum + check.kept, 0);
  return problems.length === 0
    ? ok('log', `${count(kept, 'commit')} kept, without gaps.`)
    : problem('log', `${sentences(problems)} Restore a backup, or export what can be read.`);
}

function queueFinding(tx: KvRead): Finding {
  let sessions = 0;
  for (let id = findNextQueue(tx, undefined); id !== undefined; id = findNextQueue(tx, id)) {
    sessions += 1;
    try {
      readQueueDatabase(tx, id);
    } catch (cause) {
      return warning(
        'onDisconnect',
        `What a client left to be written cannot be read (${String(cause)}). It stays, and is not written.`,
      );
    }
  }
  return ok(
    'onDisconnect',
    sessions === 0
      ? 'No client has left anything to be written when it disconnects.'
      : `${count(sessions, 'client')} left something to be written: when it disconnects, or at the next start.`,
  );
}

/** Of one project after another. */
function* checkAllAccounts(
  tx: KvRead,
  names: readonly string[],
): Generator<number, readonly AccountsCheck[]> {
  const checks: AccountsCheck[] = [];
  for (const name of names) {
    const book = findBook(name);
    if (book?.startsWith('accounts:') !== true) continue;
    const check = checkAccounts(new StoredView(tx, findBookTree(tx, book)));
    for (let step = check.next(); ; step = check.next()) {
      if (step.done === true) {
        checks.push(step.value);
        break;
      }
      // All data were read before this.
      yield 1;
    }
  }
  return checks;
}

function accountsFinding(checks: readonly AccountsCheck[]): Finding {
  const problems = checks.flatMap((check) => check.problems);
  const accounts = checks.reduce((sum, check) => sum + check.accounts, 0);
  const sessions = checks.reduce((sum, check) => sum + check.sessions, 0);
  return problems.length === 0
    ? ok(
        'accounts',
        `${count(accounts, 'account')} with ${count(sessions, 'session')}; everything they are found by agrees.`,
      )
    : problem('accounts', `${sentences(problems)} Restore a backup.`);
}

function importFinding(imports: readonly UnfinishedImport[]): Finding {
  if (imports.length === 0) return ok('imports', 'No import is under way.');
  const places = imports.map(({ name, record }) => `${name} at byte ${record.offset}`);
  return ok('imports', `Under way, or broken off and to be resumed: ${places.join(', ')}.`);
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** Each with a capital letter and a full stop. */
function sentences(problems: readonly string[]): string {
  return problems.map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1).trimEnd()}.`).join(' ');
}
