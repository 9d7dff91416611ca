import { describe, expect, test } from 'vitest';
import { parseJson } from '../drivers/json.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { useFirebaseCli } from './firebase-cli.ts';
import { ownerRequest, readData, writeData } from './owner-request.ts';

const cli = useFirebaseCli();

describe.concurrent('firebase database:settings, :instances', () => {
  test('[S279] settings:set changes what settings:get shows', async () => {
    const database = await openNamespace();
    await Promise.all([
      cli.succeed(database, ['database:settings:set', 'defaultWriteSizeLimit', 'small']),
      cli.succeed(database, ['database:settings:set', 'strictTriggerValidation', 'false']),
    ]);
    const [limit, validation] = await Promise.all([
      cli.succeed(database, ['database:settings:get', 'defaultWriteSizeLimit']),
      cli.succeed(database, ['database:settings:get', 'strictTriggerValidation']),
    ]);
    expect(limit).toContain('defaultWriteSizeLimit = small');
    expect(validation).toContain('strictTriggerValidation = false');
  });

  test('[S280] instances:create creates a database, which instances:list shows', async () => {
    const name = `made-${crypto.randomUUID()}`;
    await cli.succeed(undefined, ['database:instances:create', name, '--location', 'europe-west1']);
    // The table for people is cut off if there are many databases.
    const listed = await cli.succeed(undefined, ['database:instances:list', '--json']);
    expect(parseJson(listed)).toMatchObject({
      status: 'success',
      result: expect.arrayContaining([expect.objectContaining({ name, state: 'ACTIVE' })]),
    });
    expect(await readData(name, '/')).toBeNull();
  });

  test('[S280] instances:create of a database that exists fails', async () => {
    const name = await openNamespace();
    await writeData(name, '/', 1);
    const ended = await cli.run(undefined, ['database:instances:create', name]);
    expect(ended).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`Failed to create instance: ${name}`),
    });
    expect(await readData(name, '/')).toBe(1);
  });

  test('[S280] without --instance a command uses the default database of its project', async () => {
    await cli.succeed(undefined, ['database:set', '/a', '--data', '"in the default one"', '--force']);
    const { body } = await ownerRequest('GET', '/a.json?ns=demo-conformance-default-rtdb');
    expect(body).toBe('in the default one');
  });
});
