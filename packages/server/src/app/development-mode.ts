import { emulatorBearerVerifier, emulatorVerifier } from '../access/emulator-verifier.ts';
import { DEVELOPMENT_ROUTES } from '../auth/api/routes.ts';
import { DEFAULT_ARGON2_COST } from '../auth/passwords/argon2.ts';
import { DEVELOPMENT_SETTINGS } from '../auth/projects/project.ts';
import { emulatorAdmins } from '../auth/roles/administrators.ts';
import { DEVELOPMENT } from '../auth/throttling/limits.ts';
import { unsignedTokenServices } from '../auth/tokens/unsigned-tokens.ts';
import { LOCAL_TRANSPORT } from '../http/transport.ts';
import { DevMailbox } from '../mail/dev-mailbox.ts';
import type { Options } from '../platform/server-options.ts';
import { EMULATOR_SETTINGS } from '../realtime/rest/settings.ts';
import { FunctionsEmulator } from '../realtime/triggers/functions-emulator.ts';
import { OPEN_RULES } from '../rules/publishing/versions.ts';
import { CoverageRecorder } from '../rules/recorder/coverage.ts';
import { DevPhone } from '../sms/dev-phone.ts';
import type { WriteTransaction } from '../storage/transaction/transaction.ts';
import type { Mode } from './mode.ts';

/** Timeout for the response of the functions emulator, in ms. */
const TIMEOUT_MS = 30_000;

/**
 * Posts JSON and resolves to the response status. Rejects when there is no response in time, or when the
 * signal is aborted.
 */
async function postJson(url: string, json: Buffer, signal: AbortSignal): Promise<number> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: new Uint8Array(json),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** The database for requests that name no database. The official emulator uses the same name. */
const DEFAULT_NAMESPACE = 'fake-server';

/**
 * Creates the mode for development on one machine, whose users are all trusted. It behaves like the official emulators,
 * including their shortcuts.
 */
export function developmentMode({
  allowHost,
  functionsEmulator,
  project,
}: Pick<Options, 'allowHost' | 'functionsEmulator' | 'project'>): Mode {
  return {
    http: {
      defaultNamespace: DEFAULT_NAMESPACE,
      settings: EMULATOR_SETTINGS,
      allowedHosts: allowHost,
      authHosts: [],
      transport: LOCAL_TRANSPORT,
      blocksCrossOrigin: true,
      certificate: null,
    },
    newDatabaseRules: OPEN_RULES,
    // With recorded operations, drafts of rules can be tested without further setup.
    isRecordingOnAtFirst: true,
    developmentProject: project,
    throttleLimits: DEVELOPMENT,
    mailServer: null,
    passwordCost: DEFAULT_ARGON2_COST,
    mayReachMailServer: undefined,
    mayReachHook: undefined,
    mayReachSmsService: undefined,
    mayReachProvider: undefined,
    newProjectSettings: DEVELOPMENT_SETTINGS,
    openEmulation({ scheduler, clock, logger, openDatabase }) {
      const functions = new FunctionsEmulator({ address: functionsEmulator, logger, post: postJson });
      const findRules = (transaction: WriteTransaction, name: string) =>
        openDatabase(name, transaction).rules;
      const print = (line: string): void => void process.stderr.write(`${line}\n`);
      return {
        functions,
        coverage: new CoverageRecorder({ scheduler, clock, findRules }),
        mailbox: new DevMailbox({ nowMs: clock.nowMs, print }),
        phone: new DevPhone({ nowMs: clock.nowMs, print }),
        [Symbol.dispose]: () => functions[Symbol.dispose](),
      };
    },
    async openTokens() {
      return {
        services: unsignedTokenServices,
        async openAccess() {
          return {
            verifiers: { token: emulatorVerifier, bearer: emulatorBearerVerifier },
            admins: emulatorAdmins,
            authRoutes: DEVELOPMENT_ROUTES,
            exchange: null,
            databaseOwners: null,
            setUpOwner: null,
            ownerLinkPath: null,
          };
        },
        [Symbol.dispose]: () => {},
      };
    },
  };
}
