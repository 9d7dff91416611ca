import { type DataSubject, SUBJECT_NUMBERS } from '../realtime/monitoring/data-actions.ts';

/** Longest path in an entry, in UTF-16 code units. Longer paths are cut. */
const MAX_PATH_LENGTH = 768;

const MAX_DATABASE_LENGTH = 128;

/**
 * Returns a subject with texts of bounded length. They are not redacted: keys of data often look like secrets, and an
 * entry without them would not say what was deleted.
 */
export function boundSubject({ database, path, ...numbers }: DataSubject): DataSubject {
  return {
    database: database.slice(0, MAX_DATABASE_LENGTH).toWellFormed(),
    ...(path === undefined ? {} : { path: path.slice(0, MAX_PATH_LENGTH).toWellFormed() }),
    ...numbers,
  };
}

/** Returns the subject in a stored entry, or `undefined` if it has none. */
export function decodeSubject(json: unknown): DataSubject | undefined {
  const fields: Readonly<Record<string, unknown>> = Object(json);
  const { database, path } = fields;
  if (typeof database !== 'string') return undefined;
  const numbers = SUBJECT_NUMBERS.flatMap((name) => {
    const value = fields[name];
    return typeof value === 'number' ? [[name, value] as const] : [];
  });
  return {
    database,
    ...(typeof path === 'string' ? { path } : {}),
    ...Object.fromEntries(numbers),
  };
}

/**
 * Returns the subject of two actions on the same database: the deepest path at or above both, and the sums of counts
 * and bytes. Changes and versions are left out, because they identify single actions.
 */
export function joinSubjects(a: DataSubject, b: DataSubject): DataSubject {
  const sums = (['count', 'bytes'] as const).flatMap((name) =>
    a[name] === undefined && b[name] === undefined ? [] : [[name, (a[name] ?? 0) + (b[name] ?? 0)] as const],
  );
  return {
    database: a.database,
    ...(a.path === undefined || b.path === undefined ? {} : { path: commonPath(a.path, b.path) }),
    ...Object.fromEntries(sums),
  };
}

function commonPath(a: string, b: string): string {
  const [keys, others] = [a.split('/').slice(1), b.split('/').slice(1)];
  const end = keys.findIndex((key, index) => key !== others[index]);
  return `/${(end === -1 ? keys : keys.slice(0, end)).join('/')}`;
}
