import { Client } from '../client/client.ts';
import { isRecord } from '../client/json.ts';
import { pause } from '../measure/time.ts';
import type { FaultBed } from './bed.ts';
import { askHttp, type HttpOrder } from './http.ts';
import { DISCONNECTED, type Seen } from './seen.ts';

const PASSWORD = 'a long and decent passphrase';
/** Too long for one transaction: the server builds such a value in steps, and one commit links it. */
const LONG_VALUE = { rows: Array.from({ length: 40 }, (_, row) => ({ row, text: 'x'.repeat(16_000) })) };
const SETTLE_LIMIT_MS = 20_000;
const POLL_MS = 100;
const SAMPLE = 3;

/**
 * Uses the other parts of the server that write to disk: long values, accounts, the audit log and the mail queue,
 * denials, published rules and writes on disconnect. Records the acknowledged writes, and checks them later.
 */
export class Sites {
  readonly #bed: FaultBed;
  readonly #seen: Seen;
  readonly #accounts = new Set<string>();
  readonly #goodbyes = new Set<number>();
  #longValue: number | null = null;
  #round = 0;

  constructor(bed: FaultBed, seen: Seen) {
    this.#bed = bed;
    this.#seen = seen;
  }

  /** Uses every site once. */
  async use(): Promise<void> {
    this.#round += 1;
    await Promise.all([
      this.#writeLongValue(this.#round),
      this.#useAccount(`r${this.#round}@example.com`),
      this.#ask({ method: 'PUT', path: this.#bed.dataPath('/denied'), body: 1 }, [401]),
      this.#publish(),
      this.#disconnect(this.#round),
    ]);
  }

  /** Returns one sentence for each acknowledged write that is missing. Called when the fault has ended. */
  async check(): Promise<readonly string[]> {
    const problems: string[] = [];
    for (const email of [...this.#accounts].slice(-SAMPLE)) {
      const path = `/v1/accounts:signInWithPassword?key=${this.#bed.key}`;
      const body = { email, password: PASSWORD, returnSecureToken: true };
      const { status, text } = await askHttp(this.#bed.port, { method: 'POST', path, body });
      if (status !== 200)
        problems.push(`the account ${email} cannot sign in: ${status} ${text.slice(0, 100)}`);
    }
    problems.push(...(await this.#checkGoodbyes()));
    const path = this.#bed.dataPath('/sites/long/number');
    const { text } = await askHttp(this.#bed.port, { method: 'GET', path });
    if (this.#longValue !== null && Number(text) < this.#longValue)
      problems.push(`a long value is missing: ${text.slice(0, 100)} instead of ${this.#longValue}`);
    return problems;
  }

  async #writeLongValue(number: number): Promise<void> {
    const path = this.#bed.dataPath('/sites/long');
    if (await this.#ask({ method: 'PUT', path, body: { number, ...LONG_VALUE } })) this.#longValue = number;
  }

  async #useAccount(email: string): Promise<void> {
    const signUp = `/v1/accounts:signUp?key=${this.#bed.key}`;
    const isCreated = await this.#ask({ method: 'POST', path: signUp, body: { email, password: PASSWORD } });
    if (!isCreated) return;
    this.#accounts.add(email);
    const body = { requestType: 'PASSWORD_RESET', email };
    await this.#ask({ method: 'POST', path: `/v1/accounts:sendOobCode?key=${this.#bed.key}`, body });
  }

  async #publish(): Promise<void> {
    const request = this.#seen.begin();
    try {
      const { status, text } = await this.#bed.publishRules();
      if (status !== 200) this.#seen.reject(request.phase(), describe(status, text));
    } catch {
      // The server has ended, so that its credential is gone.
      this.#seen.reject(request.phase(), DISCONNECTED);
    }
  }

  /** Asks for a write on disconnect, and disconnects. */
  async #disconnect(number: number): Promise<void> {
    const request = this.#seen.begin();
    try {
      using client = await Client.open(this.#bed.port, this.#bed.namespace);
      const outcome = await client.request('o', { p: `/sites/goodbyes/g${number}`, d: number });
      if (outcome.kind === 'ok') this.#goodbyes.add(number);
      else if (outcome.kind === 'disconnected') this.#seen.reject(request.phase(), DISCONNECTED);
      else this.#seen.reject(request.phase(), `${outcome.status}: ${outcome.text}`);
    } catch {
      this.#seen.reject(request.phase(), DISCONNECTED);
    }
  }

  /** Writes on disconnect wait for space, so the disk need not have it immediately. */
  async #checkGoodbyes(): Promise<readonly string[]> {
    const untilMs = performance.now() + SETTLE_LIMIT_MS;
    for (;;) {
      const path = this.#bed.dataPath('/sites/goodbyes');
      const { text } = await askHttp(this.#bed.port, { method: 'GET', path });
      const found: unknown = JSON.parse(text);
      const missing = [...this.#goodbyes].filter((n) => !isRecord(found) || found[`g${n}`] !== n);
      if (missing.length === 0) return [];
      if (performance.now() > untilMs) return [`writes on disconnect are missing: ${missing.join(', ')}`];
      await pause(POLL_MS);
    }
  }

  /** Returns whether the request succeeded. `expected` lists further statuses that do not count as rejections by the fault. */
  async #ask(order: HttpOrder, expected: readonly number[] = []): Promise<boolean> {
    const request = this.#seen.begin();
    const { status, text } = await askHttp(this.#bed.port, order);
    if (status === 0) this.#seen.reject(request.phase(), DISCONNECTED);
    else if (status !== 200 && !expected.includes(status))
      this.#seen.reject(request.phase(), describe(status, text));
    return status === 200;
  }
}

function describe(status: number, text: string): string {
  return status === 0 ? DISCONNECTED : `${status}: ${text.trim().slice(0, 300)}`;
}
