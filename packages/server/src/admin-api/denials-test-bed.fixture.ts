import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import type { AuthorizationRequest } from '../access/authorization-request.ts';
import { expectAnswer, type Row, toRequest } from '../app/exchange.fixture.ts';
import { createMemoryServer, NOW_MS } from '../app/memory-server.fixture.ts';
import type { SiteServices } from '../app/open-http.ts';
import { openLoopbackClient } from '../http/loopback-client.fixture.ts';
import { createLogger } from '../platform/logger.ts';
import { openTestPool } from '../platform/pools.fixture.ts';
import { DecisionRecorder } from '../rules/decision.ts';
import { DenialLog } from '../rules/denials/log.ts';
import { RuleProposals } from '../rules/proposals/proposals.ts';
import { CoverageRecorder } from '../rules/recorder/coverage.ts';
import { OperationRecorder } from '../rules/recorder/recorder.ts';
import { Replay } from '../rules/recorder/replay.ts';
import { MemoryStore } from '../storage/kv/memory.ts';
import { EmbeddedLog } from '../storage/log/embedded.ts';
import { TransactionScheduler } from '../storage/transaction/scheduler.ts';

/** An operation on which rules decided, with the result. */
export interface RuleDecision {
  readonly request: AuthorizationRequest;
  readonly isAllowed: boolean;
}

/**
 * Sends the rows one after another to a server that has already decided on `decisions`, in the database `d`.
 */
export async function expectAnswersAfter(
  decisions: readonly RuleDecision[],
  rows: readonly Row[],
): Promise<void> {
  const { backend, notify } = openTestBed();
  const { server, serve } = await createMemoryServer(backend);
  serve();
  const client = await openLoopbackClient(server);
  for (const decision of decisions) await notify(decision);
  for (const row of rows) expectAnswer(row, await client.send(toRequest(row)));
}

function openTestBed() {
  const store = new MemoryStore();
  const clock = { nowMs: () => NOW_MS, elapsedMs: () => 0 };
  const logger = createLogger('silent', { write: () => undefined });
  const scheduler = new TransactionScheduler({ log: new EmbeddedLog({ store }), clock, logger });
  const denials = new DenialLog({ store, scheduler, clock, logger });
  const recorder = new OperationRecorder({ store, scheduler, clock, chance: () => 0, isOnAtFirst: true });
  let latest: AuthorizationRequest | undefined;
  const replay = new Replay({
    scheduler,
    clock,
    recorder,
    places: openTestPool(),
    findState: () => {
      if (latest?.operation.kind !== 'write') throw new Error('the last operation must be a write');
      return { rules: latest.rules, tree: latest.operation.write.tree };
    },
  });
  const findRules = () => parseRules('{"rules":{}}');
  const coverage = new CoverageRecorder({ scheduler, clock, findRules });
  const decisionRecorder = new DecisionRecorder({ database: 'd', denials, recorder, coverage });
  const notify = ({ request, isAllowed }: RuleDecision): Promise<void> => {
    latest = request;
    return scheduler.request((transaction) => decisionRecorder.notify(transaction, request, isAllowed));
  };
  const proposals = new RuleProposals({
    scheduler,
    denials,
    recorder,
    replay,
    findTree: () => {
      if (latest?.operation.kind !== 'write') throw new Error('the last operation must be a write');
      return latest.operation.write.tree;
    },
  });
  const backend: Partial<SiteServices> = { denials, recorder, replay, proposals };
  return { backend, notify };
}
