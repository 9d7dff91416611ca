import type { RecordTransaction, RecordView } from '../records/store.ts';

/** Length of a bucket of counts, in ms: the lifetime of a code, so that the codes of a bucket end soon after it. */
const BUCKET_MS = 600_000;
/** How long counts are stored, in ms. */
const STORED_MS = 24 * 3_600_000;

/** The least number of messages with which the server judges a country. */
const MIN_JUDGED = 50;
/** The least share of messages whose codes users enter. Attackers who only want to cause costs stay below it. */
const MIN_USED_SHARE = 0.2;

/** The key of numbers that the numbering plans assign to no country. */
const NO_COUNTRY = 'none';

/** Counts of the messages to a country in the last 24 hours. */
export interface SmsCountryStatistics {
  /** In two letters; `null` for numbers without a country. */
  readonly country: string | null;
  /** The number of messages that the SMS service accepted. */
  readonly accepted: number;
  /** The numbers of messages that the SMS service reports as delivered and as failed. Not all services report. */
  readonly delivered: number;
  readonly failed: number;
  /** The number of messages whose code a user entered. */
  readonly used: number;
  /** Since when the server sends no messages to the country; `null` if it sends them. */
  readonly pausedAtMs: number | null;
}

/** The project, country and time of a message that was sent. */
export interface SentSms {
  readonly project: string;
  readonly country: string | null;
  /** The time of the code in the message. */
  readonly createdAtMs: number;
}

type Count = 'accepted' | 'delivered' | 'failed' | 'used';
type Bucket = Readonly<Record<Count, number>>;

const EMPTY: Bucket = { accepted: 0, delivered: 0, failed: 0, used: 0 };

/**
 * The counts of a country as stored at `countries/<project>/<country>`: buckets of ten minutes by their number since
 * 1970. History: format 1.
 */
interface Country {
  readonly buckets: Readonly<Record<string, Bucket>>;
  readonly pausedAtMs: number | null;
  /** When an owner allowed messages again. Earlier messages are not judged. */
  readonly resumedAtMs: number;
}

/**
 * Counts a message that the SMS service accepted. Pauses the country if users entered too few of the codes that were sent
 * there, and returns whether it does. Only codes that have expired are judged.
 */
export function countAcceptedSms(records: RecordTransaction, sent: SentSms, nowMs: number): boolean {
  const country = withCount(readCountry(records, sent), 'accepted', sent.createdAtMs, nowMs);
  const pauses = country.pausedAtMs === null && isSuspicious(country, nowMs);
  writeCountry(records, sent, pauses ? { ...country, pausedAtMs: nowMs } : country);
  return pauses;
}

/** Counts a message whose code a user entered. */
export function countUsedSms(records: RecordTransaction, sent: SentSms, nowMs: number): void {
  countAgain(records, sent, 'used', nowMs);
}

/** Counts the report of an SMS service about a message. */
export function countSmsReceipt(
  records: RecordTransaction,
  sent: SentSms,
  state: 'delivered' | 'failed',
  nowMs: number,
): void {
  countAgain(records, sent, state, nowMs);
}

function countAgain(records: RecordTransaction, sent: SentSms, count: Count, nowMs: number): void {
  const country = readCountry(records, sent);
  // Development mode counts no messages.
  if (country.buckets[bucketOf(sent.createdAtMs)] === undefined) return;
  writeCountry(records, sent, withCount(country, count, sent.createdAtMs, nowMs));
}

/** Returns whether the server sends no messages to a country because users entered too few codes. */
export function isCountryPaused(records: RecordView, project: string, country: string | null): boolean {
  return readCountry(records, { project, country }).pausedAtMs !== null;
}

/** Allows messages to a paused country again. Returns false if it is not paused. */
export function resumeCountry(
  records: RecordTransaction,
  target: Pick<SentSms, 'project' | 'country'>,
  nowMs: number,
): boolean {
  const country = readCountry(records, target);
  if (country.pausedAtMs === null) return false;
  writeCountry(records, target, { ...country, pausedAtMs: null, resumedAtMs: nowMs });
  return true;
}

/** Maximum number of countries. There are about 250 of two letters. */
const MAX_COUNTRIES = 1_000;

/** Returns the statistics of the countries of a project, in the order of their letters. */
export function listSmsCountries(
  records: RecordView,
  project: string,
  nowMs: number,
): readonly SmsCountryStatistics[] {
  return records.list(['countries', project], { limit: MAX_COUNTRIES }).map(({ key, value }) => {
    const { buckets, pausedAtMs } = decodeCountry(value);
    const recent = Object.entries(buckets).filter(([bucket]) => isStored(bucket, nowMs));
    const sum = (count: Count): number => recent.reduce((total, [, bucket]) => total + bucket[count], 0);
    return {
      country: key === NO_COUNTRY ? null : key,
      accepted: sum('accepted'),
      delivered: sum('delivered'),
      failed: sum('failed'),
      used: sum('used'),
      pausedAtMs,
    };
  });
}

/** Returns whether users entered too few of the codes that have expired. */
function isSuspicious({ buckets, resumedAtMs }: Country, nowMs: number): boolean {
  const judged = Object.entries(buckets).filter(([bucket]) => {
    const startMs = Number(bucket) * BUCKET_MS;
    return startMs >= resumedAtMs && startMs + 2 * BUCKET_MS <= nowMs;
  });
  const accepted = judged.reduce((total, [, bucket]) => total + bucket.accepted, 0);
  const used = judged.reduce((total, [, bucket]) => total + bucket.used, 0);
  return accepted >= MIN_JUDGED && used < accepted * MIN_USED_SHARE;
}

function withCount(country: Country, count: Count, createdAtMs: number, nowMs: number): Country {
  const key = bucketOf(createdAtMs);
  const known = country.buckets[key] ?? EMPTY;
  const bucket = { ...known, [count]: known[count] + 1 };
  const stored = Object.entries({ ...country.buckets, [key]: bucket }).filter(([name]) =>
    isStored(name, nowMs),
  );
  return { ...country, buckets: Object.fromEntries(stored) };
}

function bucketOf(timeMs: number): string {
  return String(Math.floor(timeMs / BUCKET_MS));
}

function isStored(bucket: string, nowMs: number): boolean {
  return Number(bucket) * BUCKET_MS > nowMs - STORED_MS;
}

function pathOf({ project, country }: Pick<SentSms, 'project' | 'country'>): readonly string[] {
  return ['countries', project, country ?? NO_COUNTRY];
}

function readCountry(records: RecordView, target: Pick<SentSms, 'project' | 'country'>): Country {
  return decodeCountry(records.find(pathOf(target)));
}

function writeCountry(
  records: RecordTransaction,
  target: Pick<SentSms, 'project' | 'country'>,
  { buckets, pausedAtMs, resumedAtMs }: Country,
): void {
  // Names that begin with a letter, because the store returns objects whose names are numbers as lists.
  const named = Object.entries(buckets).map(([bucket, counts]) => [`b${bucket}`, counts]);
  records.write(pathOf(target), { buckets: Object.fromEntries(named), pausedAtMs, resumedAtMs });
}

function decodeCountry(json: unknown): Country {
  const { buckets, pausedAtMs, resumedAtMs } = Object(json);
  const named = Object.entries(Object(buckets)).map(([name, counts]): [string, Bucket] => {
    const { accepted = 0, delivered = 0, failed = 0, used = 0 } = Object(counts);
    return [name.slice(1), { accepted, delivered, failed, used }];
  });
  return {
    buckets: Object.fromEntries(named),
    pausedAtMs: typeof pausedAtMs === 'number' ? pausedAtMs : null,
    resumedAtMs: typeof resumedAtMs === 'number' ? resumedAtMs : 0,
  };
}
