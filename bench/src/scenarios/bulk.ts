import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../../../scripts/random.ts';
import { type ChatFile, writeChatFile } from '../load/chat.ts';
import { TemporaryDirectory } from '../measure/directory.ts';
import { MemoryWatch } from '../measure/process.ts';
import { readClockMs } from '../measure/time.ts';
import { type CommandResult, HEARTH_COMMAND, runCommand } from '../server/command.ts';
import { ServerProcess } from '../server/server-process.ts';
import type { Figure, ScenarioOptions } from './scenario.ts';

const NAMESPACE = 'bulk';
const MB = 1e6;
const MIB = 2 ** 20;
const FULL_BYTES = 1_000_000_000;
const QUICK_BYTES = 20_000_000;
const KILLS = 6;

type Copied = { readonly megabytesPerSecond: number; readonly addedBytes: number };

/**
 * Imports and exports a large file with the command line, and measures the rate and the added memory of the
 * server. Then imports the file into another server, and kills this server and the importing program in turn before the
 * import is complete. Throws if an export differs from the file.
 */
export async function measureBulk({
  subject,
  quick,
  seed,
  progress,
}: ScenarioOptions): Promise<readonly Figure[]> {
  using files = new TemporaryDirectory();
  using directory = new TemporaryDirectory();
  const source = writeChatFile(join(files.path, 'source.json'), quick ? QUICK_BYTES : FULL_BYTES);
  const exported = join(files.path, 'exported.json');
  let imported: Copied;
  let copiedOut: Copied;
  {
    await using server = await ServerProcess.start(subject, directory.path);
    imported = await copy(server, source, () => runOrThrow(importArguments(source, server.port)));
    progress(`bulk: imported at ${imported.megabytesPerSecond.toFixed(0)} MB/s`);
    copiedOut = await copy(server, source, () => runOrThrow(exportArguments(exported, server.port)));
    progress(`bulk: exported at ${copiedOut.megabytesPerSecond.toFixed(0)} MB/s`);
    await assertEqual(exported, source);
  }
  using second = new TemporaryDirectory();
  const kills = await importWithKills({ subject, directory: second.path, source, exported, seed, progress });
  const size = `${(source.bytes / MB).toFixed(0)} MB`;
  return [
    rate(`importing ${size}`, imported),
    memory('peak resident memory that the import adds to the server', imported),
    rate(`exporting ${size}`, copiedOut),
    memory('peak resident memory that the export adds to the server', copiedOut),
    {
      name: 'kills during a second import, whose export equals the file',
      unit: 'kills',
      value: kills,
      compared: undefined,
      target: { kind: 'none' },
    },
  ];
}

function rate(name: string, { megabytesPerSecond }: Copied): Figure {
  return {
    name,
    unit: 'MB per second',
    value: megabytesPerSecond,
    compared: 25,
    target: { kind: 'ratioAtLeast', bound: 1 },
  };
}

function memory(name: string, { addedBytes }: Copied): Figure {
  return {
    name,
    unit: 'MiB',
    value: addedBytes / MIB,
    compared: undefined,
    target: { kind: 'below', bound: 64 },
  };
}

async function copy(server: ServerProcess, { bytes }: ChatFile, run: () => Promise<void>): Promise<Copied> {
  using watch = new MemoryWatch(server.pid);
  const before = watch.readHighest();
  const startedMs = readClockMs();
  await run();
  const seconds = (readClockMs() - startedMs) / 1_000;
  const addedBytes = watch.readHighest().residentBytes - before.residentBytes;
  return { megabytesPerSecond: bytes / MB / seconds, addedBytes };
}

interface KillOptions extends Pick<ScenarioOptions, 'subject' | 'seed' | 'progress'> {
  readonly directory: string;
  readonly source: ChatFile;
  readonly exported: string;
}

/**
 * Starts the import several times, and kills the server or only the program at a random moment. Then lets the import
 * finish, and throws if the export differs from the file. Returns the number of kills.
 */
async function importWithKills({
  subject,
  directory,
  source,
  exported,
  seed,
  progress,
}: KillOptions): Promise<number> {
  const random = new Random(seed);
  let server = await ServerProcess.start(subject, directory);
  try {
    let kills = 0;
    for (; kills < KILLS; kills += 1) {
      const command = runCommand(HEARTH_COMMAND, importArguments(source, server.port));
      const outcome = await Promise.race([command.ended, delay(500 + random.below(3_000))]);
      if (outcome !== undefined) break;
      const isServer = kills % 2 === 0;
      if (isServer) await server.kill();
      command.kill();
      await command.ended;
      if (isServer) server = await ServerProcess.start(subject, directory);
      progress(`bulk: killed the ${isServer ? 'server' : 'importing program'}`);
    }
    await runOrThrow(importArguments(source, server.port));
    await runOrThrow(exportArguments(exported, server.port));
    await assertEqual(exported, source);
    return kills;
  } finally {
    await server.kill();
  }
}

function importArguments({ path }: ChatFile, port: number): readonly string[] {
  return ['import', path, ...target(port)];
}

function exportArguments(path: string, port: number): readonly string[] {
  return ['export', path, ...target(port)];
}

function target(port: number): readonly string[] {
  return ['--url', `http://127.0.0.1:${port}`, '--database', NAMESPACE];
}

async function runOrThrow(args: readonly string[]): Promise<void> {
  const { code, output }: CommandResult = await runCommand(HEARTH_COMMAND, args).ended;
  if (code !== 0) throw new Error(`hearth ${args.join(' ')} exited with code ${code}:\n${output}`);
}

async function assertEqual(path: string, { sha256 }: ChatFile): Promise<void> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  if (hash.digest('hex') !== sha256) throw new Error('the export differs from the imported file');
}
