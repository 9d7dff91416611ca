import type { DatabaseAdministration } from '../database/database-administration.ts';
import type { DatabaseService } from '../database/database-service.ts';
import type { Explanations } from '../database/explanations.ts';
import type { Explorer } from '../database/explorer.ts';
import type { ImportService } from '../database/import/import-service.ts';
import type { Profiling } from '../database/profiling.ts';
import type { RulesHistory } from '../database/rules-history.ts';
import type { DenialLog } from '../denials/denial-log.ts';
import type { CoverageKeeper } from '../replay/coverage-keeper.ts';
import type { OperationRecorder } from '../replay/operation-recorder.ts';
import type { Replay } from '../replay/replay.ts';
import type { EventStreams } from './event-streams.ts';
import type { IdentityEndpoint } from './identity-endpoint.ts';
import type { LongPollEndpoint } from './long-poll-endpoint.ts';
import type { WebSocketEndpoint } from './websocket-endpoint.ts';

/** What the HTTP server passes requests on to. */
export interface HttpBackend {
  readonly databases: DatabaseService;
  readonly administration: DatabaseAdministration;
  readonly profiling: Profiling;
  readonly rulesHistory: RulesHistory;
  readonly denials: DenialLog;
  readonly recorder: OperationRecorder;
  readonly replay: Replay;
  readonly explanations: Explanations;
  readonly coverage: CoverageKeeper;
  readonly explorer: Explorer;
  readonly imports: ImportService;
  readonly eventStreams: EventStreams;
  readonly webSockets: WebSocketEndpoint;
  readonly longPolls: LongPollEndpoint;
  readonly identity: IdentityEndpoint;
}
