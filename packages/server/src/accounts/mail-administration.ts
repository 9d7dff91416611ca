import { chooseLanguage } from '../mail/choose-language.ts';
import type { DeadMail } from '../mail/dead-mail.ts';
import type { Mail } from '../mail/mail.ts';
import { isMailAddress } from '../mail/mail-address.ts';
import { MailFailure } from '../mail/mail-failure.ts';
import type { MailKind } from '../mail/mail-kind.ts';
import type { MailTemplate } from '../mail/mail-template.ts';
import type { Mailer } from '../mail/mailer.ts';
import { MAX_DEAD, type OutboxStatus } from '../mail/outbox.ts';
import { renderMail } from '../mail/render-mail.ts';
import { ACTION_PATH } from './codes/action-link.ts';
import { IdentityError } from './identity-error.ts';
import type { IdentityServices } from './identity-services.ts';
import { mailStyle } from './mail-style.ts';
import type { Project } from './project.ts';
import { defaultLanguage } from './project-mail.ts';
import { sampleOccasion } from './sample-occasion.ts';

export interface MailAdministrationOptions {
  readonly services: Pick<IdentityServices, 'projects' | 'outbox' | 'randomBytes' | 'throttle'>;
  readonly findMailer: (project: string) => Mailer;
}

export interface TestMail {
  readonly to: string;
  /** As a browser asks for it; `undefined` for the project's. */
  readonly language: string | undefined;
  /** This server as its clients name it. */
  readonly origin: string;
  readonly kind: MailKind;
  /** Words to try in the place of the project's. */
  readonly template: MailTemplate | undefined;
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

  /** Of all projects, because their mails wait in one queue. What went wrong last is told of the project alone. */
  status(projectId: string): OutboxStatus {
    this.#mustFind(projectId);
    const { lastFailure, ...status } = this.#options.services.outbox.status();
    return lastFailure?.project === projectId ? { ...status, lastFailure } : status;
  }

  /** Mails of the project that were given up, the latest first. */
  listDead(projectId: string, limit: number): readonly DeadMail[] {
    this.#mustFind(projectId);
    const all = this.#options.services.outbox.listDead(MAX_DEAD);
    return all.filter(({ project }) => project === projectId).slice(0, limit);
  }

  /** A mail as somebody would get it, whose link holds no code. */
  preview(projectId: string, { to, kind, language, template, origin }: TestMail): Mail {
    const project = this.#mustFind(projectId);
    const style = mailStyle(project, origin);
    const wanted = chooseLanguage(language, defaultLanguage(project.settings.mail));
    const templates =
      template === undefined
        ? style.templates
        : { ...style.templates, [kind]: { ...style.templates[kind], [wanted]: template } };
    return renderMail({
      project: project.id,
      style: { ...style, templates },
      language: wanted,
      to,
      occasion: sampleOccasion(kind, to, `${origin}${ACTION_PATH}`),
    });
  }

  /** Sends such a mail at once, past the queue. Refuses with `TOO_MANY_ATTEMPTS_TRY_LATER` one too many. */
  async sendTest(projectId: string, test: TestMail): Promise<TestOutcome> {
    if (!isMailAddress(test.to)) throw new IdentityError('INVALID_EMAIL', '"to" must be one e-mail address.');
    const mail = this.preview(projectId, test);
    const { services, findMailer } = this.#options;
    services.throttle.mustAllowTestMail(mail.project);
    const id = `test-${Buffer.from(services.randomBytes(ID_BYTES)).toString('hex')}`;
    try {
      await findMailer(mail.project).send({ ...mail, id }, AbortSignal.timeout(PATIENCE_MS));
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
