/** Prints what a command has found to standard output, as JSON or in lines for people. */
export function printOutcome(format: 'text' | 'json', json: unknown, lines: () => readonly string[]): void {
  const text = format === 'json' ? JSON.stringify(json, null, 2) : lines().join('\n');
  process.stdout.write(`${text}\n`);
}
