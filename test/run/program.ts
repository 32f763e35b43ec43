import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { projectDir } from '../kit/electron-binary.ts';

export interface Finished {
  /** Null if a signal ended it. */
  code: number | null;
  /** Its output, if it was kept. */
  output: string;
}

export interface ProgramOptions {
  env?: Record<string, string>;
  /** Keeps the output instead of showing it. */
  isQuiet?: boolean;
  cwd?: string;
  /** It gets SIGTERM after this time. */
  timeoutMs?: number;
}

/** The project's programs come first on PATH, so that `node` is the project's Node in everything started here. */
export const programPath = [join(projectDir, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter);

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let endedBy: (typeof signals)[number] | null = null;

/** Runs a program to its end, without stdin. Never rejects: for a program that cannot be started, the code is 127. */
export function runProgram(command: string, args: readonly string[], options: ProgramOptions = {}): Promise<Finished> {
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      child = spawn(command, args, {
        cwd: options.cwd ?? projectDir,
        env: { ...process.env, PATH: programPath, ...options.env },
        stdio: options.isQuiet === true ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
        ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
      });
    } catch (error) {
      // Some refusals of the system are thrown, such as that of a .cmd file on Windows.
      resolve({ code: 127, output: error instanceof Error ? error.message : String(error) });
      return;
    }
    let output = '';
    const keep = (chunk: Buffer): void => void (output += String(chunk));
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    // A signal to this process first ends the program and then this process, so that no program is left running.
    const forwards = signals.map((signal) => ({
      signal,
      forward: () => void (child.kill(signal), (endedBy = signal)),
    }));
    for (const { signal, forward } of forwards) process.on(signal, forward);
    const end = (finished: Finished): void => {
      for (const { signal, forward } of forwards) process.off(signal, forward);
      if (endedBy !== null) process.exit(128 + constants.signals[endedBy]);
      resolve(finished);
    };
    child.once('error', (error) => end({ code: 127, output: output + error.message }));
    child.once('close', (code) => end({ code, output }));
  });
}

/**
 * npm's own script, for this Node: on Windows npm is a .cmd file, which only a shell starts. `env` is that of `npm run`,
 * or of a Node with npm beside it. Errors: throws if there is no npm.
 */
export function npmScript(env: NodeJS.ProcessEnv = process.env, node: string = process.execPath): string {
  const folder = dirname(node);
  const found = [
    env['npm_execpath'] ?? '',
    join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(folder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ].find((path) => /\.[cm]?js$/.test(path) && existsSync(path));
  if (found === undefined) throw new Error('npm was not found. Start this by "npm run".');
  return found;
}

/** The script behind an installed package's command, for this Node (no shell, no .cmd files). */
export function scriptOf(packageName: string, command: string = packageName): string {
  const folder = join(projectDir, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>;
  };
  const path = typeof bin === 'string' ? bin : bin[command];
  if (path === undefined) throw new Error(`The package ${packageName} has no command ${command}. Run "npm ci".`);
  return join(folder, path);
}
