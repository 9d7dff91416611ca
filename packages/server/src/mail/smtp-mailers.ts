import type { AddressCheck } from '../platform/network/public-address.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import { type Mailer, MISSING_MAILER } from './mailer.ts';
import { SmtpMailer } from './smtp-mailer.ts';
import { type MailServer, type PlainMailServer, sealMailServer } from './smtp-settings.ts';

export interface SmtpMailersOptions {
  readonly box: SecretBox;
  /** Returns the project's own mail server, or `undefined` if it has none. */
  readonly findServer: (project: string) => MailServer | undefined;
  /** Whether a project's own server may have an address; all addresses are allowed if absent. */
  readonly mayReach?: AddressCheck | undefined;
  /** The server for all other projects; `null` if their mails have to wait. */
  readonly shared: PlainMailServer | null;
}

/**
 * Maximum number of cached mailers. When it is reached, the next mailer replaces the least recently used one, whose
 * connections are idle by then.
 */
const MAX_MAILERS = 1_000;

interface KnownMailer {
  readonly mailer: SmtpMailer;
  /** The settings as text, for comparison. */
  readonly serverText: string;
}

/** Caches the mailer of each project: the same object until the settings change. */
export class SmtpMailers implements Disposable {
  readonly #options: SmtpMailersOptions;
  readonly #shared: SmtpMailer | undefined;
  /** By project, least recently used first. */
  readonly #known = new Map<string, KnownMailer>();

  constructor(options: SmtpMailersOptions) {
    this.#options = options;
    const { box, shared } = options;
    this.#shared = shared === null ? undefined : new SmtpMailer({ box, ...sealMailServer(box, shared) });
  }

  find(project: string): Mailer {
    const server = this.#options.findServer(project);
    const known = this.#known.get(project);
    this.#known.delete(project);
    if (server === undefined) {
      known?.mailer.close();
      return this.#shared ?? MISSING_MAILER;
    }
    const serverText = JSON.stringify(server);
    if (known?.serverText === serverText) {
      this.#known.set(project, known);
      return known.mailer;
    }
    known?.mailer.close();
    this.#makeRoom();
    const { box, mayReach } = this.#options;
    const mailer = new SmtpMailer({ box, ...server, ...(mayReach === undefined ? {} : { mayReach }) });
    this.#known.set(project, { mailer, serverText });
    return mailer;
  }

  [Symbol.dispose](): void {
    this.#shared?.[Symbol.dispose]();
    for (const { mailer } of this.#known.values()) mailer[Symbol.dispose]();
    this.#known.clear();
  }

  #makeRoom(): void {
    if (this.#known.size < MAX_MAILERS) return;
    for (const [project, { mailer }] of this.#known.entries().take(1)) {
      this.#known.delete(project);
      mailer.close();
    }
  }
}
