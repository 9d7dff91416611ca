import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { beforeEach, expect, test } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { EmbeddedLog } from '../../storage/log/embedded.ts';
import { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import { readRequest, writeRequest } from '../denials/authorization-request.fixture.ts';
import { CoverageRecorder } from './coverage.ts';

const RULES =
  '{"rules":{".read":"auth != null","$a":{".write":true,"$b":{".validate":"newData.isNumber()"}}}}';
const OTHERS = '{"rules":{".read":"auth == null"}}';

let recorder: CoverageRecorder;
/** The current rules. */
let source: string;
let elapsedMs: number;

beforeEach(() => {
  source = RULES;
  elapsedMs = 0;
  const clock = { nowMs: () => 0, elapsedMs: () => elapsedMs };
  const logger = createLogger('silent', { write: () => undefined });
  const scheduler = new TransactionScheduler({
    log: new EmbeddedLog({ store: new MemoryStore() }),
    clock,
    logger,
  });
  recorder = new CoverageRecorder({ scheduler, clock, findRules: () => parseRules(source) });
});

/** Returns how often the rule of a kind was true, and how often false. */
async function countsOf(kind: string, database = 'db'): Promise<readonly (number | undefined)[]> {
  const { rules } = await recorder.read(database);
  const whole = rules.find((rule) => rule.kind === kind)?.expressions[0];
  return [whole?.timesTrue, whole?.timesFalse];
}

test('[R245] operations are counted by the results of the current rules', async () => {
  recorder.count('db', readRequest(RULES, '/a', 'null', null));
  recorder.count('db', readRequest(RULES, '/a'));
  recorder.count('db', readRequest(RULES, '/b'));
  recorder.count('other', readRequest(RULES, '/a'));
  recorder.count('db', writeRequest(RULES, { '/a': '{"b":1,"c":"x"}' }));
  expect(await countsOf('read')).toEqual([2, 1]);
  expect(await countsOf('read', 'other')).toEqual([1, 0]);
  expect(await countsOf('validate')).toEqual([1, 1]);
  expect(await countsOf('read', 'unused')).toEqual([0, 0]);
});

test('[R245] counts start again with other rules, and continue when the same rules are parsed again', async () => {
  recorder.count('db', readRequest(RULES, '/a'));
  recorder.count('db', readRequest(RULES, '/a'));
  expect(await countsOf('read')).toEqual([2, 0]);
  source = OTHERS;
  expect(await countsOf('read')).toEqual([0, 0]);
  recorder.count('db', readRequest(OTHERS, '/a'));
  expect(await countsOf('read')).toEqual([0, 1]);
});

test('[R246] a burst of 10,000 operations is counted, then 1,000 a second; the number of the others is reported', async () => {
  const request = readRequest(RULES, '/a');
  for (let i = 0; i < 10_003; i++) recorder.count('db', request);
  expect(await countsOf('read')).toEqual([10_000, 0]);
  elapsedMs = 1_000;
  for (let i = 0; i < 1_001; i++) recorder.count('db', request);
  expect(await countsOf('read')).toEqual([11_000, 0]);
  expect((await recorder.read('db')).sampledOut).toBe(4);
});

test('[R246] only the first 1,000 rules of one operation are counted', async () => {
  const children = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`b${i}`, 1]));
  recorder.count('db', writeRequest(RULES, { '/a': JSON.stringify(children) }));
  expect(await countsOf('write')).toEqual([1, 0]);
  expect(await countsOf('validate')).toEqual([999, 0]);
});

test('[R246] with more than 100 databases, the counts of the least recently used one are removed', async () => {
  for (let i = 0; i < 100; i++) recorder.count(`db-${i}`, readRequest(RULES, '/a'));
  recorder.count('db-0', readRequest(RULES, '/a'));
  recorder.count('db-100', readRequest(RULES, '/a'));
  expect(await countsOf('read', 'db-0')).toEqual([2, 0]);
  expect(await countsOf('read', 'db-1')).toEqual([0, 0]);
});
