/** What names all that a tab of the browser keeps of the work in a project. */
function prefixOf(project: string): string {
  return `hearth.console.kept ${project} `;
}

/** Under which name a tab keeps something of the work in a project. */
export function nameInTab(project: string, ...parts: readonly string[]): string {
  return `${prefixOf(project)}${parts.join(' ')}`;
}

/** What a tab keeps under a name; `null` for nothing, also where the browser lets no page keep anything. */
export function readInTab(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps text until the tab is closed, or nothing for `null`. Says whether it does: there may be no room for it. */
export function keepInTab(name: string, text: string | null): boolean {
  try {
    // What was kept before is not true any more, even if there is no room for what comes in its place.
    sessionStorage.removeItem(name);
    if (text !== null) sessionStorage.setItem(name, text);
    return true;
  } catch {
    return text === null;
  }
}

/** Forgets all that the tab keeps of the work in a project. */
export function forgetInTab(project: string): void {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(prefixOf(project)));
    for (const name of names) sessionStorage.removeItem(name);
  } catch {
    // Then nothing was kept.
  }
}
