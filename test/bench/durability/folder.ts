import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../src-main/sandbox/clock.ts';
import type { FaultRule } from '../../../src-main/sandbox/faults/faults.ts';
import { startClient } from './client.ts';
import type { Client } from './client.ts';
import { intentsOf } from './intents.ts';
import type { Receipt } from './receipts.ts';
import type { Intent } from './intents.ts';
import type { Kill } from './due-chunks.ts';
import type { AskedIntent, SavedJob, Reported } from './judge.ts';
import type { BenchService } from './service.ts';

/** A client under test, with everything it was asked to do over all its starts. */
export interface Subject {
  endpointId: string;
  script: URL;
  readKept: (folder: string) => Promise<SavedJob[]>;
  /** The answers that its processes had read. Null: they do not note that. */
  readReceipts: ((folder: string) => Receipt[]) | null;
}

export interface FolderParts {
  service: BenchService;
  subjects: readonly Subject[];
  /** Names the intents of this folder. */
  name: string;
  kills: number;
  /** The faults from the first start to the last kill. */
  faults: readonly FaultRule[];
  random: () => number;
}

/** What one client did in its folder until it was at rest. */
export interface FolderEnd {
  subject: Subject;
  folder: string;
  intents: AskedIntent[];
  reported: Map<string, Reported>;
  kept: SavedJob[];
  receipts: Receipt[] | null;
  /** From each start until it accepted requests, in milliseconds. */
  startMs: number[];
  /** From the last, undisturbed start until nothing was expected any longer. Null: not within the limit. */
  recoveryMs: number | null;
}

interface Life {
  subject: Subject;
  folder: string;
  intents: AskedIntent[];
  reported: Map<string, Reported>;
  startMs: number[];
  kills: Kill[];
}

/** A kill comes at most this long after the start. */
const maxLifeMs = 3_000;
/** One kill in this many comes while the client still starts. */
const earlyKill = 4;
/** A stream whose answers are of no use is read again for five minutes. */
const recoveryLimitMs = 330_000;
const checkEveryMs = 50;

/**
 * Kills every subject `kills` times at the same random moments, under faults. Each has its own folder and starts again
 * on it. Then lets it recover without faults. All subjects get the same requests.
 */
export async function runFolder({ service, subjects, name, kills, faults, random }: FolderParts): Promise<FolderEnd[]> {
  const lives = await Promise.all(
    subjects.map(async (subject): Promise<Life> => ({
      subject,
      folder: await mkdtemp(join(tmpdir(), `jobdeck-durability-${subject.endpointId}-`)),
      intents: [],
      reported: new Map(),
      startMs: [],
      kills: [],
    })),
  );
  const start = ({ subject, folder, reported }: Life): Client => {
    const { baseUrl, apiKey } = service.sandbox;
    return startClient({
      script: subject.script,
      reported,
      start: { folder, baseUrl, apiKey, endpointId: subject.endpointId },
    });
  };

  service.sandbox.setFault(faults);
  for (let kill = 0; kill < kills; kill += 1) {
    const isEarly = random() < 1 / earlyKill;
    const lifeMs = random() * (isEarly ? maxLifeMs / 3 : maxLifeMs);
    const intents = intentsOf(`${name}-${kill}`, 10 + Math.floor(random() * 30), lifeMs, random);
    const watched = new Set(intents.filter(() => random() < 0.3).map(({ marker }) => marker));
    await Promise.all(
      lives.map(async (life) => {
        const client = start(life);
        const ready = client.ready.then((startedMs) => {
          if (startedMs === null) return;
          life.startMs.push(startedMs);
          for (const intent of intents) void ask(life, client, intent, watched.has(intent.marker));
        });
        if (!isEarly) await ready;
        await sleep(lifeMs);
        const sentAtMs = systemClock.now();
        await client.kill();
        life.kills.push({ sentAtMs, goneAtMs: systemClock.now() });
        await ready;
      }),
    );
  }
  service.sandbox.setFault(null);

  const ends = await Promise.all(
    lives.map(async (life) => {
      const client = start(life);
      const startedAt = performance.now();
      const startedMs = await client.ready;
      if (startedMs !== null) life.startMs.push(startedMs);
      const isOver = (): boolean => service.open(life.subject.endpointId) === 0;
      let isAtRest = false;
      while (!isAtRest && performance.now() - startedAt < recoveryLimitMs) {
        await sleep(checkEveryMs);
        isAtRest = (await client.live()) === 0 && isOver();
      }
      const recoveryMs = isAtRest ? performance.now() - startedAt : null;
      await client.close();
      const { readKept, readReceipts } = life.subject;
      return { ...life, recoveryMs, kept: await readKept(life.folder), receipts: readReceipts?.(life.folder) ?? null };
    }),
  );
  if (process.env['JOBDECK_BENCH_KEEP'] === undefined)
    await Promise.all(ends.map(({ folder }) => rm(folder, { recursive: true, force: true })));
  return ends;
}

/** Notes the intent before it is submitted. */
async function ask(life: Life, client: Client, intent: Intent, isWatched: boolean): Promise<void> {
  await sleep(intent.atMs);
  const { marker, end, chunks, output, operation, inputText, ttlMs } = intent;
  const { kills, startMs } = life;
  const asked: AskedIntent = { marker, end, chunks, output, answer: 'none', kills, startMs };
  life.intents.push(asked);
  const answer = await client.submit({ operation, inputText, ttlMs, isWatched });
  if (answer !== null) asked.answer = answer.isTaken ? 'taken' : 'refused';
}
