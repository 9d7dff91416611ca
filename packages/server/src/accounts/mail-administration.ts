import { chooseLanguage } from '../mail/choose-language.ts';
import { isMailAddress } from '../mail/mail-address.ts';
import { MailFailure } from '../mail/mail-failure.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { OutboxStatus } from '../mail/outbox.ts';
import { renderMail } from '../mail/render-mail.ts';
import { ACTION_PATH } from './codes/action-link.ts';
import { IdentityError } from './identity-error.ts';
import type { IdentityServices } from './identity-services.ts';
import { mailStyle } from './mail-style.ts';
import type { Project } from './project.ts';
import { defaultLanguage } from './project-mail.ts';

export interface MailAdministrationOptions {
  readonly services: Pick<IdentityServices, 'projects' | 'outbox' | 'randomBytes'>;
  readonly findMailer: (project: string) => Mailer;
}

export interface TestMail {
  readonly to: string;
  /** As a browser asks for it; `undefined` for the project's. */
  readonly language: string | undefined;
  /** This server as its clients name it. */
  readonly origin: string;
}

/** `reason` is what the mail server said. */
export type TestOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly reason: string };

/** Whoever asked waits for the mail server, but not longer, in ms. */
const PATIENCE_MS = 30_000;
const ID_BYTES = 8;

/** Mails as administrators see them. Refuses with an `IdentityError`. */
export class MailAdministration {
  readonly #options: MailAdministrationOptions;

  constructor(options: MailAdministrationOptions) {
    this.#options = options;
  }

  /** Of all projects, because their mails wait in one queue. */
  status(projectId: string): OutboxStatus {
    this.#mustFind(projectId);
    return this.#options.services.outbox.status();
  }

  /** Sends a mail at once, past the queue: it looks as one to verify an address, and its link holds no code. */
  async sendTest(projectId: string, { to, language, origin }: TestMail): Promise<TestOutcome> {
    const project = this.#mustFind(projectId);
    if (!isMailAddress(to)) throw new IdentityError('INVALID_EMAIL', '"to" must be one e-mail address.');
    const mail = renderMail({
      project: project.id,
      style: mailStyle(project, origin),
      language: chooseLanguage(language, defaultLanguage(project.settings.mail)),
      to,
      occasion: { kind: 'verifyEmail', email: to, link: `${origin}${ACTION_PATH}` },
    });
    const { services, findMailer } = this.#options;
    const id = `test-${Buffer.from(services.randomBytes(ID_BYTES)).toString('hex')}`;
    try {
      await findMailer(project.id).send({ ...mail, id }, AbortSignal.timeout(PATIENCE_MS));
      return { kind: 'accepted' };
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      return { kind: 'refused', reason: error.message };
    }
  }

  #mustFind(projectId: string): Project {
    const project = this.#options.services.projects.find(projectId);
    if (project === undefined) throw new IdentityError('PROJECT_NOT_FOUND');
    return project;
  }
}
