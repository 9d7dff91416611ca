import { Secret, type SecretBox } from '../platform/secret-box.ts';

/** The SMS service of a project, with its credentials sealed by `sealSmsSecret`. */
export type SmsDriver =
  /** Prints messages in the terminal. Development mode only. */
  | { readonly kind: 'log' }
  | {
      readonly kind: 'twilio';
      readonly accountSid: string;
      /** A key to use instead of the account's own token; `null` for none. */
      readonly apiKeySid: string | null;
      /** A sender number or name, or a messaging service (`MG…`). */
      readonly from: string;
      readonly sealedSecret: string;
    }
  | {
      readonly kind: 'vonage';
      readonly apiKey: string;
      readonly from: string;
      readonly sealedSecret: string;
      /** The secret with which Vonage signs receipts. Without one, the server asks for no receipts. */
      readonly sealedSignatureSecret?: string;
    }
  | {
      readonly kind: 'webhook';
      readonly url: string;
      /** Whether requests contain the code by itself, for services that write their own text. */
      readonly sendsCode: boolean;
      readonly sealedSecret: string;
    };

type RemoteDriver = Exclude<SmsDriver, { readonly kind: 'log' }>;

/**
 * Seals the secret of a driver for one service and account, so that an administrator cannot have it sent to another
 * server by a change of the settings.
 */
export function sealSmsSecret(box: SecretBox, driver: DriverTarget, secret: Secret): string {
  return box.seal(secret.reveal(), contextOf(driver));
}

/** Seals the secret with which Vonage signs receipts, for one account. */
export function sealSignatureSecret(box: SecretBox, driver: DriverTarget, secret: Secret): string {
  return box.seal(secret.reveal(), `${contextOf(driver)}/signature`);
}

/** Decrypts the secret with which Vonage signs receipts; `undefined` if there is none. */
export function openSignatureSecret(
  box: SecretBox,
  driver: Extract<RemoteDriver, { readonly kind: 'vonage' }>,
): Secret | undefined {
  const { sealedSignatureSecret: sealed } = driver;
  return sealed === undefined
    ? undefined
    : new Secret(box.open(sealed, `${contextOf(driver)}/signature`).toString());
}

/** Decrypts the secret of a driver. Throws `UnsealFailure` if it belongs to another service or account. */
export function openSmsSecret(box: SecretBox, driver: RemoteDriver): Secret {
  return new Secret(box.open(driver.sealedSecret, contextOf(driver)).toString());
}

/** The members of a driver that say where its secret is sent. */
export type DriverTarget =
  | Pick<Extract<RemoteDriver, { readonly kind: 'twilio' }>, 'kind' | 'accountSid' | 'apiKeySid'>
  | Pick<Extract<RemoteDriver, { readonly kind: 'vonage' }>, 'kind' | 'apiKey'>
  | Pick<Extract<RemoteDriver, { readonly kind: 'webhook' }>, 'kind' | 'url'>;

function contextOf(target: DriverTarget): string {
  return `sms-driver/${JSON.stringify(targetOf(target))}`;
}

function targetOf(target: DriverTarget): readonly (string | null)[] {
  switch (target.kind) {
    case 'twilio':
      return [target.kind, target.accountSid, target.apiKeySid];
    case 'vonage':
      return [target.kind, target.apiKey];
    case 'webhook':
      return [target.kind, target.url];
    default:
      return target satisfies never;
  }
}

/** Returns whether two drivers send their secret to the same place. */
export function hasSameTarget(a: DriverTarget, b: DriverTarget): boolean {
  return contextOf(a) === contextOf(b);
}
