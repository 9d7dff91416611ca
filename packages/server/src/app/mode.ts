import type { PasswordCost } from '../auth/passwords/argon2-calibration.ts';
import type { ProjectSettings } from '../auth/projects/project.ts';
import type { LocalAdmin } from '../auth/roles/administrators.ts';
import type { ThrottleLimits } from '../auth/throttling/limits.ts';
import type { HttpOptions } from '../http/server.ts';
import type { DevMailbox } from '../mail/dev-mailbox.ts';
import type { PlainMailServer } from '../mail/smtp-settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { AddressCheck } from '../platform/network/public-address.ts';
import type { Database } from '../realtime/database/database.ts';
import type { RestOptions } from '../realtime/rest/router.ts';
import type { EventReceiver } from '../realtime/triggers/triggers.ts';
import type { CoverageRecorder } from '../rules/recorder/coverage.ts';
import type { DevPhone } from '../sms/dev-phone.ts';
import type { TransactionScheduler } from '../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../storage/transaction/transaction.ts';
import type { ModeTokens, TokenFoundation } from './access.ts';

/** Options of the HTTP server that differ between modes. */
export interface ModeHttp
  extends Omit<HttpOptions, 'logger' | 'policies' | 'connections'>,
    Omit<RestOptions, 'maxBodyBytes' | 'bodyBudget'> {
  /** Additional host names at which the Auth API accepts requests. */
  readonly authHosts: readonly string[];
}

/**
 * The differences between the ways to serve. Each mode creates the parts that only it has, so that they cannot
 * be reached in other modes.
 */
export interface Mode {
  readonly http: ModeHttp;
  /** Source of the rules of a database before any are published. */
  readonly newDatabaseRules: string;
  /** Whether operations are recorded for replay until a setting says otherwise. */
  readonly isRecordingOnAtFirst: boolean;
  /** The project of requests that name none. `null` if an API key selects the project. */
  readonly developmentProject: string | null;
  readonly throttleLimits: ThrottleLimits;
  readonly passwordCost: PasswordCost;
  /** The mail server of projects that have none of their own; `null` if the mails of these projects wait. */
  readonly mailServer: PlainMailServer | null;
  /** Returns whether a project's mail server may have an address. `undefined` allows all addresses. */
  readonly mayReachMailServer: AddressCheck | undefined;
  /** Like `mayReachMailServer`, for functions that decide about sign-ins. */
  readonly mayReachHook: AddressCheck | undefined;
  /** Like `mayReachMailServer`, for services that send text messages. */
  readonly mayReachSmsService: AddressCheck | undefined;
  /** Like `mayReachMailServer`, for identity providers. */
  readonly mayReachProvider: AddressCheck | undefined;
  /** Settings of new projects that administrators create. */
  readonly newProjectSettings: ProjectSettings;
  /** Opens the additional services of the emulators; `null` if the mode has none. */
  openEmulation(foundation: EmulationFoundation): Emulation | null;
  /** Opens the token services. Rejects with a `StartFailure`. */
  openTokens(foundation: TokenFoundation): Promise<ModeTokens>;
}

export interface EmulationFoundation {
  readonly scheduler: TransactionScheduler;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly openDatabase: (name: string, transaction: WriteTransaction) => Database;
}

export interface Emulation extends Disposable {
  readonly coverage: CoverageRecorder;
  readonly functions: EventReceiver;
  /** Receives all mails, whatever the settings of projects are. */
  readonly mailbox: DevMailbox;
  /** Receives all text messages, whatever the settings of projects are. */
  readonly phone: DevPhone;
}

/** The mode of `hearth serve`, with the parts that the command itself needs. */
export interface ServeMode extends Mode {
  readonly publicUrl: string;
  readonly localAdmin: LocalAdmin;
}
