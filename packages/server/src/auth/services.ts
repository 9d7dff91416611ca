import type { AuditEventName, AuditTrail } from '../audit/trail.ts';
import type { Clock } from '../platform/clock.ts';
import type { AddressCheck } from '../platform/network/public-address.ts';
import { type SecretBox, secretBox } from '../platform/secret-box.ts';
import { deriveKey, type SecretKey } from '../platform/secret-key.ts';
import { INSTALLATION, type RecordStore } from '../records/store.ts';
import { type AppProofServices, createAppProofs } from './captcha/app-proofs.ts';
import { type MailServices, openMailServices } from './codes/mail-services.ts';
import type { JsonObject } from './fields.ts';
import { HookCaller } from './hooks/hook-caller.ts';
import { openPasskeyServices, type PasskeyServices } from './passkeys/passkey-services.ts';
import {
  type FloorStore,
  hashingConcurrency,
  PasswordHasher,
  type PasswordHasherOptions,
} from './passwords/hasher.ts';
import { openPhoneServices, type PhoneServices } from './phone/phone-services.ts';
import { openProjects, type Projects } from './projects/projects.ts';
import { openProviderServices, type ProviderServices } from './providers/provider-services.ts';
import { type AuthRequest, type PageAnswer, type PrintedJson, sourceOf, tenantOfEvent } from './request.ts';
import { RefreshTokens } from './sign-in/refresh-tokens.ts';
import { Tenants } from './tenants/tenants.ts';
import type { Throttle } from './throttling/throttle.ts';
import type { TokenServices } from './tokens/services.ts';

/** The services that the methods of the Auth API use. */
export interface AuthServices extends TokenServices, MailServices, AppProofServices {
  readonly recordStore: RecordStore;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly passwords: PasswordHasher;
  readonly refreshTokens: RefreshTokens;
  readonly projects: Projects;
  readonly tenants: Tenants;
  readonly secretBox: SecretBox;
  readonly throttle: Throttle;
  readonly audit: AuditTrail;
  readonly hooks: HookCaller;
  readonly phones: PhoneServices;
  readonly passkeys: PasskeyServices;
  readonly providers: ProviderServices;
  /** Whether this is a development server, with the shortcuts of the emulators. */
  readonly isDevelopment: boolean;
  /** In development mode, names of other hosts whose pages may use the server. */
  readonly allowedHosts: readonly string[];
}

export interface AuthOptions extends TokenServices {
  readonly recordStore: RecordStore;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly secretKey: SecretKey;
  /** Called for each secret that is sealed with the key. */
  readonly onSeal?: () => void;
  readonly throttle: Throttle;
  readonly audit: AuditTrail;
  /** Sends requests to identity providers. */
  readonly sendToProvider: Parameters<typeof openProviderServices>[0];
  /** In development mode, the project for requests that name no project; `null` otherwise. */
  readonly developmentProject: string | null;
  /** Names of other hosts whose pages may use a development server. */
  readonly allowedHosts: readonly string[];
  /** Returns whether the server may call a function at an address. `undefined` allows all addresses. */
  readonly mayReachHook: AddressCheck | undefined;
  /** The caller disposes of the threads. */
  readonly hashing: Pick<PasswordHasherOptions, 'cost' | 'threads' | 'places'>;
}

const FLOOR_PATH = ['passwordFloor'] as const;

/**
 * Returns a store for the floor of `TimingPad`. The record at `passwordFloor` is a number of ms.
 * History: this is the first format; it stores no version number.
 */
function floorStore(recordStore: RecordStore): FloorStore {
  return {
    read: () => Number(recordStore.read((view) => view.records(INSTALLATION).find(FLOOR_PATH)) ?? 0),
    write: (floorMs) =>
      recordStore.change((transaction) => transaction.records(INSTALLATION).write(FLOOR_PATH, floorMs)),
  };
}

/** Creates the services of the Auth API. */
export function openAuthServices(options: AuthOptions): AuthServices {
  const { recordStore, clock, randomBytes, secretKey, throttle, audit, developmentProject } = options;
  const isDevelopment = developmentProject !== null;
  const box = secretBox(secretKey, randomBytes, options.onSeal);
  const passwords = new PasswordHasher({
    ...options.hashing,
    concurrency: hashingConcurrency(),
    randomBytes,
    elapsedMs: clock.elapsedMs,
    floorStore: floorStore(recordStore),
  });
  const projects = openProjects({ recordStore, randomBytes, developmentProject });
  return {
    recordStore,
    clock,
    randomBytes,
    idTokens: options.idTokens,
    sessionCookies: options.sessionCookies,
    customTokens: options.customTokens,
    publishedKeys: options.publishedKeys,
    appCheckKeys: options.appCheckKeys,
    appCheckAssertions: options.appCheckAssertions,
    throttle,
    audit,
    isDevelopment,
    allowedHosts: options.allowedHosts,
    secretBox: box,
    ...openMailServices({ recordStore, box, randomBytes, isDevelopment }),
    hooks: new HookCaller({ clock, mayReach: options.mayReachHook, isDevelopment }),
    providers: openProviderServices(options.sendToProvider, clock, randomBytes),
    phones: openPhoneServices({ recordStore, box, randomBytes, secretKey, isDevelopment }),
    tenants: new Tenants({ recordStore, randomBytes, clock, secretBox: box, isDevelopment }),
    refreshTokens: new RefreshTokens(deriveKey(secretKey, 'refresh tokens')),
    passwords,
    ...createAppProofs({ clock, randomBytes, passwords, appCheckKeys: options.appCheckKeys, isDevelopment }),
    projects,
    passkeys: openPasskeyServices({ secretKey, projects, clock, isDevelopment }),
  };
}

/**
 * Handles one method of the Auth API and returns the response. Rejects with an error that `describeFailure`
 * describes, such as an `AuthApiError`.
 */
export type AuthHandler = (
  call: AuthRequest,
  services: AuthServices,
) => Promise<JsonObject | PrintedJson | PageAnswer>;

/** Records a security event of a request in the audit log. */
export function recordAudit(
  { audit }: AuthServices,
  { project, caller, client }: AuthRequest,
  event: AuditEventName,
  uid: string | null,
  { result = 'ok', detail = null }: { readonly result?: string; readonly detail?: string | null } = {},
): void {
  audit.notify({
    event,
    projectId: project.id,
    uid,
    ...tenantOfEvent(project.scope),
    actor: caller.kind === 'admin' ? caller.name : 'app',
    ...sourceOf(client),
    result,
    detail,
  });
}
