import { DEVELOPMENT_SETTINGS } from '../accounts/project-settings.ts';
import { DEVELOPMENT } from '../accounts/throttling/throttle-limits.ts';
import type { Turn } from '../commit/turn.ts';
import { OPEN_RULES } from '../database/default-rules.ts';
import { FunctionsEmulator } from '../database/triggers/functions-emulator.ts';
import { COVERAGE_ROUTES } from '../http/coverage-routes.ts';
import { emulatorAdmins } from '../http/identity/emulator-admins.ts';
import { DEVELOPMENT_ROUTES } from '../http/identity/identity-routes.ts';
import { EMULATOR_SETTINGS } from '../http/settings-routes.ts';
import { LOCAL_TRANSPORT } from '../http/transport.ts';
import { emulatorBearerVerifier, emulatorVerifier } from '../identity/emulator-verifier.ts';
import { DevMailbox } from '../mail/dev-mailbox.ts';
import type { Options } from '../ops/options.ts';
import { postJson } from '../ops/post-json.ts';
import { CoverageKeeper } from '../replay/coverage-keeper.ts';
import { unsignedTokenServices } from '../tokens/unsigned-token-services.ts';
import type { Mode } from './mode.ts';

/** The database of requests that name none, as the official emulator calls it. */
const DEFAULT_NAMESPACE = 'fake-server';

/** For one machine and everybody on it: what the official emulators do, shortcuts and all. */
export function developmentMode({
  allowHost,
  functionsEmulator,
  project,
}: Pick<Options, 'allowHost' | 'functionsEmulator' | 'project'>): Mode {
  return {
    http: {
      defaultNamespace: DEFAULT_NAMESPACE,
      settings: EMULATOR_SETTINGS,
      coverageRoutes: COVERAGE_ROUTES,
      allowedHosts: allowHost,
      identityHosts: [],
      transport: LOCAL_TRANSPORT,
      barsForeignPages: true,
      certificate: null,
    },
    newDatabaseRules: OPEN_RULES,
    // Drafts of rules can be tried at once.
    isRecordingOnAtFirst: true,
    developmentProject: project,
    throttleLimits: DEVELOPMENT,
    mailServer: null,
    passwordMs: null,
    mayReachMailServer: undefined,
    newProjectSettings: DEVELOPMENT_SETTINGS,
    openEmulation({ committer, clock, logger, openDatabase }) {
      const functions = new FunctionsEmulator({ address: functionsEmulator, logger, post: postJson });
      const findRules = (turn: Turn, name: string) => openDatabase(name, turn).rules;
      return {
        functions,
        coverage: new CoverageKeeper({ committer, clock, findRules }),
        mailbox: new DevMailbox({ nowMs: clock.nowMs, print: (line) => process.stderr.write(`${line}\n`) }),
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
            identityRoutes: DEVELOPMENT_ROUTES,
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
