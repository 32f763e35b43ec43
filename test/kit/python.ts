import { spawnSync } from 'node:child_process';

/** Why no Python handler can run here, or null. */
export function whyNoPython(): string | null {
  const { status, stdout } = spawnSync('python3', ['-c', 'import sys; print(sys.version_info >= (3, 8))']);
  return status === 0 && stdout.toString().trim() === 'True' ? null : 'needs python3, 3.8 or later, on the PATH';
}

/** Whether the SDK of the field is installed, so that handlers get that and not its stand-in. */
export function hasPythonSdk(): boolean {
  return (
    spawnSync('python3', ['-c', 'import importlib.util, sys; sys.exit(not importlib.util.find_spec("runpod"))'])
      .status === 0
  );
}
