/**
 * Compares ways to store a tree in LMDB: the content of one entry, its encoding, and how the file is mapped.
 * Run it without arguments for the whole table (about two minutes). Every row is measured in a separate
 * process, because memory is part of the result. `--messages N` changes the number of messages of every row.
 */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type CellResult, type DataSet, measureCell } from './storage-encoding/cell.ts';
import { ENCODINGS } from './storage-encoding/encodings.ts';
import { MAP_OPTIONS } from './storage-encoding/sample-store.ts';

const CHOSEN_ENCODING = 'JSON, 1024';
const DOCUMENTS_PER_MESSAGE = 1 / 50;

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    cell: { type: 'string' },
    only: { type: 'string' },
  },
});
const messages = Number(values.messages);

if (values.cell === undefined) printTable();
else process.stdout.write(JSON.stringify(runCell(values.cell)));

function runCell(name: string): CellResult {
  const [dataSet, encodingName, mapName] = name.split('|');
  const encoding = ENCODINGS.find((candidate) => candidate.name === encodingName);
  const map = MAP_OPTIONS.find((candidate) => candidate.name === mapName);
  if (encoding === undefined || map === undefined) throw new Error(`unknown row ${name}`);
  if (dataSet === 'messages') return measureCell('messages', messages, encoding, map);
  return measureCell('documents', Math.round(messages * DOCUMENTS_PER_MESSAGE), encoding, map);
}

function printTable(): void {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  print(`${cpus().length} cores, Node ${process.versions.node}, ${messages} messages\n`);
  print(
    '| data | encoding | file opened | load/s | file MiB | last children µs | update µs | scan/s | peak loading MiB | peak serving MiB | after scan: all, own, mapped MiB | longest release ms |',
  );
  print('|---|---|---|---|---|---|---|---|---|---|---|---|');
  for (const name of rowNames()) {
    if (values.only !== undefined && !name.includes(values.only)) continue;
    const child = spawnSync(
      process.execPath,
      [fileURLToPath(import.meta.url), '--messages', String(messages), '--cell', name],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    );
    if (child.status !== 0) throw new Error(`row ${name} failed`);
    const cell: CellResult = JSON.parse(child.stdout);
    const after = `${cell.afterScanMib}, ${cell.afterScanAnonymousMib}, ${cell.afterScanMappedMib}`;
    print(
      `| ${[...name.split('|'), cell.loadPerSecond, cell.fileMib, cell.lastChildrenMicros, cell.updateMicros, cell.scanPerSecond, cell.peakLoadingMib, cell.peakServingMib, after, cell.longestReleaseMs].join(' | ')} |`,
    );
  }
}

function rowNames(): readonly string[] {
  const row = (dataSet: DataSet, encoding: string, map: string): string => `${dataSet}|${encoding}|${map}`;
  return [
    ...ENCODINGS.map((encoding) => row('messages', encoding.name, 'default')),
    ...MAP_OPTIONS.slice(1).map((map) => row('messages', CHOSEN_ENCODING, map.name)),
    ...ENCODINGS.map((encoding) => row('documents', encoding.name, 'default')),
  ];
}
