import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Flow, readFlows, readMeasuredFlows } from '../scripts/read-flows.mjs';
import { findTarget } from './boundaries.ts';
import { ROOT, readText } from './repository.ts';
import { parseSource } from './source-file.ts';

/** Maximum number of files that a reader opens to follow a flow. */
const MAX_FILES: Readonly<Record<string, number>> = {
  'A write over a WebSocket': 22,
  'A write over REST': 12,
  'A sign-in with a password': 28,
  'A row of the explorer': 12,
};

/** Interfaces that connect files that do not import each other: `app` passes an object from one to the other. */
const INTERFACES = [
  'http/area.ts',
  'realtime/protocol/connection.ts',
  'storage/kv/store.ts',
  'storage/log/log.ts',
  'records/store.ts',
  'realtime/database/api.ts',
  'auth/services.ts',
].map((path) => `packages/server/src/${path}`);

const flows = await readFlows();

function findImports(path: string): ReadonlySet<string> {
  const { imports } = parseSource({ path, text: readText(path) });
  return new Set(imports.flatMap(({ specifier }) => findTarget(path, specifier) ?? []));
}

/**
 * Returns the files of a flow that neither an import nor an interface connects with an earlier file. The first file
 * of a package other than core needs no connection, because another program may reach it by a request.
 */
function findUnconnected({ files }: Flow): readonly string[] {
  const imports = new Map(files.map((path) => [path, findImports(path)]));
  const packageOf = (path: string) => path.split('/')[1];
  const isConnected = (path: string, other: string) =>
    imports.get(other)?.has(path) ||
    imports.get(path)?.has(other) ||
    INTERFACES.some((each) => imports.get(path)?.has(each) && imports.get(other)?.has(each));
  return files.filter((path, index) => {
    const earlier = files.slice(0, index);
    const isFirst = !earlier.some((other) => packageOf(other) === packageOf(path));
    return !(isFirst && packageOf(path) !== 'core') && !earlier.some((other) => isConnected(path, other));
  });
}

test('[P47] a reader opens few files to follow a flow', () => {
  expect(flows.map(({ name }) => name)).toEqual(Object.keys(MAX_FILES));
  for (const { name, files } of flows) {
    expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(new Set(files).size).toBe(files.length);
    expect(files.length).toBeLessThanOrEqual(MAX_FILES[name] ?? 0);
  }
});

test('[P47] imports or shared interfaces connect the files of a flow', () => {
  expect(flows.map((flow) => [flow.name, findUnconnected(flow)])).toEqual(
    flows.map(({ name }) => [name, []]),
  );
});

test('[P47] when a flow that starts with a request runs, the code of each of its files runs', async () => {
  const measured = await readMeasuredFlows();
  for (const { name, files } of flows) {
    const executed = measured.get(name);
    if (executed !== undefined) expect(files.filter((path) => !executed.includes(path))).toEqual([]);
  }
  expect(measured.size).toBe(3);
});
