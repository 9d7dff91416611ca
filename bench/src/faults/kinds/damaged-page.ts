import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../../../scripts/random.ts';
import { canonicalJson } from '../../client/json.ts';
import { TemporaryDirectory } from '../../measure/directory.ts';
import { HEARTH_COMMAND, runCommand } from '../../server/command.ts';
import { ServerProcess } from '../../server/server-process.ts';
import type { FaultBed } from '../bed.ts';
import { type Fault, NO_PROBLEMS } from '../fault.ts';
import { askHttp } from '../http.ts';

const PAGE_BYTES = 4_096;
const SECTOR_BYTES = 512;
/** The two pages that describe the file. */
const META_PAGES = 2;
const READ_LIMIT_MS = 30_000;

/** The result of the checks of a copy of the data directory with one damaged page. */
type Found = {
  readonly damage: string;
  /** Whether `hearth doctor` reported a problem. */
  readonly isReported: boolean;
  /** The data that the server on the copy has served; `undefined` if it served none. */
  readonly served: string | undefined;
};

const found = new WeakMap<FaultBed, Found>();

/**
 * One page of the data file is damaged, in a copy of the directory. A server on the copy should refuse to start, end,
 * report an error or serve the right data. Wrong data is a violation, even if doctor reports the damage.
 */
export const DAMAGED_PAGE: Fault = {
  name: 'damaged page of the data file',
  needs: [],
  lastsMs: 0,
  expected: { process: 'ends' },
  begin: async (bed, random) => {
    await bed.server.kill();
    using copy = new TemporaryDirectory();
    copyData(bed.dataDirectory, copy.path);
    const damage = damagePage(join(copy.path, 'data.mdb'), random);
    const doctor = await runCommand(HEARTH_COMMAND, ['doctor', '--data', copy.path]).ended;
    const served = await serveCopy(bed, copy.path);
    const isReported = doctor.code === 1 && /damaged|Restore a backup|cannot be read/.test(doctor.output);
    found.set(bed, { damage, isReported, served });
    return doctor.code === 0 || isReported
      ? NO_PROBLEMS
      : [`doctor ended with ${doctor.code}: ${doctor.output}`];
  },
  end: async (bed) => {
    await bed.start();
    const result = found.get(bed);
    if (result?.served === undefined) return NO_PROBLEMS;
    const data = await readData(bed.port, bed.namespace);
    if (data === result.served) return NO_PROBLEMS;
    const doctor = result.isReported ? 'doctor reports it' : 'doctor does not report it';
    return [`a server with a damaged page served wrong data (${result.damage}; ${doctor})`];
  },
};

function copyData(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (statSync(join(from, name)).isFile() && name !== 'lock.mdb')
      copyFileSync(join(from, name), join(to, name));
  }
}

/** Damages one page as disks do. Returns how, as text. */
function damagePage(path: string, random: Random): string {
  const pages = statSync(path).size / PAGE_BYTES;
  const page = META_PAGES + random.below(pages - META_PAGES);
  const file = openSync(path, 'r+');
  try {
    const write = (bytes: Buffer, at = 0): void =>
      void writeSync(file, bytes, 0, bytes.length, page * PAGE_BYTES + at);
    switch (random.below(4)) {
      case 0:
        write(Buffer.alloc(PAGE_BYTES));
        return `page ${page} is empty`;
      case 1: {
        const sector = random.below(PAGE_BYTES / SECTOR_BYTES);
        write(Buffer.alloc(SECTOR_BYTES), sector * SECTOR_BYTES);
        return `sector ${sector} of page ${page} is empty`;
      }
      case 2:
        write(Buffer.from(Array.from({ length: PAGE_BYTES }, () => random.below(256))));
        return `page ${page} is garbage`;
      default: {
        const other = META_PAGES + random.below(pages - META_PAGES);
        const bytes = Buffer.alloc(PAGE_BYTES);
        readSync(file, bytes, 0, PAGE_BYTES, other * PAGE_BYTES);
        write(bytes);
        return other === page ? 'no page' : `page ${page} has the content of page ${other}`;
      }
    }
  } finally {
    closeSync(file);
  }
}

/** Starts a server on the copy. Returns the data that it serves; `undefined` if it does not serve it. */
async function serveCopy(bed: FaultBed, directory: string): Promise<string | undefined> {
  let server: ServerProcess;
  try {
    server = await ServerProcess.start(bed.command, directory);
  } catch {
    return undefined;
  }
  try {
    const late = new Promise<undefined>((resolve) =>
      setTimeout(() => resolve(undefined), READ_LIMIT_MS).unref(),
    );
    return await Promise.race([readData(server.port, bed.namespace), late]);
  } finally {
    await server.kill();
  }
}

async function readData(port: number, namespace: string): Promise<string | undefined> {
  const { status, text } = await askHttp(port, { method: 'GET', path: `/crash.json?ns=${namespace}` });
  try {
    // A client detects text that is not JSON.
    return status === 200 ? canonicalJson(JSON.parse(text)) : undefined;
  } catch {
    return undefined;
  }
}
