/** The address of each view, below `/console`. What a view shows besides is in the parameters of the address. */

function at(...segments: readonly string[]): string {
  return `/${segments.map(encodeURIComponent).join('/')}`;
}

export function projectAddress(project: string): string {
  return at('projects', project);
}

/** One of the areas of a project: `data`, `rules`, `accounts` … */
export function areaAddress(project: string, area: string): string {
  return at('projects', project, area);
}

/** A node of a database; `path` as `/rooms/lobby`. */
export function dataAddress(project: string, database: string, path = '/'): string {
  const keys = path.split('/').filter((key) => key !== '');
  return at('projects', project, 'data', database, ...keys);
}

/** A tab of the rules of a database: `edit`, `denials`, `simulator`, `versions` or `cases`. */
export function rulesAddress(project: string, database: string, tab = 'edit'): string {
  return at('projects', project, 'rules', database, tab);
}

export function accountAddress(project: string, uid: string): string {
  return at('projects', project, 'accounts', uid);
}

/** The segments of an address in the browser below that of a project, decoded. What cannot be decoded is as it is. */
export function segmentsBelowProject(pathname: string): readonly string[] {
  const [, , , , ...segments] = pathname.split('/');
  return segments.filter((segment) => segment !== '').map(decodeOrKeep);
}

function decodeOrKeep(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

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
