import { createHash } from 'node:crypto';
import type { RecordTransaction } from '../records/store.ts';

/** Maximum numbers of text messages. */
export interface SmsLimits {
  readonly perCountryAndHour: number;
  readonly perNumberAndHour: number;
  readonly perNumberAndDay: number;
  readonly perAddressAndHour: number;
  readonly perAccountAndDay: number;
  /** Minimum time between two messages to one number, in ms. */
  readonly pauseMs: number;
}

/** The limits of `hearth serve`. Text messages cost money, and an attacker may earn a share of it. */
export const SMS_LIMITS: SmsLimits = {
  perCountryAndHour: 100,
  perNumberAndHour: 5,
  perNumberAndDay: 10,
  perAddressAndHour: 10,
  perAccountAndDay: 10,
  pauseMs: 30_000,
};

/** The limits of development mode, where no message is sent. */
export const UNLIMITED_SMS: SmsLimits = {
  perCountryAndHour: Number.POSITIVE_INFINITY,
  perNumberAndHour: Number.POSITIVE_INFINITY,
  perNumberAndDay: Number.POSITIVE_INFINITY,
  perAddressAndHour: Number.POSITIVE_INFINITY,
  perAccountAndDay: Number.POSITIVE_INFINITY,
  pauseMs: 0,
};

/** The part of the budgets that remains for clients that do not prove which app they are. */
const UNPROVEN_SHARE = 10;
/** The least number of messages in that part, so that a user can ask for a second one. */
const MIN_UNPROVEN = 2;

/** A message for which a budget is needed. */
export interface SmsCharge {
  readonly project: string;
  readonly phoneNumber: string;
  /** `null` if the numbering plans assign the number to no country. */
  readonly country: string | null;
  /** The network of the client; see `AddressLayers.host`. */
  readonly host: string;
  /** The account that asks for the message; `null` if the user has not signed in. */
  readonly uid: string | null;
  /** Maximum number of messages of the project per day. */
  readonly perProjectAndDay: number;
  /** The cost of the message, and the limit of the project per day; `null` for no limit. */
  readonly spending: { readonly costMicros: number; readonly perDayMicros: number } | null;
  /** Whether the client has proven which app it is, or that it knows the first factor of the account. */
  readonly isProven: boolean;
}

/** `quota`: the project or the country has used its budget. `often`: the number, client or account has. */
export type SmsLimit = 'quota' | 'often';

/** Budgets about which owners are warned before they are used up. */
export type WarnedBudget = 'project' | 'country' | 'spending';

/** A message that a budget prevents. */
export interface LimitedSms {
  readonly kind: 'limited';
  readonly limit: SmsLimit;
  readonly budget: SmsBudget;
}

/** What has a budget. */
type SmsBudget = 'project' | 'country' | 'number' | 'address' | 'account' | 'spending';

/**
 * `limited`: the message is not counted, because a budget is used up. `nearlyUsed` lists the budgets whose use this
 * message raises above 80 %.
 */
export type SmsCount =
  | LimitedSms
  | { readonly kind: 'counted'; readonly nearlyUsed: readonly WarnedBudget[] };

/** The part of a budget whose use owners are warned of. */
const WARNED_SHARE = 0.8;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Counter {
  readonly window: 'hour' | 'day';
  readonly name: readonly [SmsBudget, ...string[]];
  readonly limit: number;
  /** The amount that the message adds to the budget. */
  readonly amount: number;
  readonly reached: SmsLimit;
  readonly pauseMs?: number;
  readonly warnsOf?: WarnedBudget;
}

/**
 * Counts a message for all of its budgets, unless one of them is used up. Only the counts
 * of one clock hour and one day are stored, at `counts/<window>/<hash>`; `windows` names the two. The counts are
 * stored, because a restart must not give an attacker new budgets.
 */
export function countSms(
  records: RecordTransaction,
  charge: SmsCharge,
  limits: SmsLimits,
  nowMs: number,
): SmsCount {
  const windows = { hour: `h${Math.floor(nowMs / HOUR_MS)}`, day: `d${Math.floor(nowMs / DAY_MS)}` };
  const counts = countersOf(charge, limits)
    .filter(({ limit }) => limit !== Number.POSITIVE_INFINITY)
    .map((counter) => {
      const location = ['counts', windows[counter.window], hashOf(counter.name)];
      return { counter, location, ...readCount(records.find(location)) };
    });
  const reached = counts.find(
    ({ counter, count, lastMs }) =>
      count + counter.amount > counter.limit || nowMs - lastMs < (counter.pauseMs ?? 0),
  );
  if (reached !== undefined) {
    const { reached: limit, name } = reached.counter;
    return { kind: 'limited', limit, budget: name[0] };
  }
  for (const window of ['hour', 'day'] as const) {
    const past = records.find(['windows', window]);
    if (past === windows[window]) continue;
    if (typeof past === 'string') records.write(['counts', past], null);
    records.write(['windows', window], windows[window]);
  }
  for (const { counter, location, count } of counts)
    records.write(location, { count: count + counter.amount, lastMs: nowMs });
  // A client that proves nothing can use only a part of each budget. Owners are not warned about the end of that part.
  const warned = charge.isProven ? counts : [];
  const nearlyUsed = warned.flatMap(({ counter: { limit, amount, warnsOf }, count }) => {
    const warnedAt = Math.ceil(limit * WARNED_SHARE);
    return warnsOf !== undefined && count < warnedAt && count + amount >= warnedAt ? [warnsOf] : [];
  });
  return { kind: 'counted', nearlyUsed };
}

function countersOf(charge: SmsCharge, limits: SmsLimits): readonly Counter[] {
  const { project, phoneNumber, country, host, uid, isProven, spending } = charge;
  const share = (limit: number): number =>
    isProven ? limit : Math.max(MIN_UNPROVEN, Math.ceil(limit / UNPROVEN_SHARE));
  const { pauseMs } = limits;
  const counters: readonly Omit<Counter, 'amount'>[] = [
    {
      window: 'day',
      name: ['project', project],
      limit: share(charge.perProjectAndDay),
      reached: 'quota',
      warnsOf: 'project',
    },
    {
      window: 'hour',
      name: ['country', project, country ?? ''],
      limit: share(limits.perCountryAndHour),
      reached: 'quota',
      warnsOf: 'country',
    },
    {
      window: 'hour',
      name: ['number', project, phoneNumber],
      limit: limits.perNumberAndHour,
      reached: 'often',
    },
    {
      window: 'day',
      name: ['number', project, phoneNumber],
      limit: limits.perNumberAndDay,
      reached: 'often',
      pauseMs,
    },
    {
      window: 'hour',
      name: ['address', project, host],
      limit: share(limits.perAddressAndHour),
      reached: 'often',
    },
    ...(uid === null
      ? []
      : [
          {
            window: 'day',
            name: ['account', project, uid],
            limit: limits.perAccountAndDay,
            reached: 'often',
          } as const,
        ]),
  ];
  return [
    ...counters.map((counter) => ({ ...counter, amount: 1 })),
    ...(spending === null
      ? []
      : [
          {
            window: 'day',
            name: ['spending', project],
            limit: isProven ? spending.perDayMicros : Math.ceil(spending.perDayMicros / UNPROVEN_SHARE),
            amount: spending.costMicros,
            reached: 'quota',
            warnsOf: 'spending',
          } as const,
        ]),
  ];
}

function readCount(json: unknown): { readonly count: number; readonly lastMs: number } {
  const members: Readonly<Record<string, unknown>> =
    typeof json === 'object' && json !== null ? { ...json } : {};
  const { count, lastMs } = members;
  return {
    count: typeof count === 'number' ? count : 0,
    lastMs: typeof lastMs === 'number' ? lastMs : Number.NEGATIVE_INFINITY,
  };
}

function hashOf(name: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(name)).digest('base64url');
}
