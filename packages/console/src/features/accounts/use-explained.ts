import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../server/api-error.ts';

/** Refusals of the official interface that people can do something about. */
const KNOWN = [
  'EMAIL_EXISTS',
  'INVALID_EMAIL',
  'PHONE_NUMBER_EXISTS',
  'INVALID_PHONE_NUMBER',
  'WEAK_PASSWORD',
  'PASSWORD_DOES_NOT_MEET_REQUIREMENTS',
  'USER_NOT_FOUND',
  'DUPLICATE_LOCAL_ID',
  'UNVERIFIED_EMAIL',
  'EMAIL_NOT_FOUND',
] as const;
type Known = (typeof KNOWN)[number];

/** Says refusals about accounts in the language of the page, with what to do. */
export function useExplained(): (error: unknown) => unknown {
  const { t } = useTranslation('accounts');
  return useCallback(
    (error) => {
      const code = findKnown(error);
      if (code === undefined || !(error instanceof ApiError)) return error;
      // What a password lacks is told after the code.
      const [, detail = ''] = error.message.split(/ : (.*)/s);
      const text = [t(`refusal.${code}`), detail].filter((part) => part !== '').join(' ');
      return new ApiError(error.status, text, error.code, error.details, { cause: error });
    },
    [t],
  );
}

function findKnown(error: unknown): Known | undefined {
  return error instanceof ApiError ? KNOWN.find((code) => code === error.code) : undefined;
}
