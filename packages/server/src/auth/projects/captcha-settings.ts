import { DEFAULT_COST } from '../captcha/difficulty.ts';
import type { ProjectRecaptcha } from '../captcha/recaptcha-keys.ts';

/**
 * `OFF`: the server does not ask for solved challenges. `AUDIT`: requests without one are recorded in the audit log.
 * `ENFORCE`: they are rejected.
 */
export const CAPTCHA_STATES = ['OFF', 'AUDIT', 'ENFORCE'] as const;
export type CaptchaState = (typeof CAPTCHA_STATES)[number];

/** For which requests of apps a project asks for solved challenges. */
export interface ProjectCaptcha {
  /** For passwords, sign-ups with one, and mails that reset one or sign in. */
  readonly emailPassword: CaptchaState;
  /** For text messages, in addition to the proof of the app that `ProjectSms.appProof` requires. */
  readonly phone: CaptchaState;
  /** The cost of a challenge for a network without failures, in rounds of PBKDF2. */
  readonly cost: number;
  /** Absent if the server's own challenges are used. */
  readonly recaptcha?: ProjectRecaptcha;
}

export const INITIAL_CAPTCHA: ProjectCaptcha = { emailPassword: 'OFF', phone: 'OFF', cost: DEFAULT_COST };
