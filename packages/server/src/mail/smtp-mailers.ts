import type { SecretBox } from '../secrets/secret-box.ts';
import type { AddressCheck } from './connect-checked.ts';
import { type MailServer, type PlainMailServer, sealMailServer } from './mail-server.ts';
import type { Mailer } from './mailer.ts';
import { MISSING_MAILER } from './missing-mailer.ts';
import { SmtpMailer } from './smtp-mailer.ts';

export interface SmtpMailersOptions {
  readonly box: SecretBox;
  /** The mail server of a project's own; nothing if it has none. */
  readonly findServer: (project: string) => MailServer | undefined;
  /** Addresses that projects' own servers may be at; left out, any. */
  readonly mayReach?: AddressCheck | undefined;
  /** For all other projects; `null` if their mails wait. */
  readonly shared: PlainMailServer | null;
}

/** Mailers kept; then the one that was asked for longest ago goes, whose connections are closed by then. */
const MAX_MAILERS = 1_000;

interface KnownMailer {
  readonly mailer: SmtpMailer;
  /** What it was made from, to notice a change. */
  readonly serverText: string;
}

/** What sends the mails of each project: the same object until the settings change, and then another at once. */
export class SmtpMailers implements Disposable {
  readonly #options: SmtpMailersOptions;
  readonly #shared: SmtpMailer | undefined;
  /** By project, the one asked for longest ago first. */
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
