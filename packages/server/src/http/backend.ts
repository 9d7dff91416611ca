import type { AccountDirectory } from '../accounts/admin/account-directory.ts';
import type { AccountSearches } from '../accounts/admin/account-searches.ts';
import type { Administrators } from '../accounts/administrators.ts';
import type { DatabaseOwners } from '../accounts/database-owners.ts';
import type { MailAdministration } from '../accounts/mail-administration.ts';
import type { Members } from '../accounts/members/members.ts';
import type { ProjectAdministration } from '../accounts/project-administration.ts';
import type { SignInStart } from '../accounts/sign-in-start.ts';
import type { ActivityLedger } from '../activity/activity-ledger.ts';
import type { Connections } from '../activity/connections.ts';
import type { ServerActivity } from '../activity/server-activity.ts';
import type { AuditReader } from '../audit/audit-search.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { DatabaseAdministration } from '../database/database-administration.ts';
import type { DatabaseService } from '../database/database-service.ts';
import type { Explanations } from '../database/explanations.ts';
import type { Explorer } from '../database/explorer.ts';
import type { ImportService } from '../database/import/import-service.ts';
import type { LivePages } from '../database/live-pages.ts';
import type { Profiling } from '../database/profiling.ts';
import type { RulesHistory } from '../database/rules-history.ts';
import type { DenialLog } from '../denials/denial-log.ts';
import type { LiveFeeds } from '../feed/live-feeds.ts';
import type { CoverageKeeper } from '../replay/coverage-keeper.ts';
import type { OperationRecorder } from '../replay/operation-recorder.ts';
import type { Replay } from '../replay/replay.ts';
import type { EventStreams } from './event-streams.ts';
import type { IdentityEndpoint } from './identity-endpoint.ts';
import type { LongPollEndpoint } from './long-poll-endpoint.ts';
import type { OwnerSetup } from './owner-setup.ts';
import type { RestVerifiers } from './rest-identity.ts';
import type { WebSocketEndpoint } from './websocket-endpoint.ts';

/** What a console is told about the server. */
export interface About {
  readonly mode: 'development' | 'serve';
  readonly version: string;
  /** The project of whoever names none; `null` where they have to. */
  readonly defaultProject: string | null;
}

/** What the HTTP server passes requests on to. */
export interface HttpBackend {
  readonly about: About;
  readonly verifiers: RestVerifiers;
  /** Who asks Hearth's own interface. */
  readonly admins: Pick<Administrators, 'verify'>;
  readonly databases: DatabaseService;
  readonly administration: DatabaseAdministration;
  readonly profiling: Profiling;
  readonly rulesHistory: RulesHistory;
  readonly denials: DenialLog;
  readonly recorder: OperationRecorder;
  readonly replay: Replay;
  readonly explanations: Explanations;
  /** In development mode. */
  readonly coverage: CoverageKeeper | null;
  readonly explorer: Explorer;
  readonly livePages: LivePages;
  readonly feeds: LiveFeeds;
  readonly activity: ActivityLedger;
  readonly connections: Connections;
  readonly serverActivity: ServerActivity;
  readonly imports: ImportService;
  readonly eventStreams: EventStreams;
  readonly webSockets: WebSocketEndpoint;
  readonly longPolls: LongPollEndpoint;
  readonly identity: IdentityEndpoint;
  readonly audit: AuditReader & AuditTrail;
  readonly hostedPages: IdentityEndpoint;
  readonly consolePages: IdentityEndpoint;
  readonly projects: ProjectAdministration;
  readonly members: Members;
  readonly startSignIn: SignInStart;
  readonly mails: MailAdministration;
  readonly accountDirectory: AccountDirectory;
  readonly accountSearches: AccountSearches;
  /** Which project owns which databases; `null` in development mode, where each is everybody's. */
  readonly databaseOwners: DatabaseOwners | null;
  /** `null` in development mode, where nobody needs an owner. */
  readonly setUpOwner: OwnerSetup | null;
}
