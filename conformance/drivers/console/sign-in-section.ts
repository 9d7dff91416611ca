import { Keyboard } from './keyboard.ts';
import { buttonOf } from './page.ts';
import type { ConsoleTestBed } from './test-bed.ts';

/** Opens a section of the sign-in settings of a project of its own. */
export async function openSignInSection(testBed: ConsoleTestBed, project: string, section: string) {
  const visitor = await testBed.visit(`/projects/${project}/sign-in/${section}`);
  const { page } = visitor;
  const keys = new Keyboard(page);
  const changes = page.getByRole('region', { name: 'Unsaved changes' });
  return {
    visitor,
    page,
    keys,
    changes,
    async save() {
      await keys.enter(buttonOf(changes, 'Save'));
      await changes.waitFor({ state: 'detached' });
    },
    config: () => testBed.admin('GET', `/v2/projects/${project}/config`),
  };
}
