/** Could a project be called so? 1 to 50 lower-case letters, digits and inner hyphens. */
export function isProjectId(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$/.test(text);
}
