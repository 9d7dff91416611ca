/** Offers a JSON value to the user as a file. */
export function downloadJson(name: string, value: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser may read the file later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
