import type { MailKind } from '@hearth/core/api/mail-kinds.ts';
import type { MailEvent } from '../../mail/event.ts';
import { isMailAddress, type Mail, type Mailer } from '../../mail/mailer.ts';
import { renderMail } from '../../mail/render.ts';
import type { MailTemplate } from '../../mail/template.ts';
import { chooseLanguage } from '../../mail/templates/language.ts';
import { DeliveryFailure } from '../../outbox/message.ts';
import { MAX_DEAD, type OutboxStatus } from '../../outbox/outbox.ts';
import type { DeadMessage } from '../../outbox/record.ts';
import { ACTION_PATH } from '../codes/links.ts';
import { linkLifetime, mailStyle } from '../codes/mails.ts';
import { AuthApiError } from '../errors.ts';
import type { AuthServices } from '../services.ts';
import { defaultLanguage } from './mail-settings.ts';
import type { Project } from './project.ts';

const DISPLAY_NAME = 'Ada Lovelace';
/** An address in a domain that is reserved for examples. */
const OTHER_EMAIL = 'ada@example.com';

/** Returns an example event for a preview of a kind of mail. `link` is used in mails that have a link. */
function previewEvent(kind: MailKind, email: string, link: string): MailEvent {
  switch (kind) {
    case 'changeEmail':
      return { kind, newEmail: email, link, displayName: DISPLAY_NAME };
    case 'recoverEmail':
      return { kind, email, newEmail: OTHER_EMAIL, link, displayName: DISPLAY_NAME };
    case 'secondFactorRemoved':
    case 'recoveryCodesMade':
    case 'recoveryCodeUsed':
    case 'passwordChanged':
    case 'phoneNumberChanged':
    case 'passkeyAdded':
    case 'passkeyRemoved':
    case 'emailInUse':
      return { kind, email, displayName: DISPLAY_NAME };
    default:
      return { kind, email, link, displayName: DISPLAY_NAME };
  }
}

export interface MailAdministrationOptions {
  readonly services: Pick<AuthServices, 'projects' | 'outbox' | 'randomBytes' | 'throttle'>;
  readonly findMailer: (project: string) => Mailer;
}

export interface TestMail {
  readonly to: string;
  /** The language that the client requests; `undefined` for the project's default language. */
  readonly language: string | undefined;
  /** The server's own URL, as clients address it. */
  readonly origin: string;
  readonly kind: MailKind;
  /** A template to try instead of the project's. */
  readonly template: MailTemplate | undefined;
}

/** `reason` says why the mail was not accepted: the response of the mail server, or why no server responded. */
export type TestOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly reason: string };

/** The caller waits at most this long for the mail server, in ms. */
const TIMEOUT_MS = 30_000;
const ID_BYTES = 8;

/** The mails of a project, for administrators. The methods throw `AuthApiError`. */
export class MailAdministration {
  readonly #options: MailAdministrationOptions;

  constructor(options: MailAdministrationOptions) {
    this.#options = options;
  }

  /**
   * Returns the status of the queue that the mails of all projects share. `lastFailure` is included only if it
   * concerns this project.
   */
  status(projectId: string): OutboxStatus {
    this.#findOrThrow(projectId);
    const { lastFailure, ...status } = this.#options.services.outbox.status();
    return lastFailure?.project === projectId ? { ...status, lastFailure } : status;
  }

  /** Returns the project's dead mails (those that the server gave up on), the latest first. */
  listDead(projectId: string, limit: number): readonly DeadMessage[] {
    this.#findOrThrow(projectId);
    const all = this.#options.services.outbox.listDead(MAX_DEAD);
    return all.filter(({ project }) => project === projectId).slice(0, limit);
  }

  /** Renders a mail as its recipient would get it, but with a link that contains no code. */
  preview(projectId: string, { to, kind, language, template, origin }: TestMail): Mail {
    const project = this.#findOrThrow(projectId);
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
      event: previewEvent(kind, to, `${origin}${ACTION_PATH}`),
      ...linkLifetime(kind),
    });
  }

  /**
   * Sends a preview mail immediately, without queuing it. Throws `TOO_MANY_ATTEMPTS_TRY_LATER` when the limit for
   * test mails is reached.
   */
  async sendTest(projectId: string, test: TestMail): Promise<TestOutcome> {
    if (!isMailAddress(test.to)) throw new AuthApiError('INVALID_EMAIL', '"to" must be one email address.');
    const mail = this.preview(projectId, test);
    const { services, findMailer } = this.#options;
    services.throttle.requireTestMailAllowed(mail.project);
    const id = `test-${Buffer.from(services.randomBytes(ID_BYTES)).toString('hex')}`;
    try {
      await findMailer(mail.project).send({ ...mail, id }, AbortSignal.timeout(TIMEOUT_MS));
      return { kind: 'accepted' };
    } catch (error) {
      if (!(error instanceof DeliveryFailure)) throw error;
      return { kind: 'refused', reason: error.message };
    }
  }

  #findOrThrow(projectId: string): Project {
    const project = this.#options.services.projects.find(projectId);
    if (project === undefined) throw new AuthApiError('PROJECT_NOT_FOUND');
    return project;
  }
}
