import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { isJsonObject, type Json, parseJson } from '../drivers/json.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { until } from '../drivers/until.ts';
import { useAdminApps } from './admin-app.ts';
import { useFirebaseCli } from './firebase-cli.ts';
import { ownerRequest, writeData } from './owner-request.ts';

const cli = useFirebaseCli();
const openDatabase = useAdminApps();

const RULES = { rules: { open: { '.read': true, '.write': true } } };

/** Returns the first column of a table of the report, usually paths. */
function firstColumn(report: Json, table: string): readonly Json[] {
  const found = isJsonObject(report) ? report[table] : undefined;
  const rows = isJsonObject(found) ? found['data'] : undefined;
  if (!Array.isArray(rows)) throw new Error(`The report has no table ${table}.`);
  return rows.map((row) => (Array.isArray(row) ? row[0] : row));
}

/** Performs one operation of each kind that the report distinguishes. */
async function doEverything(namespace: string): Promise<void> {
  const database = openDatabase(namespace);
  const listened = database.ref('open/listened');
  await database.ref('open/set').set({ a: 'text' });
  await database.ref('open/update').update({ a: 1 });
  await database.ref('open/transaction').transaction(() => 1);
  await database.ref('open/get').get();
  listened.on('value', () => {});
  database
    .ref('open/query')
    .orderByChild('height')
    .limitToFirst(1)
    .on('value', () => {});
  // Responses keep the order of the requests, so this one shows that all earlier requests were executed.
  const settle = () => database.ref('settle').get();
  await settle();
  await writeData(namespace, '/open/listened', 'told');
  await settle();
  listened.off();
  await settle();
  database.goOffline();
  await ownerRequest('PATCH', `/open/rest.json?ns=${namespace}`, '{"a":{"b":1}}');
  await fetch(`${inject('serverUrl')}/denied.json?ns=${namespace}`);
}

/** Returns the records of the command line so far, from the files in which they are until the report is written. */
async function readRecorded(folder: string): Promise<string> {
  const files = await readdir(folder);
  return (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('');
}

test('[S278] profile reports the operations of clients until it is stopped', async () => {
  const namespace = await openNamespace(RULES);
  const file = await cli.writeInput('report.json', '');
  const folder = await mkdtemp(join(dirname(file), 'recorded-'));
  const input = async (shown: () => string) => {
    await until(() => expect(shown()).toContain('operations recorded'));
    await doEverything(namespace);
    await until(async () => {
      const recorded = await readRecorded(folder);
      for (const name of ['concurrent-disconnect', 'rest-read']) expect(recorded).toContain(name);
    });
    return '\n';
  };
  const args = ['database:profile', '--output', file, '--json'];
  await cli.succeed(namespace, args, { input, env: { TMPDIR: folder } });
  const report = parseJson(await readFile(file, 'utf8'));
  expect(firstColumn(report, 'readSpeed')).toEqual(
    expect.arrayContaining(['/open/get', '/open/listened', '/open/query', '/denied']),
  );
  expect(firstColumn(report, 'writeSpeed')).toEqual(
    expect.arrayContaining([
      '/open/set',
      '/open/update',
      '/open/transaction',
      '/open/listened',
      '/open/rest',
    ]),
  );
  expect(firstColumn(report, 'broadcastSpeed')).toContain('/open/listened');
  expect(firstColumn(report, 'unlistenSpeed')).toContain('/open/listened');
  expect(firstColumn(report, 'unindexedQueries')).toEqual(['/open/query']);
  expect(firstColumn(report, 'connectSpeed')).not.toEqual([]);
  expect(firstColumn(report, 'disconnectSpeed')).not.toEqual([]);
});
