import { afterAll, describe, expect, it } from 'vitest';
import { openApp } from './app-scene.ts';
import { removeEngineFolders } from '../../kit/engine.ts';

afterAll(removeEngineFolders);

describe('the flavour of an endpoint', () => {
  it('is learned from the first output that shows it and overridden by the user, as are the titles of its jobs', async () => {
    const app = await openApp();
    const connection = await app.answer('connection:openSandbox', undefined);
    const flavourOf = async (id: string) => {
      const all = await app.answer('connection:list', undefined);
      return all.find((one) => one.id === connection.id)?.endpoints.find((one) => one.id === id)?.flavour;
    };
    const finished = async (endpointId: string, text: string): Promise<string> => {
      const job = await app.submit({ connectionId: connection.id, endpointId, input: { text } });
      await app.untilJob(job.key, ({ phase }) => phase === 'finished');
      return job.title;
    };
    expect(await flavourOf('echo')).toBe('unknown');
    expect(await finished('echo', 'Hello')).toBe('Hello');
    await expect.poll(() => flavourOf('echo')).toBe('text');

    const shown = (await app.answer('connection:list', undefined)).find((one) => one.id === connection.id);
    if (shown === undefined) throw new Error('The connection is gone.');
    const { id, name, baseUrl, restUrl, authorization } = shown;
    const endpoints = shown.endpoints.map((one) =>
      one.id === 'echo' ? { ...one, flavour: 'other' as const, titleRule: 'Says {{text}}' } : one,
    );
    await app.answer('connection:save', { draft: { id, name, baseUrl, restUrl, authorization, endpoints } });
    expect(await finished('echo', 'Hello again')).toBe('Says Hello again');
    // Two jobs on: what came of the first would have been there.
    expect(await finished('text', 'a text')).toBe('a text');
    expect(await flavourOf('echo')).toBe('other');
    await app.close();
  });
});
