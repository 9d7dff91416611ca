import { chooseLanguage } from '../../mail/templates/language.ts';
import { DeliveryFailure } from '../../outbox/message.ts';
import { numberPlanOf } from '../../sms/phone-number.ts';
import type { SmsSender } from '../../sms/text-message.ts';
import { countSegments, needsUnicode, renderSms } from '../../sms/texts.ts';
import { parsePhoneNumber } from '../accounts/field-parsers.ts';
import { AuthApiError } from '../errors.ts';
import { defaultLanguage } from '../projects/mail-settings.ts';
import type { Project } from '../projects/project.ts';
import { isRegionAllowed } from '../projects/sms-settings.ts';
import type { AuthServices } from '../services.ts';

/** The code in the text of a preview or a test message. No stored code has this value. */
const SAMPLE_CODE = '123456';

/** The administrator waits at most this long for the SMS service, in ms. */
const TIMEOUT_MS = 30_000;
const ID_BYTES = 8;

export interface SmsSample {
  /** The language that the administrator asks for; `undefined` for the project's default language. */
  readonly language: string | undefined;
  /** A text to try instead of the project's; `null` for the default text, `undefined` for the stored one. */
  readonly template: string | null | undefined;
}

export interface SmsPreview {
  readonly text: string;
  /** The number of messages that the SMS service sends, and usually charges, for the text. */
  readonly segments: number;
  /** Whether the text needs the encoding with fewer characters per message. */
  readonly isUnicode: boolean;
}

/** `reason` is the answer of the SMS service, or says why it did not answer. */
export type SmsTestOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly reason: string };

export interface SmsSamplesOptions {
  readonly services: Pick<AuthServices, 'projects' | 'randomBytes' | 'throttle' | 'clock' | 'isDevelopment'>;
  /** Returns a sender that counts no statistics and expects no receipts. */
  readonly findSender: (project: string) => SmsSender;
}

/** Previews and tests of the text messages that users get, for administrators. The methods throw `AuthApiError`. */
export class SmsSamples {
  readonly #options: SmsSamplesOptions;

  constructor(options: SmsSamplesOptions) {
    this.#options = options;
  }

  /** Returns a message as a user gets it, without the last line for browsers and Android apps. */
  preview(projectId: string, sample: SmsSample): SmsPreview {
    const { text } = this.#render(this.#requireProject(projectId), sample);
    return { text, segments: countSegments(text), isUnicode: needsUnicode(text) };
  }

  /**
   * Sends a message immediately, without the queue, the budgets and the statistics. Throws `INVALID_PHONE_NUMBER`,
   * `OPERATION_NOT_ALLOWED` for a country to which the project sends none, and `TOO_MANY_ATTEMPTS_TRY_LATER`.
   */
  async sendTest(
    projectId: string,
    { to, origin, ...sample }: SmsSample & { readonly to: string; readonly origin: string },
  ): Promise<SmsTestOutcome> {
    const { services, findSender } = this.#options;
    const project = this.#requireProject(projectId);
    const number = parsePhoneNumber(to);
    const { country, isReachable } = numberPlanOf(number);
    if (!services.isDevelopment && !isReachable)
      throw new AuthApiError('INVALID_PHONE_NUMBER', 'This number cannot get text messages.');
    if (!services.isDevelopment && !isRegionAllowed(project.settings.sms.regions, country))
      throw new AuthApiError('OPERATION_NOT_ALLOWED', 'The project sends no text messages to this country.');
    services.throttle.requireTestSmsAllowed(projectId);
    const { text, language } = this.#render(project, sample);
    const message = {
      id: `test-${Buffer.from(services.randomBytes(ID_BYTES)).toString('hex')}`,
      project: projectId,
      kind: 'SIGN_IN_OR_SIGN_UP',
      to: number,
      text,
      code: SAMPLE_CODE,
      locale: language,
      origin,
      createdAtMs: services.clock.nowMs(),
    } as const;
    try {
      await findSender(projectId).send(message, AbortSignal.timeout(TIMEOUT_MS));
      return { kind: 'accepted' };
    } catch (error) {
      if (!(error instanceof DeliveryFailure)) throw error;
      return { kind: 'refused', reason: error.message };
    }
  }

  #render({ id, settings: { sms, mail } }: Project, { language: wanted, template }: SmsSample) {
    const language = chooseLanguage(wanted, defaultLanguage(mail));
    const { [language]: stored, ...others } = sms.templates;
    const own = template === undefined ? stored : (template ?? undefined);
    const text = renderSms({
      code: SAMPLE_CODE,
      appName: mail.appName ?? id,
      language,
      templates: own === undefined ? others : { ...others, [language]: own },
      webHost: null,
      appHash: null,
    });
    return { text, language };
  }

  #requireProject(projectId: string): Project {
    const project = this.#options.services.projects.find(projectId);
    if (project === undefined) throw new AuthApiError('PROJECT_NOT_FOUND');
    return project;
  }
}
