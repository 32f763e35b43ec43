import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../kit/clock.ts';
import { startEngine, to } from '../../kit/engine.ts';
import { createScriptedService } from './scripted-service.ts';

let folder = '';
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'jobdeck-moved-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

// Windows does not let a folder go in which a file is open.
describe.skipIf(process.platform === 'win32')('the data folder, moved away while Jobdeck runs', () => {
  it('gets the result when it is back: until then it is held, and that is reported', async () => {
    let isOver = false;
    const service = await createScriptedService({
      status: [() => ({ body: { id: 'job-1', status: isOver ? 'COMPLETED' : 'IN_PROGRESS', output: 'once' } })],
      stream: [{ body: [] }],
    });
    const clock = createVirtualClock(1_700_000_000_000, () => engine.settle());
    const dataDir = join(folder, 'data');
    const away = join(folder, 'away');
    await rename(await mkdtemp(join(folder, 'new-')), dataDir);
    const engine = await startEngine({ connections: to(service), clock, dataDir });
    const { key } = await engine.submit({});
    await clock.advance(5_000);

    await rename(dataDir, away);
    isOver = true;
    await clock.advance(20_000);
    expect(engine.storageTroubles.at(-1)).toMatch(/moved or deleted/);
    expect((await engine.history.get(key))?.job).toMatchObject({ status: 'IN_PROGRESS' });
    expect(
      await engine.jobs.submit({ connectionId: 'main', endpointId: 'echo', operation: 'run', inputText: '{}' }),
    ).toMatchObject({
      ok: false,
      failure: { kind: 'storage' },
    });
    expect(service.count('run')).toBe(1);

    await rename(away, dataDir);
    await clock.advance(60_000);
    expect((await engine.history.get(key))?.job).toMatchObject({ phase: 'finished', status: 'COMPLETED' });
    expect(await engine.output(key)).toBe('once');
    await engine.close();
    await service.close();
  });
});
