/** The database that apps of a project have without naming one. */
export function mainDatabaseOf(project: string): string {
  return `${project}-default-rtdb`;
}
