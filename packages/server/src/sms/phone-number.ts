import { createRequire } from 'node:module';

/** The result of checking a number against the numbering plans of all countries. */
export interface NumberPlan {
  /** The country of the number in two letters; `null` if no plan assigns the number to a country. */
  readonly country: string | null;
  /** Whether a country assigns the number, and its type can receive codes. */
  readonly isReachable: boolean;
  /** Whether the plan assigns the number to internet telephony, for which numbers cost little and need no phone. */
  readonly isVoip: boolean;
}

/** Types of numbers whose messages are expensive or reach no person. */
const UNREACHABLE: ReadonlySet<string | undefined> = new Set(['PREMIUM_RATE', 'SHARED_COST', 'PAGER']);

let plans: typeof import('libphonenumber-js/max') | undefined;

/**
 * Returns the numbering plans. The first call loads them, which takes about 30 ms. Most servers send no text messages,
 * and start faster without this.
 */
function loadPlans(): typeof import('libphonenumber-js/max') {
  plans ??= createRequire(import.meta.url)('libphonenumber-js/max') as typeof import('libphonenumber-js/max');
  return plans;
}

/** Looks up a number in E.164 form in the numbering plans. */
export function numberPlanOf(phoneNumber: string): NumberPlan {
  const parsed = loadPlans().parsePhoneNumberFromString(phoneNumber);
  if (parsed === undefined) return { country: null, isReachable: false, isVoip: false };
  const type = parsed.getType();
  return {
    country: parsed.country ?? null,
    isReachable: parsed.isValid() && !UNREACHABLE.has(type),
    isVoip: type === 'VOIP',
  };
}
