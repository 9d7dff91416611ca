import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { expect, test } from 'vitest';
import { createLogger } from '../platform/logger.ts';
import { MemoryStore } from '../storage/kv/memory.ts';
import { EmbeddedLog } from '../storage/log/embedded.ts';
import { TransactionScheduler } from '../storage/transaction/scheduler.ts';
import { DecisionRecorder } from './decision.ts';
import { readRequest } from './denials/authorization-request.fixture.ts';
import { DenialLog } from './denials/log.ts';
import { CoverageRecorder } from './recorder/coverage.ts';
import { OperationRecorder } from './recorder/recorder.ts';

const RULES = '{"rules":{".read":true}}';

test('[R180][R245] every operation is recorded and counted, and denied operations are logged', async () => {
  const store = new MemoryStore();
  const clock = { nowMs: () => 1_700_000_000_000, elapsedMs: () => 0 };
  const logger = createLogger('silent', { write: () => undefined });
  const scheduler = new TransactionScheduler({ log: new EmbeddedLog({ store }), clock, logger });
  const denials = new DenialLog({ store, scheduler, clock, logger });
  const recorder = new OperationRecorder({ store, scheduler, clock, chance: () => 0, isOnAtFirst: true });
  const coverage = new CoverageRecorder({ scheduler, clock, findRules: () => parseRules(RULES) });
  const decisionRecorder = new DecisionRecorder({ database: 'db', denials, recorder, coverage });
  await scheduler.request((transaction) => {
    decisionRecorder.notify(transaction, readRequest('{"rules":{}}', '/a'), false);
    decisionRecorder.notify(transaction, readRequest(RULES, '/b'), true);
  });
  expect(recorder.read('db').operations.map((each) => each.kind === 'read' && each.path)).toEqual([
    ['a'],
    ['b'],
  ]);
  const { denials: kept } = await denials.search('db', { before: 10, limit: 10 });
  expect(kept.map(({ paths }) => paths)).toEqual([['/a']]);
  expect((await coverage.read('db')).rules).toMatchObject([{ expressions: [{ timesTrue: 1 }] }]);
  await denials.close();
});
