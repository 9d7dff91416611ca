import type { Clock } from '../../platform/clock.ts';
import type { Projects } from '../projects/projects.ts';
import { MAX_RELATED_ORIGINS, relatedOrigins, relyingPartyOf } from './relying-party.ts';

/** How long the lists are cached, in ms. */
const CACHE_MS = 60_000;
/** Number of projects that are read at a time. */
const PAGE = 100;
/** Maximum number of projects whose apps are listed. */
const MAX_PROJECTS = 1_000;
/** Maximum number of apps of each system that are listed. */
const MAX_LISTED_APPS = 100;

/** An Android app, as Digital Asset Links name it. */
export interface AndroidApp {
  readonly packageName: string;
  /** SHA-256 of the keys that sign the app, as hex digits in pairs with colons between them. */
  readonly fingerprints: readonly string[];
}

/** The pages and apps outside this server's host that may use passkeys for that host. */
export interface Associations {
  readonly origins: readonly string[];
  readonly androidApps: readonly AndroidApp[];
  /** App IDs of Apple: the team, a dot and the bundle ID. */
  readonly appleApps: readonly string[];
}

/**
 * The pages and apps of all projects that use this server's host for their passkeys. The lists are cached, because every
 * client may request them.
 */
export class AppAssociations {
  readonly #projects: Projects;
  readonly #clock: Clock;
  readonly #isDevelopment: boolean;
  #cached:
    | { readonly origin: string; readonly untilMs: number; readonly associations: Associations }
    | undefined;

  constructor(projects: Projects, clock: Clock, isDevelopment: boolean) {
    this.#projects = projects;
    this.#clock = clock;
    this.#isDevelopment = isDevelopment;
  }

  /** Returns the lists. `origin` is the origin of this server. */
  list(origin: string): Associations {
    const nowMs = this.#clock.elapsedMs();
    if (this.#cached?.origin === origin && this.#cached.untilMs > nowMs) return this.#cached.associations;
    const all = [...this.#read(origin)];
    const associations: Associations = {
      origins: unique(all.flatMap(({ origins }) => origins)).slice(0, MAX_RELATED_ORIGINS),
      androidApps: all.flatMap(({ androidApps }) => androidApps).slice(0, MAX_LISTED_APPS),
      appleApps: unique(all.flatMap(({ appleApps }) => appleApps)).slice(0, MAX_LISTED_APPS),
    };
    this.#cached = { origin, untilMs: nowMs + CACHE_MS, associations };
    return associations;
  }

  *#read(origin: string): Generator<Associations> {
    const host = this.#isDevelopment ? 'localhost' : new URL(origin).hostname;
    let after: string | undefined;
    for (let count = 0; count < MAX_PROJECTS; count += PAGE) {
      const ids = this.#projects.ids(after, PAGE);
      for (const id of ids) {
        const project = this.#projects.find(id);
        if (project === undefined || !project.settings.passkeys.isEnabled) continue;
        const party = relyingPartyOf({ project, origin }, { isDevelopment: this.#isDevelopment });
        if (party.id !== host) continue;
        const { androidPackages, androidKeyHashes, appleAppIds } = project.settings.passkeys;
        const fingerprints = androidKeyHashes.map(fingerprintOf);
        yield {
          origins: relatedOrigins(party),
          androidApps:
            fingerprints.length === 0
              ? []
              : androidPackages.map((packageName) => ({ packageName, fingerprints })),
          appleApps: appleAppIds,
        };
      }
      after = ids.at(-1);
      if (ids.length < PAGE) return;
    }
  }
}

function unique(list: readonly string[]): readonly string[] {
  return [...new Set(list)];
}

/** Converts a hash from base64url to hex digits in pairs, such as `0A:1B`. */
function fingerprintOf(hash: string): string {
  const hex = Buffer.from(hash, 'base64url').toString('hex').toUpperCase();
  return hex.match(/../g)?.join(':') ?? '';
}

/** Returns the content of `assetlinks.json`: the apps may use the credentials of this host, and open no links. */
export function assetLinks({ androidApps }: Associations): readonly object[] {
  return androidApps.map(({ packageName, fingerprints }) => ({
    relation: ['delegate_permission/common.get_login_creds'],
    target: {
      namespace: 'android_app',
      package_name: packageName,
      sha256_cert_fingerprints: fingerprints,
    },
  }));
}

/** Returns the content of `apple-app-site-association`. */
export function appleAssociation({ appleApps }: Associations): { readonly webcredentials: object } {
  return { webcredentials: { apps: appleApps } };
}
