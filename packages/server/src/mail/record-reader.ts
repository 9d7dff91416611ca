/** Reads the members of a stored record; one that is missing or of another form is a bug. */
export interface RecordReader {
  text(name: string): string;
  number(name: string): number;
}

export function recordReader(key: string, json: unknown): RecordReader {
  const members: Readonly<Record<string, unknown>> =
    typeof json === 'object' && json !== null ? { ...json } : {};
  const broken = (name: string): Error =>
    new Error(`Bug: "${name}" of the record ${key} in the outbox has another form.`);
  return {
    text(name) {
      const value = members[name];
      if (typeof value !== 'string') throw broken(name);
      return value;
    },
    number(name) {
      const value = members[name];
      if (typeof value !== 'number') throw broken(name);
      return value;
    },
  };
}
