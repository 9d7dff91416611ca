import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** What the numbering plans of the world say about a number. */
export interface NumberPlan {
  /** The country of the number in two letters; `null` if no plan assigns the number to a country. */
  readonly country: string | null;
  /** Whether a country assigns the number, and its type can receive codes. */
  readonly isReachable: boolean;
}

/** Types of numbers whose messages are expensive or reach no person. */
const UNREACHABLE: ReadonlySet<string | undefined> = new Set(['PREMIUM_RATE', 'SHARED_COST', 'PAGER']);

/** Looks up a number in E.164 form in the numbering plans. */
export function numberPlanOf(phoneNumber: string): NumberPlan {
  const parsed = parsePhoneNumberFromString(phoneNumber);
  if (parsed === undefined) return { country: null, isReachable: false };
  return {
    country: parsed.country ?? null,
    isReachable: parsed.isValid() && !UNREACHABLE.has(parsed.getType()),
  };
}
