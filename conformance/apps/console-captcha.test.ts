import { expect, test } from 'vitest';
import { makeMember, signInMember } from '../drivers/console/member.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';

const PROJECT = 'hats';
const testBed = openConsoleTestBed({ command: 'serve', args: ['--public-url', 'http://127.0.0.1'] });

test('[C530] members sign in while the project enforces challenges for passwords', async () => {
  await testBed.admin('POST', '/api/projects', { id: PROJECT });
  const member = await makeMember(testBed, PROJECT, { role: 'viewer' });
  const config = `/v2/projects/${PROJECT}/config?updateMask=recaptchaConfig`;
  await testBed.admin('PATCH', config, { recaptchaConfig: { emailPasswordEnforcementState: 'ENFORCE' } });
  const visitor = await testBed.visit(`/projects/${PROJECT}/settings`);
  await signInMember(visitor.page, member);
  await visitor.page.getByRole('heading', { name: `Project ${PROJECT}` }).waitFor();
  expect(visitor.complaints.filter((text) => !text.includes('400'))).toEqual([]);
});
