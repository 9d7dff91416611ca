import type { BookTurn } from '../books/books.ts';
import { createApiKey, saveApiKey } from './api-key.ts';
import { claimDatabase, databasesOfNewProject } from './database-owners.ts';
import { IdentityError } from './identity-error.ts';
import { encodeProject, type Project, projectNumber } from './project.ts';
import type { ProjectSettings } from './project-settings.ts';

/** A project that is to be made, with its first key. */
export interface NewProject {
  readonly project: Project;
  readonly apiKey: string;
}

/** So that the names of its databases are names that databases can have. */
const ID = /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/;

/** Refuses an id that no project can have. */
export function prepareProject(
  id: string,
  settings: ProjectSettings,
  randomBytes: (count: number) => Uint8Array,
): NewProject {
  if (!ID.test(id))
    throw new IdentityError(
      'INVALID_PROJECT_ID',
      'A project is named by 1 to 50 lower-case letters, digits and inner hyphens.',
    );
  return { project: { id, number: projectNumber(id), settings }, apiKey: createApiKey(randomBytes) };
}

/** Keeps a project, its key and its claim to its databases. Refuses an id that is taken. */
export function saveNewProject(book: BookTurn, { project, apiKey }: NewProject, nowMs: number): void {
  const { id } = project;
  if (book.find(['projects', id]) !== undefined)
    throw new IdentityError('INVALID_PROJECT_ID', `There is a project ${id}.`);
  book.write(['projects', id], encodeProject(project));
  saveApiKey(book, id, apiKey, nowMs);
  for (const name of databasesOfNewProject(id)) claimDatabase(book, id, name);
}
