import { isRecord } from '../../client/json.ts';
import type { FaultBed } from '../bed.ts';
import type { Fault } from '../fault.ts';
import { askHttp } from '../http.ts';

const DAY_SEC = 86_400;
const PASSWORD = 'a long and decent passphrase';

/** The tokens of a user. */
type User = { readonly idToken: string; readonly refreshToken: string };

/** The state of one clock fault: users from before and during it, and the last timestamp of the server. */
type State = { users: readonly User[]; lastMs: number; count: number };

const states = new WeakMap<FaultBed, State>();

function stateOf(bed: FaultBed): State {
  const known = states.get(bed) ?? { users: [], lastMs: 0, count: 0 };
  states.set(bed, known);
  return known;
}

/** The clock of the machine jumps a day forward or back while the server runs, and later back again. */
export const CLOCK_JUMPS: Fault = {
  name: 'clock a day forward or back',
  needs: ['shim'],
  lastsMs: 300,
  expected: { process: 'goes on' },
  begin: async (bed, random) => {
    const problems = [...(await signUp(bed))];
    bed.shim.set('clockOffset', random.below(2) === 0 ? DAY_SEC : -DAY_SEC);
    problems.push(...(await useEverything(bed)), ...(await signUp(bed)));
    return problems;
  },
  end: async (bed) => {
    bed.shim.set('clockOffset', 0);
    const problems = await useEverything(bed);
    stateOf(bed).users = [];
    return problems;
  },
  hasEffect: (bed) => bed.shim.read('clockReads') > 0,
};

async function signUp(bed: FaultBed): Promise<readonly string[]> {
  const state = stateOf(bed);
  state.count += 1;
  const { status, text } = await askHttp(bed.port, {
    method: 'POST',
    path: `/v1/accounts:signUp?key=${bed.key}`,
    body: { email: `clock${state.count}@example.com`, password: PASSWORD },
  });
  const json: unknown = status === 200 ? JSON.parse(text) : undefined;
  if (!isRecord(json)) return [`a sign-up ended with ${status} ${text}`];
  const user = { idToken: String(json['idToken']), refreshToken: String(json['refreshToken']) };
  state.users = [...state.users, user];
  return writeAs(bed, user.idToken);
}

/**
 * Uses sessions, tokens, timestamps and generated keys. Returns a sentence for each of these promises that is broken:
 * sessions continue at any time of the clock, new tokens are valid, and timestamps and generated keys never repeat.
 */
async function useEverything(bed: FaultBed): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { refreshToken } of stateOf(bed).users) {
    const { status, text } = await askHttp(bed.port, {
      method: 'POST',
      path: `/v1/token?key=${bed.key}`,
      body: { grant_type: 'refresh_token', refresh_token: refreshToken },
    });
    const json: unknown = status === 200 ? JSON.parse(text) : undefined;
    if (isRecord(json)) problems.push(...(await writeAs(bed, String(json['id_token']))));
    else problems.push(`a session ended with ${status} ${text}`);
  }
  problems.push(...(await writeTimestamp(bed)));
  const first = await pushKey(bed);
  const second = await pushKey(bed);
  if (first === undefined || second === undefined || first === second)
    problems.push(`generated keys: ${first} and ${second}`);
  return problems;
}

async function writeAs(bed: FaultBed, idToken: string): Promise<readonly string[]> {
  const path = bed.dataPath('/sites/clock', `&auth=${idToken}`);
  const { status, text } = await askHttp(bed.port, { method: 'PUT', path, body: 1 });
  return status === 200 ? [] : [`a write with a new token ended with ${status} ${text}`];
}

async function writeTimestamp(bed: FaultBed): Promise<readonly string[]> {
  const state = stateOf(bed);
  const path = bed.dataPath('/sites/time');
  const { text } = await askHttp(bed.port, { method: 'PUT', path, body: { '.sv': 'timestamp' } });
  const timeMs = Number(text);
  if (!(timeMs >= state.lastMs)) return [`a server timestamp went back: ${text} after ${state.lastMs}`];
  state.lastMs = timeMs;
  return [];
}

async function pushKey(bed: FaultBed): Promise<string | undefined> {
  const path = bed.dataPath('/sites/pushed');
  const { status, text } = await askHttp(bed.port, { method: 'POST', path, body: 1 });
  const json: unknown = status === 200 ? JSON.parse(text) : undefined;
  return isRecord(json) && typeof json['name'] === 'string' ? json['name'] : undefined;
}
