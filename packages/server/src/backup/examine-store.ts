import { join } from 'node:path';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { type AccountsCheck, checkAccounts } from '../auth/accounts/check.ts';
import { listKeptTrees } from '../realtime/changes/record.ts';
import { DatabaseCatalog, findRecords, findStoredTree } from '../realtime/database/catalog.ts';
import { findNextQueue, readQueueDatabase } from '../realtime/disconnect/queue.ts';
import { readUnfinishedImports, type UnfinishedImport } from '../realtime/import/record.ts';
import { findRecordTree } from '../records/stored-records.ts';
import { StoredView } from '../records/view.ts';
import { findRules } from '../rules/publishing/versions.ts';
import { checkPages } from '../storage/kv/lmdb-pages.ts';
import { LmdbReader } from '../storage/kv/lmdb-reader.ts';
import type { KvRead } from '../storage/kv/store.ts';
import { checkLog } from '../storage/log/record.ts';
import { checkTrees, type NamedTree, type StoreCheck } from '../storage/tree/check.ts';
import { type Finding, formatBytes, ok, problem, warning } from './report.ts';
import { checkSecretKey } from './secret-key-check.ts';

/**
 * Reads everything in a store and returns a finding for each kind of data. Memory use is bounded. Yields the
 * completed share at intervals.
 */
function* checkContent(tx: KvRead): Generator<number, readonly Finding[]> {
  const names = new DatabaseCatalog().allNames(tx, '', Number.POSITIVE_INFINITY);
  const imports = readUnfinishedImports(tx);
  const unreferenced = [...imports.flatMap((unfinished) => unfinished.unreferenced), ...listKeptTrees(tx)];
  const trees = yield* checkTrees(tx, storedTrees(tx, names), unreferenced);
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
        `All ${count(entries, 'entry', 'entries')} of ${count(databases, 'database')} can be read and are consistent.`,
      )
    : problem('data', `${sentences(problems)} Restore a backup, or export what can be read.`);
}

function garbageFinding({ entries, bytes }: StoreCheck['garbage']): Finding {
  return ok(
    'garbage',
    entries === 0
      ? 'No deleted data waits to be removed.'
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
      if (!(cause instanceof RequestError)) throw cause;
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
  const retained = checks.reduce((sum, check) => sum + check.kept, 0);
  return problems.length === 0
    ? ok('log', `${count(retained, 'commit')} stored, without gaps.`)
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
        `The onDisconnect writes of a client cannot be read (${String(cause)}). They stay stored and are not applied.`,
      );
    }
  }
  return ok(
    'onDisconnect',
    sessions === 0
      ? 'No onDisconnect writes are pending.'
      : `${count(sessions, 'client')} with pending onDisconnect writes. The server applies them on disconnect or at the next start.`,
  );
}

/** Checks the projects one after the other. */
function* checkAllAccounts(
  tx: KvRead,
  names: readonly string[],
): Generator<number, readonly AccountsCheck[]> {
  const checks: AccountsCheck[] = [];
  for (const name of names) {
    const records = findRecords(name);
    if (records?.startsWith('accounts:') !== true) continue;
    const check = checkAccounts(new StoredView(tx, findRecordTree(tx, records)));
    for (let step = check.next(); ; step = check.next()) {
      if (step.done === true) {
        checks.push(step.value);
        break;
      }
      // All data have already been read at this point.
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
    ? ok('accounts', `${count(accounts, 'account')} with ${count(sessions, 'session')}; all indexes agree.`)
    : problem('accounts', `${sentences(problems)} Restore a backup.`);
}

function importFinding(imports: readonly UnfinishedImport[]): Finding {
  if (imports.length === 0) return ok('imports', 'No import is in progress.');
  const paths = imports.map(({ name, record }) => `${name} at byte ${record.offset}`);
  return ok('imports', `In progress or interrupted: ${paths.join(', ')}.`);
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** Returns the problems as sentences, each with a capital letter and a full stop. */
function sentences(problems: readonly string[]): string {
  return problems.map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1).trimEnd()}.`).join(' ');
}

/** The advice if a store cannot be read. */
export const RESTORE_ADVICE = 'Restore a backup: hearth restore <backup> --data <directory>';

/**
 * Reads everything in the store of a directory and returns the findings. Yields the completed share at
 * intervals. LMDB may end the process if the file is damaged in the middle.
 */
export function* examineStore(path: string): Generator<number, readonly Finding[]> {
  try {
    using reader = new LmdbReader(path);
    const pages = yield* findPages(path);
    if (pages.verdict === 'problem') return [pages];
    return [pages, ...(yield* checkContent(reader)), checkSecretKey(reader, path)];
  } catch (cause) {
    return [problem('store', `The data file cannot be read: ${String(cause)}. ${RESTORE_ADVICE}`)];
  }
}

/**
 * Checks the use of the file's pages. If another process writes, the caller must open a reader first and keep it
 * open.
 */
function* findPages(path: string): Generator<number, Finding> {
  const steps = checkPages(join(path, 'data.mdb'));
  for (;;) {
    const step = steps.next();
    if (step.done !== true) {
      yield 0;
      continue;
    }
    const { pages, freePages, lostPages, problems } = step.value;
    if (problems.length > 0)
      return problem('pages', `The data file is damaged: ${problems.join('; ')}. ${RESTORE_ADVICE}`);
    if (lostPages > 0)
      return warning(
        'pages',
        `${lostPages} of ${pages} pages of the data file are neither used nor free. To reclaim their space, run hearth backup and hearth restore.`,
      );
    return ok(
      'pages',
      `The data file has ${pages} pages, ${freePages} of them free. Each of the others is used exactly once.`,
    );
  }
}
