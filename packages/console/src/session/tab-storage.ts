/** Returns the `sessionStorage` key prefix of a project. */
function prefixOf(project: string): string {
  return `hearth.console.kept ${project} `;
}

/** Returns a `sessionStorage` key of a project. */
export function nameInTab(project: string, ...parts: readonly string[]): string {
  return `${prefixOf(project)}${parts.join(' ')}`;
}

/** Reads an item of the tab; `null` if there is none or the browser blocks the storage. */
export function readInTab(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Stores a text until the tab is closed; `null` removes it. Returns `false` if the browser does not store it. */
export function keepInTab(name: string, text: string | null): boolean {
  try {
    // The old item is outdated, even if there is no space for the new one.
    sessionStorage.removeItem(name);
    if (text !== null) sessionStorage.setItem(name, text);
    return true;
  } catch {
    return text === null;
  }
}

/** Removes all items of a project. */
export function forgetInTab(project: string): void {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(prefixOf(project)));
    for (const name of names) sessionStorage.removeItem(name);
  } catch {
    // The browser blocks the storage, so nothing was stored.
  }
}
