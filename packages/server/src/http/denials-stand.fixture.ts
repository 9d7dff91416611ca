import { parseRules } from '@hearth/core/rules/parse-rules.ts';
import { Committer } from '../commit/committer.ts';
import type { AskedOperation } from '../denials/asked-operation.ts';
import { DenialLog } from '../denials/denial-log.ts';
import { MemoryStore } from '../kv/memory.ts';
import { EmbeddedLog } from '../log/embedded.ts';
import { createLogger } from '../ops/logger.ts';
import { CoverageKeeper } from '../replay/coverage-keeper.ts';
import { OperationRecorder } from '../replay/operation-recorder.ts';
import { Replay } from '../replay/replay.ts';
import { VerdictKeeper } from '../replay/verdict-keeper.ts';
import type { HttpBackend } from './backend.ts';
import { expectAnswer, type Row, toRequest } from './exchange.fixture.ts';
import { openLoopbackClient } from './loopback-client.fixture.ts';
import { createMemoryServer, NOW_MS } from './memory-server.fixture.ts';

/** What rules were asked, and what they said. */
export interface Verdict {
  readonly asked: AskedOperation;
  readonly isAllowed: boolean;
}

/** Sends the rows one after another to a server that was asked these things before, in the database `d`. */
export async function expectAnswersAfter(verdicts: readonly Verdict[], rows: readonly Row[]): Promise<void> {
  const { backend, tell } = openStand();
  const { server, serve } = createMemoryServer(backend);
  serve();
  const client = await openLoopbackClient(server);
  for (const verdict of verdicts) await tell(verdict);
  for (const row of rows) expectAnswer(row, await client.send(toRequest(row)));
}

function openStand() {
  const store = new MemoryStore();
  const clock = { nowMs: () => NOW_MS, elapsedMs: () => 0 };
  const logger = createLogger('silent', { write: () => undefined });
  const committer = new Committer({ log: new EmbeddedLog({ store }), clock, logger });
  const denials = new DenialLog({ store, committer, clock, logger });
  const recorder = new OperationRecorder({ store, committer, clock, chance: () => 0, isOnAtFirst: true });
  let latest: AskedOperation | undefined;
  const replay = new Replay({
    committer,
    clock,
    recorder,
    findState: () => {
      if (latest?.operation.kind !== 'write') throw new Error('the last operation must be a write');
      return { rules: latest.rules, tree: latest.operation.write.tree };
    },
  });
  const findRules = () => parseRules('{"rules":{}}');
  const coverage = new CoverageKeeper({ committer, clock, findRules });
  const keeper = new VerdictKeeper({ database: 'd', denials, recorder, coverage });
  const tell = ({ asked, isAllowed }: Verdict): Promise<void> => {
    latest = asked;
    return committer.request((turn) => keeper.tell(turn, asked, isAllowed));
  };
  const backend: Partial<HttpBackend> = { denials, recorder, replay };
  return { backend, tell };
}
