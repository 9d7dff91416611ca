import { formatBytes } from '../backup/format-bytes.ts';
import { formatTable } from './format-table.ts';
import { formatTime } from './format-time.ts';
import type { Paint } from './paint.ts';
import { printable } from './printable.ts';
import type { PublishedVersion, VersionDetails } from './publication.ts';

/** A line for each version, and one that says what the columns are. */
export function formatVersions(versions: readonly PublishedVersion[]): readonly string[] {
  return formatTable([['version', 'published', 'by', 'size', 'message'], ...versions.map(cellsOf)]);
}

/** A version with its difference to the one before. */
export function formatVersion(version: VersionDetails, paint: Paint): readonly string[] {
  const [id, time, author, size, message] = cellsOf(version);
  return [
    paint('bold', `Version ${id}, published ${time} by ${author}, ${size}`),
    ...(message === undefined || message === '' ? [] : [message]),
    '',
    ...(version.difference === null
      ? version.source.split('\n')
      : version.difference.split('\n').map((line) => paintDifference(line, paint))),
  ];
}

function cellsOf({ id, timeMs, author, bytes, message, rolledBackTo }: PublishedVersion): readonly string[] {
  const notes = [rolledBackTo === null ? '' : `rolled back to ${rolledBackTo}`, printable(message ?? '')];
  return [
    String(id),
    timeMs === null ? 'at an unknown time' : formatTime(timeMs),
    printable(author),
    formatBytes(bytes),
    notes.filter((note) => note !== '').join(': '),
  ];
}

function paintDifference(line: string, paint: Paint): string {
  if (line.startsWith('+')) return paint('green', line);
  if (line.startsWith('-')) return paint('red', line);
  return line.startsWith('@') ? paint('dim', line) : line;
}
