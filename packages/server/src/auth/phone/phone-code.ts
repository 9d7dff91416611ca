import type { SmsPurpose } from '../../sms/text-message.ts';
import type { Fields, JsonObject } from '../fields.ts';
import { StoredRecord } from '../stored-record.ts';

/** The action that a code from a text message permits, and its user. */
export type PhonePurpose =
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'enrollment'; readonly uid: string }
  | {
      readonly kind: 'second-factor';
      readonly uid: string;
      readonly enrollmentId: string;
      /** The key of the pending sign-in. */
      readonly pendingKey: string;
    };

/** The names of purposes in text messages and hooks. */
export const SMS_PURPOSE_OF = {
  'sign-in': 'SIGN_IN_OR_SIGN_UP',
  enrollment: 'MULTI_FACTOR_ENROLLMENT',
  'second-factor': 'MULTI_FACTOR_SIGN_IN',
} as const satisfies Readonly<Record<PhonePurpose['kind'], SmsPurpose>>;

/** Returns the account for which the code is valid; an empty text for any account. */
export function ownerOf(purpose: PhonePurpose): string {
  return purpose.kind === 'sign-in' ? '' : purpose.uid;
}

/** A request for a text message with a code. */
export interface PhoneCodeRequest {
  readonly phoneNumber: string;
  readonly purpose: PhonePurpose;
  /** The members of the request that describe the app: of the request itself, or of its block for a second factor. */
  readonly app: Fields;
  /**
   * Whether the client has solved a challenge, or has proven the first factor of the account for which the message is the
   * first.
   */
  readonly isProven: boolean;
}

/** A code that was sent and has not been used. */
export interface PhoneCode {
  readonly phoneNumber: string;
  readonly purpose: PhonePurpose;
  /** A MAC of the code: a plain hash of six digits would reveal them. */
  readonly codeMac: string;
  /** The key of the count of wrong codes that this code shares with others, and the id of that count. */
  readonly groupKey: string;
  readonly groupId: string;
  readonly expiresAtMs: number;
  /** Whether the project lists the number as fictional. */
  readonly isFictional: boolean;
}

/** Encodes a code for `phoneCodes/<hash>`. History: format 1. */
export function encodePhoneCode({ purpose, ...code }: PhoneCode): JsonObject {
  return { ...code, purpose: { ...purpose } };
}

export function decodePhoneCode(json: unknown): PhoneCode {
  const record = new StoredRecord(json);
  return {
    phoneNumber: record.text('phoneNumber') ?? '',
    purpose: decodePurpose(record.record('purpose')),
    codeMac: record.text('codeMac') ?? '',
    groupKey: record.text('groupKey') ?? '',
    groupId: record.text('groupId') ?? '',
    expiresAtMs: record.number('expiresAtMs') ?? 0,
    isFictional: record.flag('isFictional'),
  };
}

function decodePurpose(record: StoredRecord | undefined): PhonePurpose {
  const uid = record?.text('uid') ?? '';
  const kind = record?.text('kind') as PhonePurpose['kind'] | null | undefined;
  switch (kind) {
    case 'sign-in':
      return { kind };
    case 'enrollment':
      return { kind, uid };
    case 'second-factor':
      return {
        kind,
        uid,
        enrollmentId: record?.text('enrollmentId') ?? '',
        pendingKey: record?.text('pendingKey') ?? '',
      };
    default:
      kind satisfies null | undefined;
      throw new Error('Bug: a stored code has an unknown purpose.');
  }
}
