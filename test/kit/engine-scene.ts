import { afterAll, afterEach, beforeEach } from 'vitest';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { removeEngineFolders, startEngine, to } from './engine.ts';
import type { TestEngine, TestEngineOptions } from './engine.ts';
import { startSandbox } from './sandbox.ts';

/** A service and an engine that is connected to it. */
export interface EngineScene {
  sandbox: Sandbox;
  engine: TestEngine;
  /** Starts the next engine with the folder of this one, as the next start of the app does. */
  restart: (how: 'close' | 'crash', options?: Partial<TestEngineOptions>) => Promise<void>;
}

/** Called once at the top of a test file: every test of the file gets a new sandbox and a new engine. */
export function engineSceneForEachTest(): EngineScene {
  const started: { sandbox?: Sandbox; engine?: TestEngine } = {};
  const scene: EngineScene = {
    get sandbox() {
      return inTest(started.sandbox);
    },
    set sandbox(sandbox) {
      started.sandbox = sandbox;
    },
    get engine() {
      return inTest(started.engine);
    },
    set engine(engine) {
      started.engine = engine;
    },
    restart: async (how, options = {}) => {
      await scene.engine[how]();
      scene.engine = await startEngine({
        connections: to(scene.sandbox),
        dataDir: scene.engine.dataDir,
        ...options,
      });
    },
  };
  beforeEach(async () => {
    scene.sandbox = await startSandbox();
    scene.engine = await startEngine({ connections: to(scene.sandbox) });
  });
  afterEach(async () => {
    await scene.engine.close();
    await scene.sandbox.close();
  });
  afterAll(removeEngineFolders);
  return scene;
}

function inTest<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('A scene has its parts only within a test');
  return part;
}
