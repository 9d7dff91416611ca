import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonStream } from '../http/json-output.ts';
import { databaseProduct, exportEmulatorData } from './export.ts';
import type { EmulatorProduct } from './export-format.ts';
import { importEmulatorData } from './import.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-emulator-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Returns the products of an export of these databases. `databases` has their content by name. */
function productsOf(databases: Readonly<Record<string, JsonStream>>): readonly EmulatorProduct[] {
  const source = {
    databaseNames: () => Object.keys(databases),
    databases: {
      read: async (name: string) => ({
        json: databases[name] ?? { kind: 'whole' as const, bytes: Buffer.from('null') },
        hash: null,
      }),
    },
  };
  return [databaseProduct(source)];
}

async function* parts(end: 'whole' | 'broken'): AsyncGenerator<Buffer, void, undefined> {
  yield Buffer.from('{"a":');
  if (end === 'broken') throw new Error('The disk is gone.');
  yield Buffer.from('1}');
}

/** Imports the directory and returns the text of each database. */
async function importAll(
  report: (line: string) => void = () => {},
): Promise<Readonly<Record<string, string>>> {
  const imported: Record<string, string> = {};
  await importEmulatorData(
    directory,
    {
      stageSet: async (database, _request, chunks) => {
        let text = '';
        for await (const chunk of chunks) text += chunk;
        imported[database] = text;
        return null;
      },
    },
    report,
  );
  return imported;
}

test('[H178] an export that fails leaves the earlier export unchanged', async () => {
  const good = productsOf({
    one: { kind: 'parts', parts: parts('whole') },
    none: { kind: 'whole', bytes: Buffer.from('null') },
  });
  expect(await exportEmulatorData(directory, '1.0.0', good)).toEqual(['one']);
  expect(await importAll()).toEqual({ one: '{"a":1}' });
  const metadata = readFileSync(join(directory, 'firebase-export-metadata.json'), 'utf8');
  const broken = productsOf({
    two: { kind: 'whole', bytes: Buffer.from('2') },
    one: { kind: 'parts', parts: parts('broken') },
  });
  await expect(exportEmulatorData(directory, '1.0.1', broken)).rejects.toThrow('The disk is gone.');
  expect(await importAll()).toEqual({ one: '{"a":1}' });
  expect(readFileSync(join(directory, 'firebase-export-metadata.json'), 'utf8')).toBe(metadata);
  await exportEmulatorData(
    directory,
    '1.0.2',
    productsOf({ two: { kind: 'whole', bytes: Buffer.from('2') } }),
  );
  expect(await importAll()).toEqual({ two: '2' });
  expect(readdirSync(directory).sort()).toEqual(['database_export', 'firebase-export-metadata.json']);
});

test('[H178] if an export is interrupted between its last steps, an import finds the earlier export', async () => {
  await exportEmulatorData(directory, '1.0.0', productsOf({ one: { kind: 'parts', parts: parts('whole') } }));
  renameSync(join(directory, 'database_export'), join(directory, 'database_export.previous'));
  expect(await importAll()).toEqual({ one: '{"a":1}' });
});

test('[H324] a file that belongs to no database is left out and reported', async () => {
  await exportEmulatorData(directory, '1.0.0', productsOf({ one: { kind: 'parts', parts: parts('whole') } }));
  for (const name of ['my_db.json', 'notes.txt', `${'a'.repeat(64)}.json`])
    writeFileSync(join(directory, 'database_export', name), '1');
  const lines: string[] = [];
  expect(await importAll((line) => lines.push(line))).toEqual({ one: '{"a":1}' });
  expect(lines).toEqual([
    expect.stringMatching(/a{64}\.json was skipped: /),
    expect.stringMatching(/my_db\.json was skipped: /),
    expect.stringMatching(/notes\.txt was skipped: /),
  ]);
});

test('[H324] two files of one database are rejected before anything is replaced', async () => {
  await exportEmulatorData(directory, '1.0.0', productsOf({ a: { kind: 'parts', parts: parts('whole') } }));
  for (const name of ['One.json', 'one.json']) writeFileSync(join(directory, 'database_export', name), '1');
  let imports = 0;
  const stageSet = async (): Promise<null> => {
    imports++;
    return null;
  };
  await expect(importEmulatorData(directory, { stageSet }, () => {})).rejects.toThrow(
    /One\.json and \S+one\.json belong to the same database/,
  );
  expect(imports).toBe(0);
});

test('[H325] an export to a directory that cannot be created fails with a message that says so', async () => {
  writeFileSync(join(directory, 'file'), '');
  await expect(exportEmulatorData(join(directory, 'file/below'), '1.0.0', productsOf({}))).rejects.toThrow(
    /below\S* cannot be created/,
  );
});

// Node's recursive `mkdir` never returns for a path below `/proc`, because the kernel reports each new directory as
// missing.
test.runIf(existsSync('/proc'))(
  '[H325] an export to a directory below /proc fails with the same message',
  async () => {
    await expect(exportEmulatorData('/proc/hearth', '1.0.0', productsOf({}))).rejects.toThrow(
      /hearth\S* cannot be created/,
    );
  },
);
