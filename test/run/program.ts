import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
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
    const child = spawn(command, args, {
      cwd: options.cwd ?? projectDir,
      env: { ...process.env, PATH: programPath, ...options.env },
      stdio: options.isQuiet === true ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
    });
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
