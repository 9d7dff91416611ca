/** Under which the browser keeps the project that was signed in to last. */
const REMEMBERED = 'hearth.console.project';

/**
 * The project to sign in to: the one that a view's address names, else the parameter `project`, else the last one. `undefined`
 * where whoever is there has to say, as with an empty parameter.
 */
export function projectOfAddress({
  pathname,
  search,
}: Pick<Location, 'pathname' | 'search'>): string | undefined {
  const named = /^\/console\/projects\/([^/]+)/.exec(pathname)?.[1];
  if (named !== undefined) return decodeURIComponent(named);
  const asked = new URLSearchParams(search).get('project');
  return (asked ?? localStorage.getItem(REMEMBERED) ?? '') || undefined;
}

export function rememberProject(project: string): void {
  localStorage.setItem(REMEMBERED, project);
}
